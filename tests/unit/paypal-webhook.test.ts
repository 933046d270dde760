import { X509Certificate } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { PayPalSettings } from '../../src/vendors/paypal-call.ts';
import { mergePayments } from '../../src/features/billing/subscription-state.ts';
import { parseEvent, verifyWebhook } from '../../src/vendors/paypal-webhook.ts';
import type { PayPalAction, InjectedResponse } from '../support/paypal-subscriptions.ts';
import type { EventRequest, SignedEvent } from '../support/paypal-events.ts';
import { type PayPalServer, startPayPalServer } from '../support/paypal-server.ts';

const CREDENTIALS = { clientId: 'ours', clientSecret: 'our-secret', webhookId: '1AB23456CD7890123' };
const WEBHOOK = CREDENTIALS.webhookId;
let server: PayPalServer;
let settings: PayPalSettings;
let subscription: string;

async function control<Answer>(path: string, json: unknown): Promise<Answer> {
  const answer = await fetch(`${server.url}/control/${path}`, { method: 'POST', body: JSON.stringify(json) });
  return answer.json() as Promise<Answer>;
}
interface Happened {
  payment: string;
  refund: string;
  event: SignedEvent;
}
const happens = (act: PayPalAction, told: Record<string, unknown> = {}) =>
  control<Happened>(`subscriptions/${subscription}/${act}`, told);
const signed = (wanted: Partial<EventRequest> = {}) =>
  control<SignedEvent>('events', { kind: 'BILLING.SUBSCRIPTION.ACTIVATED', subscription, ...wanted });
const verify = (
  { headers, body }: Pick<SignedEvent, 'headers' | 'body'>,
  webhookId = WEBHOOK,
  timeoutMs?: number,
) =>
  verifyWebhook(
    settings,
    webhookId,
    { headers: new Headers(headers), raw: body },
    { now: Date.now(), timeoutMs },
  );
const GENUINE = { ok: true, genuine: true };
const FORGED = { ok: true, genuine: false };

beforeAll(async () => {
  server = await startPayPalServer(CREDENTIALS);
  settings = { ...CREDENTIALS, apiBase: server.url };
  subscription = (await control<{ id: string }>('subscriptions', { custom_id: 'somebody' })).id;
});
afterAll(() => server.close());

describe('An event that comes to us', () => {
  test('is PayPal’s own when PayPal signed it, to the last byte of its text', async () => {
    const event = await signed();
    // Read and written again, it would be another text.
    expect(JSON.stringify(JSON.parse(event.body))).not.toBe(event.body);
    expect(await verify(event)).toEqual(GENUINE);
    expect(await verify({ ...event, body: ` ${event.body}` })).toEqual(FORGED);
    expect(await verify({ ...event, body: JSON.stringify(JSON.parse(event.body)) })).toEqual(FORGED);
  });

  test.each(['key', 'body', 'webhook', 'cert'] as const)('is not when it is forged: %s', async (forge) => {
    expect(await verify(await signed({ forge }))).toEqual(FORGED);
  });

  test('is not when its signature was taken from another', async () => {
    const [one, other] = await Promise.all([signed(), signed()]);
    expect(await verify({ headers: one.headers, body: other.body })).toEqual(FORGED);
  });

  test('is signed with the key of a certificate that whoever doubts it can read', async () => {
    const { headers } = await signed();
    const certificate = new X509Certificate(await (await fetch(headers['paypal-cert-url'] ?? '')).text());
    expect(certificate.verify(certificate.publicKey)).toBe(true);
    expect(certificate.subject).toBe('CN=messageverificationcerts.paypal.test');
    expect(new Date(certificate.validTo).getTime()).toBeGreaterThan(Date.now());
  });
});

describe('PayPal is not even asked about an event', () => {
  /** PayPal where nobody listens: whatever asks it gets no answer. */
  const unheard = (headers: Record<string, string>, raw: string, apiBase = 'https://nobody.paypal.com:9') =>
    verifyWebhook(
      { ...settings, apiBase },
      WEBHOOK,
      { headers: new Headers(headers), raw },
      { now: Date.now(), timeoutMs: 500 },
    );
  const certificateOfPayPal = { 'paypal-cert-url': 'https://api.paypal.com/v1/notifications/certs/CERT-1' };

  test('that comes without all that PayPal sends with it', async () => {
    const { headers, body } = await signed();
    const whole = { ...headers, ...certificateOfPayPal };
    expect(await unheard(whole, body)).toMatchObject({ ok: false, code: 'unavailable' });
    for (const missing of Object.keys(whole).filter((header) => header.startsWith('paypal-'))) {
      const { [missing as keyof typeof whole]: _, ...rest } = whole;
      expect(await unheard(rest, body)).toEqual(FORGED);
      expect(await unheard({ ...whole, [missing]: 'a b' }, body)).toEqual(FORGED);
    }
  });

  test('and is asked where its algorithm has a hyphen', async () => {
    const { headers, body } = await signed();
    const whole = { ...headers, ...certificateOfPayPal, 'paypal-auth-algo': 'SHA256-RSA' };
    expect(await unheard(whole, body)).toMatchObject({ ok: false, code: 'unavailable' });
  });

  test('but its stand-in is, whatever it signs with and how', async () => {
    const standIn = 'http://127.0.0.1:9';
    const { headers, body } = await signed();
    const odd = { 'paypal-auth-algo': 'any: kind', 'paypal-transmission-time': 'just now' };
    for (const address of ['https://certs.example.test/1.pem', 'http://paypal-mock:8080/cert']) {
      const whole = { ...headers, ...odd, 'paypal-cert-url': address };
      expect(await unheard(whole, body, standIn)).toMatchObject({ ok: false, code: 'unavailable' });
    }
    const wrongs: Record<string, string>[] = [
      { 'paypal-cert-url': 'file:///etc/passwd' },
      { 'paypal-cert-url': 'nowhere' },
      { 'paypal-transmission-sig': 'x'.repeat(501) },
      { 'paypal-transmission-sig': 'é' },
      { 'paypal-transmission-id': '' },
    ];
    for (const wrong of wrongs)
      expect(await unheard({ ...headers, ...odd, ...wrong }, body, standIn)).toEqual(FORGED);
  });

  test.each([
    'https://paypal.com.example/certs/1',
    'https://notpaypal.com/certs/1',
    'http://api.paypal.com/certs/1',
    'https://api.paypal.com@example.test/certs/1',
    'https://example.test/?api.paypal.com',
    'file:///etc/passwd',
  ])('that names a certificate of somebody else: %s', async (address) => {
    const { headers, body } = await signed();
    expect(await unheard({ ...headers, 'paypal-cert-url': address }, body)).toEqual(FORGED);
  });

  test.each(['', 'hello', '7', 'null', '[]', '{"id":"WH-1"', '{"id":"WH-1"},"webhook_id":"mine"'])(
    'whose text is no event: %s',
    async (body) => {
      const { headers } = await signed();
      expect(await unheard({ ...headers, ...certificateOfPayPal }, body)).toEqual(FORGED);
    },
  );
});

describe('Whether an event is genuine, nobody knows', () => {
  test.each<[string, Partial<InjectedResponse>]>([
    ['PayPal has an error', { status: 500 }],
    ['PayPal does not answer', {}],
    ['PayPal answers neither yes nor no', { status: 200, body: { verification_status: 'PERHAPS' } }],
  ])('when %s', async (_, trouble) => {
    const event = await signed();
    await control('verify', { id: event.id, troubles: [{ at: 'verify', ...trouble }] });
    expect(await verify(event, WEBHOOK, 200)).toMatchObject({ ok: false, code: 'unavailable' });
  });

  test('when the operator has named another webhook', async () => {
    expect(await verify(await signed(), '9ZZ99999ZZ9999999')).toMatchObject({
      ok: false,
      code: 'refused',
      reason: expect.stringMatching(/^verify answered 400 INVALID_WEBHOOK_ID/),
    });
  });

  test('and when PayPal has taken our token back, a new one finds it out', async () => {
    const event = await signed();
    await control('tokens', {});
    expect(await verify(event)).toEqual(GENUINE);
  });
});

describe('An event tells', () => {
  test.each([
    'CREATED',
    'ACTIVATED',
    'UPDATED',
    'SUSPENDED',
    'CANCELLED',
    'EXPIRED',
    'RE-ACTIVATED',
    'PAYMENT.FAILED',
  ])('which subscription it is about, and nothing of a payment: %s', async (word) => {
    const kind = `BILLING.SUBSCRIPTION.${word}`;
    const { id, body } = await signed({ kind, at: Date.UTC(2026, 11, 1) });
    expect(parseEvent(body)).toEqual({
      id,
      kind,
      at: Date.UTC(2026, 11, 1),
      subscriptionId: subscription,
      payment: null,
    });
  });

  test('what was paid, when, and for which subscription', async () => {
    const at = Date.UTC(2026, 11, 1, 10);
    const { payment, event } = await happens('pay', { value: '14.99', at });
    expect(parseEvent(event.body)).toMatchObject({
      id: event.id,
      kind: 'PAYMENT.SALE.COMPLETED',
      subscriptionId: subscription,
      payment: { what: 'completed', id: payment, amountCents: 1499, currency: 'USD', at },
    });
  });

  test('what went back, in part or whole, and of which payment', async () => {
    const at = Date.UTC(2026, 11, 2, 10);
    const { payment } = await happens('pay');
    for (const [value, amountCents] of [
      ['2.50', 250],
      ['4.49', 449],
    ] as const) {
      const { refund, event } = await happens('refund', { payment, value, at });
      expect(parseEvent(event.body)?.payment).toEqual({
        what: 'refund',
        id: refund,
        paymentId: payment,
        amountCents,
        currency: 'USD',
        at,
      });
    }
  });

  test('which payment a bank took back', async () => {
    const { payment } = await happens('pay', { at: Date.UTC(2026, 10, 1) });
    const { event } = await happens('reverse', { payment });
    const read = parseEvent(event.body);
    expect(read?.payment).toEqual({ what: 'reversed', paymentId: payment, at: read?.at });
    expect(read?.at).toBeGreaterThan(Date.UTC(2026, 10, 1));
  });

  test('of which payment a refund is also where only an address says it', async () => {
    const refund = {
      id: 'R1',
      amount: { total: '0.01', currency: 'USD' },
      create_time: '2026-12-01T00:00:00Z',
    };
    const links = [{ rel: 'sale', href: 'https://api.paypal.com/v1/payments/sale/9T0916710M1105906' }];
    const kind = 'PAYMENT.SALE.REFUNDED';
    const { body } = await signed({ kind, resource: { ...refund, links } });
    expect(parseEvent(body)?.payment).toMatchObject({ paymentId: '9T0916710M1105906', amountCents: 1 });
    expect(parseEvent((await signed({ kind, resource: refund })).body)).toMatchObject({
      kind,
      payment: null,
    });
  });

  test('nothing of a payment that has not come, or a refund that has not gone', async () => {
    const of = async (kind: string, state: string) => {
      const amount = { total: '6.99', currency: 'USD' };
      const { body } = await signed({ kind, resource: { id: 'S1', sale_id: 'S0', state, amount } });
      return parseEvent(body)?.payment;
    };
    expect(await of('PAYMENT.SALE.COMPLETED', 'pending')).toBeNull();
    expect(await of('PAYMENT.SALE.PENDING', 'completed')).toBeNull();
    expect(await of('PAYMENT.SALE.DENIED', 'denied')).toBeNull();
    expect(await of('PAYMENT.SALE.REFUNDED', 'failed')).toBeNull();
    expect(await of('PAYMENT.SALE.REFUNDED', 'FAILED')).toBeNull();
    for (const state of ['completed', 'COMPLETED', 'Completed'])
      expect(await of('PAYMENT.SALE.COMPLETED', state)).toMatchObject({ amountCents: 699 });
  });

  test('that all of a payment went back where no amount is named', async () => {
    const resource = { id: 'R1', sale_id: 'S0', state: 'completed' };
    const back = parseEvent((await signed({ kind: 'PAYMENT.SALE.REFUNDED', resource })).body)?.payment;
    if (back?.what !== 'refund') throw new Error('no refund');
    const { paymentId: refunded, amountCents, at } = back;
    const paid = { amountCents: 699, currency: 'USD', at };
    expect(
      mergePayments(
        [],
        [{ id: 'S0', ...paid, isRefunded: false }],
        [{ paymentId: refunded, amountCents, isReversal: false }],
      ),
    ).toMatchObject([{ id: 'S0', status: 'refunded', refundedCents: 699 }]);
    const unread = { ...resource, amount: { total: 'all', currency: 'USD' } };
    expect(
      parseEvent((await signed({ kind: 'PAYMENT.SALE.REFUNDED', resource: unread })).body)?.payment,
    ).toBeNull();
  });

  test('its moment, or else that it is now', () => {
    const raw = '{"id":"WH-1","event_type":"BILLING.SUBSCRIPTION.UPDATED"}';
    expect(parseEvent(raw, 7)).toMatchObject({ id: 'WH-1', at: 7 });
    expect(parseEvent(raw.replace('}', ',"create_time":null}'), 7)).toMatchObject({ at: 7 });
  });

  test('nothing of an amount that is none', async () => {
    const resource = { id: 'S1', state: 'completed', amount: { total: '6.999', currency: 'USD' } };
    expect(parseEvent((await signed({ kind: 'PAYMENT.SALE.COMPLETED', resource })).body)?.payment).toBeNull();
  });

  test.each([
    '',
    'hello',
    '[]',
    '{}',
    '{"id":"a b","event_type":"PAYMENT.SALE.COMPLETED","create_time":"2026-12-01T00:00:00Z"}',
    '{"id":"WH-1","event_type":"drop table","create_time":"2026-12-01T00:00:00Z"}',
    '{"id":"WH-1","event_type":"PAYMENT.SALE.COMPLETED","create_time":"today"}',
  ])('nothing at all when it is none: %s', (raw) => {
    expect(parseEvent(raw)).toBeNull();
  });

  test('no sum that is not one, whatever it describes', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('COMPLETED', 'REFUNDED', 'REVERSED'),
        fc.record(
          {
            id: fc.oneof(fc.string(), fc.constant('S1'), fc.jsonValue()),
            sale_id: fc.oneof(fc.constant('S0'), fc.jsonValue()),
            amount: fc.oneof(
              fc.record({
                total: fc.oneof(fc.string(), fc.double(), fc.constant('1.00')),
                currency: fc.constant('USD'),
              }),
              fc.jsonValue(),
            ),
            links: fc.jsonValue(),
            create_time: fc.jsonValue(),
          },
          { requiredKeys: [] },
        ),
        (word, resource) => {
          const event = {
            id: 'WH-1',
            event_type: `PAYMENT.SALE.${word}`,
            create_time: '2026-12-01T00:00:00Z',
            resource,
          };
          const payment = parseEvent(JSON.stringify(event))?.payment ?? null;
          if (payment === null || payment.what === 'reversed') return;
          expect(payment.id).toMatch(/^[\w-]+$/);
          // All of it is what a refund says that names no sum, never one whose sum cannot be read.
          if (payment.what === 'refund' && (resource.amount ?? null) === null) {
            expect(payment.amountCents).toBeNull();
            return;
          }
          expect(Number.isSafeInteger(payment.amountCents)).toBe(true);
          expect(payment.amountCents).toBeGreaterThanOrEqual(0);
        },
      ),
    );
  });

  test('little when it describes nothing', () => {
    expect(
      parseEvent('{"id":"WH-1","event_type":"PAYMENT.SALE.COMPLETED","create_time":"2026-12-01T00:00:00Z"}'),
    ).toEqual({
      id: 'WH-1',
      kind: 'PAYMENT.SALE.COMPLETED',
      at: Date.UTC(2026, 11, 1),
      subscriptionId: null,
      payment: null,
    });
  });
});
