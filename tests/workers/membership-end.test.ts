import { env } from 'cloudflare:workers';
import { describe, expect, test, vi } from 'vitest';
import { api } from '../../src/api/app.ts';
import { openDatabase } from '../../src/db/open.ts';
import { hashDeletionToken } from '../../src/features/account/deletion/deletion.ts';
import { startErasure } from '../../src/features/account/deletion/erasure-store.ts';
import { saveClaim } from '../../src/features/billing/payment-event-store.ts';
import { createId } from '../../src/lib/ids.ts';
import { runErasures, requestDeletion, confirmDeletion } from '../support/account-deletion.ts';
import { ORIGIN, createAccount, Visitor } from '../support/factories.ts';
import {
  createPayPalSubscription,
  readSubscriptionRow,
  updatePayPalSubscription,
  getPayPalState,
  createActiveSubscription,
} from '../support/paypal.ts';
import type { InjectedResponse } from '../support/paypal-subscriptions.ts';
import { mailsTo } from './mailbox.ts';

const DAY_MS = 86_400_000;
const exists = async (me: Visitor) =>
  (await env.DB.prepare('select id from users where id = ?').bind(me.id).first()) !== null;
const told = async (response: Response) => [response.status, await response.json()];
const KEPT = [502, expect.objectContaining({ code: 'membership_not_cancelled' })];

/** What confirming says of a membership that PayPal has cancelled. */
const cancelled = (id: string) => [
  200,
  {
    deleted: true,
    membership: 'cancelled',
    subscription: { id, status: 'cancelled', paid_until: expect.stringMatching(/^20\d\d-/) },
  },
];

/** Confirms on a site that its operator has set up otherwise. */
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

/** Somebody with a membership and a link that would delete their account. */
async function member(
  ...[atPayPal, row]: [
    Parameters<typeof createActiveSubscription>[1]?,
    Parameters<typeof createActiveSubscription>[2]?,
  ]
) {
  const me = await createAccount();
  const token = await requestDeletion(me);
  return { me, token, id: await createActiveSubscription(me, atPayPal, row) };
}

describe('When I delete my account and pay for a membership', () => {
  test.each(['ACTIVE', 'SUSPENDED'] as const)(
    'PayPal cancels it first, and its confirmation is shown and mailed to me: %s',
    async (status) => {
      const periodEnd = Date.UTC(2027, 0, 15, 10);
      const { me, token, id } = await member(
        { status },
        { periodEnd, status: status === 'ACTIVE' ? 'active' : 'suspended' },
      );
      expect(await told(await confirmDeletion(me, token))).toEqual([
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
        expect(last?.subject).toContain('deleted');
        return last;
      });
      expect(mail?.text).toContain(id);
      expect(mail?.text).toContain('January 15, 2027');
      await runErasures();
      expect(await exists(me)).toBe(false);
      expect(await readSubscriptionRow(id)).toBeNull();
    },
  );

  test('and PayPal ended it without our knowing, I am told what it says', async () => {
    const mine = await member({ status: 'CANCELLED' });
    expect(await told(await confirmDeletion(mine.me, mine.token))).toEqual(cancelled(mine.id));
    const run = await member({ status: 'EXPIRED' });
    expect(await told(await confirmDeletion(run.me, run.token))).toEqual([
      200,
      expect.objectContaining({
        membership: 'expired',
        subscription: expect.objectContaining({ id: run.id, status: 'expired' }),
      }),
    ]);
    await vi.waitFor(() => expect(mailsTo(run.me.email).at(-1)?.text).toContain('has run out'));
  });

  test('that I cancelled before, PayPal is not asked again, and I am told until when it was paid', async () => {
    const { me, token, id } = await member({ status: 'CANCELLED' }, { status: 'cancelled' });
    expect(await told(await confirmDeletion(me, token))).toEqual(cancelled(id));
    expect(await getPayPalState(id)).toMatchObject({ calls: [] });
  });

  test('that ended long ago, nothing is said of it', async () => {
    const long = Date.now() - 40 * DAY_MS;
    const { me, token, id } = await member({}, { status: 'cancelled', periodEnd: long, updatedAt: long });
    expect(await told(await confirmDeletion(me, token))).toEqual([
      200,
      { deleted: true, membership: 'none', subscription: null },
    ]);
    expect(await getPayPalState(id)).toMatchObject({ calls: [] });
  });

  test('or two of them, each is cancelled, and the one that is paid for longer is told', async () => {
    const { me, token, id } = await member({}, { periodEnd: Date.now() + 300 * DAY_MS });
    const other = await createActiveSubscription(me);
    expect(await told(await confirmDeletion(me, token))).toEqual(cancelled(id));
    expect([await getPayPalState(id), await getPayPalState(other)]).toMatchObject([
      { status: 'CANCELLED' },
      { status: 'CANCELLED' },
    ]);
  });

  test.each<[string, InjectedResponse, ('cancel' | 'show')[]]>([
    ['takes it and its answer is lost', { at: 'cancel', acts: true, status: 500 }, ['cancel', 'show']],
    [
      'takes back its token in between',
      { at: 'cancel', status: 401, times: 1 },
      ['cancel', 'cancel', 'show'],
    ],
  ])('what PayPal says afterwards counts, also when it %s', async (_, trouble, calls) => {
    const { me, token, id } = await member({ troubles: [trouble] });
    expect(await told(await confirmDeletion(me, token))).toEqual(cancelled(id));
    expect(await getPayPalState(id)).toMatchObject({ calls });
  });
});

describe('A membership that I agreed to and have heard nothing of', () => {
  /** Came back from PayPal in a moment in which it gave no answer. */
  async function unanswered(atPayPal: Parameters<typeof createPayPalSubscription>[1] = {}) {
    const me = await createAccount();
    const token = await requestDeletion(me);
    const id = await createPayPalSubscription(me, atPayPal);
    await saveClaim(openDatabase(env.DB), { userId: me.id, subscriptionId: id }, Date.now());
    return { me, token, id };
  }

  test('is cancelled before my account goes, and I am told of it', async () => {
    const { me, token, id } = await unanswered();
    expect(await told(await confirmDeletion(me, token))).toEqual(cancelled(id));
    expect(await getPayPalState(id)).toMatchObject({ status: 'CANCELLED' });
    expect(await exists(me)).toBe(false);
  });

  test('keeps my account while PayPal does not answer, and no longer', async () => {
    const { me, token, id } = await unanswered({ troubles: [{ at: 'show', status: 503 }] });
    const log = vi.spyOn(console, 'error').mockReturnValue();
    expect(await told(await confirmDeletion(me, token))).toEqual(KEPT);
    log.mockRestore();
    expect(await exists(me)).toBe(true);
    await updatePayPalSubscription(id, { troubles: [] });
    expect(await told(await confirmDeletion(me, token))).toEqual(cancelled(id));
  });

  test('is left alone where it is somebody else’s', async () => {
    const { me, token, id } = await unanswered({ custom_id: 'somebody' });
    expect(await told(await confirmDeletion(me, token))).toEqual([
      200,
      { deleted: true, membership: 'none', subscription: null },
    ]);
    expect(await getPayPalState(id)).toMatchObject({ status: 'ACTIVE' });
  });
});

describe('A membership that cannot be cancelled keeps the account', () => {
  test.each<[string, InjectedResponse]>([
    ['has an error', { at: 'cancel', status: 500 }],
    ['refuses', { at: 'cancel', status: 422 }],
    ['says yes and forgets', { at: 'cancel', status: 204 }],
    ['does not know it', { at: 'show', status: 404 }],
    ['cannot say what became of it', { at: 'show', status: 503 }],
    ['says what nobody understands', { at: 'show', status: 200, body: '{}' }],
  ])('and everything in it, when PayPal %s; later the same link works', async (_, trouble) => {
    const { me, token, id } = await member({ troubles: [trouble] });
    const mails = mailsTo(me.email).length;
    const log = vi.spyOn(console, 'error').mockReturnValue();
    expect(await told(await confirmDeletion(me, token))).toEqual(KEPT);
    const lines = log.mock.calls.map(([line]) => String(line));
    log.mockRestore();
    const line = lines.find((one) => one.includes('membership_not_cancelled')) ?? '';
    expect(JSON.parse(line)).toMatchObject({ reason: expect.stringMatching(/cancel.*; .*show/) });
    for (const secret of [id, me.id, me.email]) expect(line).not.toContain(secret);
    expect(await me.ask('/api/auth/status')).toMatchObject({ user: { id: me.id, plan: 'storyteller' } });
    expect(await readSubscriptionRow(id)).toMatchObject({ status: 'active' });
    expect(mailsTo(me.email)).toHaveLength(mails);

    await updatePayPalSubscription(id, { troubles: [] });
    expect(await told(await confirmDeletion(me, token))).toEqual(cancelled(id));
  });

  test('when PayPal cannot be reached, and when it is not set up here any more', async () => {
    const { me, token, id } = await member();
    const closed = (env as { MODEL_DEEPSEEK_BASE_URL?: string }).MODEL_DEEPSEEK_BASE_URL?.replace(
      /\/v1$/,
      '',
    );
    expect(await told(await confirmWith({ PAYPAL_API_BASE: closed as string }, me, token))).toEqual(KEPT);
    const none = { PAYPAL_CLIENT_ID: '', PAYPAL_CLIENT_SECRET: '' };
    expect(await told(await confirmWith(none, me, token))).toEqual(KEPT);
    expect(await getPayPalState(id)).toMatchObject({ status: 'ACTIVE', calls: [] });
    expect(await exists(me)).toBe(true);
    expect(await told(await confirmDeletion(me, token))).toEqual(cancelled(id));
  });

  test('when it begins in the very moment in which the account was to go', async () => {
    const { me, token } = await member();
    const leaving = {
      why: 'confirmed' as const,
      tokenHash: await hashDeletionToken(token),
      farewell: { site: ORIGIN, language: 'en' as const, subscription: null },
      marks: [],
    };
    const erase = () => startErasure(openDatabase(env.DB), { userId: me.id, leaving, now: Date.now() });
    expect(await erase()).toBeNull();
    expect(await exists(me)).toBe(true);
    await env.DB.prepare("update subscriptions set status = 'cancelled' where user_id = ?").bind(me.id).run();
    expect(await erase()).toContain(me.id);
  });
});

describe('A deletion', () => {
  test('that fails after the membership was cancelled is done by the same link, and says the same', async () => {
    const { me, token, id } = await member({}, { periodEnd: Date.now() - DAY_MS });
    const trigger = `no_goodbye_${createId(Date.now())}`;
    await env.DB.prepare(
      `create trigger ${trigger} before insert on mails when new.kind = 'deletion_done' begin select raise(abort, 'full'); end`,
    ).run();
    try {
      expect(await told(await confirmDeletion(me, token))).toEqual([
        500,
        expect.objectContaining({ code: 'deletion_unfinished' }),
      ]);
      expect(await exists(me)).toBe(true);
    } finally {
      await env.DB.prepare(`drop trigger ${trigger}`).run();
    }
    expect(await readSubscriptionRow(id)).toMatchObject({ status: 'cancelled' });
    expect(await told(await confirmDeletion(me, token))).toEqual(cancelled(id));
    expect(await getPayPalState(id)).toMatchObject({ calls: ['cancel', 'show'] });
  });

  test('in two tabs at once cancels a membership once, and is done once', async () => {
    const { me, token, id } = await member();
    const before = mailsTo(me.email).length;
    const tabs = [Object.assign(new Visitor(), me), Object.assign(new Visitor(), me)];
    const answers = await Promise.all(tabs.map((tab) => confirmDeletion(tab, token)));
    // Later by a little, the session is over already.
    for (const answer of answers) expect([200, 401]).toContain(answer.status);
    const done = answers.filter((answer) => answer.status === 200);
    expect(await Promise.all(done.map(told))).toContainEqual(cancelled(id));
    expect(await getPayPalState(id)).toMatchObject({ status: 'CANCELLED' });
    await runErasures();
    await vi.waitFor(() => expect(mailsTo(me.email).slice(before)).toHaveLength(1));
  });

  test('does not wait for a plan that the operator gave and nobody pays for', async () => {
    const me = await createAccount();
    const token = await requestDeletion(me);
    await env.DB.prepare("update users set plan = 'storyteller' where id = ?").bind(me.id).run();
    expect(await told(await confirmDeletion(me, token))).toEqual([
      200,
      { deleted: true, membership: 'none', subscription: null },
    ]);
    expect(await exists(me)).toBe(false);
  });
});
