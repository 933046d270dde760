import { createSign, createVerify, randomUUID, X509Certificate } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { type CertifiedKey, createCertifiedKey } from './certificate.ts';
import {
  type PayPalSubscriptionRecord,
  type PayPalPayment,
  createPayPalId,
  toSubscriptionResponse,
} from './paypal-subscriptions.ts';

/** An event as it is posted, with its headers and exact body. */
export interface SignedEvent {
  id: string;
  headers: Record<string, string>;
  body: string;
}

/**
 * How an event is forged: `key`: another key signed it; `body`: its body was changed on the way; `webhook`: it was sent for
 * another webhook; `cert`: it names a foreign certificate.
 */
export type Forgery = 'key' | 'body' | 'webhook' | 'cert';

export interface EventRequest {
  kind: string;
  /** The id of its subscription. */
  subscription?: string;
  /** The payment it is about; the last one by default. */
  payment?: string;
  refund?: string;
  /** Its time in ms. */
  at?: number;
  id?: string;
  forge?: Forgery;
  /** Replaces the usual resource. */
  resource?: Record<string, unknown>;
}

export interface Signer {
  /** The path of the certificate, below the server's address. */
  certPath: string;
  certificate: string;
  event(
    base: string,
    webhookId: string,
    wanted: EventRequest,
    found: PayPalSubscriptionRecord | undefined,
  ): SignedEvent;
  /** Whether a verification request is about an event of this signer. */
  isGenuine(base: string, question: string): boolean;
}

const ALGORITHM = 'SHA256withRSA';

/** Signs as PayPal does and verifies signatures cryptographically. */
export function createSigner(): Signer {
  const own = createCertifiedKey('messageverificationcerts.paypal.test');
  const stranger = createCertifiedKey('messageverificationcerts.paypal.test');
  const certPath = `/v1/notifications/certs/CERT-${randomUUID().slice(0, 8)}`;
  const publicKey = new X509Certificate(own.certificate).publicKey;

  return {
    certPath,
    certificate: own.certificate,
    event(base, webhookId, wanted, found) {
      const { forge } = wanted;
      const { id, body } = buildEvent(wanted, found);
      const time = new Date().toISOString().replace(/\.\d+Z$/, 'Z');
      const transmission = {
        id: randomUUID(),
        time,
        webhookId: forge === 'webhook' ? '0AB12345CD6789012' : webhookId,
      };
      const by: CertifiedKey = forge === 'key' || forge === 'cert' ? stranger : own;
      return {
        id,
        headers: {
          'content-type': 'application/json',
          'paypal-auth-algo': ALGORITHM,
          'paypal-cert-url': forge === 'cert' ? 'https://certs.example.test/mine.pem' : `${base}${certPath}`,
          'paypal-transmission-id': transmission.id,
          'paypal-transmission-time': time,
          'paypal-transmission-sig': createSign('sha256')
            .update(buildSignedText(transmission, body))
            .sign(by.privateKey, 'base64'),
        },
        body: forge === 'body' ? body.replace('"event_version":"1.0"', '"event_version":"1.1"') : body,
      };
    },
    isGenuine(base, question) {
      // The original text of the event, because parsing and writing it again could change it.
      const mark = '"webhook_event":';
      const at = question.indexOf(mark);
      if (at < 0) return false;
      const raw = question.slice(at + mark.length, question.lastIndexOf('}'));
      const told = JSON.parse(question) as Record<string, string>;
      if (told.auth_algo !== ALGORITHM || told.cert_url !== `${base}${certPath}`) return false;
      const { transmission_id: id = '', transmission_time: time = '', webhook_id: webhookId = '' } = told;
      return createVerify('sha256')
        .update(buildSignedText({ id, time, webhookId }, raw))
        .verify(publicKey, told.transmission_sig ?? '', 'base64');
    },
  };
}

/** The text that PayPal signs. */
const buildSignedText = (of: { id: string; time: string; webhookId: string }, body: string): string =>
  [of.id, of.time, of.webhookId, crc32(body)].join('|');

/** An event about a subscription or a payment, as PayPal writes it. */
function buildEvent(
  wanted: EventRequest,
  found: PayPalSubscriptionRecord | undefined,
): { id: string; body: string } {
  const { kind, at = Date.now(), subscription = found?.id } = wanted;
  const id = wanted.id ?? `WH-${createPayPalId()}-${createPayPalId()}`;
  const isSale = kind.startsWith('PAYMENT.SALE.');
  const payment = found?.payments.find((one) => one.id === wanted.payment) ?? found?.payments.at(-1);
  const told =
    wanted.resource ??
    (isSale && payment ? buildSale(kind, payment, { subscription, refund: wanted.refund }) : undefined) ??
    (found ? toSubscriptionResponse(found, false) : { id: subscription });
  const event = {
    id,
    event_version: '1.0',
    create_time: new Date(at).toISOString(),
    resource_type: isSale ? 'sale' : 'subscription',
    event_type: kind,
    summary: 'As the documentation has it — with a “quotation”.',
    resource: told,
    links: [],
  };
  // PayPal writes slashes and some numbers differently from JavaScript.
  const body = JSON.stringify(event)
    .replaceAll('/', '\\/')
    .replace('"event_version"', '"attempt":1.0,"event_version"');
  return { id, body };
}

function buildSale(
  kind: string,
  payment: PayPalPayment,
  { subscription, refund: wanted }: { subscription: string | undefined; refund: string | undefined },
): Record<string, unknown> {
  const { id, currency, time } = payment;
  const about = `https://api.paypal.com/v1/payments/sale/${id}`;
  const agreement = { billing_agreement_id: subscription };
  if (kind === 'PAYMENT.SALE.REFUNDED') {
    const refund = payment.refunds.find((one) => one.id === wanted) ?? payment.refunds.at(-1);
    return {
      id: refund?.id ?? createPayPalId(),
      sale_id: id,
      amount: { total: `-${refund?.value ?? payment.value}`, currency },
      create_time: refund?.time ?? time,
      state: 'completed',
      links: [{ href: about, rel: 'sale', method: 'GET' }],
    };
  }
  const isReversed = kind === 'PAYMENT.SALE.REVERSED';
  return {
    id,
    ...(isReversed ? {} : agreement),
    amount: { total: `${isReversed ? '-' : ''}${payment.value}`, currency },
    payment_mode: 'INSTANT_TRANSFER',
    create_time: time,
    update_time: time,
    state: 'completed',
    links: [{ href: about, rel: 'self', method: 'GET' }],
  };
}
