import { z } from 'zod';
import { TAGS, TEXT_LIMITS } from '../../config.ts';

export const tag = z.enum(TAGS);
export const modelType = z.enum(['roleplay', 'chatgpt']);
export const pointOfView = z.enum(['normal', 'multiPeople', 'rpg', 'reverse']);
export const visibility = z.enum(['public', 'unlisted', 'private']);
export type PointOfView = z.infer<typeof pointOfView>;
export type ModelType = z.infer<typeof modelType>;

/** Orders of the catalogue. */
export const characterSort = z.enum(['popular', 'new', 'trending']);
export type CharacterSort = z.infer<typeof characterSort>;

export const listCharactersQuery = z.object({
  tag: tag.optional(),
  q: z.string().trim().max(TEXT_LIMITS.searchQuery).optional(),
  sort: characterSort.default('popular'),
  cursor: z.string().max(200).optional(),
  limit: z.coerce.number().int().min(1).max(100).default(24),
});
export type ListCharactersQuery = z.infer<typeof listCharactersQuery>;

/** A character as lists and cards show it. */
export const characterCard = z.object({
  id: z.string(),
  name: z.string(),
  oneliner: z.string(),
  avatar_url: z.string(),
  tags: z.array(z.string()),
  chat_count: z.number().int(),
  featured: z.boolean(),
  nsfw_allowed: z.boolean(),
  creator: z.object({ id: z.string(), name: z.string() }),
});
export type CharacterCard = z.infer<typeof characterCard>;

/** A character as its own page and the chat show it. */
export const characterDetail = characterCard.extend({
  summary: z.string().nullable(),
  character_traits: z.string(),
  first_message: z.string(),
  model_type: modelType,
  visibility,
  point_of_view: pointOfView,
  suggested_replies: z.array(z.string()),
  created_at: z.string(),
});
export type CharacterDetail = z.infer<typeof characterDetail>;

export const characterList = z.object({
  items: z.array(characterCard),
  next_cursor: z.string().nullable(),
});
export type CharacterList = z.infer<typeof characterList>;
