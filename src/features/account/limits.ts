const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** E-mail login codes (contract, «Auth»). */
export const LOGIN_CODE = {
  digits: 6,
  lifetimeMs: 10 * MINUTE_MS,
  /** Of the network that asked for it, which nobody elsewhere can use up; and as many of each other network. */
  maxAttempts: 5,
  /**
   * Of all others together, who need two networks to use them up. With a code every ten minutes that is 2,160 guesses a day
   * in all, of a million, each code with a mail that its owner sees.
   */
  maxAttemptsOtherNetworks: 10,
  resendAfterMs: 10 * MINUTE_MS,
  /**
   * Each is a mail, and a mail service takes so many a day: one network is not to use them up. A school or an office that
   * comes by one address has as many people who log in on a day; whoever is in stays in for weeks. At most 1000: so many
   * are looked through at once.
   */
  perNetworkPerDay: 200,
} as const;

/** Invite codes (SPEC section 9). An account that has begun already may still take one in its first week. */
export const INVITE = { codeChars: 8, redeemWithinMs: 7 * DAY_MS } as const;

/** The link that confirms an account's deletion (SPEC section 9, «grace period»). */
export const DELETION_LINK = { lifetimeMs: DAY_MS, resendAfterMs: 10 * MINUTE_MS } as const;

/** What lies outside the database of people who are gone is erased piece by piece. */
export const ERASURE = {
  /** Between one try and the next, the last one again and again: it is never given up. */
  retryDelaysMs: [MINUTE_MS, 5 * MINUTE_MS, 30 * MINUTE_MS, 2 * HOUR_MS, 6 * HOUR_MS, DAY_MS],
  /** In one run, each a person or a character. */
  maxPerRun: 40,
  /** Conversations in one run, each a call to an object of its own. */
  maxConversationsPerRun: 300,
  maxConcurrent: 6,
  /** A conversation with a character that was begun just before it went may be listed so much later. */
  settleDelayMs: 10 * MINUTE_MS,
  /** A turn of a guest who has joined an account may be paid so much later. */
  walletRetentionMs: HOUR_MS,
} as const;

/** Guests have no address to be written to: who stays away so long is gone. */
export const GUESTS = {
  maxIdleMs: 30 * DAY_MS,
  maxRemovedPerRun: 40,
  /** Each begins with points of its own; a household or an office has no more guests a day than this. */
  perNetworkPerDay: 20,
  /** Somebody who logs out by mistake may begin again; nobody is to live on beginning. */
  perDevicePerDay: 3,
} as const;

/** In years: who may use the site at all, guests too. Why, and what to think of before lowering it, is in docs/age.md. */
export const MINIMUM_AGE = 18;

/** The way to whoever checks ages and back. A check with papers at hand takes minutes. */
export const AGE_CHECK = { lifetimeMs: HOUR_MS } as const;

export const SESSION = {
  lifetimeDays: 30,
  lifetimeMs: 30 * DAY_MS,
  /** Its end moves at most so often, with the cookie sent again. */
  renewAfterMs: DAY_MS,
  /** When it was last used is known no better than this, and costs a write no more often. */
  lastSeenIntervalMs: HOUR_MS,
  /** On the page that lists them. */
  maxListed: 100,
} as const;

/** The way to Google's page and back. */
export const GOOGLE_SIGN_IN = {
  lifetimeMs: 10 * MINUTE_MS,
  /** Begun in several tabs and not finished yet; with the longest path to return to, they fit into one cookie. */
  maxPending: 3,
  maxNextChars: 500,
} as const;
