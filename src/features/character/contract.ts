import { z } from 'zod';
import { isFreeTag, listDistinctFreeTags, normalizeFreeTag } from './free-tags.ts';
import { CARD, FREE_TAGS, TAGS } from './limits.ts';
import { LANGUAGES } from '../../config/languages.ts';
import { TEXT_LIMITS } from '../../config/text-limits.ts';
import { isId } from '../../lib/ids.ts';
import { hasVisibleText } from '../../lib/sanitize-text.ts';
import { modelType } from '../model/contract.ts';
import { pictureId } from '../picture/contract.ts';
import {
  createNameSchema,
  createVisibleTextSchema,
  createTextSchema,
  importKey,
} from '../../lib/text-schemas.ts';
import {
  CHARACTER_TEXTS,
  isSuggestedReply,
  MAX_ALTERNATE_GREETINGS,
  MAX_SUGGESTED_REPLIES,
} from './character-rules.ts';
import { hasPromptPart, mapParts, MAX_PART_CHARS } from './definition-parts.ts';
import { lorebook } from './lorebook/lorebook-contract.ts';
import { replyStyle, replyStyleInput } from '../reply-style/contract.ts';

export const tag = z.enum(TAGS);
export const pointOfView = z.enum(['normal', 'multiPeople', 'rpg', 'reverse']);
export const visibility = z.enum(['public', 'unlisted', 'private']);
export type PointOfView = z.infer<typeof pointOfView>;

/** Sort orders of the catalogue. */
export const characterSort = z.enum(['popular', 'liked', 'new', 'trending']);

/** Tags of both kinds, with commas between them, as a filter names them. */
const filterTags = z
  .string()
  .max(1000)
  .transform((text) => [...new Set(text.split(',').map(normalizeFreeTag).filter(isFreeTag))])
  .refine((tags) => tags.length <= FREE_TAGS.maxFilterTags, `At most ${FREE_TAGS.maxFilterTags} tags`);

export const listCharactersQuery = z.object({
  tag: tag.optional(),
  language: z.enum(LANGUAGES).optional().describe('Only characters whose texts are in this language'),
  include: filterTags
    .optional()
    .describe('Only characters with all of these tags and free tags, with commas'),
  exclude: filterTags.optional().describe('No characters with any of these tags and free tags, with commas'),
  q: z.string().trim().max(TEXT_LIMITS.searchQuery).optional(),
  sort: characterSort.default('popular'),
  cursor: z.string().max(200).optional(),
  limit: z.coerce.number().int().min(1).max(100).default(24),
});
export type ListCharactersQuery = z.infer<typeof listCharactersQuery>;

const staff = z
  .literal(true)
  .optional()
  .describe(
    'The account belongs to the site’s staff; only where one person’s page is shown, not in lists of characters',
  );

/** A character as lists and cards show it. */
export const characterCard = z.object({
  id: z.string(),
  name: z.string(),
  oneliner: z.string(),
  avatar_url: z.string(),
  tags: z.array(z.string()),
  chat_count: z.number().int(),
  likes: z.number().int().describe('Accounts that like it'),
  featured: z.boolean(),
  nsfw_allowed: z.boolean(),
  /** Language of its texts; null when unknown. */
  language: z.string().nullable(),
  creator: z.object({ id: z.string(), name: z.string(), staff }),
});
export type CharacterCard = z.infer<typeof characterCard>;

/** The labelled parts behind the traits, as the creator reads and writes them. */
export const definition = z.object(mapParts(() => z.object({ text: z.string(), shared: z.boolean() })));

/** The parts that the creator lets other accounts read. */
export const sharedDefinition = z.object({ definition: definition.partial() });

/** A character as its own page and the chat show it. */
export const characterDetail = characterCard.extend({
  summary: z.string().nullable(),
  /** Whether a model wrote it. */
  summary_generated: z.boolean(),
  about: z.string().describe('Its creator’s text for readers, as Markdown; empty for none'),
  character_traits: z.string(),
  first_message: z.string(),
  model_type: modelType,
  visibility,
  point_of_view: pointOfView,
  suggested_replies: z.array(z.string()),
  /** Tags that its creator wrote, in lower case. */
  free_tags: z.array(z.string()),
  created_at: z.string(),
  definition: definition.optional().describe('Only in the answers to its creator'),
});
export type CharacterDetail = z.infer<typeof characterDetail>;

const tooLong = (what: string, max: number) => `${what} can have up to ${max} characters`;

/** Fields of the character form. */
const fields = {
  /** A picture that the caller has uploaded to /api/uploads/avatar. */
  avatar_id: pictureId,
  name: createNameSchema(CHARACTER_TEXTS.name.max, {
    missing: 'Name is required',
    tooLong: tooLong('The name', CHARACTER_TEXTS.name.max),
  }),
  oneliner: createVisibleTextSchema(
    CHARACTER_TEXTS.oneliner.max,
    'Tagline is required',
    tooLong('The tagline', CHARACTER_TEXTS.oneliner.max),
  ),
  character_traits: createTextSchema(
    CHARACTER_TEXTS.character_traits.max,
    tooLong('The traits', CHARACTER_TEXTS.character_traits.max),
  ),
  first_message: createTextSchema(
    CHARACTER_TEXTS.first_message.max,
    tooLong('The first message', CHARACTER_TEXTS.first_message.max),
  ),
  about: createTextSchema(CHARACTER_TEXTS.about.max, tooLong('“About”', CHARACTER_TEXTS.about.max)),
  model_type: modelType,
  visibility,
  point_of_view: pointOfView,
  nsfw_allowed: z.boolean(),
  suggested_replies: z
    .array(z.string().trim().refine(isSuggestedReply, 'A suggested reply has 3 to 5 words'))
    .max(MAX_SUGGESTED_REPLIES),
  tags: z
    .array(tag)
    .max(TAGS.length)
    .transform((tags) => [...new Set(tags)]),
  free_tags: z
    .array(
      z
        .string()
        .max(200)
        .transform(normalizeFreeTag)
        .refine(isFreeTag, `A tag has 1 to ${FREE_TAGS.maxChars} characters`),
    )
    .max(FREE_TAGS.maxPerCharacter)
    .transform(listDistinctFreeTags)
    .describe('Your own tags, stored in lower case; names of the five tags are left out'),
  /** Other first messages that a conversation may start with; macros as in any card. */
  alternate_greetings: z
    .array(createVisibleTextSchema(CHARACTER_TEXTS.first_message.max, 'Write something first'))
    .max(MAX_ALTERNATE_GREETINGS),
  language: z.enum(LANGUAGES),
};

const partText = createTextSchema(MAX_PART_CHARS, tooLong('Each part', MAX_PART_CHARS));

/** Changes of parts; a part or field that is left out stays as it is. */
const characterDefinitionChange = z
  .strictObject(mapParts(() => z.strictObject({ text: partText, shared: z.boolean() }).partial()))
  .partial();

/** Data in addition to the form's main fields, mostly from imported cards; null when there is none. */
const extraFields = {
  /** Replaces `{{char}}` where the name is too long for dialogue. */
  nickname: createNameSchema(CARD.maxNicknameChars, {
    missing: 'Write something first',
    tooLong: tooLong('The nickname', CARD.maxNicknameChars),
  }).nullable(),
  lorebook: lorebook.nullable(),
  definition: characterDefinitionChange,
  recommended_style: replyStyleInput
    .nullable()
    .describe('The reply style that new conversations start with; everyone who may chat can read it'),
};

export const characterExtras = z.object({
  nickname: z.string().nullable(),
  lorebook: lorebook.nullable(),
  recommended_style: replyStyle.nullable(),
});
export type ExtrasView = z.infer<typeof characterExtras>;

/** A part of the definition replaces the traits, and an imported card may have all its texts in a lorebook. */
const hasTraits = (body: {
  character_traits?: unknown;
  import_id?: unknown;
  definition?: unknown;
}): boolean =>
  (typeof body.character_traits === 'string' && hasVisibleText(body.character_traits)) ||
  body.import_id !== undefined ||
  hasPromptPart(characterDefinitionChange.safeParse(body.definition).data);

export const MISSING_TRAITS_MESSAGE = 'Traits are required';

/** The fields of a new character, each validated by itself. */
export const newCharacterFields = z.strictObject({
  ...fields,
  character_traits: fields.character_traits.default(''),
  language: fields.language.optional().describe('Detected from the texts if omitted'),
  /** If omitted, these come from the imported card, if there is one. */
  ...z.object(extraFields).partial().shape,
  first_message: fields.first_message.default(''),
  about: fields.about.default(''),
  point_of_view: pointOfView.default('normal'),
  nsfw_allowed: fields.nsfw_allowed.default(false),
  suggested_replies: fields.suggested_replies.default([]),
  tags: fields.tags.default([]),
  free_tags: fields.free_tags.default([]),
  alternate_greetings: fields.alternate_greetings.default([]),
  /** Links the original of an imported card to the character. */
  import_id: z.string().refine(isId, 'Not an id').optional(),
  import_key: importKey.optional(),
});

export const createCharacterBody = newCharacterFields.refine(hasTraits, {
  path: ['character_traits'],
  error: MISSING_TRAITS_MESSAGE,
  // Reports missing traits together with the problems of other fields.
  when: ({ value }) => typeof value === 'object' && value !== null,
});
export type CreateCharacterBody = z.input<typeof createCharacterBody>;
export type NewCharacter = z.output<typeof createCharacterBody>;

/** Lets the client repeat a creation whose response was lost. */
export const creationHeaders = z.object({
  'idempotency-key': z
    .string()
    .regex(/^[A-Za-z0-9_-]{8,64}$/, 'A key has 8 to 64 letters, digits, hyphens or underscores')
    .optional(),
});

/** What the creator may change. */
export const characterChange = z
  .strictObject({ ...fields, ...extraFields })
  .partial()
  .refine((change) => Object.keys(change).length > 0, 'There is nothing to change');
export type CharacterChange = z.infer<typeof characterChange>;

/** Moderation state of a character: `hidden` until it is reviewed, `removed` for good. */
export const moderationState = z.enum(['shown', 'hidden', 'removed']);

/** A character as its creator sees it, in the creator center and in the form. */
export const ownCharacter = characterDetail.extend({
  avatar_id: z.string(),
  alternate_greetings: z.array(z.string()),
  /** Absent in lists, because a lorebook may be large. */
  extras: characterExtras.optional(),
  looks_sexual: z
    .boolean()
    .optional()
    .describe(
      'Whether the classifier rates its texts as sexual although it is not marked as adult; absent in lists',
    ),
  moderation: moderationState,
  liked_count: z
    .number()
    .int()
    .describe('Replies that users rated as good; the creator’s own ratings do not count'),
  disliked_count: z.number().int().describe('The same, as bad'),
  fee_due: z
    .literal(true)
    .optional()
    .describe('Publishing it costs the points of creating a character: it was imported and always private'),
  version: z.number().int(),
  updated_at: z.string(),
  /** When it was moved to the trash; absent if it is not there. */
  deleted_at: z.string().optional(),
});
export type OwnCharacter = z.infer<typeof ownCharacter>;

export const creatorQuery = z.object({
  cursor: z.string().max(200).optional(),
  limit: z.coerce.number().int().min(1).max(100).default(24),
});

export const ownCharactersQuery = creatorQuery.extend({
  /** `true` lists the characters in the trash instead of the others. */
  deleted: z.enum(['true', 'false']).default('false'),
});

export const ownCharacterList = z.object({
  items: z.array(ownCharacter),
  next_cursor: z.string().nullable(),
  /** The number of all characters, without the trash. */
  count: z.number().int(),
});
export type OwnCharacterList = z.infer<typeof ownCharacterList>;

/** The public profile of a creator: name, picture, and public characters. */
export const creatorProfile = z.object({
  id: z.string(),
  name: z.string(),
  staff,
  avatar_url: z.string().nullable(),
  character_count: z.number().int(),
  chat_count: z.number().int(),
  more_than_counted: z
    .boolean()
    .describe('Whether there are more characters than the counts include; only the newest are counted'),
  joined_at: z.string(),
  characters: z.object({ items: z.array(characterCard), next_cursor: z.string().nullable() }),
});
export type CreatorProfile = z.infer<typeof creatorProfile>;

export const characterList = z.object({
  items: z.array(characterCard),
  next_cursor: z.string().nullable(),
  similar: z
    .literal(true)
    .optional()
    .describe('The search found nothing; these have words that are spelled nearly like its words'),
});
export type CharacterList = z.infer<typeof characterList>;

/** What is new about a user's favourites and the creators they follow, newest first. */
export const newsList = z.object({
  items: z.array(
    z.object({
      kind: z
        .enum(['new_character', 'changed_favourite'])
        .describe('The newest character of a followed creator, or a new version of a favourite'),
      at: z.string(),
      character: characterCard,
    }),
  ),
});
export type NewsList = z.infer<typeof newsList>;
export type NewsItem = NewsList['items'][number];

export const suggestionsQuery = z.object({ q: z.string().trim().min(1).max(TEXT_LIMITS.searchQuery) });

/** What a search that is being typed may mean. */
export const searchSuggestions = z.object({
  characters: z.array(characterCard.pick({ id: true, name: true, avatar_url: true, language: true })),
  free_tags: z.array(z.string()).describe('Listed tags that begin with the text'),
});
export type SearchSuggestions = z.infer<typeof searchSuggestions>;

/** A page of a user's own lists. Each page takes several reads, so short pages keep them few. */
export const savedListsQuery = z.object({
  cursor: z.string().max(200).optional(),
  limit: z.coerce.number().int().min(1).max(48).default(24),
});

/** Whether a character is one of the user's favourites. */
export const favouriteState = z.object({ favourite: z.boolean() });
/** Whether the user likes a character, and how many accounts do. */
export const likeState = z.object({ liked: z.boolean(), likes: z.number().int() });
export type LikeState = z.infer<typeof likeState>;
/** Whether the user follows a creator. */
export const followState = z.object({ following: z.boolean() });

/** A creator whom the user follows. */
export const followedCreator = z.object({
  id: z.string(),
  name: z.string(),
  staff,
  avatar_url: z.string().nullable(),
});
export type FollowedCreator = z.infer<typeof followedCreator>;

export const followedCreatorList = z.object({
  items: z.array(followedCreator),
  next_cursor: z.string().nullable(),
});
export type FollowedCreatorList = z.infer<typeof followedCreatorList>;

/** Tags and creators that the user hides from lists, latest first. */
export const hiddenList = z.object({
  tags: z.array(z.string()),
  creators: z.array(z.object({ id: z.string(), name: z.string() })),
});
export type HiddenList = z.infer<typeof hiddenList>;
