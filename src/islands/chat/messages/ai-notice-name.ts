import { sanitizeText } from '../../../lib/sanitize-text.ts';

/** Whatever closes or opens a quotation somewhere. */
const QUOTES =
  /["\u00AB\u00BB\u201C-\u201F\u2039\u203A\u300C-\u300F\u301D-\u301F\uFE41-\uFE44\uFF02\uFF62\uFF63]/g;

/**
 * A name as the notice that an AI answers puts it between its own quotation marks: it has none, so that it cannot end there
 * and go on as if the notice said it.
 */
export const sanitizeNoticeName = (name: string): string => sanitizeText(name).replaceAll(QUOTES, '').trim();
