import { z } from 'zod';
import { TEXT_LIMITS } from '../../config/text-limits.ts';
import { MAX_ALTERNATE_GREETINGS } from '../character/character-rules.ts';
import { modelChoice } from '../model/contract.ts';
import { createNameSchema, createVisibleTextSchema } from '../../lib/text-schemas.ts';
import { pointsStatus } from '../wallet/contract.ts';
import { messageSafety } from './moderation/safety-contract.ts';

/** Made by the client, so that retrying a send is safe. */
export const clientMessageId = z
  .string()
  .min(8)
  .max(64)
  .regex(/^[A-Za-z0-9_-]+$/, 'Letters, digits, - and _ only');

export const createConversationBody = z.strictObject({
  character_id: z.string().min(1).max(64),
  persona_id: z
    .string()
    .max(64)
    .regex(/^[A-Za-z0-9_-]+$/, 'Not an id')
    .optional(),
  /** `home`: goes on from the lines that the home page shows of its character, in the caller's language. */
  scene: z.literal('home').optional(),
  /** What it begins with: 0 is the character's first message, n its n-th alternate greeting. Of no meaning with a scene. */
  greeting: z.number().int().min(0).max(MAX_ALTERNATE_GREETINGS).optional(),
});

export const chooseGreetingBody = z.strictObject({
  index: z.number().int().min(0).max(MAX_ALTERNATE_GREETINGS),
});

/** The version of its character that a conversation is to go by from now on: the newest. */
export const updateCharacterVersionBody = z.strictObject({ version: z.number().int().min(1) });

/** What a message says, when a person writes it. */
const content = createVisibleTextSchema(TEXT_LIMITS.message, 'Write something first');

export const sendMessageBody = z.strictObject({
  content,
  client_message_id: clientMessageId,
  model: modelChoice.optional(),
});

export const regenerateBody = z.strictObject({
  client_message_id: clientMessageId,
  model: modelChoice.optional(),
});

export const renameConversationBody = z.strictObject({
  title: createNameSchema(TEXT_LIMITS.title, { missing: 'A title needs at least one character' }),
});

export const editMessageBody = z.strictObject({ content });

export const continueBody = z.strictObject({
  client_message_id: clientMessageId,
  model: modelChoice.optional(),
});

export const answerBody = continueBody;

/** Asks the model for something that is not a message: suggested replies, a draft. Repeating an id costs nothing. */
export const assistBody = continueBody;

export const forkBody = z.strictObject({
  /** Made by the client, so that repeating is safe: the same id again gives the same conversation. */
  client_conversation_id: clientMessageId.optional(),
});

export const selectVersionBody = z.strictObject({ version_id: z.string().min(1).max(64) });

export const choosePersonaBody = z.strictObject({
  persona_id: z
    .string()
    .max(64)
    .regex(/^[A-Za-z0-9_-]+$/, 'Not an id')
    .nullable(),
});

/** Without `forever`, a conversation goes to the trash first. */
export const deleteConversationQuery = z.object({ forever: z.enum(['true', 'false']).optional() });

/** At most one of the three places; without any, the newest page. */
export const historyQuery = z.object({
  /** The page of older messages, from a page's `next_cursor`. */
  before: z.string().max(64).optional(),
  /** The page of newer messages, from a page's `later_cursor`. */
  after: z.string().max(64).optional(),
  /** The page in whose middle this message stands. */
  around: z.string().max(64).optional(),
  limit: z.coerce.number().int().min(1).max(100).default(50),
});

export const pageQuery = z.object({
  cursor: z.string().max(64).optional(),
  limit: z.coerce.number().int().min(1).max(100).default(50),
});

export const messageStatus = z.enum(['complete', 'streaming', 'interrupted', 'failed']);
export type MessageStatus = z.infer<typeof messageStatus>;

export const messageVersion = z.object({
  id: z.string(),
  content: z.string(),
  model: z.string().nullable().describe('null for texts that no model wrote'),
  created_at: z.string(),
  edited: z.boolean().describe('a person wrote it over another version'),
});
export type MessageVersion = z.infer<typeof messageVersion>;

export const message = z.object({
  id: z.string(),
  role: z.enum(['user', 'character']),
  /** Who said it, as they were called then; absent when that is the name of today. */
  name: z.string().optional(),
  content: z.string(),
  created_at: z.string(),
  /** Whether the version that shows was written over another one. */
  edited: z.boolean(),
  /** Always told to the model, however long ago it was. */
  pinned: z.boolean(),
  status: messageStatus,
  /** Why a failed or interrupted reply ended; absent otherwise. */
  error_code: z.string().optional(),
  /** The id that its sender made for it; absent from what a character says. */
  client_message_id: z.string().optional(),
  /** The notice that an AI answers stands before it: before the first message, and again as the conversation goes on. */
  notice: z.literal(true).optional(),
  /** That a message showed somebody in need of help, or that a rule ended a reply; absent otherwise. */
  safety: messageSafety.optional(),
  versions: z.array(messageVersion),
  selected_version_id: z.string(),
});
export type Message = z.infer<typeof message>;

/** What became of a conversation's character; anything but `shown`: nobody answers, and what was said stays. */
export const characterState = z.enum(['shown', 'hidden', 'removed', 'deleted', 'gone']);
export type CharacterState = z.infer<typeof characterState>;

export const conversation = z.object({
  id: z.string(),
  character_id: z.string(),
  character_name: z.string(),
  avatar_url: z.string(),
  title: z.string().nullable(),
  created_at: z.string(),
  last_message_time: z.string(),
  message_count: z.number().int(),
  suggested_replies: z.array(z.string()),
  /** Who the person is in this story; null for themself. */
  persona: z.object({ id: z.string(), name: z.string() }).nullable(),
  /** What the person is called in it now. */
  user_name: z.string(),
  /** What they are called in it without a persona. */
  own_name: z.string(),
  /** The first message that the model saw word for word in the latest turn; null when it saw all. */
  context_start_id: z.string().nullable(),
  /** Whether the character is for adults now; absent where it is gone. */
  nsfw_allowed: z.boolean().optional(),
  /** Whether the person made the character themself. */
  own_character: z.boolean().optional(),
  /** Whoever made the character is gone, and nobody answers any more. */
  character_gone: z.literal(true).optional(),
  /** What became of the character by now; absent where only the conversation itself was asked. */
  character_state: characterState.optional(),
  /** What `{{char}}` stands for, where that is not the character's name. */
  character_nickname: z.string().optional(),
  /** The version of its character that it goes by. */
  character_version: z.number().int(),
  /** A newer one that the person may take; absent where only the conversation itself was asked. */
  newer_version: z.number().int().nullable().optional(),
  /** Which first message it has, and those beside it; absent once it has begun, and where there is no choice. */
  greeting: z
    .object({
      at: z.number().int().describe('its place, from 1'),
      count: z.number().int(),
      before: z.number().int().nullable().describe('the index to choose it by'),
      after: z.number().int().nullable(),
    })
    .optional(),
});
export type Conversation = z.infer<typeof conversation>;

export const greetingChosen = z.object({ conversation, message });
export type GreetingChosen = z.infer<typeof greetingChosen>;

export const conversationPage = z.object({
  conversation,
  messages: z.array(message),
  next_cursor: z.string().nullable(),
  /** Leads to newer messages; null when these are the newest. */
  later_cursor: z.string().nullable(),
  /** As of when this is, to compare with what a socket says that opens later. */
  revision: z.string(),
});
export type ConversationPage = z.infer<typeof conversationPage>;

export const conversationCreated = z.object({
  conversation,
  messages: z.array(message),
  /** As in a page. */
  revision: z.string(),
});
export type ConversationCreated = z.infer<typeof conversationCreated>;

export const trashItem = z.object({
  id: z.string(),
  deleted_at: z.string(),
  expires_at: z.string(),
  message_count: z.number().int(),
  /** How what was deleted begins. */
  first_message: z.object({ role: z.enum(['user', 'character']), excerpt: z.string() }),
});
export type TrashItem = z.infer<typeof trashItem>;

export const trashList = z.object({ items: z.array(trashItem), next_cursor: z.string().nullable() });
export type TrashList = z.infer<typeof trashList>;

export const restoredMessages = z.object({ message_ids: z.array(z.string()) });

export const suggestions = z.object({ items: z.array(z.string()), points: pointsStatus });
export const draft = z.object({ draft: z.string(), points: pointsStatus });

export const conversationList = z.object({
  items: z.array(
    z.object({
      id: z.string(),
      title: z.string().nullable(),
      created_at: z.string(),
      last_message_time: z.string(),
      message_count: z.number().int(),
    }),
  ),
  next_cursor: z.string().nullable(),
});
export type ConversationList = z.infer<typeof conversationList>;

/** A chat in a list of one's chats. */
const chatRow = z.object({
  id: z.string(),
  /** What the person calls it; null while it has no name of its own. */
  title: z.string().nullable(),
  character_id: z.string(),
  character_name: z.string(),
  avatar_url: z.string(),
  message_count: z.number().int(),
});
export type ChatRow = z.infer<typeof chatRow>;

export const chatList = z.object({ chats: z.array(chatRow.extend({ last_message_time: z.string() })) });
export type ChatList = z.infer<typeof chatList>;

/** What lies in the trash, as in the list of one's chats, with when it goes for good. */
export const trashedChats = z.object({
  items: z.array(chatRow.extend({ deleted_at: z.string(), expires_at: z.string() })),
  next_cursor: z.string().nullable(),
});
export type TrashedChats = z.infer<typeof trashedChats>;

/** What another tab of the same conversation is told over its socket: to look, never what was said. */
export const liveEvent = z.discriminatedUnion('type', [
  z
    .object({ type: z.literal('opened'), revision: z.string() })
    .describe('the socket is open; what was fetched as of another revision may be out of date'),
  z
    .object({ type: z.literal('turn'), reply_id: z.string() })
    .describe('this reply is being written: rejoin its stream'),
  z
    .object({ type: z.literal('changed'), message_ids: z.array(z.string()) })
    .describe(
      'these messages changed, or were had back; none named: something at the end, or the conversation itself',
    ),
  z.object({ type: z.literal('gone') }).describe('the conversation was deleted'),
]);
export type LiveEvent = z.infer<typeof liveEvent>;

/**
 * What a follower of a turn receives, by the name in its `event:` line, each with an `id:` line that `Last-Event-ID`
 * understands.
 */
export const replyEvents = {
  accepted: z
    .object({
      user_message: message.optional(),
      reply: message,
      newest: z.boolean().optional().describe('whether the reply is the last message of all; absent: it is'),
    })
    .describe('what was sent is kept, and the reply begins'),
  delta: z.object({ text: z.string() }).describe('what to add to the reply’s end'),
  done: z
    .object({
      reply: message,
      points: pointsStatus.nullable(),
      context_start_id: z
        .string()
        .nullable()
        .optional()
        .describe('as in the conversation; absent from replays of turns that ended before'),
    })
    .describe('the reply is whole, and nothing follows'),
  error: z
    .object({ error: z.string(), code: z.string(), reply: message.optional() })
    .describe('the reply ended before it was whole, and nothing follows'),
  safety: messageSafety.describe(
    'of a crisis, right after what is accepted; of a refusal, right before the error that it explains',
  ),
};
export type ReplyEvent = {
  [Name in keyof typeof replyEvents]: { event: Name } & z.infer<(typeof replyEvents)[Name]>;
}[keyof typeof replyEvents];
