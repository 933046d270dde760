import i18next, { type TFunction } from 'i18next';
import { BRAND, DEFAULT_LANGUAGE, LANGUAGES, type Language } from '../config.ts';

/** Every namespace; its English file is the type of its keys (see i18next.d.ts). */
export const NAMESPACES = [
  'common',
  'shell',
  'home',
  'discover',
  'character',
  'blog',
  'legal',
  'pages',
  'chat',
  'signin',
  'errors',
  'mail',
] as const;
export type Namespace = (typeof NAMESPACES)[number];

/** A namespace as its file holds it: texts, or groups of texts. */
export interface Messages {
  [key: string]: string | Messages;
}

export type Translate = TFunction<typeof NAMESPACES>;

// Bundled, because the runtime has no files to read from.
const files = import.meta.glob<Messages>('./*/*.json', { eager: true, import: 'default' });

const resources: Partial<Record<string, Record<string, Messages>>> = {};
for (const [path, messages] of Object.entries(files)) {
  const [, lang = '', namespace = ''] = /^\.\/([^/]+)\/([^/]+)\.json$/.exec(path) ?? [];
  (resources[lang] ??= {})[namespace] = messages;
}

// One instance for all requests: only its fixed translators are used, never a language of its own,
// so that two requests at once cannot answer in each other's language.
const instance = i18next.createInstance();
void instance.init({
  resources: resources as Record<string, Record<string, Messages>>,
  supportedLngs: [...LANGUAGES],
  fallbackLng: DEFAULT_LANGUAGE,
  ns: [...NAMESPACES],
  defaultNS: 'common',
  initAsync: false,
  // Templates escape what they print; doing it twice would show entities to readers.
  interpolation: { escapeValue: false, defaultVariables: { brand: BRAND.name } },
});

/** The translator of one language for one request: `t('home:title')`; missing texts come in English. */
export function translator(lang: Language): Translate {
  return instance.getFixedT(lang, NAMESPACES) as Translate;
}

function merged(base: Messages, over: Messages): Messages {
  const result: Messages = { ...base };
  for (const [key, value] of Object.entries(over)) {
    const below = result[key];
    result[key] = typeof value === 'object' && typeof below === 'object' ? merged(below, value) : value;
  }
  return result;
}

/**
 * The raw messages of some namespaces in one language, whole: what a language lacks is there in English.
 * For islands, which get only what they show.
 */
export function dictionary<N extends Namespace>(
  lang: Language,
  namespaces: readonly N[],
): Record<N, Messages> {
  const entries = namespaces.map((namespace) => [
    namespace,
    merged(resources[DEFAULT_LANGUAGE]?.[namespace] ?? {}, resources[lang]?.[namespace] ?? {}),
  ]);
  return Object.fromEntries(entries) as Record<N, Messages>;
}
