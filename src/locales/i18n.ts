import i18next, { type CustomTypeOptions, type TFunction } from 'i18next';
import { BRAND } from '../config/brand.ts';
import { DEFAULT_LANGUAGE, LANGUAGES, type Language } from '../config/languages.ts';
import { textFormatter } from './format.ts';
import { PSEUDO_LANGUAGE, toPseudoMessages } from './pseudo.ts';
import { PSEUDO_PARAMETER } from './pseudo-parameter.ts';

/** All namespaces; the English file is the type of the keys (see i18next.d.ts). */
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

/** The contents of a namespace's file: texts, or groups of texts. */
export interface Messages {
  [key: string]: string | Messages;
}

export type Translate = TFunction<typeof NAMESPACES>;
/** Returns complete namespaces for an island, typed by their English files. */
export type GetDictionary = <N extends Namespace>(namespaces: readonly N[]) => Dictionary<N>;
export type Dictionary<N extends Namespace> = { [K in N]: CustomTypeOptions['resources'][K] };

// Bundled, because the runtime cannot read files.
const messageFiles = import.meta.glob<Messages>('./*/*.json', { eager: true, import: 'default' });

const resources: Partial<Record<string, Record<string, Messages>>> = {};
for (const [path, messages] of Object.entries(messageFiles)) {
  const [, lang = '', namespace = ''] = /^\.\/([^/]+)\/([^/]+)\.json$/.exec(path) ?? [];
  (resources[lang] ??= {})[namespace] = messages;
}

// The pseudo language of local builds. The condition is spelled out, so that production builds drop the guarded code.
const hasPseudo = typeof __LOCAL_BUILD__ === 'boolean' && __LOCAL_BUILD__;
if (hasPseudo) resources[PSEUDO_LANGUAGE] = toPseudoMessages(resources[DEFAULT_LANGUAGE] ?? {});

// One instance for all requests. Only its fixed translators are used, never its current language, so that concurrent
// requests cannot affect each other.
const instance = i18next.createInstance().use(textFormatter);
void instance.init({
  resources: resources as Record<string, Record<string, Messages>>,
  supportedLngs: hasPseudo ? [...LANGUAGES, PSEUDO_LANGUAGE] : [...LANGUAGES],
  fallbackLng: DEFAULT_LANGUAGE,
  ns: [...NAMESPACES],
  defaultNS: 'common',
  initAsync: false,
  // Templates escape their output; escaping here too would show entities.
  interpolation: { escapeValue: false, alwaysFormat: true, defaultVariables: { brand: BRAND.name } },
});

const getFixedTranslator = (code: string) => instance.getFixedT(code, NAMESPACES) as Translate;

/** The translator of a language: `t('home:title')`. Missing texts fall back to English. */
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

/** The messages of some namespaces; missing ones fall back to English. */
function getMessages<N extends Namespace>(code: string, namespaces: readonly N[]): Dictionary<N> {
  const entries = namespaces.map((namespace) => [
    namespace,
    mergeMessages(resources[DEFAULT_LANGUAGE]?.[namespace] ?? {}, resources[code]?.[namespace] ?? {}),
  ]);
  return Object.fromEntries(entries) as Dictionary<N>;
}

/**
 * The messages of some namespaces in a language; missing ones fall back to English. Pages use `Astro.locals.words`
 * instead, which supports the pseudo language.
 */
export function getDictionary<N extends Namespace>(lang: Language, namespaces: readonly N[]): Dictionary<N> {
  return getMessages(lang, namespaces);
}

/**
 * The translator of a page and the dictionaries for its islands. In local builds, `?pseudo` in the page's address
 * selects the pseudo language.
 * @param search query of the page's address
 */
export function getPageTexts(
  lang: Language,
  search: URLSearchParams,
): { t: Translate; words: GetDictionary } {
  const code = hasPseudo && search.has(PSEUDO_PARAMETER) ? PSEUDO_LANGUAGE : lang;
  return { t: getFixedTranslator(code), words: (namespaces) => getMessages(code, namespaces) };
}
