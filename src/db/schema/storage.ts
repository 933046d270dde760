import { check, index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { sql } from 'drizzle-orm';
import { users } from './core.ts';

/** What users store (decision 69). Sizes are in bytes, times in milliseconds since the epoch. */

/**
 * The sums of what a user stores. Only triggers write them, with the rows of conversations, pictures, cards and characters;
 * the search index reports its own size.
 */
export const storageTotals = sqliteTable('storage_totals', {
  ownerId: text('owner_id')
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  /** Number of conversations, including those in the trash. */
  conversations: integer('conversations').notNull().default(0),
  conversationBytes: integer('conversation_bytes').notNull().default(0),
  /** Conversations and characters in the trash. */
  trashBytes: integer('trash_bytes').notNull().default(0),
  searchBytes: integer('search_bytes').notNull().default(0),
  pictureBytes: integer('picture_bytes').notNull().default(0),
  /** Characters, and the originals of imported cards. */
  characterBytes: integer('character_bytes').notNull().default(0),
});

/** Room that running imports, forks and uploads have reserved; it lapses when one of them dies. */
export const storageReservations = sqliteTable(
  'storage_reservations',
  {
    id: text('id').primaryKey(),
    ownerId: text('owner_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    bytes: integer('bytes').notNull(),
    /** Conversations that it will create: 0 or 1. */
    conversations: integer('conversations').notNull(),
    expiresAt: integer('expires_at').notNull(),
  },
  (table) => [
    index('storage_reservations_owner').on(table.ownerId),
    index('storage_reservations_expiry').on(table.expiresAt),
    check('storage_reservations_bytes', sql`${table.bytes} >= 0`),
  ],
);
