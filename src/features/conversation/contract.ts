import { z } from 'zod';
import { TEXT_LIMITS } from '../../config/text-limits.ts';
import { MAX_ALTERNATE_GREETINGS } from '../character/character-rules.ts';
import { createNameSchema } from '../../lib/text-schemas.ts';
import { pointsStatus } from '../wallet/contract.ts';
import { messageSafety } from './moderation/safety-contract.ts';
import { clientMessageId, continueBody, messageContent } from './turn/turn-contract.ts';

export const createConversationBody = z.strictObject({
  character_id: z.string().min(1).max(64),
  persona_id: z
    .string()
    .max(64)
    .regex(/^[A-Za-z0-9_-]+$/, 'Not an id')
    .optional(),
  /** `home`: starts with the lines that the home page shows of this character, in the caller's language. */
  scene: z.literal('home').optional(),
  /** Opening message: 0 is the character's first message, n its n-th alternate greeting. Ignored with a scene. */
  greeting: z.number().int().min(0).max(MAX_ALTERNATE_GREETINGS).optional(),
  reuse: z
    .boolean()
    .optional()
    .describe('Returns the newest suitable conversation in which the user has not written, if there is one'),
});

export const chooseGreetingBody = z.strictObject({
  index: z.number().int().min(0).max(MAX_ALTERNATE_GREETINGS),
});

/** The character version that the conversation uses from now on; only the newest is accepted. */
export const updateCharacterVersionBody = z.strictObject({ version: z.number().int().min(1) });

export const renameConversationBody = z.strictObject({
  title: createNameSchema(TEXT_LIMITS.title, { missing: 'A title needs at least one character' }),
});

export const editMessageBody = z.strictObject({ content: messageContent });

/** Asks the model for something that is not a message: suggested replies or a draft. Repeating an id is free. */
export const assistBody = continueBody;

export const forkBody = z.strictObject({
  /** Created by the client, so that repeating is safe: the same id returns the same conversation. */
  client_conversation_id: clientMessageId.optional(),
});

export const selectVersionBody = z.strictObject({ version_id: z.string().min(1).max(64) });

/** What a user thinks of a version of a reply. */
export const replyRating = z.enum(['up', 'down']);
export type ReplyRating = z.infer<typeof replyRating>;

export const rateReplyBody = z.strictObject({
  version_id: z.string().min(1).max(64),
  rating: replyRating.nullable().describe('Null takes the rating back'),
});

export const choosePersonaBody = z.strictObject({
  persona_id: z
    .string()
    .max(64)
    .regex(/^[A-Za-z0-9_-]+$/, 'Not an id')
    .nullable(),
});

/** Without `forever`, the conversation is moved to the trash. */
export const deleteConversationQuery = z.object({ forever: z.enum(['true', 'false']).optional() });

/** At most one of `before`, `after` and `around`; without any of them, the newest page. */
export const historyQuery = z.object({
  /** Returns the page of older messages; a page's `next_cursor`. */
  before: z.string().max(64).optional(),
  /** Returns the page of newer messages; a page's `later_cursor`. */
  after: z.string().max(64).optional(),
  /** Returns the page with this message in the middle. */
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
  model: z.string().nullable().describe('Null for text that no model wrote'),
  created_at: z.string(),
  edited: z.boolean().describe('Whether a user wrote it as an edit of another version'),
  regenerate_note: z
    .string()
    .optional()
    .describe('Instructions of the user for this version alone; absent when there were none'),
  rating: replyRating.optional().describe('What the user thinks of it; absent when they have not said'),
});
export type MessageVersion = z.infer<typeof messageVersion>;

export const message = z.object({
  id: z.string(),
  role: z.enum(['user', 'character']),
  /** Speaker's name at that time; absent when it equals the current name. */
  name: z.string().optional(),
  content: z.string(),
  created_at: z.string(),
  /** Whether the selected version is an edit of another one. */
  edited: z.boolean(),
  /** A pinned message is always included in the prompt, however old it is. */
  pinned: z.boolean(),
  status: messageStatus,
  /** Why a failed or interrupted reply ended; absent otherwise. */
  error_code: z.string().optional(),
  /** The model reached its limit at the end of the selected version, which can be continued. */
  length_reached: z.literal(true).optional(),
  /** The model thought before it wrote the selected version; `GET …/messages/:mid/thinking` has what. */
  has_thinking: z.literal(true).optional(),
  /** Absent from character messages. */
  client_message_id: z.string().optional(),
  /**
   * Show the notice that replies are written by an AI before this message: before the first one and at intervals after
   * it.
   */
  notice: z.literal(true).optional(),
  /** Set when the message showed that its author may need help, or when a safety rule ended the reply. */
  safety: messageSafety.optional(),
  versions: z.array(messageVersion),
  selected_version_id: z.string(),
});
export type Message = z.infer<typeof message>;

/** What a model thought before it wrote a version; never part of a prompt. */
export const thinking = z.object({ version_id: z.string(), text: z.string() });
export type Thinking = z.infer<typeof thinking>;

/** State of the conversation's character. In every state but `shown` no reply is written; the messages stay readable. */
export const characterState = z.enum(['shown', 'hidden', 'removed', 'deleted', 'gone']);
export type CharacterState = z.infer<typeof characterState>;

const title = z
  .string()
  .nullable()
  .describe(
    'The title that the user gave, or else the beginning of their first message, at most 40 characters; null before it',
  );

export const conversation = z.object({
  id: z.string(),
  character_id: z.string(),
  character_name: z.string(),
  avatar_url: z.string(),
  title,
  created_at: z.string(),
  last_message_time: z.string(),
  message_count: z.number().int(),
  suggested_replies: z.array(z.string()),
  /** The user's persona in this conversation; null when they use none. */
  persona: z.object({ id: z.string(), name: z.string() }).nullable(),
  /** The user's current name in this conversation. */
  user_name: z.string(),
  /** The user's name in this conversation without a persona. */
  own_name: z.string(),
  /** The first message that the model saw word for word in the latest turn; null when it saw all. */
  context_start_id: z.string().nullable(),
  /** Whether the character is currently for adults; absent when the character was deleted with its creator. */
  nsfw_allowed: z.boolean().optional(),
  /** Whether the user created the character. */
  own_character: z.boolean().optional(),
  /** The character's creator deleted their account, so no more replies are written. */
  character_gone: z.literal(true).optional(),
  /** Current state of the character; absent in responses that only read the conversation itself. */
  character_state: characterState.optional(),
  /** Replacement for `{{char}}`, where it differs from the character's name. */
  character_nickname: z.string().optional(),
  /** The character version that the conversation uses. */
  character_version: z.number().int(),
  /** A newer version that the user may switch to; absent in responses that only read the conversation itself. */
  newer_version: z.number().int().nullable().optional(),
  ai_notice: z
    .enum(['bold', 'calm'])
    .optional()
    .describe(
      'How to show the AI notice: in bold capitals of at least 16 points, or as calm text; absent in responses that only read the conversation itself',
    ),
  /** Position among the character's greetings; absent once the conversation has begun, and when there is no choice. */
  greeting: z
    .object({
      at: z.number().int().describe('Position of the current greeting, starting at 1'),
      count: z.number().int(),
      before: z
        .number()
        .int()
        .nullable()
        .describe('Index for choosing the previous greeting; null if there is none'),
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
  /** Cursor to newer messages; null when these are the newest. */
  later_cursor: z.string().nullable(),
  /**
   * Compare it with the revision that a socket opened later reports: a difference means that the page may be out of date.
   */
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
  /** The beginning of the deleted range. */
  first_message: z.object({ role: z.enum(['user', 'character']), excerpt: z.string() }),
});
export type TrashItem = z.infer<typeof trashItem>;

export const trashList = z.object({ items: z.array(trashItem), next_cursor: z.string().nullable() });
export type TrashList = z.infer<typeof trashList>;

export const restoredMessages = z.object({ message_ids: z.array(z.string()) });

export const suggestions = z.object({ items: z.array(z.string()), points: pointsStatus });
export const draft = z.object({ draft: z.string(), points: pointsStatus });

/** What a list shows of a conversation in addition to its title. */
const listedFields = {
  message_count: z.number().int(),
  last_line: z
    .string()
    .describe('The beginning of the last message with a text, on one line, at most 80 characters'),
  branch_of: z.string().nullable().describe('The conversation that it was forked from, which may be gone'),
  unread: z.boolean().describe('A reply ended that no page has shown'),
};

export const conversationList = z.object({
  items: z.array(
    z.object({
      id: z.string(),
      title,
      created_at: z.string(),
      last_message_time: z.string(),
      ...listedFields,
    }),
  ),
  next_cursor: z.string().nullable(),
});
export type ConversationList = z.infer<typeof conversationList>;

/** A chat in the user's chat list. */
const chatRow = z.object({
  id: z.string(),
  title,
  character_id: z.string(),
  character_name: z.string(),
  avatar_url: z.string(),
  ...listedFields,
});
export type ChatRow = z.infer<typeof chatRow>;

export const chatList = z.object({ chats: z.array(chatRow.extend({ last_message_time: z.string() })) });
export type ChatList = z.infer<typeof chatList>;

/** Chats in the trash with the time when they are erased. */
export const trashedChats = z.object({
  items: z.array(chatRow.extend({ deleted_at: z.string(), expires_at: z.string() })),
  next_cursor: z.string().nullable(),
});
export type TrashedChats = z.infer<typeof trashedChats>;

/** Sent to the other open tabs of a conversation. It says what to reload and never contains message text. */
export const liveEvent = z.discriminatedUnion('type', [
  z
    .object({ type: z.literal('opened'), revision: z.string() })
    .describe('The socket is open; data fetched at another revision may be out of date'),
  z
    .object({ type: z.literal('turn'), reply_id: z.string() })
    .describe('A reply is being written; rejoin its stream'),
  z
    .object({ type: z.literal('changed'), message_ids: z.array(z.string()) })
    .describe(
      'These messages were changed or restored; empty for a change at the end or of the conversation itself',
    ),
  z.object({ type: z.literal('gone') }).describe('The conversation was deleted'),
]);
export type LiveEvent = z.infer<typeof liveEvent>;

/** The events of a reply stream, by the name in their `event:` line. Each has an `id:` line for `Last-Event-ID`. */
export const replyEvents = {
  accepted: z
    .object({
      user_message: message.optional(),
      reply: message,
      newest: z
        .boolean()
        .optional()
        .describe('Whether the reply is the last message of the conversation; absent means true'),
    })
    .describe('The request is stored, and the reply starts'),
  delta: z.object({ text: z.string() }).describe('Text to append to the reply'),
  thinking: z
    .object({ text: z.string() })
    .describe(
      'Text to append to what the model thinks, which is no part of the reply. It has the id of the event before it',
    ),
  done: z
    .object({
      reply: message,
      points: pointsStatus.nullable(),
      context_start_id: z
        .string()
        .nullable()
        .optional()
        .describe('As in the conversation; absent in replays of turns that have already ended'),
      context_shortened: z
        .boolean()
        .optional()
        .describe(
          'True if the provider refused the prompt for its length, and the reply was written from about half of the messages; absent in replays of turns that have already ended',
        ),
    })
    .describe('The reply is complete; no event follows'),
  error: z
    .object({
      error: z.string(),
      code: z.string(),
      retry_after: z.number().int().optional().describe('Seconds that the provider asks to wait'),
      reply: message.optional(),
    })
    .describe('The reply ended before it was complete; no event follows'),
  safety: messageSafety.describe(
    'Crisis help, right after `accepted`; or the reason for a refusal, right before its `error`',
  ),
};
export type ReplyEvent = {
  [Name in keyof typeof replyEvents]: { event: Name } & z.infer<(typeof replyEvents)[Name]>;
}[keyof typeof replyEvents];
