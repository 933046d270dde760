import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { refundAbandonedCreations } from '../../../../src/services/create-character.ts';
import { RUNTIME_CONFIG_DEFAULTS } from '../../../../src/features/runtime-config/defaults.ts';
import { CREATION } from '../../../../src/features/character/limits.ts';
import { openDatabase } from '../../../../src/db/open.ts';
import type { ImportedCard } from '../../../../src/features/cards/contract.ts';
import type { OwnCharacter } from '../../../../src/features/character/contract.ts';
import { listAbandonedCreations } from '../../../../src/features/character/creation-store.ts';
import { createId } from '../../../../src/lib/ids.ts';
import {
  importJsonCard,
  CARD_PATH,
  uploadPortrait,
  downloadCardText,
} from '../../../support/card-actions.ts';
import { V3 } from '../../../support/card-files.ts';
import { fetchOwnCharacters } from '../../../support/character-actions.ts';
import {
  expectBalancedLedger,
  listLedger,
  createAccount,
  type Visitor,
  setPoints,
} from '../../../support/factories.ts';

const db = openDatabase(env.DB);
const COST = RUNTIME_CONFIG_DEFAULTS.character_cost_points;
const newKey = (): string => `key-${createId(Date.now())}`;
const later = () => Date.now() + CREATION.expiresAfterMs + 1;

let me: Visitor;
let importedCard: ImportedCard;
let avatarId: string;
beforeEach(async () => {
  me = await createAccount();
  importedCard = await importJsonCard(me, V3);
  avatarId = await uploadPortrait(me);
});
afterEach(() => {
  vi.restoreAllMocks();
});

/** Creates a character from the imported card. */
function createFromCard(changes: Record<string, unknown> = {}, key = newKey()): Promise<Response> {
  const { avatar_url: _, ...fields } = importedCard.draft;
  return me.call('/api/characters', {
    json: {
      ...fields,
      visibility: 'public',
      avatar_id: avatarId,
      import_id: importedCard.import_id,
      ...changes,
    },
    headers: { 'idempotency-key': key },
  });
}

const listCharacterCharges = async () =>
  (await listLedger(me)).map(({ kind }) => kind).filter((kind) => kind.startsWith('character'));
const readClaimant = () =>
  env.DB.prepare('select character_id from cards where id = ?')
    .bind(importedCard.import_id)
    .first<string>('character_id');

describe('Claiming a card', () => {
  test('simultaneous requests create one character from a card and charge once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 5 }, (_, index) => createFromCard({ name: `Mira ${index}` })),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.every(({ status }) => [201, 400, 429].includes(status))).toBe(true);
    const { items } = await fetchOwnCharacters(me);
    expect(items).toHaveLength(1);
    expect(await readClaimant()).toBe(items[0]?.id);
    expect(await listCharacterCharges()).toEqual(['character']);
    await expectBalancedLedger(me);
  });

  test('a request refused for lack of points leaves the card to the next one', async () => {
    await setPoints(me, COST - 1);
    expect((await createFromCard()).status).toBe(402);
    await setPoints(me, COST);
    expect((await createFromCard()).status).toBe(201);
    expect(await listCharacterCharges()).toEqual(['character']);
  });

  test('a second request for a card under way is asked to wait and pays nothing', async () => {
    vi.spyOn(console, 'error').mockReturnValue();
    const trigger = `no_room_${createId(Date.now())}`;
    await env.DB.prepare(
      `create trigger ${trigger} before insert on characters when new.creator_id = '${me.id}'
       begin select raise(abort, 'full'); end`,
    ).run();
    const key = newKey();
    expect((await createFromCard({}, key)).status).toBe(500);
    await env.DB.prepare(`drop trigger ${trigger}`).run();
    const other = await createFromCard({ name: 'Other' });
    expect([other.status, Number(other.headers.get('retry-after'))]).toEqual([429, expect.any(Number)]);
    expect(await listCharacterCharges()).toEqual(['character']);
    // The first request resumes; without it, the cron task would release the card.
    expect((await createFromCard({}, key)).status).toBe(201);
    expect(await listCharacterCharges()).toEqual(['character']);
  });
});

describe('Interrupted character creation from a card', () => {
  test('a creation interrupted after the insert keeps its card for the repeated request and the cron task', async () => {
    const key = newKey();
    const created = (await (await createFromCard({}, key)).json()) as OwnCharacter;
    await env.DB.prepare('update character_creations set done = 0 where owner_id = ?').bind(me.id).run();
    expect(await (await createFromCard({}, key)).json()).toMatchObject({
      id: created.id,
      extras: importedCard.extras,
    });
    await env.DB.prepare('update character_creations set done = 0 where owner_id = ?').bind(me.id).run();
    await refundAbandonedCreations(env, db, later());
    expect(await readClaimant()).toBe(created.id);
    expect(await downloadCardText(me, created.id)).toBe(JSON.stringify(V3));
    expect(await listCharacterCharges()).toEqual(['character']);
  });

  test('a creation whose card cannot be read costs nothing, and the next attempt succeeds', async () => {
    vi.spyOn(console, 'error').mockReturnValue();
    const key = newKey();
    vi.spyOn(env.MEDIA, 'get').mockRejectedValueOnce(new Error('unreachable'));
    const first = await createFromCard({}, key);
    vi.restoreAllMocks();
    expect([first.status, await listCharacterCharges()]).toEqual([500, []]);
    const created = (await (await createFromCard({}, key)).json()) as OwnCharacter;
    expect(await downloadCardText(me, created.id)).toBe(JSON.stringify(V3));
    expect(await listCharacterCharges()).toEqual(['character']);
  });

  test('the card of an abandoned creation is released', async () => {
    await env.DB.prepare(
      `insert into character_creations (owner_id, key, character_id, body_hash, import_id, done, created_at)
       values (?, ?, ?, 'x', ?, 0, ?)`,
    )
      .bind(me.id, newKey(), createId(Date.now()), importedCard.import_id, Date.now())
      .run();
    expect((await createFromCard()).status).toBe(429);
    await refundAbandonedCreations(env, db, later());
    expect((await createFromCard()).status).toBe(201);
  });
});

test('the nickname, parts and lorebook in the request override those of the card, also when null', async () => {
  const lorebook = { entries: [{ keys: ['inn'], content: 'Warm.' }] };
  const created = (await (
    await createFromCard({ nickname: null, lorebook, definition: { scenario: { text: 'At the inn.' } } })
  ).json()) as OwnCharacter;
  expect(created.extras).toEqual({ ...importedCard.extras, nickname: null, lorebook });
  expect(created.definition).toEqual({
    ...importedCard.draft.definition,
    scenario: { text: 'At the inn.', shared: false },
  });
  expect(await me.ask(`${CARD_PATH}/${importedCard.import_id}`)).toEqual({
    extras: importedCard.extras,
    definition: importedCard.draft.definition,
  });
  const definition = await env.DB.prepare('select definition from character_versions where character_id = ?')
    .bind(created.id)
    .first<string>('definition');
  expect(JSON.parse(definition ?? '')).toMatchObject({ nickname: null, lorebook });
});

test('looking for abandoned creations reads only the open ones, through an index', async () => {
  const queries: string[] = [];
  const observedD1 = new Proxy(env.DB, {
    get(target, name) {
      if (name !== 'prepare') return Reflect.get(target, name) as unknown;
      return (query: string) => {
        queries.push(query);
        return target.prepare(query);
      };
    },
  });
  await listAbandonedCreations(openDatabase(observedD1), Date.now());
  const [query = ''] = queries;
  const { results } = await env.DB.prepare(`explain query plan ${query}`)
    .bind(...Array.from(query.matchAll(/\?/g), () => 1))
    .all<{ detail: string }>();
  expect(results.map(({ detail }) => detail).join()).toContain('character_creations_open');
});
