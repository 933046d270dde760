/**
 * The cron schedules; wrangler.toml must list the same ones. Each is an invocation of its own with at most 1,000
 * subrequests, which all tasks together would exceed. When you raise a `…perRun` limit of a limits.ts, re-check the
 * totals below.
 */
export const CRONS = {
  /** Cache purges (about 100) and payment events (40 subscriptions of 15 calls): 700. */
  everyMinute: '* * * * *',
  /** Subscription reconciliation (50 subscriptions of 12 calls, and a few more) and the operator's metrics (15): 635. */
  billing: '*/5 * * * *',
  /**
   * Clean-up (40 guests of 4 calls, 40 erasures of 5 with 300 conversations, up to 100 conversations of 2 from the trash)
   * and the lists (about 70, and 20 summaries of 3): 990.
   */
  cleanup: '*/15 * * * *',
  /** 200 mails of 4 calls, and the newsletter: 810. */
  mail: '4,19,34,49 * * * *',
  /**
   * 400 wallets, 100 unfinished character creations of 5 calls, and the competition (3 seasons of about 20, and 4): 967.
   */
  ledgerAudit: '9,24,39,54 * * * *',
  /**
   * The synthetic check and the queue metrics, in an invocation of their own so that nothing delays them: about 60 calls,
   * and 10 for each conversation that an earlier check left behind (5).
   */
  monitoring: '2,7,12,17,22,27,32,37,42,47,52,57 * * * *',
} as const;
