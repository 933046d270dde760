/** That all of a payment was taken back is written down beside what went back of it, under a name of its own. */
export const REVERSAL = 'reversal:';
export const reversalId = (paymentId: string): string => REVERSAL + paymentId;

/**
 * What somebody said in a session of their own waits among the events, under such an id and of such a kind: the company's
 * own have no such sign in them.
 */
const CLAIM = 'claim:';
export const claimsOfAll = CLAIM;
export const CLAIM_KIND = ':claim';
export const claimId = (userId: string, subscriptionId: string): string =>
  `${CLAIM}${userId}:${subscriptionId}`;
/** Of one that the company does not know. It stands among what the same person said. */
export const MISS_KIND = ':miss';
export const missId = (userId: string, id: string): string => `${CLAIM}${userId}:?${id}`;
/** All that one person said, as a range of ids: from the first on, up to and without the second. */
export const claimsOf = (userId: string): [string, string] => [`${CLAIM}${userId}:`, `${CLAIM}${userId};`];

/** What a payment is called whose account is gone: a hash of this is kept of it, and not its id. */
export const goneName = (paymentId: string): string => `payment:${paymentId}`;
