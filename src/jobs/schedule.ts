/**
 * When what goes on by itself is begun; the same stand in wrangler.toml. Each is an invocation of its own, which may make a
 * thousand calls to databases, objects, pictures and other sites: what they do together, one could not. Whoever raises a
 * number of a limits.ts that says «perRun» adds up again what the run makes at most.
 */
export const CRONS = {
  /** Caches (some 100) and what the payment company told of (40 subscriptions of 15 calls): 700. */
  everyMinute: '* * * * *',
  /** The books of memberships (50 subscriptions of 12 calls, and a few), and the operator's figures (15): 635. */
  billing: '*/5 * * * *',
  /**
   * Clearing away (40 guests of 4 calls, 40 erasures of 5 with 300 conversations, up to 100 conversations of 2 out of the
   * trash) and the lists (some 70, and 20 summaries of 3): 990.
   */
  cleanup: '*/15 * * * *',
  /** 200 mails of 4 calls, and the news: 810. */
  mail: '4,19,34,49 * * * *',
  /**
   * 400 wallets that are looked at, 100 characters that were never made, of 5 calls, and the competition (3 seasons of
   * some 20, and 4): 967.
   */
  ledgerAudit: '9,24,39,54 * * * *',
  /**
   * The synthetic conversation and what waits for too long, with nothing beside them that they would have to wait for:
   * some 60 calls, and 10 for each conversation that an earlier one left behind (5).
   */
  monitoring: '2,7,12,17,22,27,32,37,42,47,52,57 * * * *',
} as const;
