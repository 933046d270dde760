const DAY_MS = 86_400_000;

/**
 * A suspension outlives its deleted account for this long, so that deleting the account and signing up again
 * does not evade it.
 */
export const SUSPENSION_RETENTION_DAYS = 365;

export const SUSPENSION_RETENTION_MS = SUSPENSION_RETENTION_DAYS * DAY_MS;

/** Per user. Appeals are answered one at a time, and one user must not bury those of others. */
export const APPEAL_LIMITS = {
  maxPerHour: 5,
  maxMessageChars: 1000,
  /** Longer than any message or field: staff exempt only what they can read in full. */
  maxRefusedTextChars: 20_000,
  /** All evidence passages of one appeal together; staff read them too. */
  maxEvidenceChars: 20_000,
  maxEvidencePassages: 50,
  /** The appeal token of a refusal, including its evidence in any script. */
  maxTokenChars: 200_000,
  /** How long a refusal can be appealed. */
  tokenLifetimeMs: 30 * DAY_MS,
} as const;
