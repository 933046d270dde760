import { z } from 'zod';
import { tryParseJson } from './bounded-response.ts';
import {
  callPayPal,
  isPayPalUrl,
  type PayPalCall,
  type PayPalRefusal,
  type PayPalSettings,
  buildJsonInit,
  createUnavailableRefusal,
} from './paypal-call.ts';
import { type Money, parseMoney } from './paypal-money.ts';

/** The payment in an event. Times are in milliseconds, amounts in the smallest unit of the currency. */
export type PayPalPaymentEvent =
  | { what: 'completed'; id: string; amountCents: number; currency: string; at: number }
  /** Null amount: the whole payment was refunded. */
  | {
      what: 'refund';
      id: string;
      paymentId: string;
      amountCents: number | null;
      currency: string | null;
      at: number;
    }
  | { what: 'reversed'; paymentId: string; at: number };

/** A webhook event of PayPal. Only a hint: query the current state before acting on it. */
export interface PayPalEvent {
  id: string;
  /** PayPal's event type, such as `PAYMENT.SALE.COMPLETED`. */
  kind: string;
  at: number;
  subscriptionId: string | null;
  payment: PayPalPaymentEvent | null;
}

export type WebhookVerification = { ok: true; genuine: boolean } | PayPalRefusal;

/** Headers of every event, in the form that PayPal documents. An event without one is not from PayPal. */
const SIGNATURE_HEADERS = {
  auth_algo: { header: 'paypal-auth-algo', shape: /^[a-zA-Z0-9-]{1,100}$/ },
  cert_url: { header: 'paypal-cert-url', shape: /^https?:\/\/[\x21-\x7e]{1,490}$/ },
  transmission_id: { header: 'paypal-transmission-id', shape: /^[\x21-\x7e]{1,50}$/ },
  transmission_sig: { header: 'paypal-transmission-sig', shape: /^[\x21-\x7e]{1,500}$/ },
  transmission_time: {
    header: 'paypal-transmission-time',
    shape: /^\d{4}-\d\d-\d\dT[0-9:.]+(?:Z|[+-]\d\d:\d\d)$/,
  },
} as const;

/** A stand-in signs in its own way and verifies that itself. */
const PRINTABLE = /^[\x20-\x7e]{1,500}$/;

const verifyAnswer = z.object({ verification_status: z.enum(['SUCCESS', 'FAILURE']) });

/**
 * Asks PayPal to verify an event.
 * @param webhookId PayPal's id of our webhook
 * @param raw the unchanged body, because the signature covers its bytes
 */
export async function verifyWebhook(
  settings: PayPalSettings,
  webhookId: string,
  { headers, raw }: { headers: Headers; raw: string },
  call: PayPalCall,
): Promise<WebhookVerification> {
  const transmission = readTransmission(headers, settings);
  if (transmission === null || !isObject(tryParseJson(raw))) return { ok: true, genuine: false };
  // Insert the raw text: parsing and serializing it would change numbers and escapes, and so break the signature.
  const json = `${JSON.stringify({ ...transmission, webhook_id: webhookId }).slice(0, -1)},"webhook_event":${raw}}`;
  const answer = await callPayPal(
    settings,
    { what: 'verify', path: '/v1/notifications/verify-webhook-signature', init: buildJsonInit(json) },
    call,
  );
  if (!answer.ok) return answer;
  const read = verifyAnswer.safeParse(answer.body);
  return read.success
    ? { ok: true, genuine: read.data.verification_status === 'SUCCESS' }
    : createUnavailableRefusal('verify answered neither yes nor no');
}

function readTransmission(headers: Headers, { apiBase }: PayPalSettings): Record<string, string> | null {
  const isPayPal = isPayPalUrl(new URL(apiBase));
  const found: Record<string, string> = {};
  for (const [name, { header, shape }] of Object.entries(SIGNATURE_HEADERS)) {
    const value = headers.get(header) ?? '';
    if (!(isPayPal ? shape : PRINTABLE).test(value)) return null;
    found[name] = value;
  }
  const cert = URL.parse(found.cert_url ?? '');
  if (cert === null) return null;
  // A certificate from another host cannot be PayPal's, so no request is needed.
  return (isPayPal ? isPayPalUrl(cert) : /^https?:$/.test(cert.protocol)) ? found : null;
}

const isObject = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** PayPal's ids of events, subscriptions and payments. */
const id = z.string().regex(/^[\w-]{1,60}$/);
const moment = z
  .string()
  .transform((text) => Date.parse(text))
  .pipe(z.number());
const event = z.object({
  id,
  event_type: z.string().regex(/^[A-Z][A-Z0-9._-]{2,79}$/),
  create_time: moment.nullish(),
  resource: z.record(z.string(), z.unknown()).catch({}),
});
const sale = z.object({
  id,
  state: z.string().nullable().catch(null),
  create_time: moment.nullable().catch(null),
  sale_id: id.nullable().catch(null),
  links: z.array(z.object({ rel: z.string(), href: z.string() })).catch([]),
});

/**
 * Parses an event; null when it is invalid. Trust it only after `verifyWebhook`.
 * @param now used for an event without a time of its own
 */
export function parseEvent(raw: string, now = Date.now()): PayPalEvent | null {
  const read = event.safeParse(tryParseJson(raw)).data;
  if (read === undefined) return null;
  const { id: eventId, event_type: kind, resource } = read;
  const at = read.create_time ?? now;
  const named = kind.startsWith('BILLING.SUBSCRIPTION.') ? resource.id : resource.billing_agreement_id;
  return {
    id: eventId,
    kind,
    at,
    subscriptionId: id.safeParse(named).data ?? null,
    payment: toPaymentEvent(kind, resource, at),
  };
}

function toPaymentEvent(
  kind: string,
  resource: Record<string, unknown>,
  eventAt: number,
): PayPalPaymentEvent | null {
  const read = sale.safeParse(resource).data;
  if (read === undefined) return null;
  // Here the resource is the payment itself, with its own creation time, so use the event's time.
  if (kind === 'PAYMENT.SALE.REVERSED')
    return { what: 'reversed', paymentId: getSaleId(read) ?? read.id, at: eventAt };
  const at = read.create_time ?? eventAt;
  const state = read.state?.toLowerCase() ?? null;
  const amount = parseUnsignedMoney(resource.amount);
  if (kind === 'PAYMENT.SALE.COMPLETED')
    // A payment pending at its bank is reported again when it completes.
    return amount !== null && (state ?? 'completed') === 'completed'
      ? { what: 'completed', id: read.id, amountCents: amount.cents, currency: amount.currency, at }
      : null;
  const paymentId = getSaleId(read);
  if (kind !== 'PAYMENT.SALE.REFUNDED' || paymentId === null || state === 'failed') return null;
  // An amount that cannot be parsed must not count as a full refund.
  if (amount === null && (resource.amount ?? null) !== null) return null;
  const sum = { amountCents: amount?.cents ?? null, currency: amount?.currency ?? null };
  return { what: 'refund', id: read.id, paymentId, ...sum, at };
}

/** Returns the payment that a refund or reversal belongs to. Events name it in different fields. */
function getSaleId({ sale_id, links }: z.infer<typeof sale>): string | null {
  const href = links.find(({ rel }) => rel === 'sale')?.href ?? '';
  return sale_id ?? /\/v1\/payments\/sale\/([\w-]{1,60})$/.exec(href)?.[1] ?? null;
}

/** Parses a refunded amount, which some events send as negative. */
function parseUnsignedMoney(amount: unknown): Money | null {
  if (typeof amount !== 'object' || amount === null) return null;
  return parseMoney(
    Object.fromEntries(
      Object.entries(amount).map(([name, value]) => [
        name,
        typeof value === 'string' || typeof value === 'number' ? String(value).replace(/^-/, '') : value,
      ]),
    ),
  );
}
