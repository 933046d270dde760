import { sanitizeText } from '../../../lib/sanitize-text.ts';

/** All characters used as quotation marks in any language. */
const QUOTES =
  /["\u00AB\u00BB\u201C-\u201F\u2039\u203A\u300C-\u300F\u301D-\u301F\uFE41-\uFE44\uFF02\uFF62\uFF63]/g;

/**
 * Removes quotation marks from a name, so that it cannot end the quotation in the AI notice and add words of its own to
 * it.
 */
export const sanitizeNoticeName = (name: string): string => sanitizeText(name).replaceAll(QUOTES, '').trim();
