export const LANGUAGE_COOKIE = 'lang';

/** A choice is kept for a year. */
export const LANGUAGE_COOKIE_MAX_AGE_SECONDS = 365 * 24 * 60 * 60;
