import { z } from 'zod';

/** What takes room; the order in which pages list it. */
const STORAGE_KINDS = ['chats', 'characters', 'pictures', 'trash'] as const;

const bytes = z.number().int().nonnegative();

export const storageUse = z.object({
  used_bytes: bytes,
  limit_bytes: bytes,
  kinds: z
    .array(z.object({ kind: z.enum(STORAGE_KINDS), bytes }))
    .describe(
      'Largest first; `chats` includes the index of their words, `characters` the originals of imported cards',
    ),
});
export type StorageUse = z.infer<typeof storageUse>;

export const storageView = storageUse.extend({
  conversations: z.object({
    count: z.number().int().nonnegative().describe('Including those in the trash'),
    limit: z.number().int().nullable().describe('Null for accounts, which have none'),
  }),
});
export type StorageView = z.infer<typeof storageView>;

export const emptiedTrash = z.object({
  erased: z.number().int().describe('Conversations, characters and personas that this call erased'),
  has_more: z.boolean().describe('Whether the trash still has items; call again'),
});
export type EmptiedTrash = z.infer<typeof emptiedTrash>;
