import { sanitizeText } from '../../lib/sanitize-text.ts';
import { formatNumber, getIntlLocale, isolateText } from '../../locales/format.ts';

/** A flat namespace, as islands get it: keys with their texts. */
export type Messages = Readonly<Record<string, string>>;

const PLACEHOLDER = /\{\{\s*([^\s{}]+)\s*\}\}/g;

/**
 * Creates the translate function of a namespace and language. Follows i18next, which is too large for islands: selects
 * the plural form of `count`, fills {{placeholders}}, formats numbers for the language, and isolates inserted text
 * (bidi).
 * @returns translates a key; an unknown key is returned as it is, a placeholder without a value stays empty
 */
export function createTranslator(
  lang: string,
  messages: Messages,
): (key: string, values?: Record<string, string | number>) => string {
  const plurals = new Intl.PluralRules(getIntlLocale(lang));
  // A key may be a code from the server, such as `constructor`, so look up own properties only.
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
