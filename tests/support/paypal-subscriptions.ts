import { createHash, randomBytes } from 'node:crypto';
import { PAYPAL } from './test-environment.ts';

/** An injected answer of one endpoint. */
export interface InjectedResponse {
  at: 'token' | 'show' | 'cancel' | 'revise' | 'transactions' | 'verify';
  /** Without a status it never answers; with a body it sends that one. */
  status?: number;
  body?: unknown;
  /** Delays the usual answer by these ms. */
  slowMs?: number;
  /** Executes the call anyway, so that only the answer is lost. */
  acts?: boolean;
  /** For this many calls; without it, for all. */
  times?: number;
}

/** The subscription's fields that the tests set; the others have PayPal's usual values. */
export interface PayPalSubscription {
  id: string;
  status: 'APPROVAL_PENDING' | 'APPROVED' | 'ACTIVE' | 'SUSPENDED' | 'CANCELLED' | 'EXPIRED';
  plan_id: string;
  custom_id: string;
  /** The payer; each user has their own PayPal account. */
  payer_id: string | null;
  /** The start of the billing. */
  start_time: string;
  next_billing_time: string;
  quantity: string;
  failed_payments_count: number;
  last_payment: { amount: { currency_code: string; value: string }; time: string } | null;
  /** The monthly price; null where PayPal does not state it. */
  price: { currency_code: string; value: string } | null;
  troubles: InjectedResponse[];
}

/** PayPal's state of a subscription, and the calls about it in order. */
export interface ObservedSubscription {
  status: PayPalSubscription['status'];
  calls: string[];
  /** The reason of the cancellation. */
  reason: string | null;
}

/** A payment of a subscription. */
export interface PayPalPayment {
  id: string;
  value: string;
  currency: string;
  time: string;
  status: 'COMPLETED' | 'DECLINED' | 'PARTIALLY_REFUNDED' | 'PENDING' | 'REFUNDED';
  refunds: { id: string; value: string; time: string }[];
  isReversed: boolean;
}

export type PayPalSubscriptionRecord = PayPalSubscription &
  ObservedSubscription & { payments: PayPalPayment[] };

/** The price of the plan that the tests sell. */
const PRICE = { currency_code: 'USD', value: '6.99' };

export const createPayPalId = (): string => randomBytes(9).toString('hex').slice(0, 17).toUpperCase();
const toIsoTime = (at: unknown): string =>
  (typeof at === 'number' || typeof at === 'string' ? new Date(at) : new Date())
    .toISOString()
    .replace(/\.\d+Z$/, 'Z');

/** A stable payer id per user in PayPal's format: thirteen letters and digits. */
const getPayerId = (who: unknown): string =>
  createHash('sha256')
    .update(String(who ?? ''))
    .digest('hex')
    .slice(0, 13)
    .toUpperCase();

/** A new subscription with the test's fields. */
export function createSubscriptionRecord(given: Record<string, unknown>): PayPalSubscriptionRecord {
  return {
    id: `I-${randomBytes(6).toString('hex').toUpperCase()}`,
    status: 'ACTIVE',
    plan_id: PAYPAL.planStoryteller,
    custom_id: '',
    payer_id: getPayerId(given.custom_id),
    start_time: toIsoTime(undefined),
    next_billing_time: '2027-01-15T10:00:00Z',
    quantity: '1',
    failed_payments_count: 0,
    last_payment: null,
    price: PRICE,
    troubles: [],
    calls: [],
    reason: null,
    payments: [],
    ...given,
  };
}

/** PayPal's description of a subscription, with its plan if requested. An ended one has no next payment. */
export function toSubscriptionResponse(found: PayPalSubscriptionRecord, withPlan: boolean) {
  const { id, status, plan_id, custom_id, start_time, quantity, price, last_payment } = found;
  const isOn = status === 'ACTIVE' || status === 'SUSPENDED';
  return {
    id,
    status,
    status_update_time: toIsoTime(undefined),
    plan_id,
    ...(custom_id === '' ? {} : { custom_id }),
    start_time,
    quantity,
    subscriber: {
      email_address: 'payer@example.test',
      ...(found.payer_id === null ? {} : { payer_id: found.payer_id }),
    },
    billing_info: {
      outstanding_balance: { currency_code: 'USD', value: '0.0' },
      cycle_executions: [{ tenure_type: 'REGULAR', sequence: 1, cycles_completed: 1, cycles_remaining: 0 }],
      ...(last_payment === null ? {} : { last_payment }),
      ...(isOn ? { next_billing_time: found.next_billing_time } : {}),
      failed_payments_count: found.failed_payments_count,
    },
    plan_overridden: price !== null && price.value !== PRICE.value,
    ...(withPlan && price !== null
      ? {
          plan: {
            name: 'Storyteller',
            billing_cycles: [
              {
                pricing_scheme: { version: 1, fixed_price: price },
                frequency: { interval_unit: 'MONTH', interval_count: 1 },
                tenure_type: 'REGULAR',
                sequence: 1,
                total_cycles: 0,
              },
            ],
          },
        }
      : {}),
    create_time: start_time,
  };
}

/** The payments between two times as PayPal lists them; a reversed one is listed as refunded. */
export function toTransactionList(
  { payments }: PayPalSubscriptionRecord,
  from: string | null,
  to: string | null,
) {
  const isWithin = (time: string) =>
    (from === null || Date.parse(time) >= Date.parse(from)) &&
    (to === null || Date.parse(time) <= Date.parse(to));
  return {
    transactions: payments
      .filter(({ time }) => isWithin(time))
      .map(({ id, value, currency, time, status }) => ({
        status,
        id,
        amount_with_breakdown: {
          gross_amount: { currency_code: currency, value },
          fee_amount: { currency_code: currency, value: '0.72' },
          net_amount: { currency_code: currency, value },
        },
        payer_name: { given_name: 'John', surname: 'Doe' },
        payer_email: 'payer@example.test',
        time,
      }))
      .reverse(),
    links: [],
  };
}

/** Adds a calendar month, or ends on the month's last day if it is shorter. */
function addMonth(time: string): string {
  const from = new Date(time);
  const day = from.getUTCDate();
  const to = new Date(from);
  to.setUTCDate(1);
  to.setUTCMonth(to.getUTCMonth() + 1);
  const last = new Date(Date.UTC(to.getUTCFullYear(), to.getUTCMonth() + 1, 0)).getUTCDate();
  to.setUTCDate(Math.min(day, last));
  return toIsoTime(to.getTime());
}

const ACTIONS = {
  /** Pays the month and moves the next payment by a month. */
  pay(
    found: PayPalSubscriptionRecord,
    { value, currency, at, id, status = 'COMPLETED' }: Record<string, unknown>,
  ) {
    const payment: PayPalPayment = {
      id: (id as string | undefined) ?? createPayPalId(),
      value: (value as string | undefined) ?? found.price?.value ?? PRICE.value,
      currency: (currency as string | undefined) ?? found.price?.currency_code ?? PRICE.currency_code,
      time: toIsoTime(at),
      status: status as PayPalPayment['status'],
      refunds: [],
      isReversed: false,
    };
    found.payments.push(payment);
    if (payment.status !== 'COMPLETED') return { payment };
    found.failed_payments_count = 0;
    found.last_payment = {
      amount: { currency_code: payment.currency, value: payment.value },
      time: payment.time,
    };
    found.next_billing_time = addMonth(payment.time);
    return { payment, kind: 'PAYMENT.SALE.COMPLETED' };
  },
  fail(found: PayPalSubscriptionRecord) {
    found.failed_payments_count += 1;
    return { kind: 'BILLING.SUBSCRIPTION.PAYMENT.FAILED' };
  },
  /** Refunds the last or the named payment, in full or in part. */
  refund(found: PayPalSubscriptionRecord, { payment: wanted, value, at, id }: Record<string, unknown>) {
    const payment = findPayment(found, wanted);
    const refund = {
      id: (id as string | undefined) ?? createPayPalId(),
      value: (value as string | undefined) ?? payment.value,
      time: toIsoTime(at),
    };
    payment.refunds.push(refund);
    const back = payment.refunds.reduce((sum, one) => sum + Number(one.value), 0);
    payment.status = back + 0.001 >= Number(payment.value) ? 'REFUNDED' : 'PARTIALLY_REFUNDED';
    return { payment, refund, kind: 'PAYMENT.SALE.REFUNDED' };
  },
  /** Reverses a payment, as a bank does for the payer. */
  reverse(found: PayPalSubscriptionRecord, { payment: wanted }: Record<string, unknown>) {
    const payment = findPayment(found, wanted);
    Object.assign(payment, { isReversed: true, status: 'REFUNDED' });
    return { payment, kind: 'PAYMENT.SALE.REVERSED' };
  },
  /** Sets another plan, price or quantity. */
  revise(
    found: PayPalSubscriptionRecord,
    { plan_id = found.plan_id, price = found.price, quantity = found.quantity }: Record<string, unknown>,
  ) {
    Object.assign(found, { plan_id, price, quantity });
    return { kind: 'BILLING.SUBSCRIPTION.UPDATED' };
  },
  suspend: (found: PayPalSubscriptionRecord) => setStatus(found, 'SUSPENDED'),
  cancel: (found: PayPalSubscriptionRecord) => setStatus(found, 'CANCELLED'),
  expire: (found: PayPalSubscriptionRecord) => setStatus(found, 'EXPIRED'),
  activate: (found: PayPalSubscriptionRecord) => setStatus(found, 'ACTIVE', 'ACTIVATED'),
} as const;

export type PayPalAction = keyof typeof ACTIONS;
export const isPayPalAction = (name: string): name is PayPalAction => Object.hasOwn(ACTIONS, name);

/** The result of an action at PayPal and the type of its event, if there is one. */
export interface ActionResult {
  payment?: PayPalPayment;
  refund?: PayPalPayment['refunds'][number];
  kind?: string;
}

/** Applies an action at PayPal or at a bank to a subscription. */
export const applyAction = (
  found: PayPalSubscriptionRecord,
  act: PayPalAction,
  told: Record<string, unknown>,
): ActionResult => ACTIONS[act](found, told);

function setStatus(
  found: PayPalSubscriptionRecord,
  status: PayPalSubscriptionRecord['status'],
  word: string = status,
): ActionResult {
  found.status = status;
  return { kind: `BILLING.SUBSCRIPTION.${word}` };
}

function findPayment({ payments }: PayPalSubscriptionRecord, wanted: unknown): PayPalPayment {
  const payment = wanted === undefined ? payments.at(-1) : payments.find(({ id }) => id === wanted);
  if (payment === undefined) throw new Error('there is no such payment');
  return payment;
}
