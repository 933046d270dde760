import { getCollection, type CollectionEntry } from 'astro:content';
import { DEFAULT_LANGUAGE, type Language } from '../../config.ts';

export interface Post {
  slug: string;
  /** The language it is written in: the reader's, or English. */
  lang: Language;
  entry: CollectionEntry<'blog'>;
}

/** Most people read this many words of such a text in a minute. */
const WORDS_A_MINUTE = 220;

/** Every post in a language, newest first; those not translated yet come in English. */
export async function postsIn(lang: Language): Promise<Post[]> {
  const posts = new Map<string, Post>();
  const entries = await getCollection('blog');
  for (const wanted of [DEFAULT_LANGUAGE, lang]) {
    for (const entry of entries) {
      const [written, slug] = entry.id.split('/');
      if (written === wanted && slug !== undefined) posts.set(slug, { slug, lang: wanted, entry });
    }
  }
  return [...posts.values()].toSorted(
    (a, b) => b.entry.data.published.getTime() - a.entry.data.published.getTime(),
  );
}

/** Whole minutes that reading a post takes. */
export function minutesToRead(post: Post): number {
  const words = post.entry.body?.split(/\s+/).length ?? 0;
  return Math.max(1, Math.round(words / WORDS_A_MINUTE));
}
