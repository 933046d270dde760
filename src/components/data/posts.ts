import { getCollection, type CollectionEntry } from 'astro:content';
import { DEFAULT_LANGUAGE, LANGUAGES, type Language } from '../../config/languages.ts';
import { byDate, minutesToRead, type PostFacts } from './post-rules.ts';

export interface Post extends PostFacts {
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
export const LISTED_POSTS = 100;
/** Posts in a feed: what a reader who was away for a season wants to see. */
export const FEED_POSTS = 30;

function toPost(entry: CollectionEntry<'blog'>): Post | null {
  const [written, slug] = entry.id.split('/');
  const lang = LANGUAGES.find((code) => code === written);
  if (lang === undefined || slug === undefined) return null;
  const { title, description, published, updated, tags } = entry.data;
  const minutes = minutesToRead(entry.body ?? '', lang);
  return { slug, lang, title, description, published, updated: updated ?? null, tags, minutes, entry };
}

/** Every post in every language that it is written in. */
export async function allPosts(): Promise<Post[]> {
  const entries = await getCollection('blog');
  return entries.map(toPost).filter((post) => post !== null);
}

/** Every post in a language, newest first; those not translated yet come in English. */
export async function postsIn(lang: Language): Promise<Post[]> {
  const posts = new Map<string, Post>();
  const written = await allPosts();
  for (const wanted of [DEFAULT_LANGUAGE, lang]) {
    for (const post of written) if (post.lang === wanted) posts.set(post.slug, post);
  }
  return [...posts.values()].toSorted(byDate);
}
