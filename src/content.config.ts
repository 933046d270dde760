import { glob } from 'astro/loaders';
import { z } from 'astro/zod';
import { defineCollection } from 'astro:content';

/** Posts: one file a language and slug, `src/content/blog/<lang>/<slug>.md`; English stands in for what is missing. */
const blog = defineCollection({
  loader: glob({ pattern: '*/*.md', base: './src/content/blog' }),
  schema: z.object({
    title: z.string().max(80),
    /** One or two sentences for lists and search engines. */
    description: z.string().max(200),
    published: z.coerce.date(),
  }),
});

export const collections = { blog };
