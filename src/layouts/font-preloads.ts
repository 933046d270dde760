import type { Language } from '../config/languages.ts';

const fontFiles = import.meta.glob<string>(
  '../styles/fonts/{serif,sans,sans-italic}-{core,cyrillic,in-western,in-polish,in-russian}.woff2',
  {
    query: '?url',
    import: 'default',
    eager: true,
  },
);

type Typeface = 'serif' | 'sans' | 'sans-italic';

/** The font file that covers a language's texts, if the Latin core does not (scripts/fonts.mjs). */
const LANGUAGE_SUBSETS: Partial<Record<Language, string>> = {
  es: 'in-western',
  fr: 'in-western',
  de: 'in-western',
  it: 'in-western',
  pt: 'in-western',
  pl: 'in-polish',
  ru: 'in-russian',
};

/** Addresses of the font files that a page in this language needs, for preloading. */
export function getFontPreloads(face: Typeface, lang: Language): string[] {
  const getFontFile = (subset: string) => fontFiles[`../styles/fonts/${face}-${subset}.woff2`];
  const combined = getFontFile(LANGUAGE_SUBSETS[lang] ?? 'core');
  // A typeface without such a file is loaded in pieces.
  return (combined ? [combined] : [getFontFile('core'), getFontFile('cyrillic')]).filter(
    (file) => file !== undefined,
  );
}
