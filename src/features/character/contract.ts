import { z } from 'zod';
import { CARD, TAGS } from './limits.ts';
import { TEXT_LIMITS } from '../../config/text-limits.ts';
import { isId } from '../../lib/ids.ts';
import { modelType } from '../model/contract.ts';
import { pictureId } from '../picture/contract.ts';
import { createNameSchema, createVisibleTextSchema, createTextSchema } from '../../lib/text-schemas.ts';
import {
  CHARACTER_TEXTS,
  isNoteLanguage,
  isSuggestedReply,
  MAX_ALTERNATE_GREETINGS,
  MAX_SUGGESTED_REPLIES,
  REPORT_REASONS,
} from './character-rules.ts';
import { lorebook } from './lorebook/lorebook-contract.ts';

export const tag = z.enum(TAGS);
export const pointOfView = z.enum(['normal', 'multiPeople', 'rpg', 'reverse']);
export const visibility = z.enum(['public', 'unlisted', 'private']);
export type PointOfView = z.infer<typeof pointOfView>;

/** Orders of the catalogue. */
export const characterSort = z.enum(['popular', 'new', 'trending']);

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
  /** Whether a model wrote it. */
  summary_generated: z.boolean(),
  character_traits: z.string(),
  first_message: z.string(),
  model_type: modelType,
  visibility,
  point_of_view: pointOfView,
  suggested_replies: z.array(z.string()),
  created_at: z.string(),
});
export type CharacterDetail = z.infer<typeof characterDetail>;

const tooLong = (what: string, max: number) => `${what} must not exceed ${max} characters`;

/** What the form asks for, field by field. */
const fields = {
  /** A picture that was brought to /api/uploads/avatar by the caller. */
  avatar_id: pictureId,
  name: createNameSchema(CHARACTER_TEXTS.name.max, {
    missing: 'Name is required',
    tooLong: tooLong('Name', CHARACTER_TEXTS.name.max),
  }),
  oneliner: createVisibleTextSchema(
    CHARACTER_TEXTS.oneliner.max,
    'Tagline is required',
    tooLong('Tagline', CHARACTER_TEXTS.oneliner.max),
  ),
  character_traits: createVisibleTextSchema(
    CHARACTER_TEXTS.character_traits.max,
    'Traits are required',
    tooLong('Traits', CHARACTER_TEXTS.character_traits.max),
  ),
  first_message: createTextSchema(
    CHARACTER_TEXTS.first_message.max,
    tooLong('First message', CHARACTER_TEXTS.first_message.max),
  ),
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
  /** First messages that a conversation may begin with instead; macros as in any card. */
  alternate_greetings: z
    .array(createVisibleTextSchema(CHARACTER_TEXTS.first_message.max, 'Write something first'))
    .max(MAX_ALTERNATE_GREETINGS),
};

/** What a character has beside the form's first fields, most often out of a card; null: nothing. */
const extraFields = {
  /** Stands for `{{char}}` where the name is too long to be spoken. */
  nickname: createNameSchema(CARD.maxNicknameChars, {
    missing: 'Write something first',
    tooLong: tooLong('Nickname', CARD.maxNicknameChars),
  }).nullable(),
  /** What its maker tells other people about it, by language (`en`, `pt-BR`). */
  creator_notes: z
    .record(
      z.string().refine(isNoteLanguage, 'Not a language'),
      createVisibleTextSchema(
        CARD.maxNoteChars,
        'Write something first',
        tooLong('A note', CARD.maxNoteChars),
      ),
    )
    .refine((notes) => Object.keys(notes).length <= CARD.maxNoteLanguages, 'Notes in too many languages')
    .nullable(),
  lorebook: lorebook.nullable(),
};

export const characterExtras = z.object({
  nickname: z.string().nullable(),
  creator_notes: z.record(z.string(), z.string()).nullable(),
  lorebook: lorebook.nullable(),
});
export type ExtrasView = z.infer<typeof characterExtras>;

export const createCharacterBody = z.strictObject({
  ...fields,
  /** Left out, these come from the card that is named, if one is. */
  ...z.object(extraFields).partial().shape,
  first_message: fields.first_message.default(''),
  point_of_view: pointOfView.default('normal'),
  nsfw_allowed: fields.nsfw_allowed.default(false),
  suggested_replies: fields.suggested_replies.default([]),
  tags: fields.tags.default([]),
  alternate_greetings: fields.alternate_greetings.default([]),
  /** Ties the original of a card that was brought to it. */
  import_id: z.string().refine(isId, 'Not an id').optional(),
});
export type CreateCharacterBody = z.input<typeof createCharacterBody>;
export type NewCharacter = z.output<typeof createCharacterBody>;

/** So that a creation whose answer was lost can be asked for again. */
export const creationHeaders = z.object({
  'idempotency-key': z
    .string()
    .regex(/^[A-Za-z0-9_-]{8,64}$/, 'A key has 8 to 64 letters, digits, hyphens or underscores')
    .optional(),
});

/** What a character's maker may change of it. */
export const characterChange = z
  .strictObject({ ...fields, ...extraFields })
  .partial()
  .refine((change) => Object.keys(change).length > 0, 'Nothing is to be changed');
export type CharacterChange = z.infer<typeof characterChange>;

/** What moderation made of a character: `hidden` until somebody has looked, `removed` for good. */
export const moderationState = z.enum(['shown', 'hidden', 'removed']);

/** A character as its maker has it, in the creator center and in the form. */
export const ownCharacter = characterDetail.extend({
  avatar_id: z.string(),
  alternate_greetings: z.array(z.string()),
  /** Absent in lists: a lorebook may be large. */
  extras: characterExtras.optional(),
  looks_sexual: z
    .boolean()
    .optional()
    .describe(
      'whether its texts are sexual though it is not for adults, as the classifier reads them; absent in lists',
    ),
  moderation: moderationState,
  version: z.number().int(),
  updated_at: z.string(),
  /** Since when it lies in the trash; absent while it does not. */
  deleted_at: z.string().optional(),
});
export type OwnCharacter = z.infer<typeof ownCharacter>;

export const creatorQuery = z.object({
  cursor: z.string().max(200).optional(),
  limit: z.coerce.number().int().min(1).max(100).default(24),
});

export const ownCharactersQuery = creatorQuery.extend({
  /** `true`: what lies in the trash, instead of what does not. */
  deleted: z.enum(['true', 'false']).default('false'),
});

export const ownCharacterList = z.object({
  items: z.array(ownCharacter),
  next_cursor: z.string().nullable(),
  /** How many there are in all, the trash left out. */
  count: z.number().int(),
});
export type OwnCharacterList = z.infer<typeof ownCharacterList>;

/** A creator as everybody may know them: their name and picture, and what is public of theirs. */
export const creatorProfile = z.object({
  id: z.string(),
  name: z.string(),
  avatar_url: z.string().nullable(),
  character_count: z.number().int(),
  chat_count: z.number().int(),
  more_than_counted: z.boolean().describe('There are more characters than are counted: the newest are'),
  joined_at: z.string(),
  characters: z.object({ items: z.array(characterCard), next_cursor: z.string().nullable() }),
});
export type CreatorProfile = z.infer<typeof creatorProfile>;

/** Why a character is reported (SPEC section 9). */
export const reportReason = z.enum(REPORT_REASONS);
export type ReportReason = z.infer<typeof reportReason>;

export const reportBody = z.strictObject({
  reason: reportReason,
  details: createTextSchema(
    TEXT_LIMITS.reportDetails,
    tooLong('Report details', TEXT_LIMITS.reportDetails),
  ).default(''),
});
export type ReportBody = z.input<typeof reportBody>;

export const reportResponse = z.object({ id: z.string() });

export const characterList = z.object({
  items: z.array(characterCard),
  next_cursor: z.string().nullable(),
});
export type CharacterList = z.infer<typeof characterList>;

/** A page of somebody's own lists. Each is put together of several reads: short pages keep them few. */
export const savedListsQuery = z.object({
  cursor: z.string().max(200).optional(),
  limit: z.coerce.number().int().min(1).max(48).default(24),
});

/** Whether a character is among one's favourites. */
export const favouriteState = z.object({ favourite: z.boolean() });
/** Whether one follows a creator. */
export const followState = z.object({ following: z.boolean() });

/** A creator whom one follows. */
export const followedCreator = z.object({
  id: z.string(),
  name: z.string(),
  avatar_url: z.string().nullable(),
});
export type FollowedCreator = z.infer<typeof followedCreator>;

export const followedCreatorList = z.object({
  items: z.array(followedCreator),
  next_cursor: z.string().nullable(),
});
export type FollowedCreatorList = z.infer<typeof followedCreatorList>;

/** What somebody does not want to see in lists, the latest first. */
export const hiddenList = z.object({
  tags: z.array(z.string()),
  creators: z.array(z.object({ id: z.string(), name: z.string() })),
});
export type HiddenList = z.infer<typeof hiddenList>;
