import { env } from 'cloudflare:workers';
import { inject } from 'vitest';
import { openDatabase } from '../../src/db/open.ts';
import { subscriptions } from '../../src/db/schema/billing.ts';
import type {
  PayPalAction,
  PayPalSubscription,
  ObservedSubscription,
  InjectedResponse,
} from './paypal-subscriptions.ts';
import type { EventRequest, SignedEvent } from './paypal-events.ts';
import type { Visitor } from './factories.ts';

const DAY_MS = 86_400_000;

/** Calls a control route of the mock PayPal server. */
async function callControl<Answer>(path: string, json?: unknown, method = 'POST'): Promise<Answer> {
  const answer = await fetch(`${inject('servers').payPalUrl}/control/${path}`, {
    ...(json === undefined ? {} : { method, body: JSON.stringify(json) }),
  });
  if (!answer.ok) throw new Error(`PayPal’s stand-in answered ${answer.status} to ${path}`);
  return answer.json<Answer>();
}

type Row = Partial<typeof subscriptions.$inferInsert>;

/**
 * Creates a subscription at PayPal that our database does not know yet.
 * @returns the subscription's id
 */
export async function createPayPalSubscription(
  me: Pick<Visitor, 'id'>,
  atPayPal: Partial<PayPalSubscription> = {},
): Promise<string> {
  return (await callControl<{ id: string }>('subscriptions', { custom_id: me.id, ...atPayPal })).id;
}

/**
 * Creates an active membership at PayPal and in our database.
 * @param row overrides of our row
 * @returns the subscription's id
 */
export async function createActiveSubscription(
  me: Visitor,
  atPayPal: Partial<PayPalSubscription> = {},
  row: Row = {},
): Promise<string> {
  const id = await createPayPalSubscription(me, atPayPal);
  const now = Date.now();
  const begun = now - 10 * DAY_MS;
  await openDatabase(env.DB)
    .insert(subscriptions)
    .values({
      id,
      userId: me.id,
      plan: 'storyteller',
      status: 'active',
      periodEnd: now + 20 * DAY_MS,
      reconciledAt: begun,
      createdAt: begun,
      updatedAt: begun,
      ...row,
    });
  await env.DB.prepare("update users set plan = 'storyteller' where id = ?").bind(me.id).run();
  return id;
}

/** PayPal's state of a subscription. */
export const getPayPalState = (id: string): Promise<ObservedSubscription> =>
  callControl(`subscriptions/${id}`);

/** Changes a subscription at PayPal or its injected failures. */
export const updatePayPalSubscription = (
  id: string,
  change: Partial<PayPalSubscription>,
): Promise<ObservedSubscription> => callControl(`subscriptions/${id}`, change, 'PATCH');

/** Our row of a subscription. */
export const readSubscriptionRow = (id: string) =>
  env.DB.prepare('select status, period_end, updated_at, reconciled_at from subscriptions where id = ?')
    .bind(id)
    .first<{ status: string; period_end: number; updated_at: number; reconciled_at: number }>();

/** The result of an action at PayPal and its event, to be posted or lost. */
export interface PayPalActionResult {
  payment: string | null;
  refund: string | null;
  event: SignedEvent;
}

/** Performs an action at PayPal or at a bank. */
export const performPayPalAction = (
  id: string,
  act: PayPalAction,
  details: Record<string, unknown> = {},
): Promise<PayPalActionResult> => callControl(`subscriptions/${id}/${act}`, details);

/**
 * Pays the next month at PayPal.
 * @param details another amount, currency, time or id
 */
export const pay = (
  id: string,
  details: { value?: string; currency?: string; at?: number; id?: string } = {},
): Promise<PayPalActionResult & { payment: string }> =>
  performPayPalAction(id, 'pay', details) as Promise<PayPalActionResult & { payment: string }>;

/** Fails a due payment. */
export const failPayment = (id: string): Promise<PayPalActionResult> => performPayPalAction(id, 'fail');

/**
 * Refunds a payment at PayPal.
 * @param details the payment (the last one by default) and the amount (all by default)
 */
export const refund = (
  id: string,
  details: { payment?: string; value?: string; at?: number; id?: string } = {},
): Promise<PayPalActionResult> => performPayPalAction(id, 'refund', details);

/** Reverses a payment at a bank: the last one, or the named one. */
export const reverse = (id: string, details: { payment?: string } = {}): Promise<PayPalActionResult> =>
  performPayPalAction(id, 'reverse', details);

/** A signed event of any type, genuine or forged. */
export const createSignedEvent = (wanted: EventRequest): Promise<SignedEvent> =>
  callControl('events', wanted);

/** Several signed events at once. */
export const createSignedEvents = (events: EventRequest[]): Promise<SignedEvent[]> =>
  callControl('events', { events });

/**
 * Shuffles events and repeats some of them, always in the same way for a seed.
 * @param twice the share of repeated events
 */
export function permuteDelivery(
  events: SignedEvent[],
  { seed, twice = 0 }: { seed: number; twice?: number },
): SignedEvent[] {
  let state = seed + 1;
  // A deterministic generator (Park and Miller).
  const next = (): number => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
  const again = events.slice(0, Math.round(events.length * twice));
  return [...events, ...again]
    .map((event) => ({ event, place: next() }))
    .sort((a, b) => a.place - b.place)
    .map(({ event }) => event);
}

/** Sets the failures of verifying one event at PayPal. */
export const failVerification = (eventId: string, ...troubles: InjectedResponse[]): Promise<unknown> =>
  callControl('verify', { id: eventId, troubles });
