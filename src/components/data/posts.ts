import { getCollection, type CollectionEntry } from 'astro:content';
import { DEFAULT_LANGUAGE, LANGUAGES, type Language } from '../../config/languages.ts';
import { compareByDate, estimateReadingMinutes, type PostSummary } from './post-rules.ts';

export interface Post extends PostSummary {
  /** Language of the text: the reader's, or English. */
  lang: Language;
  title: string;
  description: string;
  /** Date of the last edit of the text; null for none. */
  updated: Date | null;
  /** Reading time in whole minutes. */
  minutes: number;
  entry: CollectionEntry<'blog'>;
}

/** Posts in the blog's list; older ones are linked from post to post. */
export const MAX_LISTED_POSTS = 100;
/** Posts in a feed. */
export const MAX_FEED_POSTS = 30;

function toPost(entry: CollectionEntry<'blog'>): Post | null {
  const [languageCode, slug] = entry.id.split('/');
  const lang = LANGUAGES.find((code) => code === languageCode);
  if (lang === undefined || slug === undefined) return null;
  const { title, description, published, updated, tags } = entry.data;
  const minutes = estimateReadingMinutes(entry.body ?? '', lang);
  return { slug, lang, title, description, published, updated: updated ?? null, tags, minutes, entry };
}

/** Posts are part of the build, so they are read once. */
let posts: readonly Post[] | null = null;

/** All posts in all of their languages. */
export async function listAllPosts(): Promise<readonly Post[]> {
  if (posts === null) {
    const entries = await getCollection('blog');
    posts = entries.map(toPost).filter((post) => post !== null);
  }
  return posts;
}

/** All posts for a language, newest first; untranslated ones in English. */
export async function listPosts(lang: Language): Promise<Post[]> {
  const posts = new Map<string, Post>();
  const written = await listAllPosts();
  for (const wanted of [DEFAULT_LANGUAGE, lang]) {
    for (const post of written) if (post.lang === wanted) posts.set(post.slug, post);
  }
  return [...posts.values()].toSorted(compareByDate);
}
