import { sql } from 'drizzle-orm';
import { check, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';

/** Times are milliseconds since the epoch, but for `sessions.expires_at`, which Lucia's adapter keeps in seconds. */

export const users = sqliteTable(
  'users',
  {
    id: text('id').primaryKey(),
    username: text('username').notNull(),
    /** Lower case; null for a guest. */
    email: text('email'),
    nickname: text('nickname'),
    avatarKey: text('avatar_key'),
    plan: text('plan', { enum: ['free', 'storyteller', 'adventurer', 'legend'] })
      .notNull()
      .default('free'),
    isAnonymous: integer('is_anonymous', { mode: 'boolean' }).notNull(),
    /** The account that owns the seeded catalogue; nobody signs in to it. */
    isHouse: integer('is_house', { mode: 'boolean' }).notNull().default(false),
    onboardingCompleted: integer('onboarding_completed', { mode: 'boolean' }).notNull().default(false),
    spicyMode: integer('spicy_mode', { mode: 'boolean' }).notNull().default(false),
    ageConfirmed: integer('age_confirmed', { mode: 'boolean' }).notNull().default(false),
    language: text('language'),
    createdAt: integer('created_at').notNull(),
    updatedAt: integer('updated_at').notNull(),
  },
  (table) => [
    uniqueIndex('users_email').on(table.email),
    check('users_plan', sql`${table.plan} in ('free', 'storyteller', 'adventurer', 'legend')`),
    check('users_flags', sql`${table.isAnonymous} in (0, 1) and ${table.isHouse} in (0, 1)`),
    check('users_guest_has_no_email', sql`${table.isAnonymous} = 0 or ${table.email} is null`),
    check('users_email_lower', sql`${table.email} is null or ${table.email} = lower(${table.email})`),
  ],
);

export const sessions = sqliteTable(
  'sessions',
  {
    /** SHA-256 of the cookie's token, in hex: the token itself is kept nowhere. */
    id: text('id').primaryKey(),
    /** What the account page shows and ends a session by; no secret. */
    publicId: text('public_id').notNull(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    expiresAt: integer('expires_at').notNull(),
    createdAt: integer('created_at').notNull(),
    userAgent: text('user_agent').notNull(),
  },
  (table) => [
    index('sessions_user').on(table.userId),
    index('sessions_expiry').on(table.expiresAt),
    uniqueIndex('sessions_public_id').on(table.publicId),
  ],
);

export const loginCodes = sqliteTable(
  'login_codes',
  {
    email: text('email').primaryKey(),
    /** HMAC-SHA-256 of address and code, in hex. */
    codeHash: text('code_hash').notNull(),
    sentAt: integer('sent_at').notNull(),
    expiresAt: integer('expires_at').notNull(),
    tries: integer('tries').notNull().default(0),
  },
  (table) => [
    index('login_codes_expiry').on(table.expiresAt),
    check('login_codes_tries', sql`${table.tries} >= 0`),
  ],
);

export const characters = sqliteTable(
  'characters',
  {
    id: text('id').primaryKey(),
    creatorId: text('creator_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    oneliner: text('oneliner').notNull(),
    characterTraits: text('character_traits').notNull(),
    firstMessage: text('first_message').notNull().default(''),
    modelType: text('model_type', { enum: ['roleplay', 'chatgpt'] }).notNull(),
    visibility: text('visibility', { enum: ['public', 'unlisted', 'private'] }).notNull(),
    pointOfView: text('point_of_view', { enum: ['normal', 'multiPeople', 'rpg', 'reverse'] }).notNull(),
    nsfwAllowed: integer('nsfw_allowed', { mode: 'boolean' }).notNull().default(false),
    suggestedReplies: text('suggested_replies', { mode: 'json' }).$type<string[]>().notNull(),
    summary: text('summary'),
    avatarKey: text('avatar_key').notNull(),
    featured: integer('featured', { mode: 'boolean' }).notNull().default(false),
    chatCount: integer('chat_count').notNull().default(0),
    createdAt: integer('created_at').notNull(),
    updatedAt: integer('updated_at').notNull(),
  },
  (table) => [
    index('characters_creator').on(table.creatorId, table.createdAt),
    index('characters_popular').on(table.visibility, table.nsfwAllowed, table.chatCount, table.id),
    index('characters_new').on(table.visibility, table.nsfwAllowed, table.createdAt, table.id),
    index('characters_featured').on(table.featured, table.visibility, table.nsfwAllowed, table.chatCount),
    check('characters_model_type', sql`${table.modelType} in ('roleplay', 'chatgpt')`),
    check('characters_visibility', sql`${table.visibility} in ('public', 'unlisted', 'private')`),
    check(
      'characters_point_of_view',
      sql`${table.pointOfView} in ('normal', 'multiPeople', 'rpg', 'reverse')`,
    ),
    check('characters_flags', sql`${table.nsfwAllowed} in (0, 1) and ${table.featured} in (0, 1)`),
    check('characters_chat_count', sql`${table.chatCount} >= 0`),
    check('characters_suggested_replies', sql`json_valid(${table.suggestedReplies})`),
  ],
);

export const characterTags = sqliteTable(
  'character_tags',
  {
    tag: text('tag').notNull(),
    characterId: text('character_id')
      .notNull()
      .references(() => characters.id, { onDelete: 'cascade' }),
  },
  (table) => [
    primaryKey({ columns: [table.tag, table.characterId] }),
    index('character_tags_character').on(table.characterId),
  ],
);

/** The list of one's conversations. Messages live in the conversation's own object, never here. */
export const conversations = sqliteTable(
  'conversations',
  {
    id: text('id').primaryKey(),
    /** The truth about who owns a conversation; the object keeps a copy and asks here when it differs. */
    ownerId: text('owner_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** No cascade: a conversation outlives what happens to its character. */
    characterId: text('character_id')
      .notNull()
      .references(() => characters.id),
    title: text('title'),
    createdAt: integer('created_at').notNull(),
    lastMessageAt: integer('last_message_at').notNull(),
    messageCount: integer('message_count').notNull(),
  },
  (table) => [
    index('conversations_owner').on(table.ownerId, table.lastMessageAt),
    index('conversations_owner_character').on(table.ownerId, table.characterId, table.lastMessageAt),
    index('conversations_character').on(table.characterId),
    check('conversations_message_count', sql`${table.messageCount} >= 0`),
  ],
);
