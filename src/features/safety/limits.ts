const DAY_MS = 86_400_000;

/**
 * A suspension that held when its account was deleted is kept so long: who leaves for being suspended, and to come back as
 * somebody else, is held for a year, and nobody for ever.
 */
export const SUSPENSION_RETENTION_DAYS = 365;

export const SUSPENSION_RETENTION_MS = SUSPENSION_RETENTION_DAYS * DAY_MS;

/** Appeals of one person: one at a time is answered, and none is to bury those of others. */
export const APPEAL_LIMITS = {
  maxPerHour: 5,
  maxMessageChars: 1000,
  /** More than a message or a field has: staff lets by only what it could read all of. */
  maxRefusedTextChars: 20_000,
  /** Of what a text was refused beside, all together: staff reads it as well. */
  maxEvidenceChars: 20_000,
  maxEvidencePassages: 50,
  /** What a refusal gives along, with all that it was refused beside in any script. */
  maxTokenChars: 200_000,
  /** So long after a text was refused one may still appeal against that. */
  tokenLifetimeMs: 30 * DAY_MS,
} as const;
