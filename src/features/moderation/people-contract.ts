import { z } from 'zod';
import { createVisibleTextSchema } from '../../lib/text-schemas.ts';

export const peopleQuery = z.object({
  q: createVisibleTextSchema(254, 'Enter an email address, a username or an id').describe(
    'A whole email address, the beginning of an account’s username, or a whole id',
  ),
});

/** A found user, with nothing that is not public. */
export const foundPerson = z.object({
  id: z.string(),
  name: z.string(),
  is_anonymous: z.boolean(),
  suspended_at: z.string().nullable(),
  created_at: z.string(),
});
export type FoundPerson = z.infer<typeof foundPerson>;

export const foundPeople = z.object({
  items: z.array(foundPerson),
  more: z.boolean().describe('Whether more users were found than are listed'),
});
export type FoundPeople = z.infer<typeof foundPeople>;

export const featuredBody = z.strictObject({ featured: z.boolean() });
export const featuredState = z.object({ id: z.string(), featured: z.boolean() });

/** The public characters that are featured. */
export const featuredCharacters = z.object({
  items: z.array(z.object({ id: z.string(), name: z.string(), creator_name: z.string() })),
});
export type FeaturedCharacters = z.infer<typeof featuredCharacters>;
