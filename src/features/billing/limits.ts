const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Memberships that are paid for month by month. */
export const BILLING = {
  currency: 'USD',
  /** The payment company takes its money some hours around the end of a month: nobody is without for that. */
  settlementGraceMs: DAY_MS,
  /** By so much the company's months may differ from the calendar's: by short months, and by money that came late. */
  maxDriftMs: 5 * DAY_MS,
  /** Two moments so close are those of one payment, told of in two places. */
  samePaymentWindowMs: DAY_MS,
  /** Its clock is not ours, and it tells times to the second. */
  clockToleranceMs: MINUTE_MS,
  /** Payments that are gone through again each time; a bank takes money back for half a year. */
  lookbackMs: 200 * DAY_MS,
  /** Whoever settles a subscription has so long until another may try. */
  leaseMs: 2 * MINUTE_MS,
  /** Between one try to handle an event and the next; after the last it is given up, and kept for whoever looks. */
  eventRetryDelaysMs: [MINUTE_MS, 5 * MINUTE_MS, 30 * MINUTE_MS, 2 * HOUR_MS, 6 * HOUR_MS, DAY_MS],
  /** An event with all its parts is five kilobytes. */
  maxEventBytes: 256 * 1024,
  eventRetentionMs: 90 * DAY_MS,
  /** Nobody has found out what it meant: the operator may, as long as a payment can be argued about. */
  abandonedEventRetentionMs: 365 * DAY_MS,
  maxEventsRemovedPerRun: 5000,
  /** What somebody paid whose account is gone is found so long if something goes back of it, as half a year after it may. */
  anonymizedPaymentRetentionMs: 365 * DAY_MS,
  /** PayPal waits some seconds for an answer to what it tells, and tells it again. */
  webhookTimeoutMs: 9000,
  /** Subscriptions of which one person says that they are theirs, and PayPal says nothing. */
  maxOpenClaims: 5,
  /** Subscriptions that one person may name within so long, and PayPal knows nothing of. */
  maxMissedClaims: 10,
  missedClaimsWindowMs: HOUR_MS,
  /** Subscriptions whose events are handled in one run, each about fifteen calls to the company and to the database. */
  maxHandledPerRun: 40,
  /** What is running is asked for so often without any event: twice before benefits end that wait for a payment. */
  reconcileAfterMs: 10 * HOUR_MS,
  /** What has just run out, while its payment is awaited. */
  reconcileAfterEndMs: HOUR_MS,
  /** In one run, each about a dozen calls; with a run every five minutes, 14,400 questions a day. */
  maxReconciledPerRun: 50,
  maxConcurrent: 4,
  maxPlansEndedPerRun: 200,
} as const;
