import { readdirSync, readFileSync } from 'node:fs';
import i18next from 'i18next';
import { BRAND } from '../../src/config/brand.ts';
import { DEFAULT_LANGUAGE, type Language } from '../../src/config/languages.ts';
import { textFormatter } from '../../src/locales/format.ts';
import type { Namespace, Translate } from '../../src/locales/i18n.ts';

/**
 * Reads the texts of a language from their files, with the options of `loadTexts` in src/locales/i18n.ts. Tests in Vitest
 * use that one; it needs Vite, which Playwright does not run.
 * @returns the translator, `t('chat:messageCount', { count: 2 })`
 */
export function readTexts(lang: Language): Translate {
  const folder = new URL(`../../src/locales/${lang}/`, import.meta.url);
  const messages = Object.fromEntries(
    readdirSync(folder).map((file) => [
      file.replace('.json', ''),
      JSON.parse(readFileSync(new URL(file, folder), 'utf8')),
    ]),
  );
  const namespaces = ['common', ...Object.keys(messages)] as Namespace[];
  const instance = i18next.createInstance().use(textFormatter);
  void instance.init({
    lng: lang,
    resources: { [lang]: messages },
    fallbackLng: false,
    ns: namespaces,
    defaultNS: 'common',
    initAsync: false,
    interpolation: { escapeValue: false, alwaysFormat: true, defaultVariables: { brand: BRAND.name } },
  });
  return instance.getFixedT(lang, namespaces) as Translate;
}

/** The translator for English. Tests find elements by role and key, so that a sentence can be edited without them. */
export const t = readTexts(DEFAULT_LANGUAGE);
