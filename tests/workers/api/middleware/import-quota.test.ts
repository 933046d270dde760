import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, test } from 'vitest';
import { MAX_IMPORTS_PER_DAY } from '../../../../src/features/account/limits.ts';
import { RATES, RATES_BY_COST } from '../../../../src/api/middleware/rate-limits.ts';
import { CARD_PATH, buildCardForm, importJsonCard } from '../../../support/card-actions.ts';
import { V2 } from '../../../support/card-files.ts';
import { uploadTestPicture } from '../../../support/character-actions.ts';
import { addCharacter, createAccount, signInGuest, type Visitor } from '../../../support/factories.ts';
import { createUniquePicture } from '../../../support/pictures.ts';

const DAY_MS = 86_400_000;
const CHAT = '{"name":"Orla","is_user":false,"mes":"You came."}';

let me: Visitor;
beforeEach(async () => {
  me = await createAccount();
});

/** Sets how many files this user has sent on a day. */
const setCount = (user: Visitor, kind: 'file' | 'picture', count: number, at = Date.now()) =>
  env.DB.prepare(
    `insert into import_counts (owner_id, kind, day, count) values (?, ?, ?, ?)
     on conflict (owner_id, kind) do update set day = excluded.day, count = excluded.count`,
  )
    .bind(user.id, kind, Math.floor(at / DAY_MS), count)
    .run();

const readCount = (user: Visitor, kind: 'file' | 'picture') =>
  env.DB.prepare('select count from import_counts where owner_id = ? and kind = ?')
    .bind(user.id, kind)
    .first<number>('count');

function importChat(user: Visitor, characterId: string, key?: string): Promise<Response> {
  const body = new FormData();
  body.set('character_id', characterId);
  if (key !== undefined) body.set('import_key', key);
  body.set('file', new Blob([CHAT]), 'chat.jsonl');
  return user.call('/api/conversations/import', { method: 'POST', body });
}

async function expectDailyRefusal(answer: Response): Promise<void> {
  expect([answer.status, await answer.json()]).toMatchObject([
    429,
    { code: 'too_many_imports', limit: MAX_IMPORTS_PER_DAY },
  ]);
  const left = Math.ceil((DAY_MS - (Date.now() % DAY_MS)) / 1000);
  expect(Math.abs(Number(answer.headers.get('retry-after')) - left)).toBeLessThan(60);
}

describe('The daily limit of imports', () => {
  test('1,000 card and chat files a day and user are taken together, and the next one waits for midnight', async () => {
    expect(MAX_IMPORTS_PER_DAY).toBe(1000);
    const characterId = await addCharacter();
    await setCount(me, 'file', MAX_IMPORTS_PER_DAY - 2);
    await importJsonCard(me, V2);
    expect((await importChat(me, characterId)).status).toBe(201);
    await expectDailyRefusal(await importChat(me, characterId));
    await expectDailyRefusal(await me.call(CARD_PATH, buildCardForm(JSON.stringify(V2))));
    await uploadTestPicture(me);
    expect((await importChat(await createAccount(), characterId)).status).toBe(201);
  });

  test('the count starts again the next day', async () => {
    const characterId = await addCharacter();
    await setCount(me, 'file', MAX_IMPORTS_PER_DAY, Date.now() - DAY_MS);
    expect((await importChat(me, characterId)).status).toBe(201);
    expect(await readCount(me, 'file')).toBe(1);
  });

  test('files that are no cards are counted, and simultaneous ones do not exceed the limit', async () => {
    await setCount(me, 'file', MAX_IMPORTS_PER_DAY - 2);
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => me.call(CARD_PATH, buildCardForm('no card'))),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([422, 422, 429, 429]);
  });

  test('a file that was imported before is not counted and is answered above the limit', async () => {
    const characterId = await addCharacter();
    expect((await importChat(me, characterId, 'a')).status).toBe(201);
    await setCount(me, 'file', MAX_IMPORTS_PER_DAY);
    expect((await importChat(me, characterId, 'a')).status).toBe(200);
    expect(await readCount(me, 'file')).toBe(MAX_IMPORTS_PER_DAY);
  });

  test('pictures have a count of their own, to which portraits of cards do not add', async () => {
    await setCount(me, 'picture', MAX_IMPORTS_PER_DAY - 1);
    await importJsonCard(me, V2);
    await uploadTestPicture(me);
    const body = new FormData();
    body.set('file', new File([createUniquePicture(2)], 'portrait.gif', { type: 'image/gif' }));
    await expectDailyRefusal(await me.call('/api/uploads/avatar', { method: 'POST', body }));
  });

  test('a guest may import as many chats as an account', async () => {
    const guest = await signInGuest();
    const characterId = await addCharacter();
    await setCount(guest, 'file', MAX_IMPORTS_PER_DAY - 1);
    expect((await importChat(guest, characterId)).status).toBe(201);
    await expectDailyRefusal(await importChat(guest, characterId));
  });

  test('the rates let one user move in 1,000 files within an hour', () => {
    for (const cost of ['file', 'begin'] as const) {
      const { limit, period } = RATES[RATES_BY_COST[cost].person];
      expect((limit * 3600) / period).toBeGreaterThanOrEqual(2 * MAX_IMPORTS_PER_DAY);
    }
  });
});
