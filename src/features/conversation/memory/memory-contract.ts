import { z } from 'zod';
import { PROMPT_PARTS } from '../../character/definition-parts.ts';
import { createTextSchema } from '../../../lib/text-schemas.ts';
import { MEMORY_LIMITS } from './memory-limits.ts';

/** An entry that was written as the summary may be as long as a summary, and may be sent back unchanged. */
const entryText = createTextSchema(MEMORY_LIMITS.maxSummaryChars).refine(
  (text) => text.trim() !== '',
  'Write something first',
);
const entryId = z.string().min(1).max(64);

export const memoryEntry = z.object({
  id: z.string(),
  text: z.string(),
  author: z
    .enum(['model', 'person'])
    .describe('`person`: written or edited by the user, and never overwritten'),
  stale: z.boolean().describe('Whether the entry is not used because its source messages have changed'),
  /** Why the entry is stale; absent while it is not. Entries with deleted sources are not listed at all. */
  stale_reason: z.enum(['changed']).optional(),
  /** Oldest first; empty for an entry that the user wrote without sources. */
  source_message_ids: z.array(z.string()),
  /** The oldest source that still exists. */
  first_source_id: z.string().nullable(),
  /**
   * For a user's entry: the oldest source whose text has changed. The entry stays valid, and the changed message gets a
   * note of its own.
   */
  changed_source_id: z.string().nullable(),
  created_at: z.string(),
  updated_at: z.string(),
});
export type MemoryEntryView = z.infer<typeof memoryEntry>;

/** A pinned message or a user's note that does not fit into the prompt. */
export const omittedItem = z.object({
  kind: z.enum(['note', 'pin']),
  id: z.string().describe('Id of the note or of the pinned message'),
  excerpt: z.string().describe('Beginning of the omitted text'),
  tokens: z.number().int().describe('Estimated number of tokens of the omitted text'),
  in_part: z.boolean().describe('Whether the prompt includes the rest of the note'),
});
export type OmittedItem = z.infer<typeof omittedItem>;

export const memoryView = z.object({
  summary: z.string().describe('All entries that are not stale, joined by newlines'),
  entries: z.array(memoryEntry),
  /** The number of hidden notes with sources in the trash. They are restored or erased together with those messages. */
  set_aside_count: z.number().int(),
  /** The user's notes and pinned messages that would not fit into the next prompt. */
  left_out: z.array(omittedItem),
});
export type MemoryView = z.infer<typeof memoryView>;

/**
 * An entry may be sent back as it was read. Only id and text are used, and the sources if a summary replaces all entries.
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
      .describe('Source messages of the note that this text replaces or keeps unchanged'),
    created_at: z.unknown().optional(),
    updated_at: z.unknown().optional(),
  })
  .refine(({ id, text }) => id !== undefined || text.length <= MEMORY_LIMITS.maxEntryChars, {
    message: `At most ${MEMORY_LIMITS.maxEntryChars} characters`,
    path: ['text'],
  });

/**
 * `entries` is the whole list: entries with an id are edited or restored, those without one are new, and missing ones are
 * removed. Unknown ids are ignored: the entry was replaced, or erased with its messages. An entry with `rests_on` belongs
 * to the user from now on, even if its text is unchanged; if the note was replaced, it becomes a new one with these
 * sources, and is refused (409 `memory_source_deleted`) when one of them is erased. `known` lists the ids that the client
 * had read, so that no other entry is removed; with `known` set to the removed ids, `entries` may contain only the
 * changes. `summary` replaces all entries by one text; its lines that repeat notes of deleted messages are left out. A
 * memory may be sent back as it was read.
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

/** The parts of a prompt in their order. Lore may be before the character, after it, or both. */
export const CONTEXT_KINDS = [
  'lore',
  'character',
  'definition',
  'point_of_view',
  'person',
  'style',
  'safety',
  'opening',
  'memory',
  'pinned',
  'history',
  'author_note',
  'reply_length',
  'regenerate_note',
  'task',
] as const;
export type ContextKind = (typeof CONTEXT_KINDS)[number];

export const contextSection = z.discriminatedUnion('kind', [
  z.object({
    kind: z.enum(
      CONTEXT_KINDS.filter((kind) => kind !== 'history' && kind !== 'lore' && kind !== 'definition'),
    ),
    tokens: z.number().int(),
    text: z.string().describe('Empty if it was derived from messages that are now deleted'),
  }),
  z.object({
    kind: z.literal('lore'),
    tokens: z.number().int(),
    text: z.string(),
    /** Names of the included entries in their lorebook. */
    entries: z.array(z.string()),
  }),
  z.object({
    kind: z.literal('definition'),
    tokens: z.number().int(),
    /** The parts of the character's definition by priority. Their texts are not included. */
    parts: z.array(
      z.object({
        part: z.enum(PROMPT_PARTS),
        state: z.enum(['included', 'shortened', 'left_out']),
        tokens: z.number().int(),
      }),
    ),
  }),
  z.object({
    kind: z.literal('history'),
    tokens: z.number().int(),
    /** Oldest first, each with the version that the model saw. */
    messages: z.array(z.object({ message_id: z.string(), version_id: z.string(), tokens: z.number().int() })),
  }),
]);
export type ContextSection = z.infer<typeof contextSection>;

export const contextRecord = z.object({
  model: z.string(),
  /** The model's context window for prompt and reply, in estimated tokens. */
  context_tokens: z.number().int(),
  /** The part of it that was reserved for the reply. */
  reply_tokens: z.number().int(),
  /** The total of the sections. */
  estimated_tokens: z.number().int(),
  shortened: z
    .boolean()
    .optional()
    .describe('True if the provider refused a longer prompt, and this one has about half of its messages'),
  /** The first message that the model saw word for word; null when it saw all. */
  first_history_id: z.string().nullable(),
  sections: z.array(contextSection),
  /** The user's notes and pinned messages that did not fit. */
  left_out: z.array(omittedItem),
});
export type ContextRecord = z.infer<typeof contextRecord>;
