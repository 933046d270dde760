const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Memberships with monthly payments. */
export const BILLING = {
  currency: 'USD',
  /** The provider charges within some hours of the end of a month; benefits continue during that time. */
  settlementGraceMs: DAY_MS,
  /** How far the provider's months may differ from calendar months, because of short months and late payments. */
  maxDriftMs: 5 * DAY_MS,
  /** Two charges within this time are one payment, reported in two places. */
  samePaymentWindowMs: DAY_MS,
  /** The provider's clock differs from ours, and its times have a precision of seconds. */
  clockToleranceMs: MINUTE_MS,
  /** Payments of this period are read again each time; a bank can reverse a payment for half a year. */
  lookbackMs: 200 * DAY_MS,
  /** How long a worker may hold a subscription before another one may settle it. */
  leaseMs: 2 * MINUTE_MS,
  /**
   * Delays between attempts to handle an event. After the last one the event is abandoned, and kept for the operator.
   */
  eventRetryDelaysMs: [MINUTE_MS, 5 * MINUTE_MS, 30 * MINUTE_MS, 2 * HOUR_MS, 6 * HOUR_MS, DAY_MS],
  /** A complete event has about five kilobytes. */
  maxEventBytes: 256 * 1024,
  eventRetentionMs: 90 * DAY_MS,
  /** Abandoned events are kept for the operator as long as a payment can be disputed. */
  abandonedEventRetentionMs: 365 * DAY_MS,
  maxEventsRemovedPerRun: 5000,
  /**
   * A deleted account's payment can be matched to a refund for this long; a refund may come half a year after the
   * deletion.
   */
  anonymizedPaymentRetentionMs: 365 * DAY_MS,
  /** PayPal waits some seconds for the response to an event, and sends the event again without one. */
  webhookTimeoutMs: 9000,
  /** Claims of one user that PayPal has not answered yet. */
  maxOpenClaims: 5,
  /**
   * Claims of one user, within the window below, on subscriptions that PayPal does not know or that are another user's.
   */
  maxMissedClaims: 10,
  missedClaimsWindowMs: HOUR_MS,
  /**
   * Subscriptions whose events are handled per run; each makes about fifteen calls to the provider and the database.
   */
  maxHandledPerRun: 40,
  /** A running subscription is checked this often without events: twice before benefits that await a payment end. */
  reconcileAfterMs: 10 * HOUR_MS,
  /** Check interval after a period has just ended, while its payment is pending. */
  reconcileAfterEndMs: HOUR_MS,
  /** Per run, each with about a dozen calls; with a run every five minutes, 14,400 checks a day. */
  maxReconciledPerRun: 50,
  maxConcurrent: 4,
  maxPlansEndedPerRun: 200,
} as const;
