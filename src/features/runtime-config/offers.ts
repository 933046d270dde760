import { z } from 'zod';
import { type Business, businessShape } from './contract.ts';

/**
 * How long an earlier offer stays valid after a change: a person who is at PayPal may take three hours to agree to it, and
 * may close the page meanwhile.
 */
export const FORMER_OFFER_MS = 6 * 3_600_000;

/** A membership as it is for sale: what it costs belongs to the plan that it is of. */
const offer = z.object({
  /** PayPal's id of the plan; null for the one in `PAYPAL_PLAN_STORYTELLER`. */
  paypal_plan: businessShape.storyteller_paypal_plan,
  price_cents: businessShape.storyteller_price_cents,
});
export type KeptOffer = z.infer<typeof offer>;

const offerOfLate = offer.extend({
  /** Until when whoever went to pay for it may come back with it, in ms. */
  until: z.number(),
});
/** What is or was for sale when somebody went to pay for it. */
export type OfferOfLate = z.infer<typeof offerOfLate>;

/** Nobody changes a price more often while somebody pays; a list that is read whole has an end. */
const MAX_OFFERS = 10;

export const offerIn = (business: Business): KeptOffer => ({
  paypal_plan: business.storyteller_paypal_plan,
  price_cents: business.storyteller_price_cents,
});

const isSame = (one: KeptOffer, other: KeptOffer): boolean =>
  one.paypal_plan === other.paypal_plan && one.price_cents === other.price_cents;

/**
 * The offers of late that still count, of the text that is kept.
 * @param text anything at all may stand there, because it can be put there by hand
 */
export function offersOfText(text: string | null, now: number): OfferOfLate[] {
  let kept: unknown;
  try {
    kept = JSON.parse(text ?? '[]');
  } catch {
    return [];
  }
  if (!Array.isArray(kept)) return [];
  return kept
    .slice(0, MAX_OFFERS)
    .flatMap((one) => offerOfLate.safeParse(one).data ?? [])
    .filter(({ until }) => now < until);
}

/**
 * The offers of late once a change is in force, the newest first. The new one is among them: for a moment some machines
 * sell it already, and others do not know it yet.
 * @param lately those until now, the newest first
 * @returns null where the change is of something else
 */
export function offersAfter(
  lately: readonly OfferOfLate[],
  { before, after, now }: { before: Business; after: Business; now: number },
): OfferOfLate[] | null {
  if (isSame(offerIn(before), offerIn(after))) return null;
  const until = now + FORMER_OFFER_MS;
  const all = [{ ...offerIn(after), until }, { ...offerIn(before), until }, ...lately];
  return all
    .filter((one, place) => all.findIndex((other) => isSame(one, other)) === place)
    .slice(0, MAX_OFFERS);
}
