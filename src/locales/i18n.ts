import i18next, { type CustomTypeOptions, type TFunction } from 'i18next';
import { BRAND } from '../config/brand.ts';
import { memoizeLru } from '../lib/memoize-lru.ts';
import { DEFAULT_LANGUAGE, type Language } from '../config/languages.ts';
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
  'moveIn',
  'center',
  'creator',
  'report',
  'choices',
  'returning',
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

/** The translator of a language, `t('home:title')`, and its dictionaries. */
export interface Texts {
  t: Translate;
  words: GetDictionary;
}

// The runtime cannot read files, so they are modules; each language is a chunk of its own (astro.config.mjs), read when it is
// asked for. `npm run check` makes sure that no language lacks a text.
const messageFiles = import.meta.glob<Messages>('./*/*.json', { import: 'default' });

async function loadMessages(code: string): Promise<Record<string, Messages>> {
  const files = NAMESPACES.map(
    (namespace) => [namespace, messageFiles[`./${code}/${namespace}.json`]] as const,
  );
  return Object.fromEntries(
    await Promise.all(files.map(async ([namespace, load]) => [namespace, (await load?.()) ?? {}] as const)),
  );
}

// The pseudo language of local builds. The condition is spelled out, so that production builds drop the guarded code.
const hasPseudo = typeof __LOCAL_BUILD__ === 'boolean' && __LOCAL_BUILD__;

const loaded = new Map<string, Texts>();

async function loadLanguage(code: string): Promise<Texts> {
  // Keep the result and not the promise: a request that is cancelled must not leave others waiting.
  const known = loaded.get(code);
  if (known !== undefined) return known;
  const messages =
    hasPseudo && code === PSEUDO_LANGUAGE
      ? toPseudoMessages(await loadMessages(DEFAULT_LANGUAGE))
      : await loadMessages(code);
  // Only its fixed translator is used, so that concurrent requests cannot affect each other.
  const instance = i18next.createInstance().use(textFormatter);
  void instance.init({
    lng: code,
    resources: { [code]: messages },
    fallbackLng: false,
    ns: [...NAMESPACES],
    defaultNS: 'common',
    initAsync: false,
    // Templates escape their output; escaping here too would show entities.
    interpolation: { escapeValue: false, alwaysFormat: true, defaultVariables: { brand: BRAND.name } },
  });
  const texts: Texts = {
    t: keepFixedTexts(instance.getFixedT(code, NAMESPACES) as Translate),
    words: <N extends Namespace>(namespaces: readonly N[]) =>
      Object.fromEntries(namespaces.map((name) => [name, messages[name]])) as Dictionary<N>,
  };
  loaded.set(code, texts);
  return texts;
}

/** More than the dictionaries have keys. */
const MAX_TEXTS_KEPT = 5000;

/** Keeps the texts that have no values: finding one takes the library longer than anything else in a small component. */
function keepFixedTexts(translate: Translate): Translate {
  const find = translate as unknown as (key: string, ...values: unknown[]) => string;
  const keep = memoizeLru(MAX_TEXTS_KEPT, (key) => find(key));
  return ((key: string, ...values: unknown[]) =>
    values.length === 0 ? keep(key) : find(key, ...values)) as unknown as Translate;
}

/** Loads the texts of a language. Pages use `Astro.locals` instead, which supports the pseudo language. */
export const loadTexts = (lang: Language): Promise<Texts> => loadLanguage(lang);

/**
 * Loads the texts of a page. In local builds, `?pseudo` in the page's address selects the pseudo language.
 * @param search query of the page's address
 */
export const loadPageTexts = (lang: Language, search: URLSearchParams): Promise<Texts> =>
  loadLanguage(hasPseudo && search.has(PSEUDO_PARAMETER) ? PSEUDO_LANGUAGE : lang);
