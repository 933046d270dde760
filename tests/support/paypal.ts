import { env } from 'cloudflare:workers';
import { inject } from 'vitest';
import { openDatabase } from '../../src/db/open.ts';
import { subscriptions } from '../../src/db/schema/billing.ts';
import type { Act, PayPalSubscription, SeenSubscription, Trouble } from './paypal-books.ts';
import type { EventWanted, SignedEvent } from './paypal-events.ts';
import type { Visitor } from './makers.ts';

const DAY_MS = 86_400_000;

/** Asks or tells PayPal's stand-in something behind the product's back. */
async function control<Answer>(path: string, json?: unknown, method = 'POST'): Promise<Answer> {
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
export async function begunAtPayPal(
  me: Pick<Visitor, 'id'>,
  atPayPal: Partial<PayPalSubscription> = {},
): Promise<string> {
  return (await control<{ id: string }>('subscriptions', { custom_id: me.id, ...atPayPal })).id;
}

/**
 * Has somebody pay for a membership: at PayPal, and in our books.
 * @param row what our books say otherwise
 * @returns the subscription's id
 */
export async function subscribed(
  me: Visitor,
  atPayPal: Partial<PayPalSubscription> = {},
  row: Row = {},
): Promise<string> {
  const id = await begunAtPayPal(me, atPayPal);
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
export const seen = (id: string): Promise<SeenSubscription> => control(`subscriptions/${id}`);

/** Changes a subscription at PayPal, or what is the matter with it. */
export const changeAtPayPal = (id: string, change: Partial<PayPalSubscription>): Promise<SeenSubscription> =>
  control(`subscriptions/${id}`, change, 'PATCH');

/** What our books say of a subscription. */
export const booked = (id: string) =>
  env.DB.prepare('select status, period_end, updated_at, checked_at from subscriptions where id = ?')
    .bind(id)
    .first<{ status: string; period_end: number; updated_at: number; checked_at: number }>();

/** What came of something that happened at PayPal, and the event that tells of it: to be posted, or to be lost. */
export interface Happened {
  payment: string | null;
  refund: string | null;
  event: SignedEvent;
}

/** Has something happen to a subscription at PayPal, or at somebody's bank. */
export const happensAtPayPal = (
  id: string,
  act: Act,
  told: Record<string, unknown> = {},
): Promise<Happened> => control(`subscriptions/${id}/${act}`, told);

/**
 * Pays the next month at PayPal.
 * @param told another amount or currency, another moment, another id
 */
export const pay = (
  id: string,
  told: { value?: string; currency?: string; at?: number; id?: string } = {},
): Promise<Happened & { payment: string }> =>
  happensAtPayPal(id, 'pay', told) as Promise<Happened & { payment: string }>;

/** Money that is due does not come. */
export const failToPay = (id: string): Promise<Happened> => happensAtPayPal(id, 'fail');

/**
 * Gives money back at PayPal.
 * @param told which payment (or the last one), and how much of it (or all)
 */
export const refund = (
  id: string,
  told: { payment?: string; value?: string; at?: number; id?: string } = {},
): Promise<Happened> => happensAtPayPal(id, 'refund', told);

/** A bank takes a payment back: the last one, or the one that is named. */
export const reverse = (id: string, told: { payment?: string } = {}): Promise<Happened> =>
  happensAtPayPal(id, 'reverse', told);

/** An event of any kind, signed by PayPal, or by somebody else. */
export const signedEvent = (wanted: EventWanted): Promise<SignedEvent> => control('events', wanted);

/** As many events at once. */
export const signedEvents = (events: EventWanted[]): Promise<SignedEvent[]> => control('events', { events });

/**
 * Events as they may arrive: in another order, and some of them twice. The same seed gives the same.
 * @param twice how large a part comes a second time
 */
export function asTheyArrive(
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
export const troubleVerifying = (eventId: string, ...troubles: Trouble[]): Promise<unknown> =>
  control('verify', { id: eventId, troubles });
