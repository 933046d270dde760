import { glob } from 'astro/loaders';
import { z } from 'astro/zod';
import { defineCollection } from 'astro:content';
import { POST_TAGS } from './components/data/post-tags.ts';

/** Blog posts: `src/content/blog/<lang>/<slug>.md`. A missing translation falls back to English. */
const blog = defineCollection({
  loader: glob({ pattern: '*/*.md', base: './src/content/blog' }),
  schema: z.object({
    title: z.string().max(80),
    /** One or two sentences for lists and search engines. */
    description: z.string().max(200),
    published: z.coerce.date(),
    /** Set only for a change that readers should notice. */
    updated: z.coerce.date().optional(),
    tags: z.array(z.enum(POST_TAGS)).min(1).max(3),
  }),
});

export const collections = { blog };
