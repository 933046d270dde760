import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { refundAbandonedCreations } from '../../src/services/create-character.ts';
import { RUNTIME_CONFIG_DEFAULTS } from '../../src/features/runtime-config/defaults.ts';
import { CREATION } from '../../src/features/character/limits.ts';
import { openDatabase } from '../../src/db/open.ts';
import type { ImportedCard } from '../../src/features/cards/contract.ts';
import type { OwnCharacter } from '../../src/features/character/contract.ts';
import { listAbandonedCreations } from '../../src/features/character/creation-store.ts';
import { createId } from '../../src/lib/ids.ts';
import { importJsonCard, CARD_PATH, uploadPortrait, downloadCardText } from '../support/card-actions.ts';
import { V3 } from '../support/card-files.ts';
import { fetchOwnCharacters } from '../support/character-actions.ts';
import {
  expectBalancedLedger,
  listLedger,
  createAccount,
  type Visitor,
  setPoints,
} from '../support/factories.ts';

const db = openDatabase(env.DB);
const COST = RUNTIME_CONFIG_DEFAULTS.character_cost_points;
const newKey = (): string => `key-${createId(Date.now())}`;
const later = () => Date.now() + CREATION.expiresAfterMs + 1;

let me: Visitor;
let brought: ImportedCard;
let avatarId: string;
beforeEach(async () => {
  me = await createAccount();
  brought = await importJsonCard(me, V3);
  avatarId = await uploadPortrait(me);
});
afterEach(() => {
  vi.restoreAllMocks();
});

/** Makes a character of the card. */
function make(changes: Record<string, unknown> = {}, key = newKey()): Promise<Response> {
  const { avatar_url: _, ...fields } = brought.draft;
  return me.call('/api/characters', {
    json: { ...fields, avatar_id: avatarId, import_id: brought.import_id, ...changes },
    headers: { 'idempotency-key': key },
  });
}

const paid = async () =>
  (await listLedger(me)).map(({ kind }) => kind).filter((kind) => kind.startsWith('character'));
const owner = () =>
  env.DB.prepare('select character_id from cards where id = ?')
    .bind(brought.import_id)
    .first<string>('character_id');

describe('Of one card', () => {
  test('one character is made, however many ask for it at once, and only that one is paid for', async () => {
    const answers = await Promise.all(
      Array.from({ length: 5 }, (_, index) => make({ name: `Mira ${index}` })),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.every(({ status }) => [201, 400, 429].includes(status))).toBe(true);
    const { items } = await fetchOwnCharacters(me);
    expect(items).toHaveLength(1);
    expect(await owner()).toBe(items[0]?.id);
    expect(await paid()).toEqual(['character']);
    await expectBalancedLedger(me);
  });

  test('a request that was refused for want of points leaves it to the next one', async () => {
    await setPoints(me, COST - 1);
    expect((await make()).status).toBe(402);
    await setPoints(me, COST);
    expect((await make()).status).toBe(201);
    expect(await paid()).toEqual(['character']);
  });

  test('while one request is under way, another is asked to wait, and pays nothing', async () => {
    vi.spyOn(console, 'error').mockReturnValue();
    const trigger = `no_room_${createId(Date.now())}`;
    await env.DB.prepare(
      `create trigger ${trigger} before insert on characters when new.creator_id = '${me.id}'
       begin select raise(abort, 'full'); end`,
    ).run();
    const key = newKey();
    expect((await make({}, key)).status).toBe(500);
    await env.DB.prepare(`drop trigger ${trigger}`).run();
    const other = await make({ name: 'Other' });
    expect([other.status, Number(other.headers.get('retry-after'))]).toEqual([429, expect.any(Number)]);
    expect(await paid()).toEqual(['character']);
    // The first one goes on where it was cut off; had it not, cron would have let the card go.
    expect((await make({}, key)).status).toBe(201);
    expect(await paid()).toEqual(['character']);
  });
});

describe('When making a character of a card is cut off', () => {
  test('after it was made, it has its card, and the repeated request and cron find both', async () => {
    const key = newKey();
    const made = (await (await make({}, key)).json()) as OwnCharacter;
    await env.DB.prepare('update character_creations set done = 0 where owner_id = ?').bind(me.id).run();
    expect(await (await make({}, key)).json()).toMatchObject({ id: made.id, extras: brought.extras });
    await env.DB.prepare('update character_creations set done = 0 where owner_id = ?').bind(me.id).run();
    await refundAbandonedCreations(env, db, later());
    expect(await owner()).toBe(made.id);
    expect(await downloadCardText(me, made.id)).toBe(JSON.stringify(V3));
    expect(await paid()).toEqual(['character']);
  });

  test('because its original cannot be read, nothing is paid, nothing is lost, and the next try makes it', async () => {
    vi.spyOn(console, 'error').mockReturnValue();
    const key = newKey();
    vi.spyOn(env.MEDIA, 'get').mockRejectedValueOnce(new Error('unreachable'));
    const first = await make({}, key);
    vi.restoreAllMocks();
    expect([first.status, await paid()]).toEqual([500, []]);
    const made = (await (await make({}, key)).json()) as OwnCharacter;
    expect(await downloadCardText(me, made.id)).toBe(JSON.stringify(V3));
    expect(await paid()).toEqual(['character']);
  });

  test('before it was made, and nobody comes back, its card is free again', async () => {
    await env.DB.prepare(
      `insert into character_creations (owner_id, key, character_id, body_hash, import_id, done, created_at)
       values (?, ?, ?, 'x', ?, 0, ?)`,
    )
      .bind(me.id, newKey(), createId(Date.now()), brought.import_id, Date.now())
      .run();
    expect((await make()).status).toBe(429);
    await refundAbandonedCreations(env, db, later());
    expect((await make()).status).toBe(201);
  });
});

test('What I write of a nickname, notes and lore counts before what the card has, also that there is none', async () => {
  const lorebook = { entries: [{ keys: ['inn'], content: 'Warm.' }] };
  const made = (await (await make({ nickname: null, lorebook })).json()) as OwnCharacter;
  expect(made.extras).toEqual({ ...brought.extras, nickname: null, lorebook });
  expect(await me.ask(`${CARD_PATH}/${brought.import_id}`)).toEqual({ extras: brought.extras });
  const definition = await env.DB.prepare('select definition from character_versions where character_id = ?')
    .bind(made.id)
    .first<string>('definition');
  expect(JSON.parse(definition ?? '')).toMatchObject({ nickname: null, lorebook });
});

test('Looking for requests that were left costs by how many there are, not by how many there ever were', async () => {
  const asked: string[] = [];
  const listening = new Proxy(env.DB, {
    get(target, name) {
      if (name !== 'prepare') return Reflect.get(target, name) as unknown;
      return (query: string) => {
        asked.push(query);
        return target.prepare(query);
      };
    },
  });
  await listAbandonedCreations(openDatabase(listening), Date.now());
  const [query = ''] = asked;
  const { results } = await env.DB.prepare(`explain query plan ${query}`)
    .bind(...Array.from(query.matchAll(/\?/g), () => 1))
    .all<{ detail: string }>();
  expect(results.map(({ detail }) => detail).join()).toContain('character_creations_open');
});
