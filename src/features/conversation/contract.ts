import { z } from 'zod';
import { TEXT_LIMITS } from '../../config.ts';
import { modelChoice } from '../model/contract.ts';
import { writtenText } from '../text.ts';
import { pointsStatus } from '../wallet/contract.ts';

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
});

export const sendMessageBody = z.strictObject({
  content: writtenText(TEXT_LIMITS.message).refine((text) => text.trim() !== '', 'Write something first'),
  client_message_id: clientMessageId,
  model: modelChoice.optional(),
});
export type SendMessageBody = z.infer<typeof sendMessageBody>;

export const regenerateBody = z.strictObject({
  client_message_id: clientMessageId,
  model: modelChoice.optional(),
});

export const renameConversationBody = z.strictObject({
  title: writtenText(TEXT_LIMITS.title).trim().min(1),
});

export const historyQuery = z.object({
  before: z.string().max(64).optional(),
  limit: z.coerce.number().int().min(1).max(100).default(50),
});

export const messageStatus = z.enum(['complete', 'streaming', 'interrupted', 'failed']);
export type MessageStatus = z.infer<typeof messageStatus>;

export const messageVersion = z.object({
  id: z.string(),
  content: z.string(),
  model: z.string().nullable().describe('null for texts that no model wrote'),
  created_at: z.string(),
});
export type MessageVersion = z.infer<typeof messageVersion>;

export const message = z.object({
  id: z.string(),
  role: z.enum(['user', 'character']),
  content: z.string(),
  created_at: z.string(),
  edited: z.boolean(),
  status: messageStatus,
  /** Why a failed or interrupted reply ended; absent otherwise. */
  error_code: z.string().optional(),
  /** The id that its sender made for it; absent from what a character says. */
  client_message_id: z.string().optional(),
  versions: z.array(messageVersion),
  selected_version_id: z.string(),
});
export type Message = z.infer<typeof message>;

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
});
export type Conversation = z.infer<typeof conversation>;

export const conversationPage = z.object({
  conversation,
  messages: z.array(message),
  next_cursor: z.string().nullable(),
});
export type ConversationPage = z.infer<typeof conversationPage>;

export const conversationCreated = z.object({ conversation, messages: z.array(message) });
export type ConversationCreated = z.infer<typeof conversationCreated>;

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

export const chatList = z.object({
  chats: z.array(
    z.object({
      id: z.string(),
      character_id: z.string(),
      character_name: z.string(),
      avatar_url: z.string(),
      last_message_time: z.string(),
      message_count: z.number().int(),
    }),
  ),
});
export type ChatList = z.infer<typeof chatList>;

/** What a follower of a turn receives, each with an `id:` line that `Last-Event-ID` understands. */
export const replyEvent = z.discriminatedUnion('event', [
  z.object({ event: z.literal('accepted'), user_message: message.optional(), reply: message }),
  z.object({ event: z.literal('delta'), text: z.string() }),
  z.object({ event: z.literal('done'), reply: message, points: pointsStatus.nullable() }),
  z.object({ event: z.literal('error'), error: z.string(), code: z.string(), reply: message.optional() }),
]);
export type ReplyEvent = z.infer<typeof replyEvent>;
