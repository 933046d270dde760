import { X509Certificate } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { PayPalSettings } from '../../../src/vendors/paypal-call.ts';
import { mergePayments } from '../../../src/features/billing/subscription-state.ts';
import { parseEvent, verifyWebhook } from '../../../src/vendors/paypal-webhook.ts';
import type { PayPalAction, InjectedResponse } from '../../support/paypal-subscriptions.ts';
import type { EventRequest, SignedEvent } from '../../support/paypal-events.ts';
import { type PayPalServer, startPayPalServer } from '../../support/paypal-server.ts';

const CREDENTIALS = { clientId: 'ours', clientSecret: 'our-secret', webhookId: '1AB23456CD7890123' };
const WEBHOOK = CREDENTIALS.webhookId;
let server: PayPalServer;
let settings: PayPalSettings;
let subscription: string;

async function control<Answer>(path: string, json: unknown): Promise<Answer> {
  const answer = await fetch(`${server.url}/control/${path}`, { method: 'POST', body: JSON.stringify(json) });
  return answer.json() as Promise<Answer>;
}
interface PaymentResult {
  payment: string;
  refund: string;
  event: SignedEvent;
}
const simulate = (act: PayPalAction, details: Record<string, unknown> = {}) =>
  control<PaymentResult>(`subscriptions/${subscription}/${act}`, details);
const createSignedEvent = (wanted: Partial<EventRequest> = {}) =>
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

describe('PayPal webhook signature', () => {
  test('an event is genuine only as the exact text that PayPal signed', async () => {
    const event = await createSignedEvent();
    // Parsing and serializing the event would change its text.
    expect(JSON.stringify(JSON.parse(event.body))).not.toBe(event.body);
    expect(await verify(event)).toEqual(GENUINE);
    expect(await verify({ ...event, body: ` ${event.body}` })).toEqual(FORGED);
    expect(await verify({ ...event, body: JSON.stringify(JSON.parse(event.body)) })).toEqual(FORGED);
  });

  test.each(['key', 'body', 'webhook', 'cert'] as const)(
    'a forged event is not genuine: %s',
    async (forge) => {
      expect(await verify(await createSignedEvent({ forge }))).toEqual(FORGED);
    },
  );

  test('an event with the signature of another event is not genuine', async () => {
    const [one, other] = await Promise.all([createSignedEvent(), createSignedEvent()]);
    expect(await verify({ headers: one.headers, body: other.body })).toEqual(FORGED);
  });

  test('an event is signed with the key of a certificate that anyone can fetch and check', async () => {
    const { headers } = await createSignedEvent();
    const certificate = new X509Certificate(await (await fetch(headers['paypal-cert-url'] ?? '')).text());
    expect(certificate.verify(certificate.publicKey)).toBe(true);
    expect(certificate.subject).toBe('CN=messageverificationcerts.paypal.test');
    expect(new Date(certificate.validTo).getTime()).toBeGreaterThan(Date.now());
  });
});

describe('Webhook checks before PayPal', () => {
  /** A PayPal address without a server, so that every request to it fails. */
  const verifyUnreachable = (
    headers: Record<string, string>,
    raw: string,
    apiBase = 'https://nobody.paypal.com:9',
  ) =>
    verifyWebhook(
      { ...settings, apiBase },
      WEBHOOK,
      { headers: new Headers(headers), raw },
      { now: Date.now(), timeoutMs: 500 },
    );
  const payPalCertificate = { 'paypal-cert-url': 'https://api.paypal.com/v1/notifications/certs/CERT-1' };

  test("an event without all of PayPal's headers is forged without asking PayPal", async () => {
    const { headers, body } = await createSignedEvent();
    const complete = { ...headers, ...payPalCertificate };
    expect(await verifyUnreachable(complete, body)).toMatchObject({ ok: false, code: 'unavailable' });
    for (const missing of Object.keys(complete).filter((header) => header.startsWith('paypal-'))) {
      const { [missing as keyof typeof complete]: _, ...rest } = complete;
      expect(await verifyUnreachable(rest, body)).toEqual(FORGED);
      expect(await verifyUnreachable({ ...complete, [missing]: 'a b' }, body)).toEqual(FORGED);
    }
  });

  test('a signature algorithm with a hyphen is accepted', async () => {
    const { headers, body } = await createSignedEvent();
    const complete = { ...headers, ...payPalCertificate, 'paypal-auth-algo': 'SHA256-RSA' };
    expect(await verifyUnreachable(complete, body)).toMatchObject({ ok: false, code: 'unavailable' });
  });

  test('the stand-in for PayPal may use any algorithm and certificate host', async () => {
    const standIn = 'http://127.0.0.1:9';
    const { headers, body } = await createSignedEvent();
    const odd = { 'paypal-auth-algo': 'any: kind', 'paypal-transmission-time': 'just now' };
    for (const address of ['https://certs.example.test/1.pem', 'http://paypal-mock:8080/cert']) {
      const complete = { ...headers, ...odd, 'paypal-cert-url': address };
      expect(await verifyUnreachable(complete, body, standIn)).toMatchObject({
        ok: false,
        code: 'unavailable',
      });
    }
    const wrongs: Record<string, string>[] = [
      { 'paypal-cert-url': 'file:///etc/passwd' },
      { 'paypal-cert-url': 'nowhere' },
      { 'paypal-transmission-sig': 'x'.repeat(501) },
      { 'paypal-transmission-sig': 'é' },
      { 'paypal-transmission-id': '' },
    ];
    for (const wrong of wrongs)
      expect(await verifyUnreachable({ ...headers, ...odd, ...wrong }, body, standIn)).toEqual(FORGED);
  });

  test.each([
    'https://paypal.com.example/certs/1',
    'https://notpaypal.com/certs/1',
    'http://api.paypal.com/certs/1',
    'https://api.paypal.com@example.test/certs/1',
    'https://example.test/?api.paypal.com',
    'file:///etc/passwd',
  ])('an event with a foreign certificate address is forged without asking PayPal: %s', async (address) => {
    const { headers, body } = await createSignedEvent();
    expect(await verifyUnreachable({ ...headers, 'paypal-cert-url': address }, body)).toEqual(FORGED);
  });

  test.each(['', 'hello', '7', 'null', '[]', '{"id":"WH-1"', '{"id":"WH-1"},"webhook_id":"mine"'])(
    'a text that is no event is forged without asking PayPal: %s',
    async (body) => {
      const { headers } = await createSignedEvent();
      expect(await verifyUnreachable({ ...headers, ...payPalCertificate }, body)).toEqual(FORGED);
    },
  );
});

describe('Unknown webhook result', () => {
  test.each<[string, Partial<InjectedResponse>]>([
    ['PayPal has an error', { status: 500 }],
    ['PayPal does not answer', {}],
    ['PayPal answers neither yes nor no', { status: 200, body: { verification_status: 'PERHAPS' } }],
  ])('an event stays unverified when %s', async (_, trouble) => {
    const event = await createSignedEvent();
    await control('verify', { id: event.id, troubles: [{ at: 'verify', ...trouble }] });
    expect(await verify(event, WEBHOOK, 200)).toMatchObject({ ok: false, code: 'unavailable' });
  });

  test('an event is refused by PayPal when the operator configured another webhook', async () => {
    expect(await verify(await createSignedEvent(), '9ZZ99999ZZ9999999')).toMatchObject({
      ok: false,
      code: 'refused',
      reason: expect.stringMatching(/^verify answered 400 INVALID_WEBHOOK_ID/),
    });
  });

  test('an event is verified with a new token after PayPal revoked the old one', async () => {
    const event = await createSignedEvent();
    await control('tokens', {});
    expect(await verify(event)).toEqual(GENUINE);
  });
});

describe('Webhook event parsing', () => {
  test.each([
    'CREATED',
    'ACTIVATED',
    'UPDATED',
    'SUSPENDED',
    'CANCELLED',
    'EXPIRED',
    'RE-ACTIVATED',
    'PAYMENT.FAILED',
  ])('an event of a subscription names it and no payment: %s', async (word) => {
    const kind = `BILLING.SUBSCRIPTION.${word}`;
    const { id, body } = await createSignedEvent({ kind, at: Date.UTC(2026, 11, 1) });
    expect(parseEvent(body)).toEqual({
      id,
      kind,
      at: Date.UTC(2026, 11, 1),
      subscriptionId: subscription,
      payment: null,
    });
  });

  test('a payment event names the payment, its amount, its time and the subscription', async () => {
    const at = Date.UTC(2026, 11, 1, 10);
    const { payment, event } = await simulate('pay', { value: '14.99', at });
    expect(parseEvent(event.body)).toMatchObject({
      id: event.id,
      kind: 'PAYMENT.SALE.COMPLETED',
      subscriptionId: subscription,
      payment: { what: 'completed', id: payment, amountCents: 1499, currency: 'USD', at },
    });
  });

  test('a refund event names the amount and the payment', async () => {
    const at = Date.UTC(2026, 11, 2, 10);
    const { payment } = await simulate('pay');
    for (const [value, amountCents] of [
      ['2.50', 250],
      ['4.49', 449],
    ] as const) {
      const { refund, event } = await simulate('refund', { payment, value, at });
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

  test('a reversal event names the payment', async () => {
    const { payment } = await simulate('pay', { at: Date.UTC(2026, 10, 1) });
    const { event } = await simulate('reverse', { payment });
    const read = parseEvent(event.body);
    expect(read?.payment).toEqual({ what: 'reversed', paymentId: payment, at: read?.at });
    expect(read?.at).toBeGreaterThan(Date.UTC(2026, 10, 1));
  });

  test('a refund event finds its payment in a link if nothing else names it', async () => {
    const refund = {
      id: 'R1',
      amount: { total: '0.01', currency: 'USD' },
      create_time: '2026-12-01T00:00:00Z',
    };
    const links = [{ rel: 'sale', href: 'https://api.paypal.com/v1/payments/sale/9T0916710M1105906' }];
    const kind = 'PAYMENT.SALE.REFUNDED';
    const { body } = await createSignedEvent({ kind, resource: { ...refund, links } });
    expect(parseEvent(body)?.payment).toMatchObject({ paymentId: '9T0916710M1105906', amountCents: 1 });
    expect(parseEvent((await createSignedEvent({ kind, resource: refund })).body)).toMatchObject({
      kind,
      payment: null,
    });
  });

  test('an event with an unfinished payment or refund has no payment', async () => {
    const parsePayment = async (kind: string, state: string) => {
      const amount = { total: '6.99', currency: 'USD' };
      const { body } = await createSignedEvent({
        kind,
        resource: { id: 'S1', sale_id: 'S0', state, amount },
      });
      return parseEvent(body)?.payment;
    };
    expect(await parsePayment('PAYMENT.SALE.COMPLETED', 'pending')).toBeNull();
    expect(await parsePayment('PAYMENT.SALE.PENDING', 'completed')).toBeNull();
    expect(await parsePayment('PAYMENT.SALE.DENIED', 'denied')).toBeNull();
    expect(await parsePayment('PAYMENT.SALE.REFUNDED', 'failed')).toBeNull();
    expect(await parsePayment('PAYMENT.SALE.REFUNDED', 'FAILED')).toBeNull();
    for (const state of ['completed', 'COMPLETED', 'Completed'])
      expect(await parsePayment('PAYMENT.SALE.COMPLETED', state)).toMatchObject({ amountCents: 699 });
  });

  test('a refund event without an amount refunds the whole payment', async () => {
    const resource = { id: 'R1', sale_id: 'S0', state: 'completed' };
    const refundPayment = parseEvent(
      (await createSignedEvent({ kind: 'PAYMENT.SALE.REFUNDED', resource })).body,
    )?.payment;
    if (refundPayment?.what !== 'refund') throw new Error('no refund');
    const { paymentId: refunded, amountCents, at } = refundPayment;
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
      parseEvent((await createSignedEvent({ kind: 'PAYMENT.SALE.REFUNDED', resource: unread })).body)
        ?.payment,
    ).toBeNull();
  });

  test('an event without a time has the current time', () => {
    const raw = '{"id":"WH-1","event_type":"BILLING.SUBSCRIPTION.UPDATED"}';
    expect(parseEvent(raw, 7)).toMatchObject({ id: 'WH-1', at: 7 });
    expect(parseEvent(raw.replace('}', ',"create_time":null}'), 7)).toMatchObject({ at: 7 });
  });

  test('an event with an invalid amount has no payment', async () => {
    const resource = { id: 'S1', state: 'completed', amount: { total: '6.999', currency: 'USD' } };
    expect(
      parseEvent((await createSignedEvent({ kind: 'PAYMENT.SALE.COMPLETED', resource })).body)?.payment,
    ).toBeNull();
  });

  test.each([
    '',
    'hello',
    '[]',
    '{}',
    '{"id":"a b","event_type":"PAYMENT.SALE.COMPLETED","create_time":"2026-12-01T00:00:00Z"}',
    '{"id":"WH-1","event_type":"drop table","create_time":"2026-12-01T00:00:00Z"}',
    '{"id":"WH-1","event_type":"PAYMENT.SALE.COMPLETED","create_time":"today"}',
  ])('a text that is no event is null: %s', (raw) => {
    expect(parseEvent(raw)).toBeNull();
  });

  test('any event yields a valid amount or no payment', () => {
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
          // Only a refund without an amount covers the whole payment; one with an unreadable amount is dropped.
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

  test('an event without a resource has neither subscription nor payment', () => {
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
