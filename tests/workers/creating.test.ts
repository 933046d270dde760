// Over 400 lines: one creation, interrupted at every step it has, over the same few hands.
import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { refundAbandonedCreations } from '../../src/services/create-character.ts';
import { RUNTIME_CONFIG_DEFAULTS } from '../../src/features/runtime-config/defaults.ts';
import { CREATION } from '../../src/features/character/limits.ts';
import { openDatabase } from '../../src/db/open.ts';
import type { CharacterList, OwnCharacter } from '../../src/features/character/contract.ts';
import { WalletObject } from '../../src/features/wallet/wallet-object.ts';
import { createId } from '../../src/lib/ids.ts';
import {
  createOwnCharacter,
  buildForm,
  fetchOwnCharacters,
  submitForm,
} from '../support/character-actions.ts';
import { ConfiguredVisitor } from '../support/configured-visitor.ts';
import {
  startTurn,
  addCharacter,
  startConversation,
  expectBalancedLedger,
  signInGuest,
  listLedger,
  getPoints,
  createAccount,
  Visitor,
  getWalletStub,
  setPoints,
} from '../support/factories.ts';
import { createScene } from '../support/scripted-model.ts';

const db = openDatabase(env.DB);
const COST = RUNTIME_CONFIG_DEFAULTS.character_cost_points;
const newKey = (): string => `key-${createId(Date.now())}`;

const requestsOf = async (me: Visitor) =>
  (await env.DB.prepare('select * from character_creations where owner_id = ?').bind(me.id).all()).results;

const code = async (answer: Response): Promise<[number, string]> => [
  answer.status,
  ((await answer.json()) as { code: string }).code,
];

const paidAndReturned = async (me: Visitor): Promise<string[]> =>
  (await listLedger(me)).map(({ kind }) => kind).filter((kind) => kind.startsWith('character'));

/** So long later that nobody comes back for a request that was left. */
const later = () => Date.now() + CREATION.expiresAfterMs + 1;

/** From now on, no character of this person can be written down. */
async function catalogueIsFull({ id }: Visitor): Promise<void> {
  await env.DB.prepare(
    `create trigger catalogue_is_full before insert on characters when new.creator_id = '${id}'
     begin select raise(abort, 'full'); end`,
  ).run();
}
const catalogueHasRoom = () => env.DB.prepare('drop trigger if exists catalogue_is_full').run();

afterEach(async () => {
  vi.restoreAllMocks();
  await catalogueHasRoom();
});

describe('When I create a character', () => {
  test('it is mine, public, found by others, and has cost its points once', async () => {
    const me = await createAccount();
    const word = `kappa${createId(Date.now())}`;
    const form = await buildForm(me, {
      name: `  Orla ${word} `,
      first_message: '*Salt in the air.* "You are late, {{user}}."',
      suggested_replies: ['Who are you then?', ' Is it always stormy? '],
      tags: ['fantasy', 'female', 'fantasy'],
      alternate_greetings: ['"Early, for once."'],
      point_of_view: 'rpg',
    });
    const made = await me.ask<OwnCharacter>('/api/characters', {
      json: form,
      status: 201,
      headers: { 'accept-language': 'pl' },
    });
    expect(made).toMatchObject({
      id: expect.stringMatching(/^[0-9a-z]{26}$/),
      name: `Orla ${word}`,
      oneliner: form.oneliner,
      character_traits: form.character_traits,
      first_message: form.first_message,
      avatar_id: form.avatar_id,
      avatar_url: `/media/${form.avatar_id}`,
      model_type: 'roleplay',
      visibility: 'public',
      point_of_view: 'rpg',
      nsfw_allowed: false,
      suggested_replies: ['Who are you then?', 'Is it always stormy?'],
      tags: expect.arrayContaining(['fantasy', 'female']),
      alternate_greetings: ['"Early, for once."'],
      creator: { id: me.id },
      chat_count: 0,
      moderation: 'shown',
      version: 1,
      summary: null,
      summary_generated: false,
    });
    expect(made.tags).toHaveLength(2);
    const { items } = await new Visitor().ask<CharacterList>(`/api/characters?q=${word}`);
    expect(items.map(({ id }) => id)).toEqual([made.id]);
    expect((await getPoints(me)).current_points).toBe(50 - COST);
    expect((await listLedger(me))[0]).toMatchObject({
      kind: 'character',
      amount: -COST,
      reason: 'A character was made',
    });
    await expectBalancedLedger(me);
    const row = await env.DB.prepare('select language from characters where id = ?').bind(made.id).first();
    expect(row).toEqual({ language: 'pl' });
    const version = await env.DB.prepare('select * from character_versions where character_id = ?')
      .bind(made.id)
      .first<{ version: number; definition: string }>();
    expect(version?.version).toBe(1);
    expect(JSON.parse(version?.definition ?? '')).toMatchObject({
      name: `Orla ${word}`,
      alternate_greetings: ['"Early, for once."'],
      nickname: null,
      lorebook: null,
    });
  });

  test('what I leave out is empty, general, and told as usual', async () => {
    const me = await createAccount();
    expect(await createOwnCharacter(me)).toMatchObject({
      first_message: '',
      point_of_view: 'normal',
      nsfw_allowed: false,
      suggested_replies: [],
      tags: [],
      alternate_greetings: [],
    });
  });

  test('with too few points, I am told how many it takes, and nothing is made', async () => {
    const me = await createAccount();
    await setPoints(me, COST - 1);
    const answer = await submitForm(me, await buildForm(me));
    expect(answer.status).toBe(402);
    expect(await answer.json()).toMatchObject({
      code: 'points_exhausted',
      error: `You need at least ${COST} points to create a character...`,
      points_required: COST,
      points: { current_points: COST - 1 },
    });
    expect(await me.ask('/api/points/check-availability', { json: { action: 'create_character' } })).toEqual({
      success: false,
      error: `You need at least ${COST} points to create a character...`,
      points_required: COST,
    });
    expect((await fetchOwnCharacters(me)).items).toEqual([]);
    await expectBalancedLedger(me);
  });

  test('with too few points, and a new key each time, I am stopped, and can go on when cron has been', async () => {
    const me = await createAccount();
    await setPoints(me, COST - 1);
    const form = await buildForm(me);
    const all = await Promise.all(
      Array.from({ length: CREATION.maxOpen + 2 }, async () => code(await submitForm(me, form, newKey()))),
    );
    expect(all.filter(([status]) => status === 402)).toHaveLength(CREATION.maxOpen);
    expect(all.filter(([, said]) => said === 'too_many_requests')).toHaveLength(2);
    expect(await requestsOf(me)).toHaveLength(CREATION.maxOpen);
    await refundAbandonedCreations(env, db, later());
    await setPoints(me, COST);
    expect((await submitForm(me, form, newKey())).status).toBe(201);
  });

  test('points that a reply holds are not there to pay with', async () => {
    const me = await createAccount();
    const form = await buildForm(me);
    await setPoints(me, COST);
    const slow = createScene('gate n=1');
    const reader = await startTurn(me, await startConversation(me), slow.marker);
    await slow.reached();
    expect(await code(await submitForm(me, form))).toEqual([402, 'points_exhausted']);
    await slow.open();
    await reader.readRest();
  });

  test('permanent points are spent after the others', async () => {
    const me = await createAccount();
    await setPoints(me, COST - 2);
    await runInDurableObject(getWalletStub(me.id), (_, { storage }) => {
      storage.sql.exec('update balance set permanent = 3');
      storage.sql.exec('update ledger set amount = amount + 3, balance_after = balance_after + 3');
    });
    await createOwnCharacter(me);
    expect(await getPoints(me)).toMatchObject({ current_points: 0, permanent_points: 1 });
    await expectBalancedLedger(me);
  });

  test('as a guest or as nobody, I am told so before anything else is looked at', async () => {
    const someone = await signInGuest();
    expect(await code(await submitForm(new Visitor(), { nonsense: true }))).toEqual([401, 'unauthenticated']);
    expect(await code(await submitForm(someone, { nonsense: true }))).toEqual([403, 'account_required']);
    expect(await someone.ask('/api/permissions/create_character')).toEqual({
      success: false,
      error_message: 'You must be logged in to perform this action',
    });
    expect(await (await createAccount()).ask('/api/permissions/create_character')).toEqual({
      success: true,
      error_message: null,
    });
  });

  test('for adults, spicy mode has to be on', async () => {
    const me = await createAccount();
    const form = await buildForm(me, { nsfw_allowed: true });
    expect(await code(await submitForm(me, form))).toEqual([403, 'spicy_mode_off']);
    const off = new ConfiguredVisitor({ SPICY_MODE: 'off' }, me);
    expect(await code(await submitForm(off, form))).toEqual([403, 'spicy_mode_unavailable']);
    await me.ask('/api/account', { method: 'PATCH', json: { spicy_mode: true, age_confirmed: true } });
    expect((await submitForm(me, form)).status).toBe(201);
    expect((await fetchOwnCharacters(me)).items).toHaveLength(1);
  });

  test('with somebody else’s picture, or one that is gone, it is refused and costs nothing', async () => {
    const [me, other] = [await createAccount(), await createAccount()];
    const theirs = (await buildForm(other)).avatar_id;
    const going = (await buildForm(me)).avatar_id;
    await env.DB.prepare('update pictures set created_at = 0 where key = ?').bind(going).run();
    for (const avatar_id of [theirs, going, `${'0'.repeat(32)}.png`]) {
      const answer = await submitForm(me, await buildForm(me, { avatar_id }), newKey());
      expect(answer.status).toBe(400);
      expect(await answer.json()).toMatchObject({
        code: 'invalid_input',
        fields: { avatar_id: ['Please upload an avatar'] },
      });
    }
    expect(await paidAndReturned(me)).toEqual([]);
    expect(await requestsOf(me)).toEqual([]);
  });

  test('of a card that I did not bring, it is refused', async () => {
    const me = await createAccount();
    const answer = await submitForm(me, await buildForm(me, { import_id: createId(Date.now()) }));
    expect([answer.status, await answer.json()]).toMatchObject([
      400,
      { fields: { import_id: [expect.any(String)] } },
    ]);
    expect(await paidAndReturned(me)).toEqual([]);
  });
});

describe('When I create a character twice with the same key', () => {
  test('one after the other or many at once, there is one and I pay once', async () => {
    const me = await createAccount();
    const form = await buildForm(me);
    const key = newKey();
    const answers = await Promise.all(Array.from({ length: 6 }, () => submitForm(me, form, key)));
    answers.push(await submitForm(me, form, key));
    const made = await Promise.all(answers.map((answer) => answer.json<OwnCharacter>()));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201));
    expect(new Set(made.map(({ id }) => id)).size).toBe(1);
    expect((await fetchOwnCharacters(me)).items).toHaveLength(1);
    expect(await paidAndReturned(me)).toEqual(['character']);
    await expectBalancedLedger(me);
    // Also with nothing left to pay from, and the fields in another order.
    await setPoints(me, 0);
    const turned = Object.fromEntries(Object.entries(form).toReversed());
    expect(await (await submitForm(me, turned, key)).json()).toMatchObject({ id: made[0]?.id });
  });

  test('and something else in it, it is refused, and the first one stays as it is', async () => {
    const me = await createAccount();
    const form = await buildForm(me);
    const key = newKey();
    await submitForm(me, form, key);
    expect(await code(await submitForm(me, { ...form, name: 'Another' }, key))).toEqual([
      422,
      'idempotency_key_reused',
    ]);
    expect((await fetchOwnCharacters(me)).items.map(({ name }) => name)).toEqual(['Orla']);
  });

  test('which somebody else uses too, both have their own', async () => {
    const key = newKey();
    for (const me of [await createAccount(), await createAccount()])
      expect((await submitForm(me, await buildForm(me), key)).status).toBe(201);
  });

  test('that is no key, it is refused', async () => {
    const me = await createAccount();
    for (const key of ['short', 'x'.repeat(65), 'with blank', 'semi;colon', ':internal'])
      expect(await code(await submitForm(me, await buildForm(me), key))).toEqual([400, 'invalid_input']);
  });

  test('and without any, there are two, and both are paid for', async () => {
    const me = await createAccount();
    await createOwnCharacter(me);
    await createOwnCharacter(me);
    expect(await paidAndReturned(me)).toEqual(['character', 'character']);
    expect((await fetchOwnCharacters(me)).items).toHaveLength(2);
  });

  test('with points for one alone, of two at once one is made', async () => {
    const me = await createAccount();
    const form = await buildForm(me);
    await setPoints(me, COST);
    const answers = await Promise.all([submitForm(me, form, newKey()), submitForm(me, form, newKey())]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 402]);
    expect((await fetchOwnCharacters(me)).items).toHaveLength(1);
    await expectBalancedLedger(me);
  });
});

describe('When something fails while my character is made', () => {
  test('the points come back at once, and trying again makes it', async () => {
    vi.spyOn(console, 'error').mockReturnValue();
    const me = await createAccount();
    const form = await buildForm(me);
    await catalogueIsFull(me);
    expect(await code(await submitForm(me, form))).toEqual([500, 'server_error']);
    await vi.waitFor(async () =>
      expect(await paidAndReturned(me)).toEqual(['character_refund', 'character']),
    );
    await vi.waitFor(async () => expect(await requestsOf(me)).toEqual([]));
    expect((await getPoints(me)).current_points).toBe(50);
    await catalogueHasRoom();
    expect((await submitForm(me, form)).status).toBe(201);
    await expectBalancedLedger(me);
  });

  test('a repeat with the same key goes on where it stopped, for the same price', async () => {
    vi.spyOn(console, 'error').mockReturnValue();
    const me = await createAccount();
    const form = await buildForm(me);
    const key = newKey();
    await catalogueIsFull(me);
    expect((await submitForm(me, form, key)).status).toBe(500);
    await catalogueHasRoom();
    expect((await submitForm(me, form, key)).status).toBe(201);
    expect(await paidAndReturned(me)).toEqual(['character']);
  });

  test('and I never come back, cron gives the points back, and the key can be used anew', async () => {
    vi.spyOn(console, 'error').mockReturnValue();
    const me = await createAccount();
    const form = await buildForm(me);
    const key = newKey();
    await catalogueIsFull(me);
    expect((await submitForm(me, form, key)).status).toBe(500);
    await catalogueHasRoom();
    await refundAbandonedCreations(env, db, Date.now());
    expect(await paidAndReturned(me)).toEqual(['character']);
    for (let run = 0; run < 2; run += 1) await refundAbandonedCreations(env, db, later());
    expect(await paidAndReturned(me)).toEqual(['character_refund', 'character']);
    expect((await getPoints(me)).current_points).toBe(50);
    expect((await submitForm(me, form, key)).status).toBe(201);
    await expectBalancedLedger(me);
  });

  test('with a wallet that took the points and said nothing, they come back', async () => {
    vi.spyOn(console, 'error').mockReturnValue();
    const me = await createAccount();
    const form = await buildForm(me);
    const { payForCharacter } = WalletObject.prototype;
    vi.spyOn(WalletObject.prototype, 'payForCharacter').mockImplementationOnce(async function (
      this: WalletObject,
      id: string,
    ) {
      await payForCharacter.call(this, id);
      throw new Error('the line was cut');
    });
    const key = newKey();
    expect((await submitForm(me, form, key)).status).toBe(500);
    expect(await paidAndReturned(me)).toEqual(['character']);
    await refundAbandonedCreations(env, db, later());
    expect(await paidAndReturned(me)).toEqual(['character_refund', 'character']);
    expect(await requestsOf(me)).toEqual([]);
    expect((await fetchOwnCharacters(me)).items).toEqual([]);
  });

  test('with a wallet that does not answer cron either, it is tried again and nothing is made meanwhile', async () => {
    vi.spyOn(console, 'error').mockReturnValue();
    const me = await createAccount();
    const form = await buildForm(me);
    const key = newKey();
    await catalogueIsFull(me);
    await submitForm(me, form, key);
    await catalogueHasRoom();
    const broken = { ...env.WALLETS, idFromName: () => 'x', get: () => ({}) } as unknown as Env['WALLETS'];
    await refundAbandonedCreations({ WALLETS: broken }, db, later());
    expect(await requestsOf(me)).toMatchObject([{ done: 0, created_at: 0 }]);
    // Whoever comes back just then has it closed and begins anew.
    expect((await submitForm(me, form, key)).status).toBe(201);
    expect(await paidAndReturned(me)).toEqual(['character', 'character_refund', 'character']);
    await expectBalancedLedger(me);
  });

  test('after it was made, cron leaves it and its price alone, and forgets the request in a week', async () => {
    const me = await createAccount();
    const form = await buildForm(me);
    const key = newKey();
    const made = await (await submitForm(me, form, key)).json<OwnCharacter>();
    await env.DB.prepare('update character_creations set done = 0 where owner_id = ?').bind(me.id).run();
    await refundAbandonedCreations(env, db, later());
    expect(await requestsOf(me)).toMatchObject([{ done: 1, character_id: made.id }]);
    expect(await paidAndReturned(me)).toEqual(['character']);
    await refundAbandonedCreations(env, db, Date.now() + CREATION.keptMs + 1);
    expect(await requestsOf(me)).toEqual([]);
    expect((await fetchOwnCharacters(me)).items).toHaveLength(1);
  });

  test('a payment that arrives after it was given up takes nothing', async () => {
    const me = await createAccount();
    await getPoints(me);
    const wallet = getWalletStub(me.id);
    const id = createId(Date.now());
    await wallet.refundCharacter(id);
    expect(await wallet.payForCharacter(id)).toMatchObject({ ok: false, code: 'payment_closed' });
    expect((await getPoints(me)).current_points).toBe(50);
    expect(await paidAndReturned(me)).toEqual([]);
  });
});

test('A character that others made cannot be had for free under a key that was used before', async () => {
  const me = await createAccount();
  const other = await addCharacter();
  const key = newKey();
  const form = await buildForm(me);
  await submitForm(me, form, key);
  await env.DB.prepare('update character_creations set character_id = ? where owner_id = ?')
    .bind(other, me.id)
    .run();
  expect(await code(await submitForm(me, form, key))).toEqual([404, 'not_found']);
});
