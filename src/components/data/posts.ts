import { getCollection, type CollectionEntry } from 'astro:content';
import { DEFAULT_LANGUAGE, LANGUAGES, type Language } from '../../config/languages.ts';
import { compareByDate, estimateReadingMinutes, type PostSummary } from './post-rules.ts';

export interface Post extends PostSummary {
  /** The language it is written in: the reader's, or English. */
  lang: Language;
  title: string;
  description: string;
  /** When its words last changed; null when they never did. */
  updated: Date | null;
  /** Whole minutes that reading it takes. */
  minutes: number;
  entry: CollectionEntry<'blog'>;
}

/** Posts in the blog's list; older ones are reached from post to post. */
export const MAX_LISTED_POSTS = 100;
/** Posts in a feed: what a reader who was away for a season wants to see. */
export const MAX_FEED_POSTS = 30;

function toPost(entry: CollectionEntry<'blog'>): Post | null {
  const [languageCode, slug] = entry.id.split('/');
  const lang = LANGUAGES.find((code) => code === languageCode);
  if (lang === undefined || slug === undefined) return null;
  const { title, description, published, updated, tags } = entry.data;
  const minutes = estimateReadingMinutes(entry.body ?? '', lang);
  return { slug, lang, title, description, published, updated: updated ?? null, tags, minutes, entry };
}

/** Every post in every language that it is written in. */
export async function listAllPosts(): Promise<Post[]> {
  const entries = await getCollection('blog');
  return entries.map(toPost).filter((post) => post !== null);
}

/** Every post in a language, newest first; those not translated yet come in English. */
export async function listPosts(lang: Language): Promise<Post[]> {
  const posts = new Map<string, Post>();
  const written = await listAllPosts();
  for (const wanted of [DEFAULT_LANGUAGE, lang]) {
    for (const post of written) if (post.lang === wanted) posts.set(post.slug, post);
  }
  return [...posts.values()].toSorted(compareByDate);
}
