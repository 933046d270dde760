import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { cancelSubscription, type PayPalSettings, showSubscription } from '../../src/vendors/paypal.ts';
import {
  type PayPalServer,
  type PayPalSubscription,
  type SeenSubscription,
  startPayPalServer,
  type Trouble,
} from '../support/paypal-server.ts';

const CREDENTIALS = { clientId: 'ours', clientSecret: 'our-secret' };
const NOW = 1_800_000_000_000;
const SUBSCRIBER = /payer@example|2J6QB8YJQSJRJ/;
let server: PayPalServer;
let settings: PayPalSettings;

beforeAll(async () => {
  server = await startPayPalServer(CREDENTIALS);
  settings = { ...CREDENTIALS, apiBase: server.url };
});
afterAll(() => server.close());

async function control<Answer>(path: string, json?: unknown): Promise<Answer> {
  const init = json === undefined ? {} : { method: 'POST', body: JSON.stringify(json) };
  return (await fetch(`${server.url}/control/${path}`, init)).json() as Promise<Answer>;
}
const subscription = async (fields: Partial<PayPalSubscription> = {}) =>
  (await control<{ id: string }>('subscriptions', fields)).id;
const seen = (id: string) => control<SeenSubscription>(`subscriptions/${id}`);
const tokensGiven = async () => (await control<{ given: number }>('tokens')).given;
const troubleWithTokens = (...troubles: Trouble[]) => control('tokens', { troubles });
/** Every token that was given is worth nothing from here on. */
const takeTokensBack = () => control('tokens', {});

// Past whatever token a test before has left behind.
let now = NOW;
beforeEach(async () => {
  await takeTokensBack();
  now += 24 * 3_600_000;
});
const show = (id: string, timeoutMs?: number) => showSubscription(settings, id, { now, timeoutMs });
const cancel = (id: string, timeoutMs?: number) =>
  cancelSubscription(settings, id, 'The account goes.', { now, timeoutMs });

describe('A subscription at PayPal', () => {
  test.each(['APPROVAL_PENDING', 'APPROVED', 'ACTIVE', 'SUSPENDED', 'CANCELLED', 'EXPIRED'] as const)(
    'is shown as it is at this moment: %s',
    async (status) => {
      const id = await subscription({ status });
      expect(await show(id)).toEqual({ ok: true, subscription: { id, status } });
    },
  );

  test.each(['ACTIVE', 'SUSPENDED'] as const)('is cancelled, with the reason: %s', async (status) => {
    const id = await subscription({ status });
    expect(await cancel(id)).toEqual({ ok: true });
    expect(await seen(id)).toEqual({ status: 'CANCELLED', calls: ['cancel'], reason: 'The account goes.' });
  });

  test('that is over already is not cancelled a second time, and the log learns why', async () => {
    const id = await subscription();
    const answers = await Promise.all([cancel(id), cancel(id)]);
    expect(answers.filter(({ ok }) => ok)).toHaveLength(1);
    expect(answers.find(({ ok }) => !ok)).toMatchObject({
      code: 'refused',
      reason: expect.stringMatching(/^cancel answered 422 SUBSCRIPTION_STATUS_INVALID debug_id \w+$/),
    });
  });

  test('that PayPal does not know is told from one that nobody can ask about', async () => {
    expect(await show('I-NOTHING')).toMatchObject({
      ok: false,
      code: 'unknown',
      reason: expect.stringContaining('show answered 404 INVALID_RESOURCE_ID'),
    });
    expect(await cancel('I/../x?y')).toMatchObject({ ok: false, code: 'unknown' });
  });
});

describe('The token for PayPal', () => {
  test('is taken once for many calls, and anew shortly before it is over', async () => {
    const id = await subscription();
    const before = await tokensGiven();
    await show(id);
    await show(id);
    await cancel(id);
    expect(await tokensGiven()).toBe(before + 1);
    now += 31_668_000 - 60_000;
    expect(await show(id)).toMatchObject({ ok: true });
    expect(await tokensGiven()).toBe(before + 2);
  });

  test('is taken anew, once, when PayPal has taken it back', async () => {
    const id = await subscription();
    await show(id);
    await takeTokensBack();
    expect(await cancel(id)).toEqual({ ok: true });
    const before = await tokensGiven();
    const stubborn = await subscription({
      troubles: [{ at: 'show', status: 401, body: { error: 'invalid_token' } }],
    });
    expect(await show(stubborn)).toMatchObject({ ok: false, code: 'unavailable' });
    expect(await seen(stubborn)).toMatchObject({ calls: ['show', 'show'] });
    expect(await tokensGiven()).toBe(before + 1);
  });

  test('is each operator’s own: another secret does not get to use it', async () => {
    const id = await subscription();
    await show(id);
    const other = { ...settings, clientSecret: 'not-our-secret' };
    expect(await showSubscription(other, id, { now })).toEqual({
      ok: false,
      code: 'unavailable',
      reason: 'token answered 401 invalid_client',
    });
  });

  test.each<[string, Trouble]>([
    ['has an error', { at: 'token', status: 503 }],
    ['gives none', { at: 'token', status: 200, body: {} }],
    ['gives one that is none', { at: 'token', status: 200, body: { access_token: 'a\nb', expires_in: 9 } }],
    ['says that it is asked too much', { at: 'token', status: 429, body: { name: 'RATE_LIMIT_REACHED' } }],
    ['does not answer', { at: 'token' }],
  ])('that PayPal does not give out leaves everything as it is: it %s', async (_, trouble) => {
    const id = await subscription();
    await troubleWithTokens(trouble);
    expect(await cancel(id, 200)).toMatchObject({
      ok: false,
      code: 'unavailable',
      reason: expect.stringMatching(/^token /),
    });
    expect(await seen(id)).toEqual({ status: 'ACTIVE', calls: [], reason: null });
  });
});

describe('When PayPal is in trouble', () => {
  test.each<[string, Trouble]>([
    ['has an error', { at: 'show', status: 500 }],
    ['says that it is asked too much', { at: 'show', status: 429 }],
    ['answers with a page', { at: 'show', status: 200, body: '<!doctype html><title>Sorry</title>' }],
    ['answers with nothing', { at: 'show', status: 204 }],
    ['sends us elsewhere', { at: 'show', status: 302 }],
    ['shows another subscription', { at: 'show', status: 200, body: { id: 'I-OTHER', status: 'CANCELLED' } }],
    ['has a new word for its state', { at: 'show', status: 200, body: { id: 'I-X', status: 'FINE' } }],
    ['does not stop answering', { at: 'show', status: 200, body: `{"id":"${'x'.repeat(200_000)}"}` }],
    ['does not answer', { at: 'show' }],
  ])('and %s, nobody knows what a subscription is, and nobody waits for long', async (_, trouble) => {
    await show(await subscription());
    expect(await show(await subscription({ troubles: [trouble] }), 200)).toMatchObject({
      ok: false,
      code: 'unavailable',
    });
  });

  test('and begins an answer that never ends, nobody waits for long either', async () => {
    const endless = createServer((_, res) => {
      res.writeHead(200, { 'content-type': 'application/json' }).write('{"access_token":');
    });
    await new Promise<void>((resolve) => endless.listen(0, '127.0.0.1', resolve));
    const apiBase = `http://127.0.0.1:${(endless.address() as AddressInfo).port}`;
    const answer = await showSubscription({ ...CREDENTIALS, apiBase }, 'I-1', { now, timeoutMs: 80 });
    endless.closeAllConnections();
    endless.close();
    expect(answer).toEqual({ ok: false, code: 'unavailable', reason: 'token did not answer' });
  });

  test('the log learns what failed, and no secret and nothing of a person', async () => {
    const body = {
      name: 'payer@example.test owes',
      debug_id: 'not one: payer@example.test',
      details: [{ issue: 'payer@example.test', description: '2J6QB8YJQSJRJ' }],
    };
    const answers = [];
    for (const trouble of [{ at: 'show', status: 403, body } as const, { at: 'show' } as const]) {
      const id = await subscription({ troubles: [trouble] });
      const answer = await show(id, 200);
      expect(JSON.stringify(answer)).not.toContain(id);
      answers.push(answer);
    }
    expect(answers).toEqual([
      { ok: false, code: 'refused', reason: 'show answered 403' },
      { ok: false, code: 'unavailable', reason: 'show did not answer' },
    ]);
    expect(JSON.stringify(answers)).not.toMatch(SUBSCRIBER);
    expect(JSON.stringify(answers)).not.toContain(CREDENTIALS.clientSecret);
  });
});
