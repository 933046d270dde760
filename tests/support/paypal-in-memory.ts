import { monthAfter } from '../../src/features/billing/months.ts';
import {
  fromPayPal,
  happen,
  type Kept,
  listed,
  type PayPalPayment,
  payPalId,
  shown,
} from './paypal-books.ts';
import type { Power } from './failing-power.ts';
import { PAYPAL } from './variables.ts';

/*
 * PayPal in the tests' own memory, by the tests' own clock, and what is true of each subscription there: what is paid,
 * and until when. It knows nothing of how the product reckons.
 */

const PRICE_CENTS = 699;
const SECOND_MS = 1000;

/** What somebody agreed to: ours, or one of those that are no membership of theirs. */
export type Kind = 'ours' | 'foreign' | 'other plan' | 'euro' | 'cheap';

/** Of what is refused as a membership, why. */
export const REFUSED: Record<Exclude<Kind, 'ours'>, string> = {
  foreign: 'subscription_foreign',
  'other plan': 'subscription_wrong_plan',
  euro: 'subscription_wrong_currency',
  cheap: 'subscription_wrong_price',
};

/** What is paid of a subscription, as it was at some moment. */
export interface Paid {
  /** Paid at least until then, and at most; -Infinity when nothing stands. */
  least: number;
  most: number;
  /** It is to go on, and nothing is amiss: the next payment is awaited. */
  runs: boolean;
  /** Of what did not stay: when the first of it came. */
  came: number | null;
  nextAt: number;
  /** The payments that stand: when each came, and until when it lasts. */
  stood: readonly { id: string; at: number; lasts: number }[];
}

export interface Told {
  id: string;
  body: string;
  /** Of what goes back in part nothing else tells: PayPal repeats it until it is taken. */
  mustArrive: boolean;
}

const cents = (value: string): number => Math.round(Number(value) * 100);
const atOf = (time: string): number => Date.parse(time);

export class Agreement {
  readonly kind: Kind;
  readonly isStrangers: boolean;
  readonly kept: Kept;
  /** What was true of it, and since when: each change adds one. */
  readonly was: Paid[] = [];
  /** What our books were told of last, as a place in `was`; -1 before anything. */
  told = -1;
  /** When it was asked after last, with or without an answer. */
  askedAt = -Infinity;
  /** Something of it has come to us. */
  isHeard = false;
  /** Since then it was asked alone: what was paid for it was not told. */
  isHalfTold = false;
  /** Until when each payment is to last, by PayPal's own calendar. */
  readonly #lasts = new Map<string, number>();

  constructor(kind: Kind, isStrangers: boolean, given: Record<string, unknown>) {
    this.kind = kind;
    this.isStrangers = isStrangers;
    this.kept = fromPayPal(given);
    this.note();
  }

  get nextAt(): number {
    return atOf(this.kept.next_billing_time);
  }

  get beginsAt(): number {
    return atOf(this.kept.start_time);
  }

  /** What went back of a payment, in cents. */
  static backOf({ refunds }: PayPalPayment): number {
    return refunds.reduce((sum, { value }) => sum + cents(value), 0);
  }

  note(): void {
    const enough = this.kept.payments.filter(
      ({ value, currency }) => this.kind === 'ours' && currency === 'USD' && cents(value) >= PRICE_CENTS,
    );
    let least = -Infinity;
    let most = -Infinity;
    let came: number | null = null;
    let end = -Infinity;
    const stood: { id: string; at: number; lasts: number }[] = [];
    for (const { id, time, status } of enough) {
      const at = atOf(time);
      const lasts = this.#lasts.get(id) ?? at;
      // A month from when it was due, or from when it came.
      end = Math.max(monthAfter(Math.max(end, at)), lasts);
      came ??= at;
      if (status !== 'COMPLETED' && status !== 'PARTIALLY_REFUNDED') continue;
      least = Math.max(least, Math.min(lasts, monthAfter(at)));
      most = Math.max(most, end);
      stood.push({ id, at, lasts });
    }
    const last = enough.at(-1);
    const wentBack = last?.status === 'REFUNDED';
    this.was.push({
      least,
      most,
      came,
      runs: this.kept.status === 'ACTIVE' && this.kept.failed_payments_count === 0 && !wentBack,
      nextAt: this.nextAt,
      stood,
    });
  }

  /** What may be true of it, by what our books were told last and by what has happened since. */
  get possible(): readonly Paid[] {
    return this.was.slice(Math.max(0, this.told));
  }

  /** Money that is due is taken, each payment for the month that begins when it was due. */
  pay(now: number, value: string | undefined): PayPalPayment {
    const due = this.kept.payments.length === 0 ? this.beginsAt : this.nextAt;
    const { payment } = happen(this.kept, 'pay', { at: now, ...(value === undefined ? {} : { value }) });
    if (payment === undefined) throw new Error('nothing was paid');
    const lasts = monthAfter(Math.max(due, monthAfter(due) <= now ? now : due));
    this.kept.next_billing_time = new Date(lasts).toISOString();
    this.#lasts.set(payment.id, lasts);
    return payment;
  }
}

type Place = 'show' | 'transactions' | 'cancel' | 'verify';
const PLACES = /^\/v1\/billing\/subscriptions\/([^/]+)(?:\/(cancel|transactions))?$/;

export class PayPalInMemory {
  readonly agreements = new Map<string, Agreement>();
  /** What was told by itself and has not arrived. */
  waiting: Told[] = [];
  /** What is the matter, once, and whether it is done all the same. */
  trouble: { at: Place; acts: boolean } | null = null;
  /** What was answered of which since somebody looked last, and what was true of it then, as a place in `was`. */
  readonly answered = new Map<Agreement, Map<Place, number>>();
  troubled = false;
  /** What the product has had cancelled, and whether it knew then that it is paid for still. */
  cancelled: { agreement: Agreement; wasPaid: boolean }[] = [];
  readonly #signed = new Set<string>();
  readonly #power: Power;
  readonly #base: string;

  constructor(base: string, power: Power) {
    this.#base = base;
    this.#power = power;
  }

  agree(
    kind: Kind,
    userId: string,
    { beginsAt, isStrangers }: { beginsAt: number; isStrangers: boolean },
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
      start_time: new Date(Math.max(now, beginsAt)).toISOString(),
      // One that begins at once is paid at once, and the next money is due in a month, whether it came or not.
      next_billing_time: new Date(beginsAt > now ? beginsAt : monthAfter(now)).toISOString(),
    });
    this.agreements.set(agreement.kept.id, agreement);
    this.tell('BILLING.SUBSCRIPTION.ACTIVATED', { id: agreement.kept.id });
    return agreement;
  }

  /** Tells of something by itself, some time. */
  tell(kind: string, resource: Record<string, unknown>, mustArrive = false): void {
    const id = `WH-${payPalId()}`;
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

  tellOfSale(agreement: Agreement, payment: PayPalPayment, kind: 'COMPLETED' | 'REVERSED'): void {
    const { id, value, currency, time } = payment;
    this.tell(`PAYMENT.SALE.${kind}`, {
      id,
      ...(kind === 'COMPLETED' ? { billing_agreement_id: agreement.kept.id } : {}),
      amount: { total: value, currency },
      state: 'completed',
      create_time: time,
    });
  }

  /** What the product asks, and what PayPal answers, as HTTP has it; `null` for what is asked of somebody else. */
  async answer(url: string, init: RequestInit | undefined): Promise<Response | null> {
    if (!url.startsWith(this.#base)) return null;
    return this.#power.through(async () => this.#answer(new URL(url), init));
  }

  #answer({ pathname, searchParams }: URL, init: RequestInit | undefined): Response {
    if (pathname === '/v1/oauth2/token') return Response.json({ access_token: 'token', expires_in: 600 });
    const [, id, action] = PLACES.exec(pathname) ?? [];
    const place = (id === undefined ? 'verify' : (action ?? 'show')) as Place;
    const agreement = this.agreements.get(id ?? '');
    if (agreement !== undefined && place === 'show') agreement.askedAt = Date.now();
    const { trouble } = this;
    const fails = trouble?.at === place;
    if (fails) {
      this.trouble = null;
      this.troubled = true;
      if (!trouble.acts) return Response.json({ name: 'INTERNAL_SERVER_ERROR' }, { status: 503 });
    }
    const answer = this.#answerTo(place, id, searchParams, init);
    if (fails) return Response.json({ name: 'INTERNAL_SERVER_ERROR' }, { status: 500 });
    if (agreement !== undefined) {
      const answered = this.answered.get(agreement) ?? new Map<Place, number>();
      this.answered.set(agreement, answered.set(place, agreement.was.length - 1));
    }
    return answer;
  }

  #answerTo(
    place: Place,
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
    if (place === 'show') return Response.json(shown(kept, true));
    if (place === 'transactions')
      return Response.json(listed(kept, query.get('start_time'), query.get('end_time')));
    if (kept.status !== 'ACTIVE' && kept.status !== 'SUSPENDED')
      return Response.json({ name: 'UNPROCESSABLE_ENTITY' }, { status: 422 });
    const wasPaid = agreement.told >= 0 && agreement.possible.every(({ least }) => least > Date.now());
    this.cancelled.push({ agreement, wasPaid });
    this.become(agreement, 'cancel');
    return new Response(null, { status: 204 });
  }

  become(agreement: Agreement, act: 'cancel' | 'suspend' | 'expire' | 'activate' | 'fail'): void {
    const { kind } = happen(agreement.kept, act, {});
    agreement.note();
    if (kind !== undefined) this.tell(kind, { id: agreement.kept.id });
  }

  /** Takes the money that is due; of what comes wrong it is another sum. */
  pay(agreement: Agreement, value?: string): void {
    const payment = agreement.pay(Math.floor(Date.now() / SECOND_MS) * SECOND_MS, value);
    agreement.note();
    this.tellOfSale(agreement, payment, 'COMPLETED');
  }

  refund(agreement: Agreement, payment: PayPalPayment, back: number): void {
    const left = cents(payment.value) - Agreement.backOf(payment);
    const value = (Math.min(left, back) / 100).toFixed(2);
    const { refund } = happen(agreement.kept, 'refund', { payment: payment.id, value });
    agreement.note();
    this.tell(
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
    happen(agreement.kept, 'reverse', { payment: payment.id });
    agreement.note();
    this.tellOfSale(agreement, payment, 'REVERSED');
  }
}
