// Over 400 lines: tables that refer to each other.
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

/**
 * Accounts, characters and conversations. Times are milliseconds since the epoch, except `sessions.expires_at`, which
 * Lucia's adapter stores in seconds.
 */

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
    /** End of the paid plan; null for the free plan and for a plan granted by the operator. */
    planUntil: integer('plan_until'),
    isAnonymous: integer('is_anonymous', { mode: 'boolean' }).notNull(),
    /** The account that owns the seeded catalogue. It cannot be signed in to. */
    isSystem: integer('is_system', { mode: 'boolean' }).notNull().default(false),
    onboardingCompleted: integer('onboarding_completed', { mode: 'boolean' }).notNull().default(false),
    spicyMode: integer('spicy_mode', { mode: 'boolean' }).notNull().default(false),
    ageConfirmed: integer('age_confirmed', { mode: 'boolean' }).notNull().default(false),
    /** Time of a passed age check; null when the user only declared their age. */
    ageCheckedAt: integer('age_checked_at'),
    /** Time of the suspension; null while the account is not suspended. The reason is in `measures`. */
    suspendedAt: integer('suspended_at'),
    language: text('language'),
    /** Whether suggestions may follow what the user likes, saves, follows and chats with. */
    personalSuggestions: integer('personal_suggestions', { mode: 'boolean' }).notNull().default(true),
    /** Optional mails about the account and the membership; mandatory ones are sent in any case. */
    emailNotifications: integer('email_notifications', { mode: 'boolean' }).notNull().default(true),
    /** Opt-in. */
    marketingEmails: integer('marketing_emails', { mode: 'boolean' }).notNull().default(false),
    marketingSentAt: integer('marketing_sent_at'),
    /** Created on first use. */
    inviteCode: text('invite_code'),
    /** The inviter whose code was used; null after that account is deleted, while `invitedAt` stays. */
    invitedBy: text('invited_by').references((): AnySQLiteColumn => users.id, { onDelete: 'set null' }),
    invitedAt: integer('invited_at'),
    /** Rounded to the hour. Guests that are idle for too long are removed. */
    lastSeenAt: integer('last_seen_at').notNull().default(0),
    /** Time at which it became an account; null for a guest. `createdAt` is the time of the first visit. */
    registeredAt: integer('registered_at'),
    createdAt: integer('created_at').notNull(),
    updatedAt: integer('updated_at').notNull(),
  },
  (table) => [
    uniqueIndex('users_email').on(table.email),
    uniqueIndex('users_invite_code').on(table.inviteCode),
    index('users_invited_by')
      .on(table.invitedBy, table.invitedAt)
      .where(sql`${table.invitedBy} is not null`),
    index('users_guests_last_seen')
      .on(table.lastSeenAt)
      .where(sql`${table.isAnonymous} = 1`),
    index('users_last_seen').on(table.lastSeenAt),
    index('users_created').on(table.createdAt),
    index('users_registered')
      .on(table.registeredAt)
      .where(sql`${table.registeredAt} is not null`),
    index('users_username')
      .on(sql`${table.username} collate nocase`)
      .where(sql`${table.isAnonymous} = 0`),
    index('users_system')
      .on(table.id)
      .where(sql`${table.isSystem} = 1`),
    index('users_plan_until')
      .on(table.planUntil)
      .where(sql`${table.planUntil} is not null`),
    check('users_plan', sql`${table.plan} in ('free', 'storyteller', 'adventurer', 'legend')`),
    check('users_flags', sql`${table.isAnonymous} in (0, 1) and ${table.isSystem} in (0, 1)`),
    check('users_guest_has_no_email', sql`${table.isAnonymous} = 0 or ${table.email} is null`),
    check('users_email_lower', sql`${table.email} is null or ${table.email} = lower(${table.email})`),
  ],
);

export const sessions = sqliteTable(
  'sessions',
  {
    /** SHA-256 of the cookie's token, in hex. The token itself is not stored. */
    id: text('id').primaryKey(),
    /** Not secret: the account page lists and ends sessions by it. */
    publicId: text('public_id').notNull(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    expiresAt: integer('expires_at').notNull(),
    /** Each login starts a new session, so this is also when the user last proved who they are. */
    createdAt: integer('created_at').notNull(),
    /** How they proved it; guests prove nothing. */
    provedBy: text('proved_by', { enum: ['guest', 'code', 'google', 'passkey'] })
      .notNull()
      .default('guest'),
    /** Rounded to the hour. */
    lastSeenAt: integer('last_seen_at').notNull().default(0),
    userAgent: text('user_agent').notNull(),
  },
  (table) => [
    index('sessions_user').on(table.userId),
    index('sessions_expiry').on(table.expiresAt),
    uniqueIndex('sessions_public_id').on(table.publicId),
  ],
);

/** The latest code of each network or known browser that requested one for an address; kept for a day after it was sent. */
export const loginCodes = sqliteTable(
  'login_codes',
  {
    email: text('email').notNull(),
    /** HMAC of the network or the known browser that requested the code, keyed with AUTH_SECRET; empty when unknown. */
    requester: text('requester').notNull().default(''),
    /** Whether it is a browser that has logged in to the address before. */
    isKnownBrowser: integer('is_known_browser', { mode: 'boolean' }).notNull().default(false),
    /** HMAC-SHA-256 of address and code, in hex. */
    codeHash: text('code_hash').notNull(),
    sentAt: integer('sent_at').notNull(),
    expiresAt: integer('expires_at').notNull(),
    /** All tries. */
    tries: integer('tries').notNull().default(0),
    /** Tries by the requester. */
    requesterTries: integer('requester_tries').notNull().default(0),
    /** How many codes the requester has had in a row without using one, with this one. */
    unused: integer('unused').notNull().default(1),
  },
  (table) => [
    primaryKey({ columns: [table.email, table.requester] }),
    index('login_codes_sent').on(table.sentAt),
    check('login_codes_tries', sql`${table.tries} >= 0`),
  ],
);

/** Google sign-ins, by Google's `sub` claim, which never changes. */
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

/** Passkeys: public keys whose private halves are on users' devices and log in to their accounts. */
export const passkeys = sqliteTable(
  'passkeys',
  {
    /** Not secret: the account page renames and removes passkeys by it. */
    id: text('id').primaryKey(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** The device's id of the key, as base64url. */
    credentialId: text('credential_id').notNull(),
    /** COSE key, as base64url. */
    publicKey: text('public_key').notNull(),
    /** Host that the key is bound to: browsers use it on no other. */
    host: text('host').notNull(),
    /** Signatures that the device had counted at the last use; 0 when it does not count. */
    signCount: integer('sign_count').notNull(),
    /** How browsers reach the device, such as `internal` or `usb`. */
    transports: text('transports', { mode: 'json' }).$type<string[]>().notNull(),
    name: text('name').notNull(),
    createdAt: integer('created_at').notNull(),
    /** Null until the first login with it. */
    lastUsedAt: integer('last_used_at'),
  },
  (table) => [
    uniqueIndex('passkeys_credential').on(table.credentialId),
    index('passkeys_user').on(table.userId, table.createdAt),
    check('passkeys_sign_count', sql`${table.signCount} >= 0`),
  ],
);

/** Third-party tokens that were used, so that none is accepted twice; kept until they expire. */
export const usedTokens = sqliteTable(
  'used_tokens',
  {
    /** SHA-256 in hex. */
    hash: text('hash').primaryKey(),
    expiresAt: integer('expires_at').notNull(),
  },
  (table) => [index('used_tokens_expiry').on(table.expiresAt)],
);

/** Account deletions that were requested and are not confirmed yet. */
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

/** Users whose data is being erased. No foreign key: the account is deleted first. */
export const erasures = sqliteTable(
  'erasures',
  {
    userId: text('user_id').primaryKey(),
    /** Data outside D1: ids of conversations and keys of pictures. */
    conversationIds: text('conversation_ids', { mode: 'json' }).$type<string[]>().notNull(),
    pictureKeys: text('picture_keys', { mode: 'json' }).$type<string[]>().notNull(),
    startedAt: integer('started_at').notNull(),
    retryAt: integer('retry_at').notNull(),
    tries: integer('tries').notNull().default(0),
  },
  (table) => [index('erasures_try').on(table.retryAt), check('erasures_tries', sql`${table.tries} >= 0`)],
);

/** Mail outbox. A row is deleted when its mail is sent or given up. */
export const mails = sqliteTable(
  'mails',
  {
    id: text('id').primaryKey(),
    /** No foreign key: the last mail is sent after the account is deleted. */
    userId: text('user_id').notNull(),
    address: text('address').notNull(),
    language: text('language').notNull(),
    kind: text('kind').notNull(),
    /** Values for the mail's text; their names depend on the kind (features/mail/contract.ts). */
    variables: text('variables', { mode: 'json' }).$type<Record<string, string | number>>().notNull(),
    /** One mail per user, kind and key. */
    dedupeKey: text('dedupe_key').notNull(),
    createdAt: integer('created_at').notNull(),
    retryAt: integer('retry_at').notNull(),
    tries: integer('tries').notNull().default(0),
  },
  (table) => [
    index('mails_try').on(table.retryAt),
    index('mails_user').on(table.userId),
    uniqueIndex('mails_dedupe').on(table.userId, table.kind, table.dedupeKey),
    check('mails_tries', sql`${table.tries} >= 0`),
  ],
);

/** Uploaded pictures. R2 stores the bytes under the key, which is derived from owner and content. */
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

/**
 * What networks did on a day (UTC, days since the epoch), such as starting guests or requesting codes; removed once the day is
 * over.
 */
export const dailyCounts = sqliteTable(
  'daily_counts',
  {
    day: integer('day').notNull(),
    /** Keyed hash of what is counted and of the network, which differs every day. */
    counter: text('counter').notNull(),
    count: integer('count').notNull(),
  },
  (table) => [primaryKey({ columns: [table.day, table.counter] })],
);

/** How many files a user has imported on the day (UTC, days since the epoch) of the latest one. */
export const importCounts = sqliteTable(
  'import_counts',
  {
    ownerId: text('owner_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** `file` for cards and chats. */
    kind: text('kind', { enum: ['file', 'picture'] }).notNull(),
    day: integer('day').notNull(),
    count: integer('count').notNull(),
  },
  (table) => [primaryKey({ columns: [table.ownerId, table.kind] })],
);

/** Feedback to the operator. */
export const feedback = sqliteTable(
  'feedback',
  {
    id: text('id').primaryKey(),
    /** Null when the sender was not signed in. */
    userId: text('user_id').references(() => users.id, { onDelete: 'cascade' }),
    message: text('message').notNull(),
    /** Reply address; only when given for that purpose. */
    email: text('email'),
    language: text('language').notNull(),
    createdAt: integer('created_at').notNull(),
    /** When staff marked it as read; null while it is unread. */
    readAt: integer('read_at'),
  },
  (table) => [
    index('feedback_user').on(table.userId, table.createdAt),
    index('feedback_created').on(table.createdAt),
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
    /** The creator’s text for readers, as Markdown; the model does not read it. */
    about: text('about').notNull().default(''),
    modelType: text('model_type', { enum: ['roleplay', 'chatgpt'] }).notNull(),
    visibility: text('visibility', { enum: ['public', 'unlisted', 'private'] }).notNull(),
    pointOfView: text('point_of_view', { enum: ['normal', 'multiPeople', 'rpg', 'reverse'] }).notNull(),
    nsfwAllowed: integer('nsfw_allowed', { mode: 'boolean' }).notNull().default(false),
    suggestedReplies: text('suggested_replies', { mode: 'json' }).$type<string[]>().notNull(),
    summary: text('summary'),
    avatarKey: text('avatar_key').notNull(),
    featured: integer('featured', { mode: 'boolean' }).notNull().default(false),
    chatCount: integer('chat_count').notNull().default(0),
    /** Triggers on `likes` keep it. */
    likeCount: integer('like_count').notNull().default(0),
    /** How many versions of its replies users liked and disliked, without those of its creator. */
    likedCount: integer('liked_count').notNull().default(0),
    dislikedCount: integer('disliked_count').notNull().default(0),
    /** Version of the definition; incremented when a text that conversations depend on changes. */
    version: integer('version').notNull().default(1),
    /** Moderation status: `hidden` during a review, `removed` permanently. */
    moderation: text('moderation', { enum: ['shown', 'hidden', 'removed'] })
      .notNull()
      .default('shown'),
    /** Language of its texts; null when unknown. */
    language: text('language'),
    /** Whether a model wrote the summary. */
    summaryGenerated: integer('summary_generated', { mode: 'boolean' }).notNull().default(false),
    /** Due time of the next attempt to write a summary; null when none is wanted. */
    summaryRetryAt: integer('summary_retry_at'),
    summaryTries: integer('summary_tries').notNull().default(0),
    /** Time at which it was moved to the trash; null while it is not there. */
    deletedAt: integer('deleted_at'),
    /** The client's `import_key`; null for a character that was created without one. */
    importKey: text('import_key'),
    /**
     * For an imported character that was never published: the number of the next attempt to pay for publishing it
     * (services/publication-fee.ts). Null when nothing is due.
     */
    feeAttempt: integer('fee_attempt'),
    /** Its texts as UTF-8, lorebook included, but no earlier versions. Triggers add it to `storage_totals`. */
    bytes: integer('bytes').notNull().default(0),
    createdAt: integer('created_at').notNull(),
    updatedAt: integer('updated_at').notNull(),
  },
  (table) => [
    uniqueIndex('characters_import_key')
      .on(table.creatorId, table.importKey)
      .where(sql`${table.importKey} is not null`),
    index('characters_creator').on(table.creatorId, table.createdAt),
    index('characters_summary_due')
      .on(table.summaryRetryAt)
      .where(sql`${table.summaryRetryAt} is not null`),
    index('characters_deleted')
      .on(table.deletedAt)
      .where(sql`${table.deletedAt} is not null`),
    index('characters_listed')
      .on(table.creatorId, table.createdAt, table.id)
      .where(
        sql`${table.visibility} = 'public' and ${table.moderation} = 'shown' and ${table.deletedAt} is null`,
      ),
    index('characters_published')
      .on(table.creatorId)
      .where(sql`${table.visibility} <> 'private' and ${table.deletedAt} is null`),
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

/** Tags that creators wrote themselves, in the form of `normalizeFreeTag`. Their row ids keep the creator's order. */
export const characterFreeTags = sqliteTable(
  'character_free_tags',
  {
    tag: text('tag').notNull(),
    characterId: text('character_id')
      .notNull()
      .references(() => characters.id, { onDelete: 'cascade' }),
  },
  (table) => [
    primaryKey({ columns: [table.tag, table.characterId] }),
    index('character_free_tags_character').on(table.characterId),
  ],
);

/** The list of a user's conversations. The messages are stored only in the conversation's object. */
export const conversations = sqliteTable(
  'conversations',
  {
    id: text('id').primaryKey(),
    /** The authoritative owner. The object keeps a copy and reads this column when it differs. */
    ownerId: text('owner_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** No cascade: a conversation outlives its character. */
    characterId: text('character_id')
      .notNull()
      .references(() => characters.id),
    /** The character as this conversation knows it, independent of later edits; null when it was not recorded. */
    characterName: text('character_name'),
    avatarUrl: text('avatar_url'),
    createdAt: integer('created_at').notNull(),
    /** Whether it is in the owner's list: a started one is not before their first message. */
    isBegun: integer('begun', { mode: 'boolean' }).notNull().default(true),
    /**
     * When the first reply to the user was completed, while the chat is in its character's chat count; null otherwise.
     * Triggers keep `characters.chat_count` and `character_days`.
     */
    countedAt: integer('counted_at'),
    /**
     * The user's messages that were answered in this conversation, up to `MAX_COUNTED_TURNS`; imported and copied ones do
     * not count.
     */
    turns: integer('turns').notNull().default(0),
    /** The number of the latest change of a rating in this conversation that the totals have. */
    ratingsCounted: integer('ratings_counted').notNull().default(0),
    /** Keyed hash of the network that it was begun from, or last opened from before the first message; null when unknown. */
    network: text('network'),
    /** Time at which it was moved to the trash; null while it is not there. */
    deletedAt: integer('deleted_at'),
    /** The client's `import_key`; null for a conversation that was not imported with one. */
    importKey: text('import_key'),
    /** What its object stored when this row was last written. Triggers add it to `storage_totals`. */
    bytes: integer('bytes').notNull().default(0),
    /** Its character's long texts in `character_copies`; null for none. */
    copyHash: text('copy_hash'),
  },
  (table) => [
    index('conversations_copy')
      .on(table.copyHash)
      .where(sql`${table.copyHash} is not null`),
    uniqueIndex('conversations_import_key')
      .on(table.ownerId, table.importKey)
      .where(sql`${table.importKey} is not null`),
    index('conversations_deleted')
      .on(table.deletedAt)
      .where(sql`${table.deletedAt} is not null`),
    index('conversations_owner').on(table.ownerId, table.id),
    index('conversations_character').on(table.characterId, table.ownerId),
    // By day (UTC), in the words of `chat-count-statements.ts`.
    index('conversations_counted')
      .on(table.characterId, sql`(${table.countedAt} / 86400000)`, table.network)
      .where(sql`${table.countedAt} is not null`),
    index('conversations_avatar').on(table.avatarUrl, table.ownerId),
  ],
);

/** A user's personas. The default, at most one, applies to new conversations. */
export const personas = sqliteTable(
  'personas',
  {
    id: text('id').primaryKey(),
    ownerId: text('owner_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    description: text('description').notNull(),
    /** The key of its picture; null for none. */
    avatarKey: text('avatar_key'),
    isDefault: integer('is_default', { mode: 'boolean' }).notNull().default(false),
    /** The character whose new conversations start with it; null for none, and after the character was erased. */
    characterId: text('character_id').references(() => characters.id, { onDelete: 'set null' }),
    /** The client's `import_key`; null for a persona that was created without one. */
    importKey: text('import_key'),
    /** Time at which it was moved to the trash; null while it is not there. */
    deletedAt: integer('deleted_at'),
    createdAt: integer('created_at').notNull(),
    updatedAt: integer('updated_at').notNull(),
  },
  (table) => [
    index('personas_deleted')
      .on(table.deletedAt)
      .where(sql`${table.deletedAt} is not null`),
    uniqueIndex('personas_import_key')
      .on(table.ownerId, table.importKey)
      .where(sql`${table.importKey} is not null`),
    index('personas_owner').on(table.ownerId, table.id),
    index('personas_avatar')
      .on(table.ownerId, table.avatarKey)
      .where(sql`${table.avatarKey} is not null`),
    index('personas_character')
      .on(table.characterId, table.ownerId)
      .where(sql`${table.characterId} is not null`),
    uniqueIndex('personas_default')
      .on(table.ownerId)
      .where(sql`${table.isDefault} = 1`),
    check('personas_flag', sql`${table.isDefault} in (0, 1)`),
  ],
);

/** The reply settings that a user saved under a name. */
export const replyStyles = sqliteTable(
  'reply_styles',
  {
    id: text('id').primaryKey(),
    ownerId: text('owner_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    /** The fields of a `ReplyStyle` as JSON. */
    style: text('style').notNull(),
    createdAt: integer('created_at').notNull(),
    updatedAt: integer('updated_at').notNull(),
  },
  (table) => [
    index('reply_styles_owner').on(table.ownerId, table.id),
    check('reply_styles_style', sql`json_valid(${table.style})`),
  ],
);
