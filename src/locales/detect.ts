import { DEFAULT_LANGUAGE, LANGUAGES, type Language } from '../config/languages.ts';

/** A language tag as browsers and links write it: `de`, `pt-BR`, `zh_Hans`. */
const LANGUAGE_TAG = /^[a-z]{2,3}(?:[-_][a-z0-9]{1,8})*$/;

/** More tags than browsers send; the rest is ignored. */
const MAX_ACCEPTED_TAGS = 30;

/** Whether `code` is one of the interface languages, exactly as addresses write it (lower case, no region). */
export function isLanguage(code: string): code is Language {
  return (LANGUAGES as readonly string[]).includes(code);
}

/** The interface language of a tag, or null. Case and region are ignored (`EN` → en, `pt-BR` → pt, `zh-Hans` → zh). */
export function parseLanguage(tag: string | null | undefined): Language | null {
  const lower = tag?.trim().toLowerCase() ?? '';
  if (!LANGUAGE_TAG.test(lower)) return null;
  const [base = ''] = lower.split(/[-_]/);
  return isLanguage(base) ? base : null;
}

/** The tags of an Accept-Language header by descending quality, without those refused by `q=0`. */
function parseAcceptLanguage(header: string): string[] {
  return header
    .split(',', MAX_ACCEPTED_TAGS)
    .map((part) => {
      const [tag = '', ...parameters] = part.split(';').map((piece) => piece.trim());
      const quality = parameters.find((parameter) => parameter.toLowerCase().startsWith('q='));
      const weight = quality === undefined ? 1 : Number(quality.slice(2));
      return { tag, weight: Number.isFinite(weight) ? weight : 0 };
    })
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight)
    .map(({ tag }) => tag);
}

/**
 * The language for a visitor, in this order: the `lng` query parameter, which is an explicit choice; the choice in the
 * cookie; the browser's languages; English. Unknown values are ignored.
 */
export function detectLanguage(request: {
  lng?: string | null;
  cookie?: string | null;
  acceptLanguage?: string | null;
}): Language {
  const chosen = parseLanguage(request.lng) ?? parseLanguage(request.cookie);
  if (chosen) return chosen;
  for (const tag of parseAcceptLanguage(request.acceptLanguage ?? '')) {
    const language = parseLanguage(tag);
    if (language) return language;
  }
  return DEFAULT_LANGUAGE;
}
