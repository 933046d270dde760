import { env } from 'cloudflare:workers';
import { describe, expect, test, vi } from 'vitest';
import { api } from '../../../../../src/api/app.ts';
import { openDatabase } from '../../../../../src/db/open.ts';
import { hashDeletionToken } from '../../../../../src/features/account/deletion/deletion.ts';
import { startErasure } from '../../../../../src/features/account/deletion/erasure-store.ts';
import { saveClaim } from '../../../../../src/features/billing/payment-event-store.ts';
import { createId } from '../../../../../src/lib/ids.ts';
import { loadTexts } from '../../../../../src/locales/i18n.ts';
import { runErasures, requestDeletion, confirmDeletion } from '../../../../support/account-deletion.ts';
import { ORIGIN, createAccount, Visitor } from '../../../../support/factories.ts';
import {
  createPayPalSubscription,
  readSubscriptionRow,
  updatePayPalSubscription,
  getPayPalState,
  createActiveSubscription,
} from '../../../../support/paypal.ts';
import type { InjectedResponse } from '../../../../support/paypal-subscriptions.ts';
import { mailsTo } from '../../../mailbox.ts';

const { t } = await loadTexts('en');

const DAY_MS = 86_400_000;
const userExists = async (me: Visitor) =>
  (await env.DB.prepare('select id from users where id = ?').bind(me.id).first()) !== null;
const readAnswer = async (response: Response) => [response.status, await response.json()];
const NOT_CANCELLED = [502, expect.objectContaining({ code: 'cancellation_failed' })];

/** The answer to confirming the deletion when PayPal has cancelled the membership. */
const cancelled = (id: string) => [
  200,
  {
    deleted: true,
    membership: 'cancelled',
    subscription: { id, status: 'cancelled', paid_until: expect.stringMatching(/^20\d\d-/) },
  },
];

/** Confirms the deletion at a site whose operator has set these variables. */
const confirmWith = (variables: Record<string, string>, me: Visitor, token: string) =>
  api.fetch(
    new Request(`${ORIGIN}/api/account/delete-confirm`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', cookie: me.cookie },
      body: JSON.stringify({ token }),
    }),
    { ...env, ...variables },
    {
      waitUntil: () => undefined,
      passThroughOnException: () => undefined,
      props: {},
    } as unknown as ExecutionContext,
  );

/** A user with a membership and a token that confirms the deletion of their account. */
async function createMemberWithToken(
  ...[atPayPal, row]: [
    Parameters<typeof createActiveSubscription>[1]?,
    Parameters<typeof createActiveSubscription>[2]?,
  ]
) {
  const me = await createAccount();
  const token = await requestDeletion(me);
  return { me, token, id: await createActiveSubscription(me, atPayPal, row) };
}

describe('Account deletion with a membership', () => {
  test.each(['ACTIVE', 'SUSPENDED'] as const)(
    'deleting an account cancels its PayPal subscription first and confirms that by mail: %s',
    async (status) => {
      const periodEnd = Date.UTC(2027, 0, 15, 10);
      const { me, token, id } = await createMemberWithToken(
        { status },
        { periodEnd, status: status === 'ACTIVE' ? 'active' : 'suspended' },
      );
      expect(await readAnswer(await confirmDeletion(me, token))).toEqual([
        200,
        {
          deleted: true,
          membership: 'cancelled',
          subscription: { id, status: 'cancelled', paid_until: '2027-01-15T10:00:00.000Z' },
        },
      ]);
      expect(await getPayPalState(id)).toMatchObject({ status: 'CANCELLED', calls: ['cancel', 'show'] });
      expect((await getPayPalState(id)).reason).not.toContain(me.email);
      const mail = await vi.waitFor(() => {
        const last = mailsTo(me.email).at(-1);
        expect(last?.subject).toBe(t('mail:deletion_done.subject'));
        return last;
      });
      expect(mail?.text).toContain(id);
      expect(mail?.text).toContain('January 15, 2027');
      await runErasures();
      expect(await userExists(me)).toBe(false);
      expect(await readSubscriptionRow(id)).toBeNull();
    },
  );

  test('deleting an account reports a subscription that had already ended at PayPal', async () => {
    const mine = await createMemberWithToken({ status: 'CANCELLED' });
    expect(await readAnswer(await confirmDeletion(mine.me, mine.token))).toEqual(cancelled(mine.id));
    const run = await createMemberWithToken({ status: 'EXPIRED' });
    expect(await readAnswer(await confirmDeletion(run.me, run.token))).toEqual([
      200,
      expect.objectContaining({
        membership: 'expired',
        subscription: expect.objectContaining({ id: run.id, status: 'expired' }),
      }),
    ]);
    const over = t('mail:deletion_done.expired', { id: run.id });
    await vi.waitFor(() => expect(mailsTo(run.me.email).at(-1)?.text).toContain(over));
  });

  test('deleting an account does not ask PayPal about a membership that was cancelled before', async () => {
    const { me, token, id } = await createMemberWithToken({ status: 'CANCELLED' }, { status: 'cancelled' });
    expect(await readAnswer(await confirmDeletion(me, token))).toEqual(cancelled(id));
    expect(await getPayPalState(id)).toMatchObject({ calls: [] });
  });

  test('deleting an account does not mention a membership that ended long ago', async () => {
    const longAgo = Date.now() - 40 * DAY_MS;
    const { me, token, id } = await createMemberWithToken(
      {},
      { status: 'cancelled', periodEnd: longAgo, updatedAt: longAgo },
    );
    expect(await readAnswer(await confirmDeletion(me, token))).toEqual([
      200,
      { deleted: true, membership: 'none', subscription: null },
    ]);
    expect(await getPayPalState(id)).toMatchObject({ calls: [] });
  });

  test('deleting an account cancels both of two memberships and reports the one paid for longer', async () => {
    const { me, token, id } = await createMemberWithToken({}, { periodEnd: Date.now() + 300 * DAY_MS });
    const other = await createActiveSubscription(me);
    expect(await readAnswer(await confirmDeletion(me, token))).toEqual(cancelled(id));
    expect([await getPayPalState(id), await getPayPalState(other)]).toMatchObject([
      { status: 'CANCELLED' },
      { status: 'CANCELLED' },
    ]);
  });

  test.each<[string, InjectedResponse, ('cancel' | 'show')[]]>([
    [
      'accepts the cancellation and its answer is lost',
      { at: 'cancel', acts: true, status: 500 },
      ['cancel', 'show'],
    ],
    [
      'revokes its access token in between',
      { at: 'cancel', status: 401, times: 1 },
      ['cancel', 'cancel', 'show'],
    ],
  ])(
    'deleting an account reports PayPal’s final state of the membership, even when PayPal %s',
    async (_, trouble, calls) => {
      const { me, token, id } = await createMemberWithToken({ troubles: [trouble] });
      expect(await readAnswer(await confirmDeletion(me, token))).toEqual(cancelled(id));
      expect(await getPayPalState(id)).toMatchObject({ calls });
    },
  );
});

describe('Unconfirmed memberships', () => {
  /** A user who came back from PayPal while it gave no answer. */
  async function createUnconfirmedMember(atPayPal: Parameters<typeof createPayPalSubscription>[1] = {}) {
    const me = await createAccount();
    const token = await requestDeletion(me);
    const id = await createPayPalSubscription(me, atPayPal);
    await saveClaim(openDatabase(env.DB), { userId: me.id, subscriptionId: id }, Date.now());
    return { me, token, id };
  }

  test('deleting an account cancels a membership that PayPal has not confirmed yet', async () => {
    const { me, token, id } = await createUnconfirmedMember();
    expect(await readAnswer(await confirmDeletion(me, token))).toEqual(cancelled(id));
    expect(await getPayPalState(id)).toMatchObject({ status: 'CANCELLED' });
    expect(await userExists(me)).toBe(false);
  });

  test('an account is kept while PayPal does not answer about its unconfirmed membership, and no longer', async () => {
    const { me, token, id } = await createUnconfirmedMember({ troubles: [{ at: 'show', status: 503 }] });
    const log = vi.spyOn(console, 'error').mockReturnValue();
    expect(await readAnswer(await confirmDeletion(me, token))).toEqual(NOT_CANCELLED);
    log.mockRestore();
    expect(await userExists(me)).toBe(true);
    await updatePayPalSubscription(id, { troubles: [] });
    expect(await readAnswer(await confirmDeletion(me, token))).toEqual(cancelled(id));
  });

  test('deleting an account does not cancel a claimed subscription of another user', async () => {
    const { me, token, id } = await createUnconfirmedMember({ custom_id: 'somebody' });
    expect(await readAnswer(await confirmDeletion(me, token))).toEqual([
      200,
      { deleted: true, membership: 'none', subscription: null },
    ]);
    expect(await getPayPalState(id)).toMatchObject({ status: 'ACTIVE' });
  });
});

describe('Deletion while a membership cannot be cancelled', () => {
  test.each<[string, InjectedResponse]>([
    ['returns an error', { at: 'cancel', status: 500 }],
    ['refuses', { at: 'cancel', status: 422 }],
    ['accepts and does not cancel', { at: 'cancel', status: 204 }],
    ['does not know it', { at: 'show', status: 404 }],
    ['gives no state afterwards', { at: 'show', status: 503 }],
    ['answers with invalid data', { at: 'show', status: 200, body: '{}' }],
  ])('the account is kept when PayPal %s, and the same link works later', async (_, trouble) => {
    const { me, token, id } = await createMemberWithToken({ troubles: [trouble] });
    const mails = mailsTo(me.email).length;
    const log = vi.spyOn(console, 'error').mockReturnValue();
    expect(await readAnswer(await confirmDeletion(me, token))).toEqual(NOT_CANCELLED);
    const lines = log.mock.calls.map(([line]) => String(line));
    log.mockRestore();
    const line = lines.find((one) => one.includes('cancellation_failed')) ?? '';
    expect(JSON.parse(line)).toMatchObject({ reason: expect.stringMatching(/cancel.*; .*show/) });
    for (const secret of [id, me.id, me.email]) expect(line).not.toContain(secret);
    expect(await me.ask('/api/auth/status')).toMatchObject({ user: { id: me.id, plan: 'storyteller' } });
    expect(await readSubscriptionRow(id)).toMatchObject({ status: 'active' });
    expect(mailsTo(me.email)).toHaveLength(mails);

    await updatePayPalSubscription(id, { troubles: [] });
    expect(await readAnswer(await confirmDeletion(me, token))).toEqual(cancelled(id));
  });

  test('the account is kept while PayPal is unreachable or not configured', async () => {
    const { me, token, id } = await createMemberWithToken();
    const closed = (env as { MODEL_DEEPSEEK_BASE_URL?: string }).MODEL_DEEPSEEK_BASE_URL?.replace(
      /\/v1$/,
      '',
    );
    expect(await readAnswer(await confirmWith({ PAYPAL_API_BASE: closed as string }, me, token))).toEqual(
      NOT_CANCELLED,
    );
    const none = { PAYPAL_CLIENT_ID: '', PAYPAL_CLIENT_SECRET: '' };
    expect(await readAnswer(await confirmWith(none, me, token))).toEqual(NOT_CANCELLED);
    expect(await getPayPalState(id)).toMatchObject({ status: 'ACTIVE', calls: [] });
    expect(await userExists(me)).toBe(true);
    expect(await readAnswer(await confirmDeletion(me, token))).toEqual(cancelled(id));
  });

  test('the account is kept when a membership begins at the moment of its deletion', async () => {
    const { me, token } = await createMemberWithToken();
    const deletion = {
      why: 'confirmed' as const,
      tokenHash: await hashDeletionToken(token),
      farewell: { site: ORIGIN, language: 'en' as const, subscription: null },
      marks: [],
    };
    const erase = () =>
      startErasure(openDatabase(env.DB), { userId: me.id, leaving: deletion, now: Date.now() });
    expect(await erase()).toBeNull();
    expect(await userExists(me)).toBe(true);
    await env.DB.prepare("update subscriptions set status = 'cancelled' where user_id = ?").bind(me.id).run();
    expect(await erase()).toContain(me.id);
  });
});

describe('Repeated deletion', () => {
  test('a deletion that failed after the cancellation is completed by the same link with the same answer', async () => {
    const { me, token, id } = await createMemberWithToken({}, { periodEnd: Date.now() - DAY_MS });
    const trigger = `no_goodbye_${createId(Date.now())}`;
    await env.DB.prepare(
      `create trigger ${trigger} before insert on mails when new.kind = 'deletion_done' begin select raise(abort, 'full'); end`,
    ).run();
    try {
      expect(await readAnswer(await confirmDeletion(me, token))).toEqual([
        500,
        expect.objectContaining({ code: 'deletion_failed' }),
      ]);
      expect(await userExists(me)).toBe(true);
    } finally {
      await env.DB.prepare(`drop trigger ${trigger}`).run();
    }
    expect(await readSubscriptionRow(id)).toMatchObject({ status: 'cancelled' });
    expect(await readAnswer(await confirmDeletion(me, token))).toEqual(cancelled(id));
    expect(await getPayPalState(id)).toMatchObject({ calls: ['cancel', 'show'] });
  });

  test('confirming a deletion in two tabs at once cancels the membership once and sends one mail', async () => {
    const { me, token, id } = await createMemberWithToken();
    const before = mailsTo(me.email).length;
    const tabs = [Object.assign(new Visitor(), me), Object.assign(new Visitor(), me)];
    const answers = await Promise.all(tabs.map((tab) => confirmDeletion(tab, token)));
    // A call that comes a little later finds its session ended.
    for (const answer of answers) expect([200, 401]).toContain(answer.status);
    const done = answers.filter((answer) => answer.status === 200);
    expect(await Promise.all(done.map(readAnswer))).toContainEqual(cancelled(id));
    expect(await getPayPalState(id)).toMatchObject({ status: 'CANCELLED' });
    await runErasures();
    await vi.waitFor(() => expect(mailsTo(me.email).slice(before)).toHaveLength(1));
  });

  test('deleting an account does not wait for a plan that the operator granted without payment', async () => {
    const me = await createAccount();
    const token = await requestDeletion(me);
    await env.DB.prepare("update users set plan = 'storyteller' where id = ?").bind(me.id).run();
    expect(await readAnswer(await confirmDeletion(me, token))).toEqual([
      200,
      { deleted: true, membership: 'none', subscription: null },
    ]);
    expect(await userExists(me)).toBe(false);
  });
});
