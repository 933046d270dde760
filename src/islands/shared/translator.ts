import { sanitizeText } from '../../lib/sanitize-text.ts';
import { formatNumber, getIntlLocale, isolateText } from '../../locales/format.ts';

/** A namespace flat, as islands get it: each key with its text. */
export type Messages = Readonly<Record<string, string>>;

const PLACEHOLDER = /\{\{\s*([^\s{}]+)\s*\}\}/g;

/**
 * Reads one namespace in one language as i18next does for pages, whose weight no island should carry: a text by its
 * key, in the plural form of `count` where it has forms, its {{places}} filled, numbers as the language writes them,
 * texts so that they keep to their place.
 * @returns a function that answers the key itself when there is no such text; a place without a value stays empty
 */
export function createTranslator(
  lang: string,
  messages: Messages,
): (key: string, values?: Record<string, string | number>) => string {
  const plurals = new Intl.PluralRules(getIntlLocale(lang));
  // A key may be a code that came from a server: `constructor` is no text.
  const getText = (key: string) => (Object.hasOwn(messages, key) ? messages[key] : undefined);
  const getPluralText = (key: string, count: number) =>
    (count === 0 ? getText(`${key}_zero`) : undefined) ??
    getText(`${key}_${plurals.select(count)}`) ??
    getText(`${key}_other`);
  return (key, values = {}) => {
    const { count } = values;
    const text = (typeof count === 'number' ? getPluralText(key, count) : undefined) ?? getText(key) ?? key;
    return text.replace(PLACEHOLDER, (_, name: string) => {
      const value = Object.hasOwn(values, name) ? values[name] : undefined;
      return typeof value === 'number' ? formatNumber(value, lang) : isolateText(sanitizeText(value ?? ''));
    });
  };
}
