import { abortAllDurableObjects, createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { api } from '../../src/api/app.ts';
import type { AuthStatus } from '../../src/features/account/contract.ts';
import type { Invites } from '../../src/features/account/invite-contract.ts';
import { createId } from '../../src/lib/ids.ts';
import {
  expectBalancedLedger,
  signInGuest,
  listLedger,
  ORIGIN,
  getPoints,
  createAccount,
  Visitor,
  getWalletStub,
} from '../support/factories.ts';

const DAY_MS = 86_400_000;
const INVALID = { error: 'Invite code already used or invalid', code: 'invite_code_invalid' };
const TAKEN = { points_awarded: 10, error: null };
const NOTHING = { points_awarded: 0, error: null };

const mine = (me: Visitor) => me.ask<Invites>('/api/invites');
const make = (me: Visitor) => me.ask<Invites>('/api/invites', { method: 'POST' });
const onboard = (me: Visitor, json: unknown, status = 200) => me.ask('/api/onboarding', { json, status });
const isNew = async (me: Visitor) =>
  (await me.ask<AuthStatus>('/api/auth/status')).user?.onboarding_completed === false;
const gifts = async (me: Visitor) => (await listLedger(me)).filter(({ kind }) => kind === 'invite');

async function inviter(): Promise<{ ana: Visitor; code: string }> {
  const ana = await createAccount();
  return { ana, code: (await make(ana)).code ?? '' };
}

/** Makes an account so much older. */
const aged = (me: Visitor, ms: number) =>
  env.DB.prepare('update users set created_at = created_at - ? where id = ?').bind(ms, me.id).run();

/** The same call, with a wallet that does not answer. */
async function withoutWallet(me: Visitor, json: unknown): Promise<Response> {
  const WALLETS = {
    idFromName: (name: string) => env.WALLETS.idFromName(name),
    get: () => ({
      give: () => Promise.reject(new Error('The wallet does not answer')),
    }),
  };
  const request = new Request(`${ORIGIN}/api/onboarding`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', cookie: me.cookie },
    body: JSON.stringify(json),
  });
  const context = createExecutionContext();
  const answer = await api.fetch(request, { ...env, WALLETS } as unknown as Env, context);
  await waitOnExecutionContext(context);
  return answer;
}

/** What a new code comes with. */
const WORTH = { invite_points: 10, commission_percent: 15 };

describe('My invite code', () => {
  test('is made when I ask for it, and stays the same', async () => {
    const me = await createAccount();
    expect(await mine(me)).toEqual({ ...WORTH, code: null, invitee_count: 0, commissions: [] });
    const made = await make(me);
    expect(made).toEqual({
      ...WORTH,
      code: expect.stringMatching(/^[2-9a-hj-km-np-z]{8}$/),
      invitee_count: 0,
      commissions: [],
    });
    expect(await make(me)).toEqual(made);
    expect(await mine(me)).toEqual(made);
  });

  test('asked for ten times at once is one', async () => {
    const me = await createAccount();
    const codes = await Promise.all(Array.from({ length: 10 }, async () => (await make(me)).code));
    expect(new Set(codes).size).toBe(1);
  });

  test('is for accounts: a guest and nobody have none', async () => {
    for (const method of ['GET', 'POST']) {
      expect(await (await signInGuest()).ask('/api/invites', { method, status: 403 })).toMatchObject({
        code: 'account_required',
      });
      await new Visitor().ask('/api/invites', { method, status: 401 });
    }
  });

  test('is told with who took it and what I am owed, newest first, and of nobody else', async () => {
    const { ana, code } = await inviter();
    const [ben, cleo] = [await createAccount(), await createAccount()];
    for (const invitee of [ben, cleo]) await onboard(invitee, { invite_code: code });
    const owe = (id: string, by: Visitor, cents: number, status: string, at: number) =>
      env.DB.prepare(
        `insert into commissions (id, inviter_id, invitee_id, payment_id, amount_cents, currency, status, created_at)
         values (?, ?, ?, ?, ?, ?, ?, ?)`,
      )
        .bind(id, ana.id, by.id, `payment-${id}`, cents, 'USD', status, at)
        .run();
    await owe(createId(1), ben, 105, 'paid', Date.UTC(2026, 9, 1));
    await owe(createId(2), cleo, 105, 'due', Date.UTC(2026, 10, 1));
    expect(await mine(ana)).toEqual({
      ...WORTH,
      code,
      invitee_count: 2,
      commissions: [
        { amount_cents: 105, currency: 'USD', status: 'due', at: '2026-11-01T00:00:00.000Z' },
        { amount_cents: 105, currency: 'USD', status: 'paid', at: '2026-10-01T00:00:00.000Z' },
      ],
    });
    expect(JSON.stringify(await mine(ana))).not.toMatch(new RegExp(`${ben.id}|${ben.email}`));
    expect(await mine(ben)).toEqual({ ...WORTH, code: null, invitee_count: 0, commissions: [] });
  });
});

describe('When I take an invitation', () => {
  test('I get ten points for good, once, and the ledger says what for', async () => {
    const { ana, code } = await inviter();
    const me = await createAccount();
    expect(await onboard(me, { nickname: 'Ben', invite_code: ` ${code.toUpperCase()} ` })).toEqual(TAKEN);
    expect(await getPoints(me)).toMatchObject({ current_points: 50, permanent_points: 10 });
    expect(await gifts(me)).toEqual([
      expect.objectContaining({ amount: 10, balance_after: 60, reason: 'An invitation was taken' }),
    ]);
    await expectBalancedLedger(me);
    expect(await isNew(me)).toBe(false);
    expect(await getPoints(ana)).toMatchObject({ permanent_points: 0 });
    expect((await mine(ana)).invitee_count).toBe(1);
  });

  test('a second one, or the same again, is refused, and nothing is given', async () => {
    const [first, second] = [await inviter(), await inviter()];
    const me = await createAccount();
    await onboard(me, { invite_code: first.code });
    expect(await onboard(me, { invite_code: first.code }, 409)).toEqual(INVALID);
    expect(await onboard(me, { invite_code: second.code }, 409)).toEqual(INVALID);
    expect(await onboard(me, {})).toEqual(NOTHING);
    expect(await gifts(me)).toHaveLength(1);
    expect((await mine(second.ana)).invitee_count).toBe(0);
  });

  test('ten times at once, with two codes, I have taken one and have ten points', async () => {
    const codes = [(await inviter()).code, (await inviter()).code];
    const me = await createAccount();
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        me.call('/api/onboarding', { json: { invite_code: codes[index % 2] } }),
      ),
    );
    for (const { status } of answers) expect([200, 409]).toContain(status);
    expect(answers.some(({ status }) => status === 200)).toBe(true);
    expect(await getPoints(me)).toMatchObject({ permanent_points: 10 });
    await expectBalancedLedger(me);
  });

  test('of my own, it is refused whole', async () => {
    const { ana, code } = await inviter();
    expect(await onboard(ana, { nickname: 'Ana', invite_code: code }, 409)).toEqual(INVALID);
    expect(await isNew(ana)).toBe(true);
    expect(await gifts(ana)).toEqual([]);
    expect((await mine(ana)).invitee_count).toBe(0);
  });

  test('as a guest, I am told that it is for accounts; with one, I can take it', async () => {
    const { code } = await inviter();
    const me = await signInGuest();
    expect(await onboard(me, { invite_code: code }, 403)).toMatchObject({ code: 'account_required' });
    await createAccount(undefined, me);
    expect(await onboard(me, { invite_code: code })).toEqual(TAKEN);
  });

  test('after I skipped the onboarding, my first week is time enough, and no longer', async () => {
    const { code } = await inviter();
    const [early, late] = [await createAccount(), await createAccount()];
    for (const me of [early, late]) await onboard(me, {});
    await aged(early, 7 * DAY_MS - 60_000);
    await aged(late, 7 * DAY_MS);
    expect(await onboard(early, { invite_code: code })).toEqual(TAKEN);
    expect(await isNew(early)).toBe(false);
    expect(await onboard(late, { invite_code: code }, 409)).toEqual(INVALID);
    expect(await gifts(late)).toEqual([]);
  });

  test('after weeks as a guest, my onboarding is still the time for it', async () => {
    const { code } = await inviter();
    const me = await signInGuest();
    await aged(me, 25 * DAY_MS);
    await createAccount(undefined, me);
    expect(await onboard(me, { invite_code: code })).toEqual(TAKEN);
  });

  test('whoever invited me may go: I keep my points and cannot take another', async () => {
    const { ana, code } = await inviter();
    const me = await createAccount();
    await onboard(me, { invite_code: code });
    await env.DB.prepare('delete from users where id = ?').bind(ana.id).run();
    expect(await getPoints(me)).toMatchObject({ permanent_points: 10 });
    expect(await onboard(me, { invite_code: (await inviter()).code }, 409)).toEqual(INVALID);
  });

  test('the points survive the wallet’s restart, and so does that they were given', async () => {
    const { code } = await inviter();
    const me = await createAccount();
    await onboard(me, { invite_code: code });
    await abortAllDurableObjects();
    await getWalletStub(me.id).grant(`invite:${me.id}`, { kind: 'invite' });
    expect(await getPoints(me)).toMatchObject({ permanent_points: 10 });
    expect(await gifts(me)).toHaveLength(1);
  });
});

describe('When my wallet does not answer while I take an invitation', () => {
  test('I am told, and trying again gives the points, once', async () => {
    const { code } = await inviter();
    const me = await createAccount();
    const failed = await withoutWallet(me, { nickname: 'Ben', invite_code: code });
    expect([failed.status, await failed.json()]).toEqual([
      500,
      { error: 'Server error. Please try again later.', code: 'server_error' },
    ]);
    expect(await isNew(me)).toBe(true);
    expect(await onboard(me, { nickname: 'Ben', invite_code: code })).toEqual(TAKEN);
    expect(await getPoints(me)).toMatchObject({ permanent_points: 10 });
    expect(await onboard(me, { invite_code: code }, 409)).toEqual(INVALID);
    expect(await gifts(me)).toHaveLength(1);
  });

  test('and I skip instead, the points come all the same', async () => {
    const { code } = await inviter();
    const me = await createAccount();
    await withoutWallet(me, { invite_code: code });
    expect((await withoutWallet(me, {})).status).toBe(500);
    expect(await isNew(me)).toBe(true);
    expect(await onboard(me, {})).toEqual(TAKEN);
    expect(await isNew(me)).toBe(false);
    expect(await onboard(me, {})).toEqual(NOTHING);
    expect(await gifts(me)).toHaveLength(1);
  });

  test('I cannot change to another code', async () => {
    const [first, second] = [await inviter(), await inviter()];
    const me = await createAccount();
    await withoutWallet(me, { invite_code: first.code });
    expect(await onboard(me, { invite_code: second.code }, 409)).toEqual(INVALID);
    expect((await mine(second.ana)).invitee_count).toBe(0);
    expect(await onboard(me, { invite_code: first.code })).toEqual(TAKEN);
  });

  test('after I had skipped before, the dialog opens for me anew until the points are there', async () => {
    const { code } = await inviter();
    const me = await createAccount();
    await onboard(me, {});
    await withoutWallet(me, { invite_code: code });
    expect(await isNew(me)).toBe(true);
    expect(await onboard(me, {})).toEqual(TAKEN);
    expect(await isNew(me)).toBe(false);
  });
});
