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

/** Asks or tells PayPal's stand-in something behind the product's back. */
async function callControl<Answer>(path: string, json?: unknown, method = 'POST'): Promise<Answer> {
  const answer = await fetch(`${inject('servers').payPalUrl}/control/${path}`, {
    ...(json === undefined ? {} : { method, body: JSON.stringify(json) }),
  });
  if (!answer.ok) throw new Error(`PayPal’s stand-in answered ${answer.status} to ${path}`);
  return answer.json<Answer>();
}

type Row = Partial<typeof subscriptions.$inferInsert>;

/**
 * Has somebody begin a subscription at PayPal, of which our books know nothing yet.
 * @returns the subscription's id
 */
export async function createPayPalSubscription(
  me: Pick<Visitor, 'id'>,
  atPayPal: Partial<PayPalSubscription> = {},
): Promise<string> {
  return (await callControl<{ id: string }>('subscriptions', { custom_id: me.id, ...atPayPal })).id;
}

/**
 * Has somebody pay for a membership: at PayPal, and in our books.
 * @param row what our books say otherwise
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
      checkedAt: begun,
      createdAt: begun,
      updatedAt: begun,
      ...row,
    });
  await env.DB.prepare("update users set plan = 'storyteller' where id = ?").bind(me.id).run();
  return id;
}

/** What PayPal has seen of a subscription. */
export const getPayPalState = (id: string): Promise<ObservedSubscription> =>
  callControl(`subscriptions/${id}`);

/** Changes a subscription at PayPal, or what is the matter with it. */
export const updatePayPalSubscription = (
  id: string,
  change: Partial<PayPalSubscription>,
): Promise<ObservedSubscription> => callControl(`subscriptions/${id}`, change, 'PATCH');

/** What our books say of a subscription. */
export const readSubscriptionRow = (id: string) =>
  env.DB.prepare('select status, period_end, updated_at, checked_at from subscriptions where id = ?')
    .bind(id)
    .first<{ status: string; period_end: number; updated_at: number; checked_at: number }>();

/** What came of something that happened at PayPal, and the event that tells of it: to be posted, or to be lost. */
export interface PayPalActionResult {
  payment: string | null;
  refund: string | null;
  event: SignedEvent;
}

/** Has something happen to a subscription at PayPal, or at somebody's bank. */
export const performPayPalAction = (
  id: string,
  act: PayPalAction,
  told: Record<string, unknown> = {},
): Promise<PayPalActionResult> => callControl(`subscriptions/${id}/${act}`, told);

/**
 * Pays the next month at PayPal.
 * @param told another amount or currency, another moment, another id
 */
export const pay = (
  id: string,
  told: { value?: string; currency?: string; at?: number; id?: string } = {},
): Promise<PayPalActionResult & { payment: string }> =>
  performPayPalAction(id, 'pay', told) as Promise<PayPalActionResult & { payment: string }>;

/** Money that is due does not come. */
export const failPayment = (id: string): Promise<PayPalActionResult> => performPayPalAction(id, 'fail');

/**
 * Gives money back at PayPal.
 * @param told which payment (or the last one), and how much of it (or all)
 */
export const refund = (
  id: string,
  told: { payment?: string; value?: string; at?: number; id?: string } = {},
): Promise<PayPalActionResult> => performPayPalAction(id, 'refund', told);

/** A bank takes a payment back: the last one, or the one that is named. */
export const reverse = (id: string, told: { payment?: string } = {}): Promise<PayPalActionResult> =>
  performPayPalAction(id, 'reverse', told);

/** An event of any kind, signed by PayPal, or by somebody else. */
export const createSignedEvent = (wanted: EventRequest): Promise<SignedEvent> =>
  callControl('events', wanted);

/** As many events at once. */
export const createSignedEvents = (events: EventRequest[]): Promise<SignedEvent[]> =>
  callControl('events', { events });

/**
 * Events as they may arrive: in another order, and some of them twice. The same seed gives the same.
 * @param twice how large a part comes a second time
 */
export function permuteDelivery(
  events: SignedEvent[],
  { seed, twice = 0 }: { seed: number; twice?: number },
): SignedEvent[] {
  let state = seed + 1;
  // Numbers without a pattern, the same each time: Park and Miller's.
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

/** What is the matter at PayPal with finding out whether an event is its own. */
export const failVerification = (eventId: string, ...troubles: InjectedResponse[]): Promise<unknown> =>
  callControl('verify', { id: eventId, troubles });
