import { z } from 'zod';
import { TEXT_LIMITS } from '../../config/text-limits.ts';
import type { ListCursor } from '../../db/cursor.ts';
import { createTextSchema } from '../../lib/text-schemas.ts';

export const searchQuery = z.object({
  q: createTextSchema(TEXT_LIMITS.searchQuery).refine((text) => text.trim() !== '', 'Enter a search term'),
  cursor: z
    .string()
    .regex(/^\d{1,16}$/, 'Not a cursor')
    .optional(),
  limit: z.coerce.number().int().min(1).max(50).default(20),
});

export const foundMessage = z.object({
  conversation_id: z.string(),
  message_id: z.string(),
  role: z.enum(['user', 'character']),
  character_id: z.string(),
  character_name: z.string(),
  avatar_url: z.string(),
  title: z.string().nullable().describe('The title of the conversation, as in the list of chats'),
  branch_of: z.string().nullable().describe('The conversation that it was forked from, which may be gone'),
  snippet: z.string().describe('Plain text around the best match'),
  marks: z
    .array(z.tuple([z.number().int(), z.number().int()]))
    .describe('Matches in the snippet: [from, to) in UTF-16 units'),
  created_at: z.string(),
});
export type FoundMessage = z.infer<typeof foundMessage>;

export const searchResult = z.object({
  items: z.array(foundMessage),
  next_cursor: z.string().nullable(),
});
export type SearchResult = z.infer<typeof searchResult>;

/** A change to one message, sent to the index by its conversation; `text` is null to remove it. */
export interface SearchChange {
  conversationId: string;
  messageId: string;
  /** Creation time in ms since 1970; results are ordered by it. */
  at: number;
  text: string | null;
}

/** A message that matches a query. The text itself is stored by the conversation. */
export interface SearchHit {
  conversationId: string;
  messageId: string;
}

/** Matches, newest first; `next` is the cursor of the next page, null at the end. */
export interface SearchHits {
  hits: SearchHit[];
  next: string | null;
  /** The index's clock when it ran the query, in ms since 1970. */
  queriedAt: number;
}

/** A message as its conversation returns it, if the user may still read it. */
export interface Excerpt {
  messageId: string;
  role: 'user' | 'character';
  text: string;
  /** In ms since 1970. */
  createdAt: number;
}

/** A conversation in its user's list. Times are in ms since 1970. */
export interface ListedConversation {
  id: string;
  characterId: string;
  /** Name and picture as in the conversation's snapshot of its character. */
  characterName: string;
  avatarUrl: string;
  title: string | null;
  /** The beginning of the last message, on one line; empty without messages. */
  lastLine: string;
  createdAt: number;
  lastMessageAt: number;
  messageCount: number;
  /** The conversation that it was forked from, which may be gone; null for others. */
  branchOf: string | null;
  /** Whether a reply ended that the user has not seen. */
  isUnread: boolean;
  /** When it was moved to the trash; null when it is not there. */
  deletedAt: number | null;
}

/** Selects a page of a user's list. */
export interface ConversationQuery {
  from: 'chats' | 'trash';
  /** Only conversations with this character; all when absent. */
  characterId?: string;
  /** The last conversation of the page before; null for the newest page. */
  after: ListCursor | null;
  limit: number;
}
