import { z } from 'zod';
import { createTextSchema } from '../../../lib/text-schemas.ts';
import { MEMORY_LIMITS } from './memory-limits.ts';

/** One text in the place of everything stays one entry, which may come back as long as it is. */
const entryText = createTextSchema(MEMORY_LIMITS.maxSummaryChars).refine(
  (text) => text.trim() !== '',
  'Write something first',
);
const entryId = z.string().min(1).max(64);

export const memoryEntry = z.object({
  id: z.string(),
  text: z.string(),
  author: z.enum(['model', 'person']).describe('person: written or corrected by hand, never overwritten'),
  stale: z.boolean().describe('set aside: what it was taken from has changed since'),
  /** Why it is set aside; absent while it is not. Those of deleted messages are not listed at all. */
  stale_reason: z.enum(['changed']).optional(),
  /** Oldest first; empty for what a person wrote by themself. */
  source_message_ids: z.array(z.string()),
  /** The oldest source that can still be looked up. */
  first_source_id: z.string().nullable(),
  /**
   * Of what a person wrote: the oldest source that says something else by now. The note holds as it is; what the message
   * says now is noted beside it.
   */
  changed_source_id: z.string().nullable(),
  created_at: z.string(),
  updated_at: z.string(),
});
export type MemoryEntryView = z.infer<typeof memoryEntry>;

/** Something that a person wants told and that does not fit into what the model reads at once. */
export const omittedItem = z.object({
  kind: z.enum(['note', 'pin']),
  id: z.string().describe('of the note, or of the pinned message'),
  excerpt: z.string().describe('how what is not told begins'),
  tokens: z.number().int().describe('what it would cost, estimated'),
  in_part: z.boolean().describe('the rest of it is told'),
});
export type OmittedItem = z.infer<typeof omittedItem>;

export const memoryView = z.object({
  summary: z.string().describe('the entries that the model is told, joined by newlines'),
  entries: z.array(memoryEntry),
  /** Notes that rest on deleted messages: they lie in the trash with them, and come back or go for good with them. */
  set_aside_count: z.number().int(),
  /** Notes of the person's and pinned messages that the model would not be told now. */
  left_out: z.array(omittedItem),
});
export type MemoryView = z.infer<typeof memoryView>;

/**
 * An entry as it came from here may be sent back whole; of it, only its id and its text are read, and its messages where
 * one text is put in the place of all.
 */
const entryChange = z
  .strictObject({
    id: entryId.optional(),
    text: entryText,
    author: z.unknown().optional(),
    stale: z.unknown().optional(),
    stale_reason: z.unknown().optional(),
    source_message_ids: z.array(entryId).max(MEMORY_LIMITS.maxSourceMessages).optional(),
    first_source_id: z.unknown().optional(),
    changed_source_id: z.unknown().optional(),
    rests_on: z
      .array(entryId)
      .max(MEMORY_LIMITS.maxSourceMessages)
      .optional()
      .describe('the messages of the note that these words were just written over, or that is kept as it is'),
    created_at: z.unknown().optional(),
    updated_at: z.unknown().optional(),
  })
  .refine(({ id, text }) => id !== undefined || text.length <= MEMORY_LIMITS.maxEntryChars, {
    message: `At most ${MEMORY_LIMITS.maxEntryChars} characters`,
    path: ['text'],
  });

/**
 * `entries` is the whole list: those with an id are corrected or taken back, those without one are new, missing ones are
 * removed. An id that is not known any more is passed over: what it named was replaced, or erased with its messages.
 * One with `rests_on` is the person's from now on, whatever it was, and with the same words too; should its note be
 * replaced, it is new and rests on those messages, and is refused (409 `memory_ground_gone`) when one of them is erased.
 * `known` names the ids that its writer had seen, so that nothing else is removed; with the ids that are to go, `entries`
 * may name only what changes. `summary` puts one text in the place of everything; its lines that repeat notes of deleted
 * messages are left out. A memory as it came from here may be sent back whole.
 */
export const changeMemoryBody = z
  .strictObject({
    summary: createTextSchema(MEMORY_LIMITS.maxSummaryChars).optional(),
    entries: z.array(entryChange).max(MEMORY_LIMITS.maxEntries).optional(),
    known: z.array(entryId).max(1000).optional(),
    set_aside_count: z.unknown().optional(),
    left_out: z.unknown().optional(),
  })
  .refine((body) => body.summary !== undefined || body.entries !== undefined, {
    message: 'Send summary or entries',
    path: ['summary'],
  });
export type ChangeMemoryBody = z.infer<typeof changeMemoryBody>;

/**
 * The parts of what a model was told, in the order in which it was told them. Lore stands before the character, after it,
 * or at both places.
 */
export const CONTEXT_KINDS = [
  'lore',
  'character',
  'point_of_view',
  'person',
  'style',
  'safety',
  'opening',
  'memory',
  'pinned',
  'history',
  'task',
] as const;
export type ContextKind = (typeof CONTEXT_KINDS)[number];

export const contextSection = z.discriminatedUnion('kind', [
  z.object({
    kind: z.enum(CONTEXT_KINDS.filter((kind) => kind !== 'history' && kind !== 'lore')),
    tokens: z.number().int(),
    text: z.string().describe('empty where it was taken from messages that are deleted'),
  }),
  z.object({
    kind: z.literal('lore'),
    tokens: z.number().int(),
    text: z.string(),
    /** What each entry that was told is called in its book. */
    entries: z.array(z.string()),
  }),
  z.object({
    kind: z.literal('history'),
    tokens: z.number().int(),
    /** Oldest first, each with the version whose text the model saw. */
    messages: z.array(z.object({ message_id: z.string(), version_id: z.string(), tokens: z.number().int() })),
  }),
]);
export type ContextSection = z.infer<typeof contextSection>;

export const contextRecord = z.object({
  model: z.string(),
  /** What the model reads and writes together, in estimated tokens. */
  context_tokens: z.number().int(),
  /** Of these, what was kept free for the reply. */
  reply_tokens: z.number().int(),
  /** What the sections cost together. */
  estimated_tokens: z.number().int(),
  /** The first message that the model saw word for word; null when it saw all. */
  first_history_id: z.string().nullable(),
  sections: z.array(contextSection),
  /** What the person had pinned or noted and the model was not told for want of room. */
  left_out: z.array(omittedItem),
});
export type ContextRecord = z.infer<typeof contextRecord>;
