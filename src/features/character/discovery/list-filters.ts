import type { ListCharactersQuery } from '../contract.ts';
import { TAGS } from '../limits.ts';

/* Filters of lists as words of the search index, which has what a list is filtered by (search.ts). */

/** What a list can be filtered by. */
export type ListFilters = Pick<ListCharactersQuery, 'tag' | 'language' | 'include' | 'exclude'>;

/** Whether a tag is one of the five. */
export const isTag = (tag: string): boolean => TAGS.some((name) => name === tag);

/** Every character in the index has this word. */
export const EVERY_CHARACTER = '"^"';

/** The word of a language in the index. */
export const getLanguageTerm = (language: string): string => `"#=${language}"`;

/** The word of a tag in the index; that of a free tag consists of its bytes, so that it is one word. */
export function getTagTerm(tag: string): string {
  if (isTag(tag)) return `"#${tag}"`;
  const bytes = [...new TextEncoder().encode(tag)];
  return `"##${bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('')}"`;
}

/** Reads the words of a character's tags and language in the index (`character_words.tags`) back. */
export function parseTagTerms(text: string): { tags: string[]; language: string | null } {
  const tags: string[] = [];
  let language: string | null = null;
  for (const term of text.split(' ')) {
    if (term.startsWith('#=')) language = term.slice(2);
    else if (term.startsWith('##')) tags.push(decodeHex(term.slice(2)));
    else if (term.startsWith('#')) tags.push(term.slice(1));
  }
  return { tags, language };
}

function decodeHex(hex: string): string {
  const bytes = Uint8Array.from(hex.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16));
  return new TextDecoder().decode(bytes);
}

/** Whether a list is filtered by more than one of the five tags, which have lists of their own. */
export const hasIndexFilters = ({ language, include = [], exclude = [] }: ListFilters): boolean =>
  language !== undefined || include.length > 0 || exclude.length > 0;

/** Restricts an expression for FTS5's MATCH to what the filters leave. */
export function applyFilters(
  expression: string,
  { tag, language, include = [], exclude = [] }: ListFilters,
): string {
  const wanted = [
    ...(tag === undefined ? [] : [getTagTerm(tag)]),
    ...(language === undefined ? [] : [getLanguageTerm(language)]),
    ...include.map(getTagTerm),
  ];
  const all = [`(${expression})`, ...wanted].join(' AND ');
  return exclude.length === 0 ? all : `(${all}) NOT (${exclude.map(getTagTerm).join(' OR ')})`;
}
