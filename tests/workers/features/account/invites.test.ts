import { abortAllDurableObjects, createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { api } from '../../../../src/api/app.ts';
import type { AuthStatus } from '../../../../src/features/account/contract.ts';
import type { Invites } from '../../../../src/features/account/invite-contract.ts';
import { createId } from '../../../../src/lib/ids.ts';
import {
  expectBalancedLedger,
  signInGuest,
  listLedger,
  ORIGIN,
  getPoints,
  createAccount,
  Visitor,
  getWalletStub,
} from '../../../support/factories.ts';

const DAY_MS = 86_400_000;
const INVALID = { error: 'Invite code already used or invalid', code: 'invite_code_invalid' };
const TAKEN = { points_awarded: 10, error: null };
const NOTHING = { points_awarded: 0, error: null };

const readInvites = (me: Visitor) => me.ask<Invites>('/api/invites');
const createCode = (me: Visitor) => me.ask<Invites>('/api/invites', { method: 'POST' });
const onboard = (me: Visitor, json: unknown, status = 200) => me.ask('/api/onboarding', { json, status });
const isOnboardingOpen = async (me: Visitor) =>
  (await me.ask<AuthStatus>('/api/auth/status')).user?.onboarding_completed === false;
const listInviteGrants = async (me: Visitor) =>
  (await listLedger(me)).filter(({ kind }) => kind === 'invite');

async function createInviter(): Promise<{ ana: Visitor; code: string }> {
  const ana = await createAccount();
  return { ana, code: (await createCode(ana)).code ?? '' };
}

/** Makes an account older by this much. */
const ageAccount = (me: Visitor, ms: number) =>
  env.DB.prepare('update users set created_at = created_at - ? where id = ?').bind(ms, me.id).run();

/** Calls the onboarding with a wallet that does not answer. */
async function onboardWithoutWallet(me: Visitor, json: unknown): Promise<Response> {
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

/** The values that come with a new code. */
const WORTH = { invite_points: 10, commission_percent: 15 };

describe('Invite code', () => {
  test('an invite code is created on request and stays the same', async () => {
    const me = await createAccount();
    expect(await readInvites(me)).toEqual({ ...WORTH, code: null, invitee_count: 0, commissions: [] });
    const created = await createCode(me);
    expect(created).toEqual({
      ...WORTH,
      code: expect.stringMatching(/^[2-9a-hj-km-np-z]{8}$/),
      invitee_count: 0,
      commissions: [],
    });
    expect(await createCode(me)).toEqual(created);
    expect(await readInvites(me)).toEqual(created);
  });

  test('ten simultaneous requests create one invite code', async () => {
    const me = await createAccount();
    const codes = await Promise.all(Array.from({ length: 10 }, async () => (await createCode(me)).code));
    expect(new Set(codes).size).toBe(1);
  });

  test('an invite code needs an account', async () => {
    for (const method of ['GET', 'POST']) {
      expect(await (await signInGuest()).ask('/api/invites', { method, status: 403 })).toMatchObject({
        code: 'account_required',
      });
      await new Visitor().ask('/api/invites', { method, status: 401 });
    }
  });

  test('anybody can ask who sent an invite code, and learns only the name', async () => {
    const { ana, code } = await createInviter();
    const ask = (written: string) => new Visitor().ask(`/api/invites/${written}`);
    const { username } = await ana.ask<{ username: string }>('/api/account');
    expect(await ask(code)).toEqual({ inviter_name: username });
    await ana.ask('/api/account', { method: 'PATCH', json: { nickname: 'Aino' } });
    expect(await ask(code.toUpperCase())).toEqual({ inviter_name: 'Aino' });
    expect(await ask('nobody')).toEqual({ inviter_name: null });
    expect(await ask('a%20b')).toEqual({ inviter_name: null });
    await env.DB.prepare('update users set suspended_at = 1 where id = ?').bind(ana.id).run();
    expect(await ask(code)).toEqual({ inviter_name: null });
    expect(await ask('a'.repeat(11))).toEqual({ inviter_name: null });
  });

  test('the invites list shows the number of invitees and the commissions, newest first', async () => {
    const { ana, code } = await createInviter();
    const [ben, cleo] = [await createAccount(), await createAccount()];
    for (const invitee of [ben, cleo]) await onboard(invitee, { invite_code: code });
    const insertCommission = (id: string, by: Visitor, cents: number, status: string, at: number) =>
      env.DB.prepare(
        `insert into commissions (id, inviter_id, invitee_id, payment_id, amount_cents, currency, status, created_at)
         values (?, ?, ?, ?, ?, ?, ?, ?)`,
      )
        .bind(id, ana.id, by.id, `payment-${id}`, cents, 'USD', status, at)
        .run();
    await insertCommission(createId(1), ben, 105, 'paid', Date.UTC(2026, 9, 1));
    await insertCommission(createId(2), cleo, 105, 'due', Date.UTC(2026, 10, 1));
    expect(await readInvites(ana)).toEqual({
      ...WORTH,
      code,
      invitee_count: 2,
      commissions: [
        { amount_cents: 105, currency: 'USD', status: 'due', at: '2026-11-01T00:00:00.000Z' },
        { amount_cents: 105, currency: 'USD', status: 'paid', at: '2026-10-01T00:00:00.000Z' },
      ],
    });
    expect(JSON.stringify(await readInvites(ana))).not.toMatch(new RegExp(`${ben.id}|${ben.email}`));
    expect(await readInvites(ben)).toEqual({ ...WORTH, code: null, invitee_count: 0, commissions: [] });
  });
});

describe('Accepting an invitation', () => {
  test('accepting an invitation grants ten permanent points once, with a ledger entry', async () => {
    const { ana, code } = await createInviter();
    const me = await createAccount();
    expect(await onboard(me, { nickname: 'Ben', invite_code: ` ${code.toUpperCase()} ` })).toEqual(TAKEN);
    expect(await getPoints(me)).toMatchObject({ current_points: 50, permanent_points: 10 });
    expect(await listInviteGrants(me)).toEqual([
      expect.objectContaining({ amount: 10, balance_after: 60, reason: 'An invitation was accepted' }),
    ]);
    await expectBalancedLedger(me);
    expect(await isOnboardingOpen(me)).toBe(false);
    expect(await getPoints(ana)).toMatchObject({ permanent_points: 0 });
    expect((await readInvites(ana)).invitee_count).toBe(1);
  });

  test('a second invitation, or the same again, is refused', async () => {
    const [first, second] = [await createInviter(), await createInviter()];
    const me = await createAccount();
    await onboard(me, { invite_code: first.code });
    expect(await onboard(me, { invite_code: first.code }, 409)).toEqual(INVALID);
    expect(await onboard(me, { invite_code: second.code }, 409)).toEqual(INVALID);
    expect(await onboard(me, {})).toEqual(NOTHING);
    expect(await listInviteGrants(me)).toHaveLength(1);
    expect((await readInvites(second.ana)).invitee_count).toBe(0);
  });

  test('of ten simultaneous requests with two codes one is accepted, for ten points', async () => {
    const codes = [(await createInviter()).code, (await createInviter()).code];
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

  test("a user's own invite code is refused and the onboarding stays open", async () => {
    const { ana, code } = await createInviter();
    expect(await onboard(ana, { nickname: 'Ana', invite_code: code }, 409)).toEqual(INVALID);
    expect(await isOnboardingOpen(ana)).toBe(true);
    expect(await listInviteGrants(ana)).toEqual([]);
    expect((await readInvites(ana)).invitee_count).toBe(0);
  });

  test('accounts cannot invite each other, neither directly nor in a circle', async () => {
    const [one, two, three] = [await createInviter(), await createInviter(), await createInviter()];
    expect(await onboard(two.ana, { invite_code: one.code })).toEqual(TAKEN);
    expect(await onboard(one.ana, { invite_code: two.code }, 409)).toEqual(INVALID);
    expect(await onboard(three.ana, { invite_code: two.code })).toEqual(TAKEN);
    expect(await onboard(one.ana, { invite_code: three.code }, 409)).toEqual(INVALID);
    expect(await listInviteGrants(one.ana)).toEqual([]);
    expect(await onboard(one.ana, { invite_code: (await createInviter()).code })).toEqual(TAKEN);
  });

  test('of two accounts that accept each other at once, one gets points', async () => {
    const [one, two] = [await createInviter(), await createInviter()];
    const answers = await Promise.all([
      one.ana.call('/api/onboarding', { json: { invite_code: two.code } }),
      two.ana.call('/api/onboarding', { json: { invite_code: one.code } }),
    ]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    expect([...(await listInviteGrants(one.ana)), ...(await listInviteGrants(two.ana))]).toHaveLength(1);
  });

  test('a guest needs an account to accept an invitation', async () => {
    const { code } = await createInviter();
    const me = await signInGuest();
    expect(await onboard(me, { invite_code: code }, 403)).toMatchObject({ code: 'account_required' });
    await createAccount(undefined, me);
    expect(await onboard(me, { invite_code: code })).toEqual(TAKEN);
  });

  test('a user who skipped the onboarding can accept an invitation within the first week', async () => {
    const { code } = await createInviter();
    const [early, late] = [await createAccount(), await createAccount()];
    for (const me of [early, late]) await onboard(me, {});
    await ageAccount(early, 7 * DAY_MS - 60_000);
    await ageAccount(late, 7 * DAY_MS);
    expect(await onboard(early, { invite_code: code })).toEqual(TAKEN);
    expect(await isOnboardingOpen(early)).toBe(false);
    expect(await onboard(late, { invite_code: code }, 409)).toEqual(INVALID);
    expect(await listInviteGrants(late)).toEqual([]);
  });

  test('a guest who signs up after weeks can accept an invitation in the onboarding', async () => {
    const { code } = await createInviter();
    const me = await signInGuest();
    await ageAccount(me, 25 * DAY_MS);
    await createAccount(undefined, me);
    expect(await onboard(me, { invite_code: code })).toEqual(TAKEN);
  });

  test('a user whose inviter deleted the account keeps the points and cannot accept another code', async () => {
    const { ana, code } = await createInviter();
    const me = await createAccount();
    await onboard(me, { invite_code: code });
    await env.DB.prepare('delete from users where id = ?').bind(ana.id).run();
    expect(await getPoints(me)).toMatchObject({ permanent_points: 10 });
    expect(await onboard(me, { invite_code: (await createInviter()).code }, 409)).toEqual(INVALID);
  });

  test('invitation points survive a wallet restart and are not granted again', async () => {
    const { code } = await createInviter();
    const me = await createAccount();
    await onboard(me, { invite_code: code });
    await abortAllDurableObjects();
    await getWalletStub(me.id).grant(`invite:${me.id}`, { kind: 'invite' });
    expect(await getPoints(me)).toMatchObject({ permanent_points: 10 });
    expect(await listInviteGrants(me)).toHaveLength(1);
  });
});

describe('Wallet failures while an invitation is accepted', () => {
  test('a failed acceptance of an invitation reports an error, and a retry grants the points once', async () => {
    const { code } = await createInviter();
    const me = await createAccount();
    const failed = await onboardWithoutWallet(me, { nickname: 'Ben', invite_code: code });
    expect([failed.status, await failed.json()]).toEqual([
      500,
      { error: 'Server error. Please try again later.', code: 'server_error' },
    ]);
    expect(await isOnboardingOpen(me)).toBe(true);
    expect(await onboard(me, { nickname: 'Ben', invite_code: code })).toEqual(TAKEN);
    expect(await getPoints(me)).toMatchObject({ permanent_points: 10 });
    expect(await onboard(me, { invite_code: code }, 409)).toEqual(INVALID);
    expect(await listInviteGrants(me)).toHaveLength(1);
  });

  test('the invitation points are granted when the user skips the onboarding after a failure', async () => {
    const { code } = await createInviter();
    const me = await createAccount();
    await onboardWithoutWallet(me, { invite_code: code });
    expect((await onboardWithoutWallet(me, {})).status).toBe(500);
    expect(await isOnboardingOpen(me)).toBe(true);
    expect(await onboard(me, {})).toEqual(TAKEN);
    expect(await isOnboardingOpen(me)).toBe(false);
    expect(await onboard(me, {})).toEqual(NOTHING);
    expect(await listInviteGrants(me)).toHaveLength(1);
  });

  test('a user cannot switch to another invite code after a wallet failure', async () => {
    const [first, second] = [await createInviter(), await createInviter()];
    const me = await createAccount();
    await onboardWithoutWallet(me, { invite_code: first.code });
    expect(await onboard(me, { invite_code: second.code }, 409)).toEqual(INVALID);
    expect((await readInvites(second.ana)).invitee_count).toBe(0);
    expect(await onboard(me, { invite_code: first.code })).toEqual(TAKEN);
  });

  test('the onboarding opens again after a wallet failure until the points are granted', async () => {
    const { code } = await createInviter();
    const me = await createAccount();
    await onboard(me, {});
    await onboardWithoutWallet(me, { invite_code: code });
    expect(await isOnboardingOpen(me)).toBe(true);
    expect(await onboard(me, {})).toEqual(TAKEN);
    expect(await isOnboardingOpen(me)).toBe(false);
  });
});
