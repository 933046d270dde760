const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** E-mail login codes (docs/product.md); docs/decisions/0071-login-codes-and-known-browsers.md says how many guesses they allow. */
export const LOGIN_CODE = {
  digits: 6,
  lifetimeMs: 10 * MINUTE_MS,
  /** For the network or known browser that requested the code, which no one elsewhere can use up. */
  maxAttempts: 5,
  /** For all others together. */
  maxAttemptsOtherNetworks: 5,
  resendAfterMs: 10 * MINUTE_MS,
  /** Codes that a network may leave unused before the next one waits for an hour; the one after that waits for a day. */
  maxUnused: 3,
  /** The same for a browser that has logged in to the address before, which strangers do not have. */
  maxUnusedKnownBrowser: 12,
  hourWaitMs: HOUR_MS,
  dayWaitMs: DAY_MS,
  /**
   * Unused codes of one address within a day that were requested by browsers not known to it, from all networks together. It
   * bounds the guesses of someone with any number of networks.
   */
  maxUnusedOfStrangers: 12,
  /** Mails to one address with the link that makes a browser known. */
  browserLinkIntervalMs: HOUR_MS,
  /**
   * Each code is a mail and the mail service has a daily limit, which one network must not use up. A school or an
   * office behind one IP address has about this many logins a day, because sessions last for weeks. For an IPv4 address
   * or the first 64 bits of an IPv6 address.
   */
  perNetworkPerDay: 200,
  /** For the first 48 bits of an IPv6 address. */
  perWiderNetworkPerDay: 400,
} as const;

/** Browsers remember the addresses that were logged in to there, so that strangers' requests for codes do not delay them. */
export const KNOWN_BROWSER = {
  lifetimeMs: 365 * DAY_MS,
  /** A shared device has a few. */
  maxAddresses: 5,
} as const;

/** Passkeys (docs/security.md). */
export const PASSKEY = {
  /** More devices and security keys than one person has. */
  maxPerAccount: 20,
  /** People unlock a phone or look for a security key in this time. */
  challengeLifetimeMs: 5 * MINUTE_MS,
  /** In UTF-16 units: a browser, a system and a date in any language. */
  maxNameChars: 60,
} as const;

/** How long a login counts as recent, for what a borrowed or stolen session must not do. */
export const RECENT_LOGIN_MS = 15 * MINUTE_MS;

/** Invite codes (docs/product.md). An account that has completed onboarding may still accept one in its first week. */
export const INVITE = { codeChars: 8, redeemWithinMs: 7 * DAY_MS } as const;

/** The link that confirms the deletion of an account (docs/product.md). */
export const DELETION_LINK = { lifetimeMs: DAY_MS, resendAfterMs: 10 * MINUTE_MS } as const;

/** Erasing the data of deleted users outside the database, step by step. */
export const ERASURE = {
  /** Delays between attempts. The last one repeats: an erasure is never given up. */
  retryDelaysMs: [MINUTE_MS, 5 * MINUTE_MS, 30 * MINUTE_MS, 2 * HOUR_MS, 6 * HOUR_MS, DAY_MS],
  /** Users or characters per run. */
  maxPerRun: 40,
  /** Conversations per run; each is a call to its own Durable Object. */
  maxConversationsPerRun: 300,
  maxConcurrent: 6,
  /** A conversation that was started just before its character was deleted may be listed this much later. */
  settleDelayMs: 10 * MINUTE_MS,
  /** A turn of a guest who was merged into an account may be charged this much later. */
  walletRetentionMs: HOUR_MS,
} as const;

/** Guests have no address to write to, so a guest who stays away this long is deleted. */
export const GUESTS = {
  maxIdleMs: 30 * DAY_MS,
  maxRemovedPerRun: 40,
  /**
   * Each guest starts with points. For an IPv4 address or the first 48 bits of an IPv6 address: an office, a school or a
   * provider's customers behind one address start fewer guests a day than this.
   */
  perNetworkPerDay: 60,
  /** For the first 64 bits of an IPv6 address, which one household has to itself. It counts towards both. */
  perHouseholdPerDay: 20,
  /** Lets someone who logged out by accident start over, without farming starter points. */
  perDevicePerDay: 3,
} as const;

/**
 * Card and chat files per user, and pictures per user: enough to move in from another program within some days, too few to
 * misuse the site as storage.
 */
export const MAX_IMPORTS_PER_DAY = 1000;

/** In years, for all users including guests. docs/age-verification.md explains why, and what to consider before lowering it. */
export const MINIMUM_AGE = 18;

/** The round trip to the age checker. A check with identity documents takes minutes. */
export const AGE_CHECK = { lifetimeMs: HOUR_MS } as const;

export const SESSION = {
  lifetimeDays: 30,
  lifetimeMs: 30 * DAY_MS,
  /** The expiry moves, and the cookie is sent again, at most this often. */
  renewAfterMs: DAY_MS,
  /** Resolution of the last-used time, which is written at most this often. */
  lastSeenIntervalMs: HOUR_MS,
  /** On the page that lists the sessions. */
  maxListed: 100,
} as const;

/** The round trip to Google's sign-in page. */
export const GOOGLE_SIGN_IN = {
  lifetimeMs: 10 * MINUTE_MS,
  /** Sign-ins started in several tabs and not finished; with the longest return path they still fit into one cookie. */
  maxPending: 3,
  maxNextChars: 500,
} as const;
