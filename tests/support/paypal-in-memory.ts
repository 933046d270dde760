import { addMonth } from '../../src/features/billing/months.ts';
import {
  createSubscriptionRecord,
  applyAction,
  type PayPalSubscriptionRecord,
  toTransactionList,
  type PayPalPayment,
  createPayPalId,
  toSubscriptionResponse,
} from './paypal-subscriptions.ts';
import type { CrashInjector } from './crash-injection.ts';
import { PAYPAL } from './test-environment.ts';

/*
 * An in-memory PayPal with the tests' clock, and the true state of each subscription: what is paid and until when. It
 * does not use the product's calculations.
 */

const PRICE_CENTS = 699;
const SECOND_MS = 1000;

/** The kind of a subscription: ours, or one that must be refused. */
export type AgreementKind = 'ours' | 'foreign' | 'other plan' | 'euro' | 'cheap';

/** Why a subscription is refused. */
export const REJECTION_REASONS: Record<Exclude<AgreementKind, 'ours'>, string> = {
  foreign: 'subscription_wrong_account',
  'other plan': 'subscription_wrong_plan',
  euro: 'subscription_wrong_currency',
  cheap: 'subscription_wrong_price',
};

/** The payment state of a subscription at some time. */
export interface PaymentState {
  /** The earliest and latest end of the paid time; -Infinity without a payment. */
  least: number;
  most: number;
  /** It renews without problems, so the next payment is awaited. */
  runs: boolean;
  /** When the first payment that did not stay arrived. */
  came: number | null;
  nextAt: number;
  /** The standing payments with the time they arrived and the end of the time they pay for. */
  stood: readonly { id: string; at: number; lasts: number }[];
}

export interface PendingEvent {
  id: string;
  body: string;
  /** PayPal repeats this event until it is accepted, because a partial refund is not visible elsewhere. */
  mustArrive: boolean;
}

const toCents = (value: string): number => Math.round(Number(value) * 100);
const parseTime = (time: string): number => Date.parse(time);

export class Agreement {
  readonly kind: AgreementKind;
  readonly isStrangers: boolean;
  readonly kept: PayPalSubscriptionRecord;
  /** All earlier states; each change adds one. */
  readonly was: PaymentState[] = [];
  /** The newest state that was reported to us, as an index of `was`; -1 before any. */
  told = -1;
  /** When we last asked about it, with or without an answer. */
  askedAt = -Infinity;
  /** Whether anything about it was reported to us. */
  isReported = false;
  /** Whether only its state, without its payments, was reported since then. */
  isPartlyReported = false;
  /** The end of each payment's month by PayPal's calendar. */
  readonly #lasts = new Map<string, number>();

  constructor(kind: AgreementKind, isStrangers: boolean, given: Record<string, unknown>) {
    this.kind = kind;
    this.isStrangers = isStrangers;
    this.kept = createSubscriptionRecord(given);
    this.recordState();
  }

  get nextAt(): number {
    return parseTime(this.kept.next_billing_time);
  }

  get startsAt(): number {
    return parseTime(this.kept.start_time);
  }

  /** The refunded cents of a payment. */
  static getRefundedCents({ refunds }: PayPalPayment): number {
    return refunds.reduce((sum, { value }) => sum + toCents(value), 0);
  }

  recordState(): void {
    const enough = this.kept.payments.filter(
      ({ value, currency }) => this.kind === 'ours' && currency === 'USD' && toCents(value) >= PRICE_CENTS,
    );
    let least = -Infinity;
    let most = -Infinity;
    let came: number | null = null;
    let end = -Infinity;
    const stood: { id: string; at: number; lasts: number }[] = [];
    for (const { id, time, status } of enough) {
      const at = parseTime(time);
      const lasts = this.#lasts.get(id) ?? at;
      // A month from its due date or from its arrival.
      end = Math.max(addMonth(Math.max(end, at)), lasts);
      came ??= at;
      if (status !== 'COMPLETED' && status !== 'PARTIALLY_REFUNDED') continue;
      least = Math.max(least, Math.min(lasts, addMonth(at)));
      most = Math.max(most, end);
      stood.push({ id, at, lasts });
    }
    const last = enough.at(-1);
    const isRefunded = last?.status === 'REFUNDED';
    this.was.push({
      least,
      most,
      came,
      runs: this.kept.status === 'ACTIVE' && this.kept.failed_payments_count === 0 && !isRefunded,
      nextAt: this.nextAt,
      stood,
    });
  }

  /** The states that are possible from the last report and the changes since. */
  get possible(): readonly PaymentState[] {
    return this.was.slice(Math.max(0, this.told));
  }

  /** Takes a due payment for the month that begins at its due date. */
  pay(now: number, value: string | undefined): PayPalPayment {
    const due = this.kept.payments.length === 0 ? this.startsAt : this.nextAt;
    const { payment } = applyAction(this.kept, 'pay', { at: now, ...(value === undefined ? {} : { value }) });
    if (payment === undefined) throw new Error('nothing was paid');
    const lasts = addMonth(Math.max(due, addMonth(due) <= now ? now : due));
    this.kept.next_billing_time = new Date(lasts).toISOString();
    this.#lasts.set(payment.id, lasts);
    return payment;
  }
}

type Endpoint = 'show' | 'transactions' | 'cancel' | 'verify';
const ENDPOINT_PATH = /^\/v1\/billing\/subscriptions\/([^/]+)(?:\/(cancel|transactions))?$/;

export class PayPalInMemory {
  readonly agreements = new Map<string, Agreement>();
  /** Events that were sent and have not arrived. */
  waiting: PendingEvent[] = [];
  /** A failure of the next call, and whether the call is executed anyway. */
  trouble: { at: Endpoint; acts: boolean } | null = null;
  /** What was answered about each subscription since the last check, with its state then as an index of `was`. */
  readonly answered = new Map<Agreement, Map<Endpoint, number>>();
  troubled = false;
  /** The cancellations by the product, and whether it knew that the time was still paid. */
  cancelled: { agreement: Agreement; wasPaid: boolean }[] = [];
  readonly #signed = new Set<string>();
  readonly #power: CrashInjector;
  readonly #base: string;

  constructor(base: string, power: CrashInjector) {
    this.#base = base;
    this.#power = power;
  }

  createAgreement(
    kind: AgreementKind,
    userId: string,
    { startsAt, isStrangers }: { startsAt: number; isStrangers: boolean },
  ): Agreement {
    const now = Date.now();
    const agreement = new Agreement(kind, isStrangers, {
      ...(isStrangers ? { payer_id: 'STRANGER12345' } : {}),
      custom_id: kind === 'foreign' ? `${userId}-not` : userId,
      plan_id: kind === 'other plan' ? 'P-1111111111111111' : PAYPAL.planStoryteller,
      price: {
        currency_code: kind === 'euro' ? 'EUR' : 'USD',
        value: kind === 'cheap' ? '0.01' : '6.99',
      },
      start_time: new Date(Math.max(now, startsAt)).toISOString(),
      // A subscription that begins now is paid now and due again in a month, whether the payment arrived or not.
      next_billing_time: new Date(startsAt > now ? startsAt : addMonth(now)).toISOString(),
    });
    this.agreements.set(agreement.kept.id, agreement);
    this.queueEvent('BILLING.SUBSCRIPTION.ACTIVATED', { id: agreement.kept.id });
    return agreement;
  }

  /** Queues an event that arrives at any later time. */
  queueEvent(kind: string, resource: Record<string, unknown>, mustArrive = false): void {
    const id = `WH-${createPayPalId()}`;
    const body = JSON.stringify({
      id,
      event_version: '1.0',
      create_time: new Date().toISOString(),
      event_type: kind,
      resource,
    });
    this.#signed.add(body);
    this.waiting.push({ id, body, mustArrive });
  }

  queueSaleEvent(agreement: Agreement, payment: PayPalPayment, kind: 'COMPLETED' | 'REVERSED'): void {
    const { id, value, currency, time } = payment;
    this.queueEvent(`PAYMENT.SALE.${kind}`, {
      id,
      ...(kind === 'COMPLETED' ? { billing_agreement_id: agreement.kept.id } : {}),
      amount: { total: value, currency },
      state: 'completed',
      create_time: time,
    });
  }

  /** Answers the product's HTTP requests to PayPal; `null` for other hosts. */
  async handleRequest(url: string, init: RequestInit | undefined): Promise<Response | null> {
    if (!url.startsWith(this.#base)) return null;
    return this.#power.run(async () => this.#handle(new URL(url), init));
  }

  #handle({ pathname, searchParams }: URL, init: RequestInit | undefined): Response {
    if (pathname === '/v1/oauth2/token') return Response.json({ access_token: 'token', expires_in: 600 });
    const [, id, action] = ENDPOINT_PATH.exec(pathname) ?? [];
    const place = (id === undefined ? 'verify' : (action ?? 'show')) as Endpoint;
    const agreement = this.agreements.get(id ?? '');
    if (agreement !== undefined && place === 'show') agreement.askedAt = Date.now();
    const { trouble } = this;
    const fails = trouble?.at === place;
    if (fails) {
      this.trouble = null;
      this.troubled = true;
      if (!trouble.acts) return Response.json({ name: 'INTERNAL_SERVER_ERROR' }, { status: 503 });
    }
    const answer = this.#handleEndpoint(place, id, searchParams, init);
    if (fails) return Response.json({ name: 'INTERNAL_SERVER_ERROR' }, { status: 500 });
    if (agreement !== undefined) {
      const answered = this.answered.get(agreement) ?? new Map<Endpoint, number>();
      this.answered.set(agreement, answered.set(place, agreement.was.length - 1));
    }
    return answer;
  }

  #handleEndpoint(
    place: Endpoint,
    id: string | undefined,
    query: URLSearchParams,
    init: RequestInit | undefined,
  ): Response {
    if (place === 'verify') {
      const question = String(init?.body);
      const mark = '"webhook_event":';
      const isOwn = this.#signed.has(question.slice(question.indexOf(mark) + mark.length, -1));
      return Response.json({ verification_status: isOwn ? 'SUCCESS' : 'FAILURE' });
    }
    const agreement = this.agreements.get(id ?? '');
    if (agreement === undefined) return Response.json({ name: 'RESOURCE_NOT_FOUND' }, { status: 404 });
    const { kept } = agreement;
    if (place === 'show') return Response.json(toSubscriptionResponse(kept, true));
    if (place === 'transactions')
      return Response.json(toTransactionList(kept, query.get('start_time'), query.get('end_time')));
    if (kept.status !== 'ACTIVE' && kept.status !== 'SUSPENDED')
      return Response.json({ name: 'UNPROCESSABLE_ENTITY' }, { status: 422 });
    const wasPaid = agreement.told >= 0 && agreement.possible.every(({ least }) => least > Date.now());
    this.cancelled.push({ agreement, wasPaid });
    this.setStatus(agreement, 'cancel');
    return new Response(null, { status: 204 });
  }

  setStatus(agreement: Agreement, act: 'cancel' | 'suspend' | 'expire' | 'activate' | 'fail'): void {
    const { kind } = applyAction(agreement.kept, act, {});
    agreement.recordState();
    if (kind !== undefined) this.queueEvent(kind, { id: agreement.kept.id });
  }

  /** Takes a due payment; subscriptions of a wrong kind pay another amount. */
  pay(agreement: Agreement, value?: string): void {
    const payment = agreement.pay(Math.floor(Date.now() / SECOND_MS) * SECOND_MS, value);
    agreement.recordState();
    this.queueSaleEvent(agreement, payment, 'COMPLETED');
  }

  refund(agreement: Agreement, payment: PayPalPayment, back: number): void {
    const left = toCents(payment.value) - Agreement.getRefundedCents(payment);
    const value = (Math.min(left, back) / 100).toFixed(2);
    const { refund } = applyAction(agreement.kept, 'refund', { payment: payment.id, value });
    agreement.recordState();
    this.queueEvent(
      'PAYMENT.SALE.REFUNDED',
      {
        id: refund?.id,
        sale_id: payment.id,
        amount: { total: `-${value}`, currency: payment.currency },
        create_time: refund?.time,
        state: 'completed',
      },
      true,
    );
  }

  reverse(agreement: Agreement, payment: PayPalPayment): void {
    applyAction(agreement.kept, 'reverse', { payment: payment.id });
    agreement.recordState();
    this.queueSaleEvent(agreement, payment, 'REVERSED');
  }
}
