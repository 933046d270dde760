import i18next, { type CustomTypeOptions, type TFunction } from 'i18next';
import { BRAND } from '../config/brand.ts';
import { DEFAULT_LANGUAGE, LANGUAGES, type Language } from '../config/languages.ts';
import { textFormatter } from './format.ts';
import { PSEUDO_LANGUAGE, toPseudoMessages } from './pseudo.ts';
import { PSEUDO_PARAMETER } from './pseudo-parameter.ts';

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
  'onboarding',
  'errors',
  'mail',
  'device',
  'personas',
  'deletion',
  'search',
  'account',
  'settings',
  'feedback',
  'export',
  'picture',
  'create',
  'center',
  'creator',
  'report',
  'choices',
  'competition',
  'membership',
  'admin',
  'adminReports',
  'cases',
  'adminStats',
  'safety',
  'status',
] as const;
export type Namespace = (typeof NAMESPACES)[number];

/** A namespace as its file holds it: texts, or groups of texts. */
export interface Messages {
  [key: string]: string | Messages;
}

export type Translate = TFunction<typeof NAMESPACES>;
/** What a page hands to an island: whole namespaces, as English types them. */
export type GetDictionary = <N extends Namespace>(namespaces: readonly N[]) => Dictionary<N>;
export type Dictionary<N extends Namespace> = { [K in N]: CustomTypeOptions['resources'][K] };

// Bundled, because the runtime has no files to read from.
const messageFiles = import.meta.glob<Messages>('./*/*.json', { eager: true, import: 'default' });

const resources: Partial<Record<string, Record<string, Messages>>> = {};
for (const [path, messages] of Object.entries(messageFiles)) {
  const [, lang = '', namespace = ''] = /^\.\/([^/]+)\/([^/]+)\.json$/.exec(path) ?? [];
  (resources[lang] ??= {})[namespace] = messages;
}

// The test language, where the build has it. The condition is written out: a build for readers drops what it guards.
const hasPseudo = typeof __LOCAL_BUILD__ === 'boolean' && __LOCAL_BUILD__;
if (hasPseudo) resources[PSEUDO_LANGUAGE] = toPseudoMessages(resources[DEFAULT_LANGUAGE] ?? {});

// One instance for all requests: only its fixed translators are used, never a language of its own,
// so that two requests at once cannot answer in each other's language.
const instance = i18next.createInstance().use(textFormatter);
void instance.init({
  resources: resources as Record<string, Record<string, Messages>>,
  supportedLngs: hasPseudo ? [...LANGUAGES, PSEUDO_LANGUAGE] : [...LANGUAGES],
  fallbackLng: DEFAULT_LANGUAGE,
  ns: [...NAMESPACES],
  defaultNS: 'common',
  initAsync: false,
  // Templates escape what they print; doing it twice would show entities to readers.
  interpolation: { escapeValue: false, alwaysFormat: true, defaultVariables: { brand: BRAND.name } },
});

const getFixedTranslator = (code: string) => instance.getFixedT(code, NAMESPACES) as Translate;

/** The translator of one language for one request: `t('home:title')`; missing texts come in English. */
export function getTranslator(lang: Language): Translate {
  return getFixedTranslator(lang);
}

function mergeMessages(base: Messages, overrides: Messages): Messages {
  const result: Messages = { ...base };
  for (const [key, value] of Object.entries(overrides)) {
    const current = result[key];
    result[key] =
      typeof value === 'object' && typeof current === 'object' ? mergeMessages(current, value) : value;
  }
  return result;
}

/** The raw messages of some namespaces, whole: what a language lacks is there in English. */
function getMessages<N extends Namespace>(code: string, namespaces: readonly N[]): Dictionary<N> {
  const entries = namespaces.map((namespace) => [
    namespace,
    mergeMessages(resources[DEFAULT_LANGUAGE]?.[namespace] ?? {}, resources[code]?.[namespace] ?? {}),
  ]);
  return Object.fromEntries(entries) as Dictionary<N>;
}

/**
 * The raw messages of some namespaces in one language, whole: what a language lacks is there in English.
 * Pages ask `Astro.locals.words` instead, which knows the test language.
 */
export function getDictionary<N extends Namespace>(lang: Language, namespaces: readonly N[]): Dictionary<N> {
  return getMessages(lang, namespaces);
}

/**
 * The texts of one page: its translator, and the dictionaries that its islands get. In local builds `?pseudo` in the
 * page's address has both in the test language.
 * @param search the query of the page's address
 */
export function getPageTexts(
  lang: Language,
  search: URLSearchParams,
): { t: Translate; words: GetDictionary } {
  const code = hasPseudo && search.has(PSEUDO_PARAMETER) ? PSEUDO_LANGUAGE : lang;
  return { t: getFixedTranslator(code), words: (namespaces) => getMessages(code, namespaces) };
}
