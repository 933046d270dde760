import { env } from 'cloudflare:workers';
import { inject } from 'vitest';
import { openDatabase } from '../../src/db/open.ts';
import { subscriptions } from '../../src/db/billing-schema.ts';
import type { PayPalSubscription, SeenSubscription } from './paypal-server.ts';
import type { Visitor } from './makers.ts';

const DAY_MS = 86_400_000;

async function control<Answer>(path: string, json?: unknown, method = 'POST'): Promise<Answer> {
  const answer = await fetch(`${inject('servers').payPalUrl}/control/${path}`, {
    ...(json === undefined ? {} : { method, body: JSON.stringify(json) }),
  });
  if (!answer.ok) throw new Error(`PayPal’s stand-in answered ${answer.status} to ${path}`);
  return answer.json<Answer>();
}

type Row = Partial<typeof subscriptions.$inferInsert>;

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
  const { id } = await control<{ id: string }>('subscriptions', { custom_id: me.id, ...atPayPal });
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
