/** The product's name and every number of the business: one place, typed, with units in the names. */

/** The one constant that names the product. */
export const BRAND = { name: 'Loreloom', modelValue: 'loreloom' } as const;

/** Interface languages in the order of the switcher; the first is the default. */
export const LANGUAGES = ['en', 'es', 'fr', 'de', 'it', 'pt', 'ru', 'ja', 'hi', 'pl', 'zh', 'id'] as const;
export type Language = (typeof LANGUAGES)[number];
export const DEFAULT_LANGUAGE: Language = 'en';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Business constants' defaults (SPEC section 9 and the contract's local defaults). */
export const BUSINESS = {
  startPoints: 50,
  refillToPoints: 50,
  refillEveryMs: 8 * HOUR_MS,
  messageCostPoints: 1,
  dailyMessageLimit: 100,
} as const;

/** Text limits in characters (SPEC section 5). */
export const TEXT_LIMITS = {
  characterName: 50,
  oneliner: 50,
  characterTraits: 1000,
  firstMessage: 2000,
  /** One message: far above what people type, far below what would crowd out a model's context. */
  message: 8000,
  email: 254,
  title: 100,
  searchQuery: 100,
} as const;

/** E-mail login codes (contract, «Auth»). */
export const LOGIN_CODE = {
  digits: 6,
  lifetimeMs: 10 * MINUTE_MS,
  maxTries: 5,
  resendAfterMs: 10 * MINUTE_MS,
} as const;

export const SESSION = { lifetimeDays: 30, lifetimeMs: 30 * DAY_MS } as const;

/** Recency groups of the drawer, in days of age (SPEC section 4). */
export const CHAT_LIST = {
  maxItems: 30,
  todayUnderDays: 1,
  yesterdayUnderDays: 2,
  weekUnderDays: 7,
} as const;

/** Request bodies in bytes (contract, «Conventions»). */
export const BODY_LIMITS = { json: 1024 * 1024 } as const;

/** The drawer's button rests this long after a click (SPEC section 9). */
export const DRAWER_LOCKOUT_MS = 1000;

/** The character tags of SPEC section 3. */
export const TAGS = ['male', 'female', 'anime', 'fantasy', 'rpg'] as const;
export type Tag = (typeof TAGS)[number];
