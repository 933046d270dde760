import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, test } from 'vitest';
import { eraseDueAccounts } from '../../src/services/erase-accounts.ts';
import { CARD, TRASH } from '../../src/features/character/limits.ts';
import { type Database, openDatabase } from '../../src/db/open.ts';
import { removeUnclaimedCards } from '../../src/features/cards/card-gateway.ts';
import { countImport, expireUnclaimedCards } from '../../src/features/cards/card-store.ts';
import { updateCharacter } from '../../src/features/character/character-change-store.ts';
import type { Lorebook } from '../../src/features/character/lorebook/lorebook-contract.ts';
import type { CharacterChange, OwnCharacter } from '../../src/features/character/contract.ts';
import {
  importCard,
  importJsonCard,
  CARD_PATH,
  buildCardForm,
  uploadPortrait,
  publishDraft,
  getImportError,
  downloadCardText,
} from '../support/card-actions.ts';
import { encodeCard, buildPng, buildTextChunk, V2, V3 } from '../support/card-files.ts';
import { downloadArchive } from '../support/data-export.ts';
import { runErasures, deleteAccount } from '../support/account-deletion.ts';
import { type CallOptions, addCharacter, createAccount, Visitor } from '../support/factories.ts';

const HOUR_MS = 3_600_000;
const db = openDatabase(env.DB);

const originals = async (): Promise<string[]> =>
  (await env.MEDIA.list({ prefix: 'cards/' })).objects.map(({ key }) => key);
const keyOf = async (importId: string): Promise<string> =>
  (await env.DB.prepare('select object_key from cards where id = ?')
    .bind(importId)
    .first<string>('object_key')) ?? '';

let me: Visitor;
beforeEach(async () => {
  me = await createAccount();
});

/** So many lists in each other. */
const nested = (depth: number): unknown =>
  Array.from({ length: depth }).reduce<unknown>((inner) => [inner], 0);

describe('A lorebook', () => {
  const book: Lorebook = {
    name: 'The coast',
    entries: [{ keys: ['sea'], content: 'Deep.', enabled: true, insertion_order: 1, odd: { kept: [1] } }],
    odd: true,
  } as Lorebook;
  const put = (json: unknown): CallOptions => ({ method: 'PUT', json });

  test('is written and read by the character’s maker, unknown fields and all, as a new version', async () => {
    const made = await publishDraft(
      me,
      await importCard(me, buildPng(buildTextChunk('chara', encodeCard(V2)))),
    );
    const path = `/api/characters/${made.id}/lorebook`;
    // Sent again as it came, it is nothing new to anybody's story.
    const came = await me.ask<{ book: Lorebook }>(path);
    await me.ask(path, put(came));
    expect(await me.ask<OwnCharacter>(`/api/me/characters/${made.id}`)).toMatchObject({
      version: made.version,
    });
    expect(await me.ask(path, put({ book }))).toEqual({ book });
    expect(await me.ask(path)).toEqual({ book });
    const now = await me.ask<OwnCharacter>(`/api/me/characters/${made.id}`);
    expect(now.version).toBe(made.version + 1);
    expect(JSON.parse(await downloadCardText(me, made.id))).toMatchObject({ data: { character_book: book } });
    expect(await me.ask(path, put({ book: null }))).toEqual({ book: null });
    expect(JSON.parse(await downloadCardText(me, made.id))).not.toHaveProperty('data.character_book');
    // Put back as it was, the card is as it came.
    await me.ask(path, put({ book: V2.data.character_book }));
    expect(JSON.parse(await downloadCardText(me, made.id))).toEqual(V2);
  });

  test('is saved without what somebody writes into the notes at the same moment being lost', async () => {
    const made = await publishDraft(me, await importJsonCard(me, V2), {
      avatar_id: await uploadPortrait(me),
    });
    const change = (database: Database, wish: CharacterChange) =>
      updateCharacter(database, {
        id: made.id,
        creatorId: me.id,
        change: wish,
        spicy: false,
        now: Date.now(),
      });
    // The other one comes between what this one reads and what it writes.
    const interrupted = new Proxy(db, {
      get(target, name) {
        if (name !== 'batch') return Reflect.get(target, name) as unknown;
        return async (writes: Parameters<Database['batch']>[0]) => {
          await change(db, { creator_notes: { en: 'Written meanwhile.' } });
          return target.batch(writes);
        };
      },
    });
    expect(await change(interrupted, { lorebook: book })).toEqual({ ok: true });
    const now = await me.ask<OwnCharacter>(`/api/me/characters/${made.id}`);
    expect(now.extras).toMatchObject({ creator_notes: { en: 'Written meanwhile.' }, lorebook: book });
  });

  test('is nobody else’s', async () => {
    const id = await addCharacter({ creatorId: me.id });
    const path = `/api/characters/${id}/lorebook`;
    for (const [viewer, status] of [
      [await createAccount(), 404],
      [new Visitor(), 401],
    ] as const) {
      expect((await viewer.call(path)).status).toBe(status);
      expect((await viewer.call(path, put({ book }))).status).toBe(status);
    }
    expect(await me.ask(path)).toEqual({ book: null });
  });

  test('that another program wrote in its own way can be saved again as it came, and a word of it changed', async () => {
    const odd = {
      entries: [
        {
          keys: 'sea',
          content: 7,
          position: 0,
          insertion_order: '12',
          case_sensitive: 'no',
          probability: null,
        },
        { content: 'x'.repeat(CARD.lorebook.maxContentChars + 1) },
        { keys: Array.from({ length: CARD.lorebook.maxKeys + 1 }, () => 'sea'), content: 'Deep.' },
        'no entry',
      ],
      scan_depth: '-1',
    };
    const card = { ...V2, data: { ...V2.data, character_book: odd } };
    const brought = await importJsonCard(me, card);
    const extras = { nickname: null, creator_notes: { en: V2.data.creator_notes }, lorebook: odd };
    expect(brought.extras).toEqual(extras);
    expect(await me.ask(`${CARD_PATH}/${brought.import_id}`)).toEqual({ extras });
    const changed = { ...odd, entries: [...odd.entries, { keys: ['storm'], content: 'Near.' }] };
    const made = await publishDraft(me, brought, { avatar_id: await uploadPortrait(me), lorebook: changed });
    const path = `/api/characters/${made.id}/lorebook`;
    expect(await me.ask(path)).toEqual({ book: changed });
    expect(await me.ask(path, put({ book: odd }))).toEqual({ book: odd });
    expect(await downloadCardText(me, made.id)).toBe(JSON.stringify(card));
    const longer = { ...odd, entries: [{ content: 'y'.repeat(CARD.lorebook.maxContentChars + 1) }] };
    expect(
      await getImportError(me, { method: 'PATCH', json: { lorebook: longer } }, `/api/characters/${made.id}`),
    ).toMatchObject({
      status: 400,
      fields: { lorebook: [expect.any(String)] },
    });
  });

  test('is changed with the nickname and the notes in one save, and the card has the rest as it came', async () => {
    const { creator_notes_multilingual: notes } = V3.data;
    const made = await publishDraft(
      me,
      await importCard(me, buildPng(buildTextChunk('ccv3', encodeCard(V3)))),
    );
    const [first, ...others] = V3.data.character_book.entries;
    const lorebook = {
      ...V3.data.character_book,
      entries: [{ ...first, content: 'Calm today.' }, ...others],
    };
    const change = { nickname: 'Mimi', creator_notes: { ...notes, de: 'Leise.' }, lorebook };
    const now = await me.ask<OwnCharacter>(`/api/characters/${made.id}`, { method: 'PATCH', json: change });
    expect(now).toMatchObject({ version: made.version + 1, extras: change });
    expect(JSON.parse(await downloadCardText(me, made.id))).toMatchObject({
      data: {
        ...V3.data,
        nickname: 'Mimi',
        creator_notes_multilingual: change.creator_notes,
        character_book: lorebook,
        extensions: V3.data.extensions,
        modification_date: expect.any(Number),
      },
    });
    for (const [bad, field] of [
      [{ nickname: 'n'.repeat(CARD.maxNicknameChars + 1) }, 'nickname'],
      [{ creator_notes: { en: ' ' } }, 'creator_notes'],
      [{ creator_notes: { 'no language': 'x' } }, 'creator_notes'],
    ] as const) {
      const refused = await getImportError(me, { method: 'PATCH', json: bad }, `/api/characters/${made.id}`);
      expect(refused).toMatchObject({ status: 400, fields: { [field]: expect.anything() } });
    }
    await me.ask(`/api/characters/${made.id}`, {
      method: 'PATCH',
      json: { nickname: 'Mi', creator_notes: notes, lorebook: V3.data.character_book },
    });
    expect(JSON.parse(await downloadCardText(me, made.id))).toEqual(V3);
  });

  test('of another shape, or too large, is refused', async () => {
    const id = await addCharacter({ creatorId: me.id });
    const path = `/api/characters/${id}/lorebook`;
    const entry = { keys: ['a'], content: 'b', enabled: true, insertion_order: 0 };
    for (const bad of [
      undefined,
      [],
      { entries: {} },
      { entries: [{ ...entry, content: 'x'.repeat(CARD.lorebook.maxContentChars + 1) }] },
      { entries: [{ ...entry, keys: Array.from({ length: 101 }, () => 'a') }] },
      { entries: Array.from({ length: CARD.lorebook.maxEntries + 1 }, () => entry) },
      { entries: [{ ...entry, extensions: { deep: nested(CARD.maxDepth) } }] },
    ]) {
      expect(await getImportError(me, put({ book: bad }), path)).toMatchObject({
        status: 400,
        code: 'invalid_input',
      });
    }
    const large = { entries: Array.from({ length: 40 }, () => ({ ...entry, content: 'x'.repeat(15_000) })) };
    expect(await getImportError(me, put({ book: large }), path)).toMatchObject({
      status: 413,
      code: 'lorebook_too_large',
      fields: { lorebook: ['A lorebook may have 512 kB in all'] },
    });
    // Deeper than anything can be written down that calls itself for each level.
    const depth = 100_000;
    const body = `{"book":{"entries":[],"deep":${'['.repeat(depth)}${']'.repeat(depth)}}}`;
    const deep = { method: 'PUT', body, headers: { 'content-type': 'application/json' } };
    expect(await getImportError(me, deep, path)).toMatchObject({ status: 400, code: 'invalid_input' });
    expect(await me.ask(path)).toEqual({ book: null });
  });
});

describe('Housekeeping', () => {
  const aged = (ms: number) =>
    env.DB.prepare('update cards set created_at = created_at - ? where owner_id = ?').bind(ms, me.id).run();

  test('takes cards away of which nobody made a character for a day, and leaves the others', async () => {
    const used = await importJsonCard(me, V2);
    await publishDraft(me, used, { avatar_id: await uploadPortrait(me) });
    const unused = await importJsonCard(me, V3);
    const [usedKey, unusedKey] = [await keyOf(used.import_id), await keyOf(unused.import_id)];
    await aged(23 * HOUR_MS);
    await removeUnclaimedCards(env, db, Date.now());
    expect(await originals()).toEqual(expect.arrayContaining([usedKey, unusedKey]));
    await aged(2 * HOUR_MS);
    const broken = {
      MEDIA: { delete: () => Promise.reject(new Error('unreachable')) } as unknown as R2Bucket,
    };
    await expect(removeUnclaimedCards(broken, db, Date.now())).rejects.toThrow('unreachable');
    // On its way out, nothing is made of it any more.
    const { avatar_url: _, ...fields } = unused.draft;
    const late = { json: { ...fields, avatar_id: await uploadPortrait(me), import_id: unused.import_id } };
    expect(await getImportError(me, late, '/api/characters')).toMatchObject({ status: 400 });
    await removeUnclaimedCards(env, db, Date.now());
    expect(await originals()).toContain(usedKey);
    expect(await originals()).not.toContain(unusedKey);
    expect(await keyOf(unused.import_id)).toBe('');
  });

  test('goes with the character out of the trash, and with me out of everything', async () => {
    const first = await importJsonCard(me, V2);
    const { id } = await publishDraft(me, first, { avatar_id: await uploadPortrait(me) });
    const second = await importJsonCard(me, V3);
    await publishDraft(me, second, { avatar_id: await uploadPortrait(me) });
    const third = await importJsonCard(me, V3);
    const keys = await Promise.all([first, second, third].map(({ import_id }) => keyOf(import_id)));
    await env.DB.prepare('update characters set deleted_at = ? where id = ?')
      .bind(Date.now() - TRASH.retentionMs - 1, id)
      .run();
    await aged(31 * 24 * HOUR_MS);
    await env.DB.prepare('update cards set created_at = ? where id = ?')
      .bind(Date.now(), third.import_id)
      .run();
    await eraseDueAccounts(env, db, Date.now());
    await removeUnclaimedCards(env, db, Date.now());
    expect(keys.map((key) => key !== '')).toEqual([true, true, true]);
    const left = await originals();
    expect(keys.map((key) => left.includes(key))).toEqual([false, true, true]);
    await deleteAccount(me);
    await runErasures();
    const after = await originals();
    expect(keys.map((key) => after.includes(key))).toEqual([false, false, false]);
  });

  test('has no more than so many an hour of one person, and makes room for the newest', async () => {
    const card = (index: number, at: number) =>
      env.DB.prepare(
        'insert into cards (id, owner_id, object_key, bytes, draft, created_at) values (?, ?, ?, 1, ?, ?)',
      )
        .bind(`${me.id}-${index}`, me.id, `cards/${me.id}-${index}`, '{}', at)
        .run();
    const now = Date.now();
    for (let index = 0; index < CARD.maxPerHour; index += 1) await card(index, now - index);
    const answer = await me.call(CARD_PATH, buildCardForm(JSON.stringify(V2)));
    expect([answer.status, Number(answer.headers.get('retry-after'))]).toEqual([429, expect.any(Number)]);
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(3000);
    await aged(2 * HOUR_MS);
    await importJsonCard(me, V2);
    await expect
      .poll(async () =>
        env.DB.prepare('select count(*) as n from cards where owner_id = ?').bind(me.id).first<number>('n'),
      )
      .toBe(CARD.maxUnclaimed);
  });

  test('files that are no cards count as well, many at once too, and are forgotten after the hour', async () => {
    const garbage = () => me.call(CARD_PATH, buildCardForm('no card'));
    for (let index = 0; index < CARD.maxPerHour - 2; index += 1) expect((await garbage()).status).toBe(422);
    const answers = await Promise.all([garbage(), garbage(), garbage(), garbage()]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([422, 422, 429, 429]);
    expect(await getImportError(me, buildCardForm(JSON.stringify(V2)))).toMatchObject({
      status: 429,
      code: 'too_many_requests',
    });
    await env.DB.prepare('update cards set created_at = created_at + ? where owner_id = ?')
      .bind(HOUR_MS, me.id)
      .run();
    await importJsonCard(me, V2);
    await removeUnclaimedCards(env, db, Date.now() + 1000);
    expect(
      await env.DB.prepare('select count(*) as n from cards where owner_id = ?')
        .bind(me.id)
        .first<number>('n'),
    ).toBe(1);
  });

  test('is counted and cleared by what there is of the hour and the day, not by all that was ever brought', async () => {
    const plans: string[] = [];
    const listening = new Proxy(env.DB, {
      get(target, name) {
        if (name !== 'prepare') return (Reflect.get(target, name) as () => unknown).bind(target);
        return (query: string) => {
          plans.push(query);
          return target.prepare(query);
        };
      },
    });
    const listened = openDatabase(listening);
    await countImport(listened, { id: crypto.randomUUID(), ownerId: me.id, now: Date.now() });
    await expireUnclaimedCards(listened, Date.now());
    const explained = await Promise.all(
      plans.map(async (query) => {
        const { results } = await env.DB.prepare(`explain query plan ${query}`)
          .bind(...Array.from(query.matchAll(/\?/g), () => 1))
          .all<{ detail: string }>();
        return results.map(({ detail }) => detail).join('\n');
      }),
    );
    const [counted, first, cleared] = explained;
    for (const plan of [counted, first]) {
      expect(plan).toContain('cards_owner (owner_id=? AND created_at>?)');
      expect(plan).toContain('cards_owner (owner_id=? AND created_at<?)');
    }
    expect(cleared).toContain('cards_unclaimed (created_at>? AND created_at<?)');
  });

  test('no address leads to an original', async () => {
    const { import_id } = await importJsonCard(me, V2);
    const key = await keyOf(import_id);
    expect(await originals()).toContain(key);
    for (const path of [`/media/${key}`, `/media/${encodeURIComponent(key)}`, `/media/${key.slice(6)}`]) {
      expect((await new Visitor().call(path)).status).toBe(404);
    }
  });
});

describe('The download of everything that is mine', () => {
  test('has my cards as I brought them, also those of which I made nothing yet', async () => {
    const text = `${JSON.stringify(V2, null, 3)}\n`;
    await publishDraft(me, await importCard(me, text), { avatar_id: await uploadPortrait(me) });
    const unused = await importJsonCard(me, V3);
    const archive = await downloadArchive(me);
    expect(archive.text('characters/Mira.original.json')).toBe(text);
    expect(archive.json(`cards/${unused.import_id}.json`)).toEqual(V3);
    expect(archive.json('characters/Mira.v3.json')).toMatchObject({
      data: {
        alternate_greetings: V2.data.alternate_greetings,
        character_book: V2.data.character_book,
      },
    });
  });
});
