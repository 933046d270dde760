// Over 400 lines: one character creation, interrupted at every step, with shared helpers.
import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { refundAbandonedCreations } from '../../../../src/services/create-character.ts';
import { RUNTIME_CONFIG_DEFAULTS } from '../../../../src/features/runtime-config/defaults.ts';
import { CREATION } from '../../../../src/features/character/limits.ts';
import { openDatabase } from '../../../../src/db/open.ts';
import type { CharacterList, OwnCharacter } from '../../../../src/features/character/contract.ts';
import { WalletObject } from '../../../../src/features/wallet/wallet-object.ts';
import { createId } from '../../../../src/lib/ids.ts';
import {
  createOwnCharacter,
  buildForm,
  fetchOwnCharacters,
  submitForm,
} from '../../../support/character-actions.ts';
import { ConfiguredVisitor } from '../../../support/configured-visitor.ts';
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
} from '../../../support/factories.ts';
import { createScene } from '../../../support/scripted-model.ts';

const db = openDatabase(env.DB);
const COST = RUNTIME_CONFIG_DEFAULTS.character_cost_points;
const newKey = (): string => `key-${createId(Date.now())}`;

const listCreationRequests = async (me: Visitor) =>
  (await env.DB.prepare('select * from character_creations where owner_id = ?').bind(me.id).all()).results;

const readErrorCode = async (answer: Response): Promise<[number, string]> => [
  answer.status,
  ((await answer.json()) as { code: string }).code,
];

const listCharacterEntries = async (me: Visitor): Promise<string[]> =>
  (await listLedger(me)).map(({ kind }) => kind).filter((kind) => kind.startsWith('character'));

/** A time at which the request counts as abandoned. */
const getExpiredTime = () => Date.now() + CREATION.expiresAfterMs + 1;

/** Makes every insert of a character of this user fail. */
async function blockInserts({ id }: Visitor): Promise<void> {
  await env.DB.prepare(
    `create trigger catalogue_is_full before insert on characters when new.creator_id = '${id}'
     begin select raise(abort, 'full'); end`,
  ).run();
}
const unblockInserts = () => env.DB.prepare('drop trigger if exists catalogue_is_full').run();

afterEach(async () => {
  vi.restoreAllMocks();
  await unblockInserts();
});

describe('Creating a character', () => {
  test('a new character is public and searchable, belongs to its creator and is charged once', async () => {
    const me = await createAccount();
    const word = `kappa${createId(Date.now())}`;
    const form = await buildForm(me, {
      name: `  Orla ${word} `,
      first_message: '*Salt in the air.* "You are late, {{user}}."',
      about: '# Orla\n\nMind the [tides](https://tides.example).',
      suggested_replies: ['Who are you then?', ' Is it always stormy? '],
      tags: ['fantasy', 'female', 'fantasy'],
      alternate_greetings: ['"Early, for once."'],
      point_of_view: 'rpg',
    });
    const created = await me.ask<OwnCharacter>('/api/characters', {
      json: form,
      status: 201,
      headers: { 'accept-language': 'pl' },
    });
    expect(created).toMatchObject({
      id: expect.stringMatching(/^[0-9a-z]{26}$/),
      name: `Orla ${word}`,
      oneliner: form.oneliner,
      character_traits: form.character_traits,
      first_message: form.first_message,
      about: form.about,
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
    expect(created.tags).toHaveLength(2);
    const { items } = await new Visitor().ask<CharacterList>(`/api/characters?q=${word}`);
    expect(items.map(({ id }) => id)).toEqual([created.id]);
    expect((await getPoints(me)).current_points).toBe(50 - COST);
    expect((await listLedger(me))[0]).toMatchObject({
      kind: 'character',
      amount: -COST,
      reason: 'A character was created',
    });
    await expectBalancedLedger(me);
    const row = await env.DB.prepare('select language from characters where id = ?').bind(created.id).first();
    expect(row).toEqual({ language: 'en' });
    const version = await env.DB.prepare('select * from character_versions where character_id = ?')
      .bind(created.id)
      .first<{ version: number; definition: string }>();
    expect(version?.version).toBe(1);
    expect(JSON.parse(version?.definition ?? '')).toMatchObject({
      name: `Orla ${word}`,
      alternate_greetings: ['"Early, for once."'],
      nickname: null,
      lorebook: null,
    });
  });

  test('fields that the form omits get their default values', async () => {
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

  test('creating a character without enough points reports the cost and creates nothing', async () => {
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

  test('repeated character creations without points are limited, and the limit ends after the cron task', async () => {
    const me = await createAccount();
    await setPoints(me, COST - 1);
    const form = await buildForm(me);
    const all = await Promise.all(
      Array.from({ length: CREATION.maxOpen + 2 }, async () =>
        readErrorCode(await submitForm(me, form, newKey())),
      ),
    );
    expect(all.filter(([status]) => status === 402)).toHaveLength(CREATION.maxOpen);
    expect(all.filter(([, errorCode]) => errorCode === 'too_many_requests')).toHaveLength(2);
    expect(await listCreationRequests(me)).toHaveLength(CREATION.maxOpen);
    await refundAbandonedCreations(env, db, getExpiredTime());
    await setPoints(me, COST);
    expect((await submitForm(me, form, newKey())).status).toBe(201);
  });

  test('points reserved for a running reply cannot pay for a character', async () => {
    const me = await createAccount();
    const form = await buildForm(me);
    await setPoints(me, COST);
    const slow = createScene('gate n=1');
    const reader = await startTurn(me, await startConversation(me), slow.marker);
    await slow.reached();
    expect(await readErrorCode(await submitForm(me, form))).toEqual([402, 'points_exhausted']);
    await slow.open();
    await reader.readRest();
  });

  test('permanent points are spent last', async () => {
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

  test('guests and unauthenticated callers are refused before the form is read', async () => {
    const guest = await signInGuest();
    expect(await readErrorCode(await submitForm(new Visitor(), { nonsense: true }))).toEqual([
      401,
      'unauthenticated',
    ]);
    expect(await readErrorCode(await submitForm(guest, { nonsense: true }))).toEqual([
      403,
      'account_required',
    ]);
    expect(await guest.ask('/api/permissions/create_character')).toEqual({
      success: false,
      error_message: 'You must be logged in to perform this action',
    });
    expect(await (await createAccount()).ask('/api/permissions/create_character')).toEqual({
      success: true,
      error_message: null,
    });
  });

  test('an adult character needs spicy mode', async () => {
    const me = await createAccount();
    const form = await buildForm(me, { nsfw_allowed: true });
    expect(await readErrorCode(await submitForm(me, form))).toEqual([403, 'spicy_mode_off']);
    const off = new ConfiguredVisitor({ SPICY_MODE: 'off' }, me);
    expect(await readErrorCode(await submitForm(off, form))).toEqual([403, 'spicy_mode_unavailable']);
    await me.ask('/api/account', { method: 'PATCH', json: { spicy_mode: true, age_confirmed: true } });
    expect((await submitForm(me, form)).status).toBe(201);
    expect((await fetchOwnCharacters(me)).items).toHaveLength(1);
  });

  test('a foreign, expired or unknown picture is refused and costs nothing', async () => {
    const [me, other] = [await createAccount(), await createAccount()];
    const foreignPicture = (await buildForm(other)).avatar_id;
    const expiredPicture = (await buildForm(me)).avatar_id;
    await env.DB.prepare('update pictures set created_at = 0 where key = ?').bind(expiredPicture).run();
    for (const avatar_id of [foreignPicture, expiredPicture, `${'0'.repeat(32)}.png`]) {
      const answer = await submitForm(me, await buildForm(me, { avatar_id }), newKey());
      expect(answer.status).toBe(400);
      expect(await answer.json()).toMatchObject({
        code: 'invalid_input',
        fields: { avatar_id: ['Please upload an avatar'] },
      });
    }
    expect(await listCharacterEntries(me)).toEqual([]);
    expect(await listCreationRequests(me)).toEqual([]);
  });

  test('an unknown imported card is refused and costs nothing', async () => {
    const me = await createAccount();
    const answer = await submitForm(me, await buildForm(me, { import_id: createId(Date.now()) }));
    expect([answer.status, await answer.json()]).toMatchObject([
      400,
      { fields: { import_id: [expect.any(String)] } },
    ]);
    expect(await listCharacterEntries(me)).toEqual([]);
  });
});

describe('Idempotency keys of character creation', () => {
  test('requests with one idempotency key create one character and charge once, in sequence or at once', async () => {
    const me = await createAccount();
    const form = await buildForm(me);
    const key = newKey();
    const answers = await Promise.all(Array.from({ length: 6 }, () => submitForm(me, form, key)));
    answers.push(await submitForm(me, form, key));
    const created = await Promise.all(answers.map((answer) => answer.json<OwnCharacter>()));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201));
    expect(new Set(created.map(({ id }) => id)).size).toBe(1);
    expect((await fetchOwnCharacters(me)).items).toHaveLength(1);
    expect(await listCharacterEntries(me)).toEqual(['character']);
    await expectBalancedLedger(me);
    // The same holds without points left and with the fields in another order.
    await setPoints(me, 0);
    const reordered = Object.fromEntries(Object.entries(form).toReversed());
    expect(await (await submitForm(me, reordered, key)).json()).toMatchObject({ id: created[0]?.id });
  });

  test('an idempotency key reused with another form is refused, and the first character is kept', async () => {
    const me = await createAccount();
    const form = await buildForm(me);
    const key = newKey();
    await submitForm(me, form, key);
    expect(await readErrorCode(await submitForm(me, { ...form, name: 'Another' }, key))).toEqual([
      422,
      'idempotency_key_reused',
    ]);
    expect((await fetchOwnCharacters(me)).items.map(({ name }) => name)).toEqual(['Orla']);
  });

  test('two users can use the same idempotency key independently', async () => {
    const key = newKey();
    for (const me of [await createAccount(), await createAccount()])
      expect((await submitForm(me, await buildForm(me), key)).status).toBe(201);
  });

  test('an invalid idempotency key is refused', async () => {
    const me = await createAccount();
    for (const key of ['short', 'x'.repeat(65), 'with blank', 'semi;colon', ':internal'])
      expect(await readErrorCode(await submitForm(me, await buildForm(me), key))).toEqual([
        400,
        'invalid_input',
      ]);
  });

  test('two requests without an idempotency key create and charge two characters', async () => {
    const me = await createAccount();
    await createOwnCharacter(me);
    await createOwnCharacter(me);
    expect(await listCharacterEntries(me)).toEqual(['character', 'character']);
    expect((await fetchOwnCharacters(me)).items).toHaveLength(2);
  });

  test('with points for one character, two simultaneous requests create one', async () => {
    const me = await createAccount();
    const form = await buildForm(me);
    await setPoints(me, COST);
    const answers = await Promise.all([submitForm(me, form, newKey()), submitForm(me, form, newKey())]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 402]);
    expect((await fetchOwnCharacters(me)).items).toHaveLength(1);
    await expectBalancedLedger(me);
  });
});

describe('Failures while a character is created', () => {
  test('a failed character creation is refunded at once and can be tried again', async () => {
    vi.spyOn(console, 'error').mockReturnValue();
    const me = await createAccount();
    const form = await buildForm(me);
    await blockInserts(me);
    expect(await readErrorCode(await submitForm(me, form))).toEqual([500, 'server_error']);
    await vi.waitFor(async () =>
      expect(await listCharacterEntries(me)).toEqual(['character_refund', 'character']),
    );
    await vi.waitFor(async () => expect(await listCreationRequests(me)).toEqual([]));
    expect((await getPoints(me)).current_points).toBe(50);
    await unblockInserts();
    expect((await submitForm(me, form)).status).toBe(201);
    await expectBalancedLedger(me);
  });

  test('a retry with the same idempotency key resumes the creation at the same price', async () => {
    vi.spyOn(console, 'error').mockReturnValue();
    const me = await createAccount();
    const form = await buildForm(me);
    const key = newKey();
    await blockInserts(me);
    expect((await submitForm(me, form, key)).status).toBe(500);
    await unblockInserts();
    expect((await submitForm(me, form, key)).status).toBe(201);
    expect(await listCharacterEntries(me)).toEqual(['character']);
  });

  test('the cron task refunds an abandoned character creation once, and its key can be used again', async () => {
    vi.spyOn(console, 'error').mockReturnValue();
    const me = await createAccount();
    const form = await buildForm(me);
    const key = newKey();
    await blockInserts(me);
    expect((await submitForm(me, form, key)).status).toBe(500);
    await unblockInserts();
    await refundAbandonedCreations(env, db, Date.now());
    expect(await listCharacterEntries(me)).toEqual(['character']);
    for (let run = 0; run < 2; run += 1) await refundAbandonedCreations(env, db, getExpiredTime());
    expect(await listCharacterEntries(me)).toEqual(['character_refund', 'character']);
    expect((await getPoints(me)).current_points).toBe(50);
    expect((await submitForm(me, form, key)).status).toBe(201);
    await expectBalancedLedger(me);
  });

  test('a character charge whose wallet answer was lost is refunded', async () => {
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
    expect(await listCharacterEntries(me)).toEqual(['character']);
    await refundAbandonedCreations(env, db, getExpiredTime());
    expect(await listCharacterEntries(me)).toEqual(['character_refund', 'character']);
    expect(await listCreationRequests(me)).toEqual([]);
    expect((await fetchOwnCharacters(me)).items).toEqual([]);
  });

  test('a character refund that fails in the cron task is retried by a later run or request', async () => {
    vi.spyOn(console, 'error').mockReturnValue();
    const me = await createAccount();
    const form = await buildForm(me);
    const key = newKey();
    await blockInserts(me);
    await submitForm(me, form, key);
    await unblockInserts();
    const broken = { ...env.WALLETS, idFromName: () => 'x', get: () => ({}) } as unknown as Env['WALLETS'];
    await refundAbandonedCreations({ WALLETS: broken }, db, getExpiredTime());
    expect(await listCreationRequests(me)).toMatchObject([{ done: 0, created_at: 0 }]);
    // A request at that moment closes the old creation and starts a new one.
    expect((await submitForm(me, form, key)).status).toBe(201);
    expect(await listCharacterEntries(me)).toEqual(['character', 'character_refund', 'character']);
    await expectBalancedLedger(me);
  });

  test('the cron task keeps a finished creation and its charge, and deletes the request after a week', async () => {
    const me = await createAccount();
    const form = await buildForm(me);
    const key = newKey();
    const created = await (await submitForm(me, form, key)).json<OwnCharacter>();
    await env.DB.prepare('update character_creations set done = 0 where owner_id = ?').bind(me.id).run();
    await refundAbandonedCreations(env, db, getExpiredTime());
    expect(await listCreationRequests(me)).toMatchObject([{ done: 1, character_id: created.id }]);
    expect(await listCharacterEntries(me)).toEqual(['character']);
    await refundAbandonedCreations(env, db, Date.now() + CREATION.keptMs + 1);
    expect(await listCreationRequests(me)).toEqual([]);
    expect((await fetchOwnCharacters(me)).items).toHaveLength(1);
  });

  test('a character charge that arrives after the refund takes no points', async () => {
    const me = await createAccount();
    await getPoints(me);
    const wallet = getWalletStub(me.id);
    const id = createId(Date.now());
    await wallet.refundCharacter(id);
    expect(await wallet.payForCharacter(id)).toMatchObject({ ok: false, code: 'payment_closed' });
    expect((await getPoints(me)).current_points).toBe(50);
    expect(await listCharacterEntries(me)).toEqual([]);
  });
});

test("an idempotency key cannot be used to obtain another user's character", async () => {
  const me = await createAccount();
  const other = await addCharacter();
  const key = newKey();
  const form = await buildForm(me);
  await submitForm(me, form, key);
  await env.DB.prepare('update character_creations set character_id = ? where owner_id = ?')
    .bind(other, me.id)
    .run();
  expect(await readErrorCode(await submitForm(me, form, key))).toEqual([404, 'not_found']);
});
