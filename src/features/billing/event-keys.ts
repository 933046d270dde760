/** A full reversal of a payment is stored among its refunds, under an id with this prefix. */
export const REVERSAL_PREFIX = 'reversal:';
export const buildReversalKey = (paymentId: string): string => REVERSAL_PREFIX + paymentId;

/**
 * A claim, which users make in their own session, is stored among the provider's events, with this prefix of the id and
 * this kind. The provider's own ids and kinds contain no colon.
 */
const CLAIM_PREFIX = 'claim:';
export const ALL_CLAIMS_PREFIX = CLAIM_PREFIX;
export const CLAIM_KIND = ':claim';
export const buildClaimKey = (userId: string, subscriptionId: string): string =>
  `${CLAIM_PREFIX}${userId}:${subscriptionId}`;
/** Kind of a claim on a subscription that the provider does not know; stored in the id range of the user's claims. */
export const UNKNOWN_CLAIM_KIND = ':miss';
export const buildUnknownClaimKey = (userId: string, id: string): string => `${CLAIM_PREFIX}${userId}:?${id}`;
/** Returns the id range of a user's claims: from the first id up to, but not including, the second. */
export const getClaimKeyRange = (userId: string): [string, string] => [
  `${CLAIM_PREFIX}${userId}:`,
  `${CLAIM_PREFIX}${userId};`,
];

/** Returns the input of the hash that is kept instead of the payment id when the account is deleted. */
export const buildPaymentHashInput = (paymentId: string): string => `payment:${paymentId}`;
