import { z } from 'zod';
import { type RuntimeConfig, runtimeConfigShape } from './contract.ts';

/**
 * How long an earlier offer stays valid after a change: PayPal allows three hours for an approval, and users may close
 * the page in between.
 */
export const OFFER_GRACE_MS = 6 * 3_600_000;

/** A membership on sale: a PayPal plan and its price. */
const offer = z.object({
  /** PayPal's id of the plan; null for the one in `PAYPAL_PLAN_STORYTELLER`. */
  paypal_plan: runtimeConfigShape.storyteller_paypal_plan,
  price_cents: runtimeConfigShape.storyteller_price_cents,
});
export type StoredOffer = z.infer<typeof offer>;

const recentOffer = offer.extend({
  /** The time until which a payer may return with this offer, in ms. */
  until: z.number(),
});
/** An offer that is on sale or was recently. */
export type RecentOffer = z.infer<typeof recentOffer>;

/** Bounds the stored list; prices never change this often within the grace period. */
const MAX_OFFERS = 10;

export const toOffer = (config: RuntimeConfig): StoredOffer => ({
  paypal_plan: config.storyteller_paypal_plan,
  price_cents: config.storyteller_price_cents,
});

const isSameOffer = (one: StoredOffer, other: StoredOffer): boolean =>
  one.paypal_plan === other.paypal_plan && one.price_cents === other.price_cents;

/**
 * Parses the stored recent offers that are still valid.
 * @param text may hold anything, because KV can be edited by hand
 */
export function parseRecentOffers(text: string | null, now: number): RecentOffer[] {
  let kept: unknown;
  try {
    kept = JSON.parse(text ?? '[]');
  } catch {
    return [];
  }
  if (!Array.isArray(kept)) return [];
  return kept
    .slice(0, MAX_OFFERS)
    .flatMap((one) => recentOffer.safeParse(one).data ?? [])
    .filter(({ until }) => now < until);
}

/**
 * The recent offers after a change, newest first. The new offer is included because isolates learn of the change at
 * different times.
 * @param recent the recent offers before the change, newest first
 * @returns null when the change does not affect the offer
 */
export function updateRecentOffers(
  recent: readonly RecentOffer[],
  { before, after, now }: { before: RuntimeConfig; after: RuntimeConfig; now: number },
): RecentOffer[] | null {
  if (isSameOffer(toOffer(before), toOffer(after))) return null;
  const until = now + OFFER_GRACE_MS;
  const all = [{ ...toOffer(after), until }, { ...toOffer(before), until }, ...recent];
  return all
    .filter((one, place) => all.findIndex((other) => isSameOffer(one, other)) === place)
    .slice(0, MAX_OFFERS);
}
