import { z } from 'zod';
import { TEXT_LIMITS } from '../../config/text-limits.ts';
import { createTextSchema } from '../../lib/text-schemas.ts';

export const searchQuery = z.object({
  q: createTextSchema(TEXT_LIMITS.searchQuery).refine((text) => text.trim() !== '', 'Write what to look for'),
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
  snippet: z.string().describe('Plain text round the first of the words'),
  marks: z
    .array(z.tuple([z.number().int(), z.number().int()]))
    .describe('Where the words stand in the snippet: [from, to) in UTF-16 units'),
  created_at: z.string(),
});
export type FoundMessage = z.infer<typeof foundMessage>;

export const searchResult = z.object({
  items: z.array(foundMessage),
  next_cursor: z.string().nullable(),
});
export type SearchResult = z.infer<typeof searchResult>;

/** What a conversation tells the index about one of its messages; `text` is null for what is to be forgotten. */
export interface SearchChange {
  conversationId: string;
  messageId: string;
  /** When it was written, in milliseconds since the epoch: the order of what is found. */
  at: number;
  text: string | null;
}

/** A message that the index holds for a query; its text is with its conversation. */
export interface SearchHit {
  conversationId: string;
  messageId: string;
}

/** Hits, newest first; `next` goes on after the last of them, null after the end. */
export interface SearchHits {
  hits: SearchHit[];
  next: string | null;
  /** The index's clock at that moment, in milliseconds. */
  queriedAt: number;
}

/** What a conversation answers for a message that its person may still read. */
export interface Excerpt {
  messageId: string;
  role: 'user' | 'character';
  text: string;
  /** In milliseconds since the epoch. */
  createdAt: number;
}
