/** The cookie that keeps a chosen language. */
export const LANGUAGE_COOKIE = 'lang';

/** How long a choice is kept, in seconds: a year from when it was made. */
export const LANGUAGE_COOKIE_MAX_AGE_SECONDS = 365 * 24 * 60 * 60;
