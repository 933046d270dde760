import type { Language } from '../config/languages.ts';

const files = import.meta.glob<string>(
  '../styles/fonts/{serif,sans,sans-italic}-{core,cyrillic,in-western,in-polish,in-russian}.woff2',
  {
    query: '?url',
    import: 'default',
    eager: true,
  },
);

type Face = 'serif' | 'sans' | 'sans-italic';

/** The file that a language's own texts need where it is not the Latin core alone (scripts/fonts.mjs). */
const TOGETHER: Partial<Record<Language, string>> = {
  es: 'in-western',
  fr: 'in-western',
  de: 'in-western',
  it: 'in-western',
  pt: 'in-western',
  pl: 'in-polish',
  ru: 'in-russian',
};

/** Addresses of the files that a page in this language is drawn with, to be fetched before anything moves. */
export function filesOf(face: Face, lang: Language): string[] {
  const fileOf = (piece: string) => files[`../styles/fonts/${face}-${piece}.woff2`];
  const together = fileOf(TOGETHER[lang] ?? 'core');
  // A face that has no such file comes in its pieces.
  return (together ? [together] : [fileOf('core'), fileOf('cyrillic')]).filter((file) => file !== undefined);
}
