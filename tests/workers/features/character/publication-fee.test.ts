import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { OwnCharacter } from '../../../../src/features/character/contract.ts';
import { closeFeeAttempt } from '../../../../src/features/character/character-change-store.ts';
import { RUNTIME_CONFIG_DEFAULTS } from '../../../../src/features/runtime-config/defaults.ts';
import { WalletObject } from '../../../../src/features/wallet/wallet-object.ts';
import { openDatabase } from '../../../../src/db/open.ts';
import { downloadCardText, importCard, publishDraft, uploadPortrait } from '../../../support/card-actions.ts';
import { V3 } from '../../../support/card-files.ts';
import { buildForm, createOwnCharacter, editCharacter } from '../../../support/character-actions.ts';
import {
  createAccount,
  expectBalancedLedger,
  getPoints,
  getWalletStub,
  listLedger,
  setPoints,
  Visitor,
} from '../../../support/factories.ts';

const COST = RUNTIME_CONFIG_DEFAULTS.character_cost_points;

let me: Visitor;
beforeEach(async () => {
  me = await createAccount();
});
afterEach(async () => {
  vi.restoreAllMocks();
  await env.DB.prepare('drop trigger if exists publication_fails').run();
  await expectBalancedLedger(me);
});

const importCharacter = async (
  visibility: OwnCharacter['visibility'] = 'private',
  card: string = JSON.stringify(V3),
): Promise<OwnCharacter> =>
  publishDraft(me, await importCard(me, card), { visibility, avatar_id: await uploadPortrait(me) });

const patch = (id: string, json: object): Promise<Response> =>
  me.call(`/api/characters/${id}`, { method: 'PATCH', json });
const publish = (id: string, visibility = 'public') => patch(id, { visibility });

/** Kinds of the ledger entries that concern characters, newest first. */
const listCharges = async () =>
  (await listLedger(me))
    .map(({ kind }) => kind)
    .filter((kind) => kind.startsWith('character') || kind.startsWith('publication'));

describe('The price of an imported character', () => {
  test('an imported character is free while private, and its first publication is charged once', async () => {
    const made = await importCharacter();
    expect(made).toMatchObject({ visibility: 'private', fee_due: true });
    expect([await listCharges(), (await getPoints(me)).current_points]).toEqual([[], 50]);
    const published = await (await publish(made.id, 'unlisted')).json<OwnCharacter>();
    expect(published.visibility).toBe('unlisted');
    expect(published).not.toHaveProperty('fee_due');
    expect((await listLedger(me))[0]).toMatchObject({
      kind: 'publication',
      amount: -COST,
      event_id: made.id,
      reason: 'An imported character was published',
    });
    for (const visibility of ['public', 'private', 'public'])
      expect((await publish(made.id, visibility)).status).toBe(200);
    expect(await listCharges()).toEqual(['publication']);
    expect((await getPoints(me)).current_points).toBe(50 - COST);
  });

  test('a private character without an imported card costs the same as a public one', async () => {
    const { id, ...made } = await createOwnCharacter(me, { visibility: 'private' });
    expect(made).not.toHaveProperty('fee_due');
    await publish(id);
    expect(await listCharges()).toEqual(['character']);
  });

  test.each(['public', 'unlisted'] as const)(
    'an imported character that is %s from the start is charged when it is created',
    async (visibility) => {
      const { id, ...made } = await importCharacter(visibility);
      expect(made).not.toHaveProperty('fee_due');
      await publish(id, 'private');
      await publish(id);
      expect(await listCharges()).toEqual(['character']);
    },
  );

  test('publishing an import of one’s own export is charged', async () => {
    const { id } = await createOwnCharacter(me, { visibility: 'private' });
    const moved = await importCharacter('private', await downloadCardText(me, id));
    await publish(moved.id);
    expect(await listCharges()).toEqual(['publication', 'character']);
  });

  test('an imported character is created and edited without points, and published once there are enough', async () => {
    await setPoints(me, COST - 1);
    const { id } = await importCharacter();
    expect((await editCharacter(me, id, { name: 'Mira the Free' })).fee_due).toBe(true);
    const refused = await publish(id);
    expect([refused.status, await refused.json()]).toMatchObject([
      402,
      {
        code: 'points_exhausted',
        error: `You need at least ${COST} points to publish this character.`,
        points_required: COST,
        points: { current_points: COST - 1 },
      },
    ]);
    expect((await new Visitor().call(`/api/characters/${id}`)).status).toBe(404);
    await setPoints(me, COST);
    expect((await publish(id)).status).toBe(200);
    expect((await getPoints(me)).current_points).toBe(0);
    expect((await new Visitor().call(`/api/characters/${id}`)).status).toBe(200);
  });
});

describe('Publications that fail', () => {
  test('a refused publication charges nothing', async () => {
    const { id } = await importCharacter();
    const { avatar_id } = await buildForm(await createAccount());
    expect((await patch(id, { visibility: 'public', avatar_id })).status).toBe(400);
    expect((await patch(id, { visibility: 'public', nsfw_allowed: true })).status).toBe(403);
    expect((await patch(id, { visibility: 'public', name: '' })).status).toBe(400);
    await me.call(`/api/characters/${id}`, { method: 'DELETE' });
    expect((await publish(id)).status).toBe(404);
    expect(await listCharges()).toEqual([]);
  });

  test('an interrupted publication is refunded, and the next one is charged', async () => {
    vi.spyOn(console, 'error').mockReturnValue();
    const { id } = await importCharacter();
    await env.DB.prepare(
      `create trigger publication_fails before update of visibility on characters
       when new.id = '${id}' and new.visibility = 'public' begin select raise(abort, 'full'); end`,
    ).run();
    for (let attempt = 0; attempt < 2; attempt += 1) expect((await publish(id)).status).toBe(500);
    expect((await getPoints(me)).current_points).toBe(50);
    await env.DB.prepare('drop trigger publication_fails').run();
    expect((await publish(id)).status).toBe(200);
    expect(await listCharges()).toEqual([
      'publication',
      'publication_refund',
      'publication',
      'publication_refund',
      'publication',
    ]);
    expect((await getPoints(me)).current_points).toBe(50 - COST);
  });

  test('a payment whose answer was lost counts for the next attempt', async () => {
    vi.spyOn(console, 'error').mockReturnValue();
    const { id } = await importCharacter();
    const { payForCharacter } = WalletObject.prototype;
    vi.spyOn(WalletObject.prototype, 'payForCharacter').mockImplementationOnce(async function (
      this: WalletObject,
      ...args
    ) {
      await payForCharacter.apply(this, args);
      throw new Error('the line was cut');
    });
    expect((await publish(id)).status).toBe(500);
    expect((await publish(id)).status).toBe(200);
    expect(await listCharges()).toEqual(['publication']);
  });

  test('simultaneous publications are charged once', async () => {
    const { id } = await importCharacter();
    const answers = await Promise.all(
      Array.from({ length: 5 }, (_, index) => publish(id, index % 2 === 0 ? 'public' : 'unlisted')),
    );
    expect(answers.every(({ status }) => status === 200 || status === 429)).toBe(true);
    expect(answers.some(({ status }) => status === 200)).toBe(true);
    expect(await listCharges()).toEqual(['publication']);
  });

  test('with points for one publication, two characters published at once leave one private', async () => {
    const [first, second] = [await importCharacter(), await importCharacter()];
    await setPoints(me, COST);
    const answers = await Promise.all([publish(first.id), publish(second.id)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 402]);
    expect(await listCharges()).toEqual(['publication']);
  });

  test('a payment that another failed request has refunded publishes nothing', async () => {
    const { id } = await importCharacter();
    const { payForCharacter } = WalletObject.prototype;
    vi.spyOn(WalletObject.prototype, 'payForCharacter').mockImplementationOnce(async function (
      this: WalletObject,
      ...args
    ) {
      const paid = await payForCharacter.apply(this, args);
      expect(await closeFeeAttempt(openDatabase(env.DB), { id, attempt: 0 })).toBe(true);
      await this.refundCharacter(id, 'publication');
      return paid;
    });
    expect((await publish(id)).status).toBe(200);
    expect(await listCharges()).toEqual(['publication', 'publication_refund', 'publication']);
    expect((await getPoints(me)).current_points).toBe(50 - COST);
    expect(await closeFeeAttempt(openDatabase(env.DB), { id, attempt: 1 })).toBe(false);
  });

  test('a publication with a payment closed in advance pays with the next attempt', async () => {
    const { id } = await importCharacter();
    await getPoints(me);
    await closeFeeAttempt(openDatabase(env.DB), { id, attempt: 0 });
    await getWalletStub(me.id).refundCharacter(id, 'publication');
    expect((await publish(id)).status).toBe(200);
    expect((await listLedger(me))[0]).toMatchObject({ kind: 'publication', event_id: `${id}:1` });
  });
});

test('only its creator sees that a character was not paid for', async () => {
  const { id } = await importCharacter();
  expect((await me.ask<OwnCharacter>(`/api/me/characters/${id}`)).fee_due).toBe(true);
  await publish(id);
  expect(await new Visitor().ask(`/api/characters/${id}`)).not.toHaveProperty('fee_due');
});
