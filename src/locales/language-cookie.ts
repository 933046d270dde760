/** The cookie that keeps a chosen language. */
export const LANGUAGE_COOKIE = 'lang';
