import { sql } from 'drizzle-orm';
import { check, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { characters, users } from './core.ts';

/** What belongs to characters beside themselves. Times are milliseconds since the epoch. */

/** What a character was at each of its versions: everything that a conversation goes by. */
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

/** What a card has beyond the form's fields; no row for a character that has none of it. */
export const characterExtras = sqliteTable(
  'character_extras',
  {
    characterId: text('character_id')
      .primaryKey()
      .references(() => characters.id, { onDelete: 'cascade' }),
    /** Stands for `{{char}}` where a card has one. */
    nickname: text('nickname'),
    alternateGreetings: text('alternate_greetings', { mode: 'json' }).$type<string[]>().notNull(),
    /** By language; null when there are none. */
    creatorNotes: text('creator_notes', { mode: 'json' }).$type<Record<string, string>>(),
    /** A Character Card's `character_book`, as it was brought or edited; null when there is none. */
    lorebook: text('lorebook'),
  },
  (table) => [
    check('character_extras_lorebook', sql`${table.lorebook} is null or json_valid(${table.lorebook})`),
  ],
);

/** Cards that were brought; the original lies in R2, so that what nobody touched goes out as it came. */
export const cards = sqliteTable(
  'cards',
  {
    /** The `import_id` of the contract. */
    id: text('id').primaryKey(),
    ownerId: text('owner_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** Null until a character is made of it. */
    characterId: text('character_id').references(() => characters.id, { onDelete: 'cascade' }),
    /** Of the original's JSON in R2; made of owner and content. */
    objectKey: text('object_key').notNull(),
    bytes: integer('bytes').notNull(),
    /** What the form's fields were when it came: while they are still the same, it goes out untouched. */
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

/** Requests that made a character, so that a repeated one makes no second and costs nothing. */
export const characterCreations = sqliteTable(
  'character_creations',
  {
    ownerId: text('owner_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** The client's `Idempotency-Key`. */
    key: text('key').notNull(),
    /** No reference: it is set down before the character is there. */
    characterId: text('character_id').notNull(),
    /** SHA-256 of the body, in hex: the same key with another body is refused. */
    bodyHash: text('body_hash').notNull(),
    /** The brought card that it is made of; null when there is none. */
    importId: text('import_id'),
    /** Whether the points were taken and the character stands. */
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

/** Conversations that people began with a character on a day (UTC, days since the epoch): what trending rests on. */
export const characterDays = sqliteTable(
  'character_days',
  {
    day: integer('day').notNull(),
    characterId: text('character_id')
      .notNull()
      .references(() => characters.id, { onDelete: 'cascade' }),
    chats: integer('chats').notNull(),
    /** Whether the lists have not heard of it yet. */
    fresh: integer('fresh', { mode: 'boolean' }).notNull().default(true),
  },
  (table) => [
    primaryKey({ columns: [table.day, table.characterId] }),
    index('character_days_character').on(table.characterId),
    index('character_days_fresh')
      .on(table.day, table.characterId)
      .where(sql`${table.fresh} = 1`),
  ],
);

/**
 * What stands in the public lists, once for each of its tags and once, under the tag '', for all: public, not taken down,
 * not in the trash. The migration's triggers alone write here; `chat_count` follows the character's by and by.
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
    createdAt: integer('created_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.characterId, table.tag] }),
    index('character_listings_popular').on(table.tag, table.nsfw, table.chatCount, table.characterId),
    index('character_listings_new').on(table.tag, table.nsfw, table.createdAt, table.characterId),
  ],
);

/**
 * The words that a character is found by, as the search's two indexes have them. There is a row for each character. SQL
 * cannot fold words: triggers empty `words` when a text changes, and whoever changed it fills them anew.
 */
export const characterWords = sqliteTable(
  'character_words',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    characterId: text('character_id')
      .notNull()
      .references(() => characters.id, { onDelete: 'cascade' }),
    words: text('words').notNull(),
    /** As words of the index; triggers keep them. */
    tags: text('tags').notNull(),
    /** Of the rules that made the words; 0: they are to be made. */
    version: integer('version').notNull(),
    /** Row ids in the indexes, in the order in which each is read; null while the character is in no list. */
    placePopular: integer('place_popular'),
    placeNew: integer('place_new'),
  },
  (table) => [
    uniqueIndex('character_words_character').on(table.characterId),
    uniqueIndex('character_words_popular').on(table.placePopular),
    uniqueIndex('character_words_new').on(table.placeNew),
    index('character_words_version').on(table.version),
  ],
);

export const favourites = sqliteTable(
  'favourites',
  {
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    characterId: text('character_id')
      .notNull()
      .references(() => characters.id, { onDelete: 'cascade' }),
    createdAt: integer('created_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.characterId] }),
    index('favourites_user').on(table.userId, table.createdAt),
    index('favourites_character').on(table.characterId),
  ],
);

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

/** Tags and creators that somebody does not want to see in lists. */
export const hiddenThings = sqliteTable(
  'hidden_things',
  {
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    kind: text('kind', { enum: ['tag', 'creator'] }).notNull(),
    /** A tag's name or a creator's id. */
    what: text('what').notNull(),
    createdAt: integer('created_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.kind, table.what] }),
    index('hidden_things_what').on(table.kind, table.what),
    check('hidden_things_kind', sql`${table.kind} in ('tag', 'creator')`),
  ],
);

/** Tags of public pages that shared caches are still to be told to forget; a row goes when they were told. */
export const stalePages = sqliteTable(
  'stale_pages',
  {
    tag: text('tag').primaryKey(),
    /** Grows with every change: what changes while caches are told of it is told once more. */
    changes: integer('changes').notNull().default(1),
    tryAt: integer('try_at').notNull(),
    tries: integer('tries').notNull().default(0),
  },
  (table) => [index('stale_pages_try').on(table.tryAt), check('stale_pages_tries', sql`${table.tries} >= 0`)],
);
