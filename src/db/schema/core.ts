import { sql } from 'drizzle-orm';
import {
  type AnySQLiteColumn,
  check,
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  uniqueIndex,
} from 'drizzle-orm/sqlite-core';

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
    /** Until when the plan is paid for; null for one that the operator gave, and for the free one. */
    planUntil: integer('plan_until'),
    isAnonymous: integer('is_anonymous', { mode: 'boolean' }).notNull(),
    /** The account that owns the seeded catalogue; nobody signs in to it. */
    isHouse: integer('is_house', { mode: 'boolean' }).notNull().default(false),
    onboardingCompleted: integer('onboarding_completed', { mode: 'boolean' }).notNull().default(false),
    spicyMode: integer('spicy_mode', { mode: 'boolean' }).notNull().default(false),
    ageConfirmed: integer('age_confirmed', { mode: 'boolean' }).notNull().default(false),
    /** When a real age check said so; null where there is only one's own word. */
    ageCheckedAt: integer('age_checked_at'),
    /** Since when staff has the account shut; null while it is open. Why, its measure says. */
    suspendedAt: integer('suspended_at'),
    language: text('language'),
    /** Mails about one's account and membership; those that must be sent go out in any case. */
    emailNotifications: integer('email_notifications', { mode: 'boolean' }).notNull().default(true),
    /** Nobody is in who did not say so. */
    marketingEmails: integer('marketing_emails', { mode: 'boolean' }).notNull().default(false),
    marketingSentAt: integer('marketing_sent_at'),
    /** Made when it is asked for first. */
    inviteCode: text('invite_code'),
    /** Whose code was used; null again when that account goes, while `invitedAt` stays. */
    invitedBy: text('invited_by').references((): AnySQLiteColumn => users.id, { onDelete: 'set null' }),
    invitedAt: integer('invited_at'),
    /** To the hour; a guest who is not seen for long goes. */
    seenAt: integer('seen_at').notNull().default(0),
    /** When it became an account, or was made as one; null for a guest. `createdAt` is when they came. */
    accountSince: integer('account_since'),
    createdAt: integer('created_at').notNull(),
    updatedAt: integer('updated_at').notNull(),
  },
  (table) => [
    uniqueIndex('users_email').on(table.email),
    uniqueIndex('users_invite_code').on(table.inviteCode),
    index('users_invited_by')
      .on(table.invitedBy, table.invitedAt)
      .where(sql`${table.invitedBy} is not null`),
    index('users_guests_seen')
      .on(table.seenAt)
      .where(sql`${table.isAnonymous} = 1`),
    index('users_seen').on(table.seenAt),
    index('users_created').on(table.createdAt),
    index('users_account_since')
      .on(table.accountSince)
      .where(sql`${table.accountSince} is not null`),
    index('users_plan_until')
      .on(table.planUntil)
      .where(sql`${table.planUntil} is not null`),
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
    /** To the hour. */
    lastSeenAt: integer('last_seen_at').notNull().default(0),
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
    /** All of them, whoever tried. */
    tries: integer('tries').notNull().default(0),
    /** The network that asked, by a name that says nothing without AUTH_SECRET; null where none is known. */
    askerNetwork: text('asker_network'),
    /** How many of the tries came from there. */
    askerTries: integer('asker_tries').notNull().default(0),
    /** How many of the others came from each network, as JSON, by names of the same kind. */
    networkTries: text('network_tries').notNull().default('{}'),
  },
  (table) => [
    index('login_codes_expiry').on(table.expiresAt),
    check('login_codes_tries', sql`${table.tries} >= 0`),
  ],
);

/** Who signs in by Google, by the one name that Google never changes. */
export const googleAccounts = sqliteTable(
  'google_accounts',
  {
    subject: text('subject').primaryKey(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    createdAt: integer('created_at').notNull(),
  },
  (table) => [index('google_accounts_user').on(table.userId)],
);

/** Tokens of others that were taken once, so that none is taken twice; kept until they are worth nothing. */
export const usedTokens = sqliteTable(
  'used_tokens',
  {
    /** SHA-256 in hex. */
    hash: text('hash').primaryKey(),
    expiresAt: integer('expires_at').notNull(),
  },
  (table) => [index('used_tokens_expiry').on(table.expiresAt)],
);

/** Accounts whose owner asked to delete them and has not confirmed it yet. */
export const deletionRequests = sqliteTable(
  'deletion_requests',
  {
    userId: text('user_id')
      .primaryKey()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** SHA-256 of the link's token, in hex. */
    tokenHash: text('token_hash').notNull(),
    requestedAt: integer('requested_at').notNull(),
    expiresAt: integer('expires_at').notNull(),
  },
  (table) => [index('deletion_requests_expiry').on(table.expiresAt)],
);

/** People whose every trace is being taken away; no reference to the account, which goes first. */
export const erasures = sqliteTable(
  'erasures',
  {
    userId: text('user_id').primaryKey(),
    /** What lies outside this database: ids of conversations and keys of pictures. */
    conversationIds: text('conversation_ids', { mode: 'json' }).$type<string[]>().notNull(),
    pictureKeys: text('picture_keys', { mode: 'json' }).$type<string[]>().notNull(),
    begunAt: integer('begun_at').notNull(),
    tryAt: integer('try_at').notNull(),
    tries: integer('tries').notNull().default(0),
  },
  (table) => [index('erasures_try').on(table.tryAt), check('erasures_tries', sql`${table.tries} >= 0`)],
);

/** Mails that are to go out; a row goes when its mail is sent or given up. */
export const mails = sqliteTable(
  'mails',
  {
    id: text('id').primaryKey(),
    /** No reference: the last mail goes out when the account is gone. */
    userId: text('user_id').notNull(),
    address: text('address').notNull(),
    language: text('language').notNull(),
    kind: text('kind').notNull(),
    /** What the mail tells, by the names that its kind has (features/mail/contract.ts). */
    details: text('details', { mode: 'json' }).$type<Record<string, string | number>>().notNull(),
    /** What it is told about: the same is told once. */
    about: text('about').notNull(),
    createdAt: integer('created_at').notNull(),
    tryAt: integer('try_at').notNull(),
    tries: integer('tries').notNull().default(0),
  },
  (table) => [
    index('mails_try').on(table.tryAt),
    index('mails_user').on(table.userId),
    uniqueIndex('mails_about').on(table.userId, table.kind, table.about),
    check('mails_tries', sql`${table.tries} >= 0`),
  ],
);

/** Pictures that people brought; the bytes lie in R2 under the key, which is made of owner and content. */
export const pictures = sqliteTable(
  'pictures',
  {
    key: text('key').primaryKey(),
    ownerId: text('owner_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    bytes: integer('bytes').notNull(),
    createdAt: integer('created_at').notNull(),
  },
  (table) => [
    index('pictures_owner').on(table.ownerId, table.createdAt),
    index('pictures_created').on(table.createdAt),
    check('pictures_bytes', sql`${table.bytes} > 0`),
  ],
);

/** What people tell the operator. */
export const feedback = sqliteTable(
  'feedback',
  {
    id: text('id').primaryKey(),
    /** Null when nobody was signed in. */
    userId: text('user_id').references(() => users.id, { onDelete: 'cascade' }),
    message: text('message').notNull(),
    /** Where an answer may go; only when it was given for that. */
    email: text('email'),
    language: text('language').notNull(),
    createdAt: integer('created_at').notNull(),
  },
  (table) => [index('feedback_user').on(table.userId), index('feedback_created').on(table.createdAt)],
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
    /** Of what answers: it grows when a text changes that a conversation goes by. */
    version: integer('version').notNull().default(1),
    /** What moderation made of it: `hidden` until somebody has looked, `removed` for good. */
    moderation: text('moderation', { enum: ['shown', 'hidden', 'removed'] })
      .notNull()
      .default('shown'),
    /** The language that its maker wrote it in, as the page was; null when nobody knows. */
    language: text('language'),
    /** Whether a model wrote the summary. */
    summaryGenerated: integer('summary_generated', { mode: 'boolean' }).notNull().default(false),
    /** When a summary is to be written next; null when none is wanted. */
    summaryTryAt: integer('summary_try_at'),
    summaryTries: integer('summary_tries').notNull().default(0),
    /** Since when it lies in the trash; null while it does not. */
    deletedAt: integer('deleted_at'),
    createdAt: integer('created_at').notNull(),
    updatedAt: integer('updated_at').notNull(),
  },
  (table) => [
    index('characters_creator').on(table.creatorId, table.createdAt),
    index('characters_summary_due')
      .on(table.summaryTryAt)
      .where(sql`${table.summaryTryAt} is not null`),
    index('characters_deleted')
      .on(table.deletedAt)
      .where(sql`${table.deletedAt} is not null`),
    index('characters_listed')
      .on(table.creatorId, table.createdAt, table.id)
      .where(
        sql`${table.visibility} = 'public' and ${table.moderation} = 'shown' and ${table.deletedAt} is null`,
      ),
    index('characters_avatar').on(table.avatarKey),
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
    /** The character as this story knows it, whatever its maker made of it since; null where nobody wrote it down. */
    characterName: text('character_name'),
    avatarUrl: text('avatar_url'),
    title: text('title'),
    createdAt: integer('created_at').notNull(),
    lastMessageAt: integer('last_message_at').notNull(),
    messageCount: integer('message_count').notNull(),
    /** Messages of its person that were answered here, where they were written: not what was brought or copied. */
    turns: integer('turns').notNull().default(0),
    /** Of the network that it was begun from, a keyed hash; null where nobody knows. */
    network: text('network'),
    /** Since when it lies in the trash; null while it does not. */
    deletedAt: integer('deleted_at'),
  },
  (table) => [
    index('conversations_deleted')
      .on(table.deletedAt)
      .where(sql`${table.deletedAt} is not null`),
    index('conversations_owner_deleted')
      .on(table.ownerId, table.deletedAt)
      .where(sql`${table.deletedAt} is not null`),
    index('conversations_owner').on(table.ownerId, table.lastMessageAt),
    index('conversations_owner_character').on(table.ownerId, table.characterId, table.lastMessageAt),
    index('conversations_character').on(table.characterId, table.ownerId),
    index('conversations_avatar').on(table.avatarUrl, table.ownerId),
    check('conversations_message_count', sql`${table.messageCount} >= 0`),
  ],
);

/** Who a person is in a story. The default applies to new conversations; there is at most one. */
export const personas = sqliteTable(
  'personas',
  {
    id: text('id').primaryKey(),
    ownerId: text('owner_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    description: text('description').notNull(),
    isDefault: integer('is_default', { mode: 'boolean' }).notNull().default(false),
    createdAt: integer('created_at').notNull(),
    updatedAt: integer('updated_at').notNull(),
  },
  (table) => [
    index('personas_owner').on(table.ownerId, table.id),
    uniqueIndex('personas_default')
      .on(table.ownerId)
      .where(sql`${table.isDefault} = 1`),
    check('personas_flag', sql`${table.isDefault} in (0, 1)`),
  ],
);
