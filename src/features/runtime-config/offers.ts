import { z } from 'zod';
import { type RuntimeConfig, runtimeConfigShape } from './contract.ts';

/**
 * How long an earlier offer stays valid after a change: a person who is at PayPal may take three hours to agree to it, and
 * may close the page meanwhile.
 */
export const OFFER_GRACE_MS = 6 * 3_600_000;

/** A membership as it is for sale: what it costs belongs to the plan that it is of. */
const offer = z.object({
  /** PayPal's id of the plan; null for the one in `PAYPAL_PLAN_STORYTELLER`. */
  paypal_plan: runtimeConfigShape.storyteller_paypal_plan,
  price_cents: runtimeConfigShape.storyteller_price_cents,
});
export type StoredOffer = z.infer<typeof offer>;

const recentOffer = offer.extend({
  /** Until when whoever went to pay for it may come back with it, in ms. */
  until: z.number(),
});
/** What is or was for sale when somebody went to pay for it. */
export type RecentOffer = z.infer<typeof recentOffer>;

/** Nobody changes a price more often while somebody pays; a list that is read whole has an end. */
const MAX_OFFERS = 10;

export const toOffer = (config: RuntimeConfig): StoredOffer => ({
  paypal_plan: config.storyteller_paypal_plan,
  price_cents: config.storyteller_price_cents,
});

const isSameOffer = (one: StoredOffer, other: StoredOffer): boolean =>
  one.paypal_plan === other.paypal_plan && one.price_cents === other.price_cents;

/**
 * The offers of late that still count, of the text that is kept.
 * @param text anything at all may stand there, because it can be put there by hand
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
 * The offers of late once a change is in force, the newest first. The new one is among them: for a moment some machines
 * sell it already, and others do not know it yet.
 * @param recent those until now, the newest first
 * @returns null where the change is of something else
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
