import { sql } from 'drizzle-orm';
import { check, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { characters, users } from './core.ts';

/** Data that belongs to characters. Times are milliseconds since the epoch. */

/** The definition of a character at each version: everything that a conversation depends on. */
export const characterVersions = sqliteTable(
  'character_versions',
  {
    characterId: text('character_id')
      .notNull()
      .references(() => characters.id, { onDelete: 'cascade' }),
    version: integer('version').notNull(),
    definition: text('definition').notNull(),
    createdAt: integer('created_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.characterId, table.version] }),
    check('character_versions_definition', sql`json_valid(${table.definition})`),
  ],
);

/**
 * The long texts of a character that conversations pin (decision 69): stored once, however many conversations use them. A
 * trigger deletes a copy with its last conversation.
 */
export const characterCopies = sqliteTable(
  'character_copies',
  {
    characterId: text('character_id')
      .notNull()
      .references(() => characters.id, { onDelete: 'cascade' }),
    /** SHA-256 of the content, in hex. */
    hash: text('hash').notNull(),
    content: text('content').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.characterId, table.hash] }),
    check('character_copies_content', sql`json_valid(${table.content})`),
  ],
);

/** Fields of a character card that the form does not have. A character without any of them has no row. */
export const characterExtras = sqliteTable(
  'character_extras',
  {
    characterId: text('character_id')
      .primaryKey()
      .references(() => characters.id, { onDelete: 'cascade' }),
    /** Replaces `{{char}}` for cards that set one. */
    nickname: text('nickname'),
    alternateGreetings: text('alternate_greetings', { mode: 'json' }).$type<string[]>().notNull(),
    /** A Character Card's `character_book`, as imported or edited; null when there is none. */
    lorebook: text('lorebook'),
    /** The parts of the definition that have a text, each with its switch, as JSON; null when there are none. */
    definition: text('definition'),
    /** The reply style that new conversations start with, as JSON; null for the default one. */
    recommendedStyle: text('recommended_style'),
  },
  (table) => [
    check('character_extras_lorebook', sql`${table.lorebook} is null or json_valid(${table.lorebook})`),
    check('character_extras_definition', sql`${table.definition} is null or json_valid(${table.definition})`),
    check(
      'character_extras_recommended_style',
      sql`${table.recommendedStyle} is null or json_valid(${table.recommendedStyle})`,
    ),
  ],
);

/** Imported cards. R2 keeps the original, so that fields that were not edited are exported unchanged. */
export const cards = sqliteTable(
  'cards',
  {
    /** The `import_id` of the API. */
    id: text('id').primaryKey(),
    ownerId: text('owner_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** Null until a character is created from it. */
    characterId: text('character_id').references(() => characters.id, { onDelete: 'cascade' }),
    /** R2 key of the original JSON, derived from owner and content. */
    objectKey: text('object_key').notNull(),
    bytes: integer('bytes').notNull(),
    /** The form's fields at import. While they are unchanged, the original is exported as it is. */
    draft: text('draft').notNull(),
    createdAt: integer('created_at').notNull(),
  },
  (table) => [
    index('cards_owner').on(table.ownerId, table.createdAt),
    uniqueIndex('cards_character').on(table.characterId),
    index('cards_object').on(table.objectKey),
    index('cards_unclaimed')
      .on(table.createdAt)
      .where(sql`${table.characterId} is null`),
    check('cards_bytes', sql`${table.bytes} > 0`),
  ],
);

/** Requests that created a character, so that a repeated request creates no second one and charges nothing. */
export const characterCreations = sqliteTable(
  'character_creations',
  {
    ownerId: text('owner_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** The client's `Idempotency-Key`. */
    key: text('key').notNull(),
    /** No foreign key: this row is written before the character. */
    characterId: text('character_id').notNull(),
    /** SHA-256 of the body, in hex. The same key with another body is refused. */
    bodyHash: text('body_hash').notNull(),
    /** The imported card that the character is created from; null without one. */
    importId: text('import_id'),
    /** True once the points are charged and the character exists. */
    done: integer('done', { mode: 'boolean' }).notNull().default(false),
    createdAt: integer('created_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.ownerId, table.key] }),
    index('character_creations_created').on(table.createdAt),
    index('character_creations_open')
      .on(table.createdAt)
      .where(sql`${table.done} = 0`),
  ],
);

/** Counted chats with a character per day (UTC, days since the epoch); trending is computed from them. */
export const characterDays = sqliteTable(
  'character_days',
  {
    day: integer('day').notNull(),
    characterId: text('character_id')
      .notNull()
      .references(() => characters.id, { onDelete: 'cascade' }),
    chats: integer('chats').notNull(),
    /** True until the count has been added to the lists. */
    isPending: integer('is_pending', { mode: 'boolean' }).notNull().default(true),
  },
  (table) => [
    primaryKey({ columns: [table.day, table.characterId] }),
    index('character_days_character').on(table.characterId),
    index('character_days_pending')
      .on(table.day, table.characterId)
      .where(sql`${table.isPending} = 1`),
  ],
);

/**
 * Index of the public lists: one row per tag of a character and one with the tag '' for all, only while it is public, not
 * moderated and not in the trash. Only triggers of the migration write here; `chat_count` follows the character's with a
 * delay, `like_count` at once.
 */
export const characterListings = sqliteTable(
  'character_listings',
  {
    characterId: text('character_id')
      .notNull()
      .references(() => characters.id, { onDelete: 'cascade' }),
    tag: text('tag').notNull(),
    nsfw: integer('nsfw', { mode: 'boolean' }).notNull(),
    chatCount: integer('chat_count').notNull(),
    likeCount: integer('like_count').notNull(),
    createdAt: integer('created_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.characterId, table.tag] }),
    index('character_listings_popular').on(table.tag, table.nsfw, table.chatCount, table.characterId),
    index('character_listings_liked').on(table.tag, table.nsfw, table.likeCount, table.characterId),
    index('character_listings_new').on(table.tag, table.nsfw, table.createdAt, table.characterId),
  ],
);

/**
 * How many public characters, not for adults, have a free tag, and of how many creators. Triggers set `is_due`, and the cron
 * counts again (free-tag-store.ts).
 */
export const freeTagCounts = sqliteTable(
  'free_tag_counts',
  {
    tag: text('tag').primaryKey(),
    characters: integer('characters').notNull().default(0),
    creators: integer('creators').notNull().default(0),
    isDue: integer('is_due', { mode: 'boolean' }).notNull().default(true),
  },
  (table) => [
    index('free_tag_counts_listed')
      .on(table.characters, table.tag)
      .where(sql`${table.characters} >= 3 and ${table.creators} >= 2`),
    index('free_tag_counts_due')
      .on(table.tag)
      .where(sql`${table.isDue} = 1`),
  ],
);

/**
 * The folded search words of each character, the content of the two full-text indexes. SQL cannot fold words, so triggers
 * clear `words` when a text changes, and the code that changed the text fills it again.
 */
export const characterWords = sqliteTable(
  'character_words',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    characterId: text('character_id')
      .notNull()
      .references(() => characters.id, { onDelete: 'cascade' }),
    words: text('words').notNull(),
    /** The tags as index words; triggers maintain them. */
    tags: text('tags').notNull(),
    /** Version of the folding rules that produced the words; 0 when they must be built. */
    version: integer('version').notNull(),
    /** Row ids in the two indexes, in the order in which each is read; null while the character is not listed. */
    popularRowId: integer('popular_row_id'),
    newRowId: integer('new_row_id'),
  },
  (table) => [
    uniqueIndex('character_words_character').on(table.characterId),
    uniqueIndex('character_words_popular').on(table.popularRowId),
    uniqueIndex('character_words_new').on(table.newRowId),
    index('character_words_version').on(table.version),
  ],
);

/** Words of names and free tags by their spelling keys (discovery/spelling.ts). */
export const searchSpellings = sqliteTable(
  'search_spellings',
  { key: text('key').notNull(), word: text('word').notNull() },
  (table) => [
    primaryKey({ columns: [table.key, table.word] }),
    index('search_spellings_word').on(table.word),
  ],
);

/** The characters that have those words. A trigger deletes the spellings of a word with its last character. */
export const spelledWords = sqliteTable(
  'spelled_words',
  {
    word: text('word').notNull(),
    characterId: text('character_id')
      .notNull()
      .references(() => characters.id, { onDelete: 'cascade' }),
  },
  (table) => [
    primaryKey({ columns: [table.word, table.characterId] }),
    index('spelled_words_character').on(table.characterId),
  ],
);

/** Columns of a table with the characters that a user chose. */
const chosenCharacterColumns = () => ({
  userId: text('user_id')
    .notNull()
    .references(() => users.id, { onDelete: 'cascade' }),
  characterId: text('character_id')
    .notNull()
    .references(() => characters.id, { onDelete: 'cascade' }),
  createdAt: integer('created_at').notNull(),
});

export const favourites = sqliteTable('favourites', chosenCharacterColumns(), (table) => [
  primaryKey({ columns: [table.userId, table.characterId] }),
  index('favourites_user').on(table.userId, table.createdAt),
  index('favourites_character').on(table.characterId),
]);

/**
 * Characters that accounts like, one like per account. Triggers count them in `characters.like_count`. The migration makes
 * it a table without row ids.
 */
export const likes = sqliteTable('likes', chosenCharacterColumns(), (table) => [
  primaryKey({ columns: [table.userId, table.characterId] }),
  index('likes_user').on(table.userId, table.createdAt),
  index('likes_character').on(table.characterId),
]);

export const follows = sqliteTable(
  'follows',
  {
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    creatorId: text('creator_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    createdAt: integer('created_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.creatorId] }),
    index('follows_user').on(table.userId, table.createdAt),
    index('follows_creator').on(table.creatorId),
  ],
);

/** Tags and creators that a user hides from lists. */
export const hiddenItems = sqliteTable(
  'hidden_items',
  {
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    kind: text('kind', { enum: ['tag', 'creator'] }).notNull(),
    /** A tag's name or a creator's id. */
    target: text('target').notNull(),
    createdAt: integer('created_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.kind, table.target] }),
    index('hidden_items_target').on(table.kind, table.target),
    check('hidden_items_kind', sql`${table.kind} in ('tag', 'creator')`),
  ],
);

/** Cache tags of public pages that still have to be purged. A successful purge deletes the row. */
export const cachePurgeQueue = sqliteTable(
  'cache_purge_queue',
  {
    tag: text('tag').primaryKey(),
    /** Incremented with every change, so that a change during a purge causes another purge. */
    changes: integer('changes').notNull().default(1),
    retryAt: integer('retry_at').notNull(),
    tries: integer('tries').notNull().default(0),
  },
  (table) => [
    index('cache_purge_queue_retry').on(table.retryAt),
    check('cache_purge_queue_tries', sql`${table.tries} >= 0`),
  ],
);
