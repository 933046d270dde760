import { POST_TAGS, type PostTag } from './post-tags.ts';

/** Rules about blog posts, independent of files and clocks: tags, reading time and related posts. */

/** The parts of a post that these rules need. */
export interface PostSummary {
  slug: string;
  tags: readonly PostTag[];
  published: Date;
}

/** Typical silent reading speed for such texts. */
const WORDS_PER_MINUTE = 220;
/** Scripts without spaces are counted in characters. */
const CHARACTERS_PER_MINUTE: Partial<Record<string, number>> = { ja: 500, zh: 400 };

const UNSPACED_CHARACTER = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu;
const WORD = /[\p{L}\p{N}][\p{L}\p{M}\p{N}'’-]*/gu;
/** Link targets, which are not read. */
const LINK_TARGET = /\]\([^)\s]*\)/g;

const countMatches = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;

/**
 * Reading time of a text in whole minutes, at least 1.
 * @param markdown the text without its front matter
 * @param lang language of the text, as a code of LANGUAGES
 */
export function estimateReadingMinutes(markdown: string, lang: string): number {
  const text = markdown.replaceAll(LINK_TARGET, ']');
  const perMinute = CHARACTERS_PER_MINUTE[lang];
  const minutes =
    perMinute === undefined
      ? countMatches(text, WORD) / WORDS_PER_MINUTE
      : countMatches(text, UNSPACED_CHARACTER) / perMinute +
        countMatches(text.replaceAll(UNSPACED_CHARACTER, ' '), WORD) / WORDS_PER_MINUTE;
  return Math.max(1, Math.round(minutes));
}

/** The tag with this name, or null. */
export function findPostTag(name: string | null): PostTag | null {
  return POST_TAGS.find((tag) => tag === name) ?? null;
}

/** Sorts newest first, then by slug, so that the order is the same everywhere. */
export function compareByDate(a: PostSummary, b: PostSummary): number {
  return b.published.getTime() - a.published.getTime() || a.slug.localeCompare(b.slug);
}

/** Up to `limit` other posts: most shared tags first, then newest. */
export function findRelatedPosts<P extends PostSummary>(post: P, all: readonly P[], limit: number): P[] {
  const countSharedTags = (other: P): number => other.tags.filter((tag) => post.tags.includes(tag)).length;
  return all
    .filter(({ slug }) => slug !== post.slug)
    .toSorted((a, b) => countSharedTags(b) - countSharedTags(a) || compareByDate(a, b))
    .slice(0, limit);
}

/** The posts published before and after a post; null at the ends. `all` may be in any order. */
export function getAdjacentPosts<P extends PostSummary>(
  post: P,
  all: readonly P[],
): { previous: P | null; next: P | null } {
  const sorted = all.toSorted(compareByDate);
  const index = sorted.findIndex(({ slug }) => slug === post.slug);
  if (index === -1) return { previous: null, next: null };
  return { previous: sorted[index + 1] ?? null, next: sorted[index - 1] ?? null };
}
