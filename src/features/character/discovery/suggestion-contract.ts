import { z } from 'zod';
import { LANGUAGES } from '../../../config/languages.ts';
import { characterCard } from '../contract.ts';
import { FOR_YOU } from '../limits.ts';

export const forYouQuery = z.object({
  language: z.enum(LANGUAGES).optional().describe('Language of the page; by default that of the request'),
  limit: z.coerce.number().int().min(1).max(FOR_YOU.maxItems).default(FOR_YOU.defaultItems),
});

const namedCharacter = z.object({ id: z.string(), name: z.string() });

/** Why a character is suggested to a user. */
const suggestionReason = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('tag').describe('It shares a tag with a character that the user chose'),
    tag: z.string(),
    because: z.enum(['liked', 'favourite', 'chatted']).describe('How the user chose that character'),
    character: namedCharacter,
  }),
  z.object({
    kind: z.literal('creator'),
    character: namedCharacter
      .nullable()
      .describe('A character of the same creator that the user chose; null if they follow the creator'),
  }),
  z.object({
    kind: z.literal('popular'),
    language: z.string().nullable().describe('In which of the user’s languages; null for any other'),
  }),
]);
export type SuggestionReason = z.infer<typeof suggestionReason>;

/** Characters that are suggested to a user, best first. */
export const suggestionList = z.object({
  personal: z.boolean().describe('False if the user switched personal suggestions off'),
  items: z.array(z.object({ character: characterCard, reason: suggestionReason })),
});
export type SuggestionList = z.infer<typeof suggestionList>;
export type Suggestion = SuggestionList['items'][number];
