/** That all of a payment was taken back is written down beside what went back of it, under a name of its own. */
export const REVERSAL_PREFIX = 'reversal:';
export const buildReversalKey = (paymentId: string): string => REVERSAL_PREFIX + paymentId;

/**
 * What somebody said in a session of their own waits among the events, under such an id and of such a kind: the company's
 * own have no such sign in them.
 */
const CLAIM_PREFIX = 'claim:';
export const ALL_CLAIMS_PREFIX = CLAIM_PREFIX;
export const CLAIM_KIND = ':claim';
export const buildClaimKey = (userId: string, subscriptionId: string): string =>
  `${CLAIM_PREFIX}${userId}:${subscriptionId}`;
/** Of one that the company does not know. It stands among what the same person said. */
export const UNKNOWN_CLAIM_KIND = ':miss';
export const buildUnknownClaimKey = (userId: string, id: string): string => `${CLAIM_PREFIX}${userId}:?${id}`;
/** All that one person said, as a range of ids: from the first on, up to and without the second. */
export const getClaimKeyRange = (userId: string): [string, string] => [
  `${CLAIM_PREFIX}${userId}:`,
  `${CLAIM_PREFIX}${userId};`,
];

/** What a payment is called whose account is gone: a hash of this is kept of it, and not its id. */
export const buildPaymentHashInput = (paymentId: string): string => `payment:${paymentId}`;
