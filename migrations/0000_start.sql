CREATE TABLE `character_free_tags` (
	`tag` text NOT NULL,
	`character_id` text NOT NULL,
	PRIMARY KEY(`tag`, `character_id`),
	FOREIGN KEY (`character_id`) REFERENCES `characters`(`id`) ON UPDATE no action ON DELETE cascade
);--> statement-breakpoint
CREATE INDEX `character_free_tags_character` ON `character_free_tags` (`character_id`);--> statement-breakpoint
CREATE TABLE `character_tags` (
	`tag` text NOT NULL,
	`character_id` text NOT NULL,
	PRIMARY KEY(`tag`, `character_id`),
	FOREIGN KEY (`character_id`) REFERENCES `characters`(`id`) ON UPDATE no action ON DELETE cascade
);--> statement-breakpoint
CREATE INDEX `character_tags_character` ON `character_tags` (`character_id`);--> statement-breakpoint
CREATE TABLE `characters` (
	`id` text PRIMARY KEY NOT NULL,
	`creator_id` text NOT NULL,
	`name` text NOT NULL,
	`oneliner` text NOT NULL,
	`character_traits` text NOT NULL,
	`first_message` text DEFAULT '' NOT NULL,
	`about` text DEFAULT '' NOT NULL,
	`model_type` text NOT NULL,
	`visibility` text NOT NULL,
	`point_of_view` text NOT NULL,
	`nsfw_allowed` integer DEFAULT false NOT NULL,
	`suggested_replies` text NOT NULL,
	`summary` text,
	`avatar_key` text NOT NULL,
	`featured` integer DEFAULT false NOT NULL,
	`chat_count` integer DEFAULT 0 NOT NULL,
	`like_count` integer DEFAULT 0 NOT NULL,
	`liked_count` integer DEFAULT 0 NOT NULL,
	`disliked_count` integer DEFAULT 0 NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`moderation` text DEFAULT 'shown' NOT NULL,
	`language` text,
	`summary_generated` integer DEFAULT false NOT NULL,
	`summary_retry_at` integer,
	`summary_tries` integer DEFAULT 0 NOT NULL,
	`deleted_at` integer,
	`import_key` text,
	`fee_attempt` integer,
	`bytes` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`creator_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "characters_model_type" CHECK("characters"."model_type" in ('roleplay', 'chatgpt')),
	CONSTRAINT "characters_visibility" CHECK("characters"."visibility" in ('public', 'unlisted', 'private')),
	CONSTRAINT "characters_point_of_view" CHECK("characters"."point_of_view" in ('normal', 'multiPeople', 'rpg', 'reverse')),
	CONSTRAINT "characters_flags" CHECK("characters"."nsfw_allowed" in (0, 1) and "characters"."featured" in (0, 1)),
	CONSTRAINT "characters_chat_count" CHECK("characters"."chat_count" >= 0),
	CONSTRAINT "characters_suggested_replies" CHECK(json_valid("characters"."suggested_replies"))
);--> statement-breakpoint
CREATE UNIQUE INDEX `characters_import_key` ON `characters` (`creator_id`,`import_key`) WHERE "characters"."import_key" is not null;--> statement-breakpoint
CREATE INDEX `characters_creator` ON `characters` (`creator_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `characters_summary_due` ON `characters` (`summary_retry_at`) WHERE "characters"."summary_retry_at" is not null;--> statement-breakpoint
CREATE INDEX `characters_deleted` ON `characters` (`deleted_at`) WHERE "characters"."deleted_at" is not null;--> statement-breakpoint
CREATE INDEX `characters_listed` ON `characters` (`creator_id`,`created_at`,`id`) WHERE "characters"."visibility" = 'public' and "characters"."moderation" = 'shown' and "characters"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX `characters_published` ON `characters` (`creator_id`) WHERE "characters"."visibility" <> 'private' and "characters"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX `characters_avatar` ON `characters` (`avatar_key`);--> statement-breakpoint
CREATE INDEX `characters_featured` ON `characters` (`featured`,`visibility`,`nsfw_allowed`,`chat_count`);--> statement-breakpoint
CREATE TABLE `conversations` (
	`id` text PRIMARY KEY NOT NULL,
	`owner_id` text NOT NULL,
	`character_id` text NOT NULL,
	`character_name` text,
	`avatar_url` text,
	`created_at` integer NOT NULL,
	`begun` integer DEFAULT true NOT NULL,
	`counted_at` integer,
	`turns` integer DEFAULT 0 NOT NULL,
	`ratings_counted` integer DEFAULT 0 NOT NULL,
	`network` text,
	`deleted_at` integer,
	`import_key` text,
	`bytes` integer DEFAULT 0 NOT NULL,
	`copy_hash` text,
	FOREIGN KEY (`owner_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`character_id`) REFERENCES `characters`(`id`) ON UPDATE no action ON DELETE no action
);--> statement-breakpoint
CREATE INDEX `conversations_copy` ON `conversations` (`copy_hash`) WHERE "conversations"."copy_hash" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX `conversations_import_key` ON `conversations` (`owner_id`,`import_key`) WHERE "conversations"."import_key" is not null;--> statement-breakpoint
CREATE INDEX `conversations_deleted` ON `conversations` (`deleted_at`) WHERE "conversations"."deleted_at" is not null;--> statement-breakpoint
CREATE INDEX `conversations_owner` ON `conversations` (`owner_id`,`id`);--> statement-breakpoint
CREATE INDEX `conversations_character` ON `conversations` (`character_id`,`owner_id`);--> statement-breakpoint
CREATE INDEX `conversations_counted` ON `conversations` (`character_id`,("counted_at" / 86400000),`network`) WHERE "conversations"."counted_at" is not null;--> statement-breakpoint
CREATE INDEX `conversations_avatar` ON `conversations` (`avatar_url`,`owner_id`);--> statement-breakpoint
CREATE TABLE `daily_counts` (
	`day` integer NOT NULL,
	`counter` text NOT NULL,
	`count` integer NOT NULL,
	PRIMARY KEY(`day`, `counter`)
);--> statement-breakpoint
CREATE TABLE `deletion_requests` (
	`user_id` text PRIMARY KEY NOT NULL,
	`token_hash` text NOT NULL,
	`requested_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);--> statement-breakpoint
CREATE INDEX `deletion_requests_expiry` ON `deletion_requests` (`expires_at`);--> statement-breakpoint
CREATE TABLE `erasures` (
	`user_id` text PRIMARY KEY NOT NULL,
	`conversation_ids` text NOT NULL,
	`picture_keys` text NOT NULL,
	`started_at` integer NOT NULL,
	`retry_at` integer NOT NULL,
	`tries` integer DEFAULT 0 NOT NULL,
	CONSTRAINT "erasures_tries" CHECK("erasures"."tries" >= 0)
);--> statement-breakpoint
CREATE INDEX `erasures_try` ON `erasures` (`retry_at`);--> statement-breakpoint
CREATE TABLE `feedback` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text,
	`message` text NOT NULL,
	`email` text,
	`language` text NOT NULL,
	`created_at` integer NOT NULL,
	`read_at` integer,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);--> statement-breakpoint
CREATE INDEX `feedback_user` ON `feedback` (`user_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `feedback_created` ON `feedback` (`created_at`);--> statement-breakpoint
CREATE TABLE `google_accounts` (
	`subject` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);--> statement-breakpoint
CREATE INDEX `google_accounts_user` ON `google_accounts` (`user_id`);--> statement-breakpoint
CREATE TABLE `import_counts` (
	`owner_id` text NOT NULL,
	`kind` text NOT NULL,
	`day` integer NOT NULL,
	`count` integer NOT NULL,
	PRIMARY KEY(`owner_id`, `kind`),
	FOREIGN KEY (`owner_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);--> statement-breakpoint
CREATE TABLE `login_codes` (
	`email` text NOT NULL,
	`requester` text DEFAULT '' NOT NULL,
	`is_known_browser` integer DEFAULT false NOT NULL,
	`code_hash` text NOT NULL,
	`sent_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`tries` integer DEFAULT 0 NOT NULL,
	`requester_tries` integer DEFAULT 0 NOT NULL,
	`unused` integer DEFAULT 1 NOT NULL,
	PRIMARY KEY(`email`, `requester`),
	CONSTRAINT "login_codes_tries" CHECK("login_codes"."tries" >= 0)
);--> statement-breakpoint
CREATE INDEX `login_codes_sent` ON `login_codes` (`sent_at`);--> statement-breakpoint
CREATE TABLE `mails` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`address` text NOT NULL,
	`language` text NOT NULL,
	`kind` text NOT NULL,
	`variables` text NOT NULL,
	`dedupe_key` text NOT NULL,
	`created_at` integer NOT NULL,
	`retry_at` integer NOT NULL,
	`tries` integer DEFAULT 0 NOT NULL,
	CONSTRAINT "mails_tries" CHECK("mails"."tries" >= 0)
);--> statement-breakpoint
CREATE INDEX `mails_try` ON `mails` (`retry_at`);--> statement-breakpoint
CREATE INDEX `mails_user` ON `mails` (`user_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `mails_dedupe` ON `mails` (`user_id`,`kind`,`dedupe_key`);--> statement-breakpoint
CREATE TABLE `passkeys` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`credential_id` text NOT NULL,
	`public_key` text NOT NULL,
	`host` text NOT NULL,
	`sign_count` integer NOT NULL,
	`transports` text NOT NULL,
	`name` text NOT NULL,
	`created_at` integer NOT NULL,
	`last_used_at` integer,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "passkeys_sign_count" CHECK("passkeys"."sign_count" >= 0)
);--> statement-breakpoint
CREATE UNIQUE INDEX `passkeys_credential` ON `passkeys` (`credential_id`);--> statement-breakpoint
CREATE INDEX `passkeys_user` ON `passkeys` (`user_id`,`created_at`);--> statement-breakpoint
CREATE TABLE `personas` (
	`id` text PRIMARY KEY NOT NULL,
	`owner_id` text NOT NULL,
	`name` text NOT NULL,
	`description` text NOT NULL,
	`avatar_key` text,
	`is_default` integer DEFAULT false NOT NULL,
	`character_id` text,
	`import_key` text,
	`deleted_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`owner_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`character_id`) REFERENCES `characters`(`id`) ON UPDATE no action ON DELETE set null,
	CONSTRAINT "personas_flag" CHECK("personas"."is_default" in (0, 1))
);--> statement-breakpoint
CREATE INDEX `personas_deleted` ON `personas` (`deleted_at`) WHERE "personas"."deleted_at" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX `personas_import_key` ON `personas` (`owner_id`,`import_key`) WHERE "personas"."import_key" is not null;--> statement-breakpoint
CREATE INDEX `personas_owner` ON `personas` (`owner_id`,`id`);--> statement-breakpoint
CREATE INDEX `personas_avatar` ON `personas` (`owner_id`,`avatar_key`) WHERE "personas"."avatar_key" is not null;--> statement-breakpoint
CREATE INDEX `personas_character` ON `personas` (`character_id`,`owner_id`) WHERE "personas"."character_id" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX `personas_default` ON `personas` (`owner_id`) WHERE "personas"."is_default" = 1;--> statement-breakpoint
CREATE TABLE `pictures` (
	`key` text PRIMARY KEY NOT NULL,
	`owner_id` text NOT NULL,
	`bytes` integer NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`owner_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "pictures_bytes" CHECK("pictures"."bytes" > 0)
);--> statement-breakpoint
CREATE INDEX `pictures_owner` ON `pictures` (`owner_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `pictures_created` ON `pictures` (`created_at`);--> statement-breakpoint
CREATE TABLE `reply_styles` (
	`id` text PRIMARY KEY NOT NULL,
	`owner_id` text NOT NULL,
	`name` text NOT NULL,
	`style` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`owner_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "reply_styles_style" CHECK(json_valid("reply_styles"."style"))
);--> statement-breakpoint
CREATE INDEX `reply_styles_owner` ON `reply_styles` (`owner_id`,`id`);--> statement-breakpoint
CREATE TABLE `sessions` (
	`id` text PRIMARY KEY NOT NULL,
	`public_id` text NOT NULL,
	`user_id` text NOT NULL,
	`expires_at` integer NOT NULL,
	`created_at` integer NOT NULL,
	`proved_by` text DEFAULT 'guest' NOT NULL,
	`last_seen_at` integer DEFAULT 0 NOT NULL,
	`user_agent` text NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);--> statement-breakpoint
CREATE INDEX `sessions_user` ON `sessions` (`user_id`);--> statement-breakpoint
CREATE INDEX `sessions_expiry` ON `sessions` (`expires_at`);--> statement-breakpoint
CREATE UNIQUE INDEX `sessions_public_id` ON `sessions` (`public_id`);--> statement-breakpoint
CREATE TABLE `used_tokens` (
	`hash` text PRIMARY KEY NOT NULL,
	`expires_at` integer NOT NULL
);--> statement-breakpoint
CREATE INDEX `used_tokens_expiry` ON `used_tokens` (`expires_at`);--> statement-breakpoint
CREATE TABLE `users` (
	`id` text PRIMARY KEY NOT NULL,
	`username` text NOT NULL,
	`email` text,
	`nickname` text,
	`avatar_key` text,
	`plan` text DEFAULT 'free' NOT NULL,
	`plan_until` integer,
	`is_anonymous` integer NOT NULL,
	`is_system` integer DEFAULT false NOT NULL,
	`onboarding_completed` integer DEFAULT false NOT NULL,
	`spicy_mode` integer DEFAULT false NOT NULL,
	`age_confirmed` integer DEFAULT false NOT NULL,
	`age_checked_at` integer,
	`suspended_at` integer,
	`language` text,
	`personal_suggestions` integer DEFAULT true NOT NULL,
	`email_notifications` integer DEFAULT true NOT NULL,
	`marketing_emails` integer DEFAULT false NOT NULL,
	`marketing_sent_at` integer,
	`invite_code` text,
	`invited_by` text,
	`invited_at` integer,
	`last_seen_at` integer DEFAULT 0 NOT NULL,
	`registered_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`invited_by`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE set null,
	CONSTRAINT "users_plan" CHECK("users"."plan" in ('free', 'storyteller', 'adventurer', 'legend')),
	CONSTRAINT "users_flags" CHECK("users"."is_anonymous" in (0, 1) and "users"."is_system" in (0, 1)),
	CONSTRAINT "users_guest_has_no_email" CHECK("users"."is_anonymous" = 0 or "users"."email" is null),
	CONSTRAINT "users_email_lower" CHECK("users"."email" is null or "users"."email" = lower("users"."email"))
);--> statement-breakpoint
CREATE UNIQUE INDEX `users_email` ON `users` (`email`);--> statement-breakpoint
CREATE UNIQUE INDEX `users_invite_code` ON `users` (`invite_code`);--> statement-breakpoint
CREATE INDEX `users_invited_by` ON `users` (`invited_by`,`invited_at`) WHERE "users"."invited_by" is not null;--> statement-breakpoint
CREATE INDEX `users_guests_last_seen` ON `users` (`last_seen_at`) WHERE "users"."is_anonymous" = 1;--> statement-breakpoint
CREATE INDEX `users_last_seen` ON `users` (`last_seen_at`);--> statement-breakpoint
CREATE INDEX `users_created` ON `users` (`created_at`);--> statement-breakpoint
CREATE INDEX `users_registered` ON `users` (`registered_at`) WHERE "users"."registered_at" is not null;--> statement-breakpoint
CREATE INDEX `users_username` ON `users` ("username" collate nocase) WHERE "users"."is_anonymous" = 0;--> statement-breakpoint
CREATE INDEX `users_system` ON `users` (`id`) WHERE "users"."is_system" = 1;--> statement-breakpoint
CREATE INDEX `users_plan_until` ON `users` (`plan_until`) WHERE "users"."plan_until" is not null;--> statement-breakpoint
CREATE TABLE `cache_purge_queue` (
	`tag` text PRIMARY KEY NOT NULL,
	`changes` integer DEFAULT 1 NOT NULL,
	`retry_at` integer NOT NULL,
	`tries` integer DEFAULT 0 NOT NULL,
	CONSTRAINT "cache_purge_queue_tries" CHECK("cache_purge_queue"."tries" >= 0)
);--> statement-breakpoint
CREATE INDEX `cache_purge_queue_retry` ON `cache_purge_queue` (`retry_at`);--> statement-breakpoint
CREATE TABLE `cards` (
	`id` text PRIMARY KEY NOT NULL,
	`owner_id` text NOT NULL,
	`character_id` text,
	`object_key` text NOT NULL,
	`bytes` integer NOT NULL,
	`draft` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`owner_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`character_id`) REFERENCES `characters`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "cards_bytes" CHECK("cards"."bytes" > 0)
);--> statement-breakpoint
CREATE INDEX `cards_owner` ON `cards` (`owner_id`,`created_at`);--> statement-breakpoint
CREATE UNIQUE INDEX `cards_character` ON `cards` (`character_id`);--> statement-breakpoint
CREATE INDEX `cards_object` ON `cards` (`object_key`);--> statement-breakpoint
CREATE INDEX `cards_unclaimed` ON `cards` (`created_at`) WHERE "cards"."character_id" is null;--> statement-breakpoint
CREATE TABLE `character_copies` (
	`character_id` text NOT NULL,
	`hash` text NOT NULL,
	`content` text NOT NULL,
	PRIMARY KEY(`character_id`, `hash`),
	FOREIGN KEY (`character_id`) REFERENCES `characters`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "character_copies_content" CHECK(json_valid("character_copies"."content"))
);--> statement-breakpoint
CREATE TABLE `character_creations` (
	`owner_id` text NOT NULL,
	`key` text NOT NULL,
	`character_id` text NOT NULL,
	`body_hash` text NOT NULL,
	`import_id` text,
	`done` integer DEFAULT false NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`owner_id`, `key`),
	FOREIGN KEY (`owner_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);--> statement-breakpoint
CREATE INDEX `character_creations_created` ON `character_creations` (`created_at`);--> statement-breakpoint
CREATE INDEX `character_creations_open` ON `character_creations` (`created_at`) WHERE "character_creations"."done" = 0;--> statement-breakpoint
CREATE TABLE `character_days` (
	`day` integer NOT NULL,
	`character_id` text NOT NULL,
	`chats` integer NOT NULL,
	`is_pending` integer DEFAULT true NOT NULL,
	PRIMARY KEY(`day`, `character_id`),
	FOREIGN KEY (`character_id`) REFERENCES `characters`(`id`) ON UPDATE no action ON DELETE cascade
);--> statement-breakpoint
CREATE INDEX `character_days_character` ON `character_days` (`character_id`);--> statement-breakpoint
CREATE INDEX `character_days_pending` ON `character_days` (`day`,`character_id`) WHERE "character_days"."is_pending" = 1;--> statement-breakpoint
CREATE TABLE `character_extras` (
	`character_id` text PRIMARY KEY NOT NULL,
	`nickname` text,
	`alternate_greetings` text NOT NULL,
	`lorebook` text,
	`definition` text,
	`recommended_style` text,
	FOREIGN KEY (`character_id`) REFERENCES `characters`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "character_extras_lorebook" CHECK("character_extras"."lorebook" is null or json_valid("character_extras"."lorebook")),
	CONSTRAINT "character_extras_definition" CHECK("character_extras"."definition" is null or json_valid("character_extras"."definition")),
	CONSTRAINT "character_extras_recommended_style" CHECK("character_extras"."recommended_style" is null or json_valid("character_extras"."recommended_style"))
);--> statement-breakpoint
CREATE TABLE `character_listings` (
	`character_id` text NOT NULL,
	`tag` text NOT NULL,
	`nsfw` integer NOT NULL,
	`chat_count` integer NOT NULL,
	`like_count` integer NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`character_id`, `tag`),
	FOREIGN KEY (`character_id`) REFERENCES `characters`(`id`) ON UPDATE no action ON DELETE cascade
);--> statement-breakpoint
CREATE INDEX `character_listings_popular` ON `character_listings` (`tag`,`nsfw`,`chat_count`,`character_id`);--> statement-breakpoint
CREATE INDEX `character_listings_liked` ON `character_listings` (`tag`,`nsfw`,`like_count`,`character_id`);--> statement-breakpoint
CREATE INDEX `character_listings_new` ON `character_listings` (`tag`,`nsfw`,`created_at`,`character_id`);--> statement-breakpoint
CREATE TABLE `character_versions` (
	`character_id` text NOT NULL,
	`version` integer NOT NULL,
	`definition` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`character_id`, `version`),
	FOREIGN KEY (`character_id`) REFERENCES `characters`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "character_versions_definition" CHECK(json_valid("character_versions"."definition"))
);--> statement-breakpoint
CREATE TABLE `character_words` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`character_id` text NOT NULL,
	`words` text NOT NULL,
	`tags` text NOT NULL,
	`version` integer NOT NULL,
	`popular_row_id` integer,
	`new_row_id` integer,
	FOREIGN KEY (`character_id`) REFERENCES `characters`(`id`) ON UPDATE no action ON DELETE cascade
);--> statement-breakpoint
CREATE UNIQUE INDEX `character_words_character` ON `character_words` (`character_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `character_words_popular` ON `character_words` (`popular_row_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `character_words_new` ON `character_words` (`new_row_id`);--> statement-breakpoint
CREATE INDEX `character_words_version` ON `character_words` (`version`);--> statement-breakpoint
CREATE TABLE `favourites` (
	`user_id` text NOT NULL,
	`character_id` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`user_id`, `character_id`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`character_id`) REFERENCES `characters`(`id`) ON UPDATE no action ON DELETE cascade
);--> statement-breakpoint
CREATE INDEX `favourites_user` ON `favourites` (`user_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `favourites_character` ON `favourites` (`character_id`);--> statement-breakpoint
CREATE TABLE `follows` (
	`user_id` text NOT NULL,
	`creator_id` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`user_id`, `creator_id`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`creator_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);--> statement-breakpoint
CREATE INDEX `follows_user` ON `follows` (`user_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `follows_creator` ON `follows` (`creator_id`);--> statement-breakpoint
CREATE TABLE `free_tag_counts` (
	`tag` text PRIMARY KEY NOT NULL,
	`characters` integer DEFAULT 0 NOT NULL,
	`creators` integer DEFAULT 0 NOT NULL,
	`is_due` integer DEFAULT true NOT NULL
);--> statement-breakpoint
CREATE INDEX `free_tag_counts_listed` ON `free_tag_counts` (`characters`,`tag`) WHERE "free_tag_counts"."characters" >= 3 and "free_tag_counts"."creators" >= 2;--> statement-breakpoint
CREATE INDEX `free_tag_counts_due` ON `free_tag_counts` (`tag`) WHERE "free_tag_counts"."is_due" = 1;--> statement-breakpoint
CREATE TABLE `hidden_items` (
	`user_id` text NOT NULL,
	`kind` text NOT NULL,
	`target` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`user_id`, `kind`, `target`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "hidden_items_kind" CHECK("hidden_items"."kind" in ('tag', 'creator'))
);--> statement-breakpoint
CREATE INDEX `hidden_items_target` ON `hidden_items` (`kind`,`target`);--> statement-breakpoint
CREATE TABLE `likes` (
	`user_id` text NOT NULL,
	`character_id` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`user_id`, `character_id`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`character_id`) REFERENCES `characters`(`id`) ON UPDATE no action ON DELETE cascade
) WITHOUT ROWID;--> statement-breakpoint
CREATE INDEX `likes_user` ON `likes` (`user_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `likes_character` ON `likes` (`character_id`);--> statement-breakpoint
CREATE TABLE `search_spellings` (
	`key` text NOT NULL,
	`word` text NOT NULL,
	PRIMARY KEY(`key`, `word`)
);--> statement-breakpoint
CREATE INDEX `search_spellings_word` ON `search_spellings` (`word`);--> statement-breakpoint
CREATE TABLE `spelled_words` (
	`word` text NOT NULL,
	`character_id` text NOT NULL,
	PRIMARY KEY(`word`, `character_id`),
	FOREIGN KEY (`character_id`) REFERENCES `characters`(`id`) ON UPDATE no action ON DELETE cascade
);--> statement-breakpoint
CREATE INDEX `spelled_words_character` ON `spelled_words` (`character_id`);--> statement-breakpoint
CREATE TABLE `anonymized_payments` (
	`id` text PRIMARY KEY NOT NULL,
	`day` integer NOT NULL,
	`amount_cents` integer NOT NULL,
	`refunded_cents` integer NOT NULL,
	`retained_until` integer,
	`updated_at` integer NOT NULL,
	CONSTRAINT "anonymized_payments_amount" CHECK("anonymized_payments"."amount_cents" >= 0 and "anonymized_payments"."refunded_cents" >= 0)
);--> statement-breakpoint
CREATE INDEX `anonymized_payments_day` ON `anonymized_payments` (`day`);--> statement-breakpoint
CREATE INDEX `anonymized_payments_updated` ON `anonymized_payments` (`updated_at`);--> statement-breakpoint
CREATE INDEX `anonymized_payments_until` ON `anonymized_payments` (`retained_until`) WHERE "anonymized_payments"."retained_until" is not null;--> statement-breakpoint
CREATE TABLE `commissions` (
	`id` text PRIMARY KEY NOT NULL,
	`inviter_id` text NOT NULL,
	`invitee_id` text,
	`payment_id` text NOT NULL,
	`percent` integer,
	`amount_cents` integer NOT NULL,
	`currency` text NOT NULL,
	`status` text NOT NULL,
	`payout_id` text,
	`clawback_payout_id` text,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`inviter_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`invitee_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE set null,
	CONSTRAINT "commissions_status" CHECK("commissions"."status" in ('due', 'paid', 'reversed')),
	CONSTRAINT "commissions_amount" CHECK("commissions"."amount_cents" >= 0)
);--> statement-breakpoint
CREATE INDEX `commissions_inviter` ON `commissions` (`inviter_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `commissions_invitee` ON `commissions` (`invitee_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `commissions_payment` ON `commissions` (`payment_id`);--> statement-breakpoint
CREATE TABLE `payment_events` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`subscription_id` text,
	`payment` text,
	`received_at` integer NOT NULL,
	`handled_at` integer,
	`tries` integer DEFAULT 0 NOT NULL,
	`retry_at` integer NOT NULL
);--> statement-breakpoint
CREATE INDEX `payment_events_waiting` ON `payment_events` (`retry_at`) WHERE "payment_events"."handled_at" is null;--> statement-breakpoint
CREATE INDEX `payment_events_received` ON `payment_events` (`received_at`);--> statement-breakpoint
CREATE INDEX `payment_events_subscription` ON `payment_events` (`subscription_id`);--> statement-breakpoint
CREATE TABLE `payments` (
	`id` text PRIMARY KEY NOT NULL,
	`subscription_id` text NOT NULL,
	`user_id` text NOT NULL,
	`amount_cents` integer NOT NULL,
	`currency` text NOT NULL,
	`status` text NOT NULL,
	`refunded_cents` integer DEFAULT 0 NOT NULL,
	`paid_at` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer,
	FOREIGN KEY (`subscription_id`) REFERENCES `subscriptions`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "payments_status" CHECK("payments"."status" in ('completed', 'refunded', 'reversed')),
	CONSTRAINT "payments_amount" CHECK("payments"."amount_cents" >= 0 and "payments"."refunded_cents" >= 0)
);--> statement-breakpoint
CREATE INDEX `payments_paid` ON `payments` (`paid_at`);--> statement-breakpoint
CREATE INDEX `payments_updated` ON `payments` (`updated_at`) WHERE "payments"."updated_at" is not null;--> statement-breakpoint
CREATE INDEX `payments_subscription` ON `payments` (`subscription_id`,`paid_at`);--> statement-breakpoint
CREATE INDEX `payments_user` ON `payments` (`user_id`,`paid_at`);--> statement-breakpoint
CREATE TABLE `payouts` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`amount_cents` integer NOT NULL,
	`currency` text NOT NULL,
	`note` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "payouts_amount" CHECK("payouts"."amount_cents" > 0)
);--> statement-breakpoint
CREATE INDEX `payouts_user` ON `payouts` (`user_id`,`created_at`);--> statement-breakpoint
CREATE TABLE `refunds` (
	`id` text PRIMARY KEY NOT NULL,
	`payment_id` text NOT NULL,
	`amount_cents` integer,
	`created_at` integer NOT NULL,
	CONSTRAINT "refunds_amount" CHECK("refunds"."amount_cents" >= 0)
);--> statement-breakpoint
CREATE INDEX `refunds_payment` ON `refunds` (`payment_id`);--> statement-breakpoint
CREATE TABLE `subscriptions` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`plan` text NOT NULL,
	`status` text NOT NULL,
	`period_end` integer NOT NULL,
	`price_cents` integer,
	`payer_hash` text,
	`payment_failed` integer DEFAULT false NOT NULL,
	`is_refunded` integer DEFAULT false NOT NULL,
	`starts_at` integer,
	`next_billing_at` integer,
	`reconciled_at` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "subscriptions_plan" CHECK("subscriptions"."plan" in ('storyteller', 'adventurer', 'legend')),
	CONSTRAINT "subscriptions_status" CHECK("subscriptions"."status" in ('active', 'suspended', 'cancelled', 'expired'))
);--> statement-breakpoint
CREATE INDEX `subscriptions_user` ON `subscriptions` (`user_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `subscriptions_reconciled` ON `subscriptions` (`status`,`reconciled_at`);--> statement-breakpoint
CREATE INDEX `subscriptions_payer` ON `subscriptions` (`payer_hash`);--> statement-breakpoint
CREATE TABLE `appeals` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`measure_id` text,
	`refused_text` text,
	`place` text,
	`rule` text,
	`message` text NOT NULL,
	`status` text DEFAULT 'open' NOT NULL,
	`answer` text,
	`created_at` integer NOT NULL,
	`decided_at` integer,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`measure_id`) REFERENCES `moderation_actions`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "appeals_status" CHECK("appeals"."status" in ('open', 'granted', 'declined')),
	CONSTRAINT "appeals_about" CHECK(("appeals"."measure_id" is null) <> ("appeals"."refused_text" is null))
);--> statement-breakpoint
CREATE UNIQUE INDEX `appeals_measure` ON `appeals` (`measure_id`) WHERE "appeals"."measure_id" is not null;--> statement-breakpoint
CREATE INDEX `appeals_user` ON `appeals` (`user_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `appeals_status` ON `appeals` (`status`,`created_at`,`id`);--> statement-breakpoint
CREATE TABLE `case_steps` (
	`id` text PRIMARY KEY NOT NULL,
	`case_id` text NOT NULL,
	`admin_id` text NOT NULL,
	`step` text NOT NULL,
	`note` text DEFAULT '' NOT NULL,
	`created_at` integer NOT NULL
);--> statement-breakpoint
CREATE INDEX `case_steps_case` ON `case_steps` (`case_id`,`created_at`);--> statement-breakpoint
CREATE TABLE `crisis_days` (
	`day` integer NOT NULL,
	`kind` text NOT NULL,
	`referrals` integer NOT NULL,
	PRIMARY KEY(`day`, `kind`),
	CONSTRAINT "crisis_days_kind" CHECK("crisis_days"."kind" in ('suicide', 'self_harm', 'harm_to_others')),
	CONSTRAINT "crisis_days_referrals" CHECK("crisis_days"."referrals" >= 0)
);--> statement-breakpoint
CREATE TABLE `moderation_actions` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`subject_id` text NOT NULL,
	`subject_name` text NOT NULL,
	`owner_id` text NOT NULL,
	`reason` text NOT NULL,
	`report_id` text,
	`admin_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`revoked_at` integer,
	`continued_from` text,
	FOREIGN KEY (`owner_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "moderation_actions_kind" CHECK("moderation_actions"."kind" in ('character_hidden', 'character_removed', 'picture_removed', 'name_cleared', 'account_suspended'))
);--> statement-breakpoint
CREATE INDEX `moderation_actions_owner` ON `moderation_actions` (`owner_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `moderation_actions_subject` ON `moderation_actions` (`subject_id`,`created_at`);--> statement-breakpoint
CREATE TABLE `reports` (
	`id` text PRIMARY KEY NOT NULL,
	`subject` text DEFAULT 'character' NOT NULL,
	`subject_id` text NOT NULL,
	`character_id` text,
	`owner_id` text,
	`reporter_id` text NOT NULL,
	`reason` text NOT NULL,
	`details` text NOT NULL,
	`excerpt` text DEFAULT '' NOT NULL,
	`status` text DEFAULT 'open' NOT NULL,
	`answer` text,
	`created_at` integer NOT NULL,
	`resolved_at` integer,
	FOREIGN KEY (`character_id`) REFERENCES `characters`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`owner_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE set null,
	FOREIGN KEY (`reporter_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "reports_subject" CHECK("reports"."subject" in ('character', 'creator', 'message')),
	CONSTRAINT "reports_status" CHECK("reports"."status" in ('open', 'upheld', 'dismissed'))
);--> statement-breakpoint
CREATE UNIQUE INDEX `reports_reporter_subject` ON `reports` (`reporter_id`,`subject`,`subject_id`);--> statement-breakpoint
CREATE INDEX `reports_reporter` ON `reports` (`reporter_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `reports_subject` ON `reports` (`subject`,`subject_id`);--> statement-breakpoint
CREATE INDEX `reports_character` ON `reports` (`character_id`);--> statement-breakpoint
CREATE INDEX `reports_owner` ON `reports` (`owner_id`);--> statement-breakpoint
CREATE INDEX `reports_status` ON `reports` (`status`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `reports_status_subject` ON `reports` (`status`,`subject`,`created_at`,`id`);--> statement-breakpoint
CREATE TABLE `retained_suspensions` (
	`hash` text PRIMARY KEY NOT NULL,
	`suspension_id` text NOT NULL,
	`reason` text NOT NULL,
	`admin_id` text NOT NULL,
	`suspended_at` integer NOT NULL,
	`retained_until` integer NOT NULL
);--> statement-breakpoint
CREATE INDEX `retained_suspensions_suspension` ON `retained_suspensions` (`suspension_id`);--> statement-breakpoint
CREATE INDEX `retained_suspensions_until` ON `retained_suspensions` (`retained_until`);--> statement-breakpoint
CREATE TABLE `staff_access_log` (
	`id` text PRIMARY KEY NOT NULL,
	`owner_id` text NOT NULL,
	`admin_id` text NOT NULL,
	`resource_type` text NOT NULL,
	`resource_id` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`owner_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "staff_access_log_resource_type" CHECK("staff_access_log"."resource_type" in ('character', 'message', 'account', 'appeal', 'report'))
);--> statement-breakpoint
CREATE INDEX `staff_access_log_owner` ON `staff_access_log` (`owner_id`,`created_at`);--> statement-breakpoint
CREATE TABLE `competition_entries` (
	`character_id` text PRIMARY KEY NOT NULL,
	`eligible_from` integer DEFAULT 0 NOT NULL,
	`is_explicit` integer DEFAULT false NOT NULL,
	`scanned_version` integer DEFAULT 0 NOT NULL,
	FOREIGN KEY (`character_id`) REFERENCES `characters`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "competition_entries_explicit" CHECK("competition_entries"."is_explicit" in (0, 1))
);--> statement-breakpoint
CREATE TABLE `competition_prizes` (
	`season_id` text NOT NULL,
	`prize` text NOT NULL,
	`place` integer NOT NULL,
	`user_id` text,
	`character_name` text NOT NULL,
	`given_at` integer,
	PRIMARY KEY(`season_id`, `prize`, `place`),
	FOREIGN KEY (`season_id`) REFERENCES `seasons`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE set null
);--> statement-breakpoint
CREATE INDEX `competition_prizes_user` ON `competition_prizes` (`user_id`);--> statement-breakpoint
CREATE TABLE `competition_standings` (
	`season_id` text NOT NULL,
	`character_id` text NOT NULL,
	`rank` integer NOT NULL,
	`people` integer NOT NULL,
	`popularity` real NOT NULL,
	`creativity` real NOT NULL,
	`score` real NOT NULL,
	`prize` text,
	PRIMARY KEY(`season_id`, `character_id`),
	FOREIGN KEY (`season_id`) REFERENCES `seasons`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`character_id`) REFERENCES `characters`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "competition_standings_rank" CHECK("competition_standings"."rank" >= 1 and "competition_standings"."people" >= 0)
);--> statement-breakpoint
CREATE INDEX `competition_standings_rank` ON `competition_standings` (`season_id`,`rank`,`character_id`);--> statement-breakpoint
CREATE INDEX `competition_standings_character` ON `competition_standings` (`character_id`);--> statement-breakpoint
CREATE TABLE `competition_withdrawals` (
	`season_id` text NOT NULL,
	`character_id` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`season_id`, `character_id`),
	FOREIGN KEY (`season_id`) REFERENCES `seasons`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`character_id`) REFERENCES `characters`(`id`) ON UPDATE no action ON DELETE cascade
);--> statement-breakpoint
CREATE INDEX `competition_withdrawals_character` ON `competition_withdrawals` (`character_id`);--> statement-breakpoint
CREATE TABLE `judge_scores` (
	`season_id` text NOT NULL,
	`character_id` text NOT NULL,
	`judge_id` text NOT NULL,
	`score` integer NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`season_id`, `character_id`, `judge_id`),
	FOREIGN KEY (`season_id`) REFERENCES `seasons`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`character_id`) REFERENCES `characters`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "judge_scores_score" CHECK("judge_scores"."score" between 0 and 100)
);--> statement-breakpoint
CREATE INDEX `judge_scores_character` ON `judge_scores` (`character_id`);--> statement-breakpoint
CREATE TABLE `seasons` (
	`id` text PRIMARY KEY NOT NULL,
	`number` integer NOT NULL,
	`begins_at` integer NOT NULL,
	`ends_at` integer NOT NULL,
	`winners_at` integer NOT NULL,
	`status` text DEFAULT 'open' NOT NULL,
	`standings_at` integer,
	CONSTRAINT "seasons_status" CHECK("seasons"."status" in ('open', 'decided')),
	CONSTRAINT "seasons_times" CHECK("seasons"."begins_at" < "seasons"."ends_at" and "seasons"."ends_at" <= "seasons"."winners_at")
);--> statement-breakpoint
CREATE UNIQUE INDEX `seasons_number` ON `seasons` (`number`);--> statement-breakpoint
CREATE TABLE `hourly_model_usage` (
	`hour` integer NOT NULL,
	`model` text NOT NULL,
	`turns` integer NOT NULL,
	`failed` integer NOT NULL,
	`stopped` integer NOT NULL,
	`refused` integer NOT NULL,
	`prompt_tokens` integer NOT NULL,
	`reply_tokens` integer NOT NULL,
	`cached_tokens` integer DEFAULT 0 NOT NULL,
	`points` integer NOT NULL,
	`first_250` integer NOT NULL,
	`first_500` integer NOT NULL,
	`first_1000` integer NOT NULL,
	`first_2000` integer NOT NULL,
	`first_5000` integer NOT NULL,
	`first_later` integer NOT NULL,
	PRIMARY KEY(`hour`, `model`),
	CONSTRAINT "hourly_model_usage_turns" CHECK("hourly_model_usage"."turns" >= 0)
);--> statement-breakpoint
CREATE TABLE `stat_days` (
	`day` integer NOT NULL,
	`name` text NOT NULL,
	`value` real NOT NULL,
	PRIMARY KEY(`name`, `day`)
);--> statement-breakpoint
CREATE TABLE `check_days` (
	`day` integer NOT NULL,
	`part` text NOT NULL,
	`checks` integer NOT NULL,
	`slow` integer NOT NULL,
	`down` integer NOT NULL,
	PRIMARY KEY(`part`, `day`),
	CONSTRAINT "check_days_counts" CHECK("check_days"."slow" >= 0 and "check_days"."down" >= 0 and "check_days"."slow" + "check_days"."down" <= "check_days"."checks")
);--> statement-breakpoint
CREATE INDEX `check_days_day` ON `check_days` (`day`);--> statement-breakpoint
CREATE TABLE `checks` (
	`at` integer PRIMARY KEY NOT NULL,
	`parts` text NOT NULL
);--> statement-breakpoint
CREATE TABLE `storage_reservations` (
	`id` text PRIMARY KEY NOT NULL,
	`owner_id` text NOT NULL,
	`bytes` integer NOT NULL,
	`conversations` integer NOT NULL,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`owner_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "storage_reservations_bytes" CHECK("storage_reservations"."bytes" >= 0)
);--> statement-breakpoint
CREATE INDEX `storage_reservations_owner` ON `storage_reservations` (`owner_id`);--> statement-breakpoint
CREATE INDEX `storage_reservations_expiry` ON `storage_reservations` (`expires_at`);--> statement-breakpoint
CREATE TABLE `storage_totals` (
	`owner_id` text PRIMARY KEY NOT NULL,
	`conversations` integer DEFAULT 0 NOT NULL,
	`conversation_bytes` integer DEFAULT 0 NOT NULL,
	`trash_bytes` integer DEFAULT 0 NOT NULL,
	`search_bytes` integer DEFAULT 0 NOT NULL,
	`picture_bytes` integer DEFAULT 0 NOT NULL,
	`character_bytes` integer DEFAULT 0 NOT NULL,
	FOREIGN KEY (`owner_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);--> statement-breakpoint
-- What follows is written by hand: the words by which characters are found, their lists, the chats that count, and what the
-- competition has to look at again, and the sums of what users store.
CREATE VIRTUAL TABLE `character_search` USING fts5(`words`, `tags`, content='', prefix='1 2 3', tokenize="ascii tokenchars '=~#^$'");--> statement-breakpoint
INSERT INTO `character_search` (`character_search`, rank) VALUES ('secure-delete', 1);--> statement-breakpoint
CREATE VIRTUAL TABLE `character_search_new` USING fts5(`words`, `tags`, content='', prefix='1 2 3', tokenize="ascii tokenchars '=~#^$'");--> statement-breakpoint
INSERT INTO `character_search_new` (`character_search_new`, rank) VALUES ('secure-delete', 1);--> statement-breakpoint
CREATE TRIGGER `characters_listed_insert` AFTER INSERT ON `characters` BEGIN
  INSERT INTO `character_words` (`character_id`, `words`, `tags`, `version`) VALUES (new.`id`, '', coalesce('#=' || new.`language`, ''), 0);
  INSERT INTO `character_listings` (`character_id`, `tag`, `nsfw`, `chat_count`, `like_count`, `created_at`)
    SELECT new.`id`, '', new.`nsfw_allowed`, new.`chat_count`, new.`like_count`, new.`created_at` WHERE new.`visibility` = 'public' AND new.`moderation` = 'shown' AND new.`deleted_at` IS NULL;
END;--> statement-breakpoint
CREATE TRIGGER `characters_listed_update` AFTER UPDATE OF `visibility`, `moderation`, `deleted_at`, `nsfw_allowed`, `created_at` ON `characters`
WHEN old.`visibility` <> new.`visibility` OR old.`moderation` <> new.`moderation` OR old.`deleted_at` IS NOT new.`deleted_at`
  OR old.`nsfw_allowed` <> new.`nsfw_allowed` OR old.`created_at` <> new.`created_at`
BEGIN
  DELETE FROM `character_listings` WHERE `character_id` = new.`id`;
  INSERT INTO `character_listings` (`character_id`, `tag`, `nsfw`, `chat_count`, `like_count`, `created_at`)
    SELECT new.`id`, `tag`, new.`nsfw_allowed`, new.`chat_count`, new.`like_count`, new.`created_at`
    FROM (SELECT '' AS `tag` UNION ALL SELECT `tag` FROM `character_tags` WHERE `character_id` = new.`id`)
    WHERE new.`visibility` = 'public' AND new.`moderation` = 'shown' AND new.`deleted_at` IS NULL;
END;--> statement-breakpoint
CREATE TRIGGER `characters_words_update` AFTER UPDATE OF `name`, `oneliner`, `summary` ON `characters`
WHEN old.`name` <> new.`name` OR old.`oneliner` <> new.`oneliner` OR old.`summary` IS NOT new.`summary`
BEGIN
  UPDATE `character_words` SET `words` = '', `version` = 0 WHERE `character_id` = new.`id`;
END;--> statement-breakpoint
CREATE TRIGGER `character_words_spelled_update` AFTER UPDATE OF `words` ON `character_words` WHEN new.`words` = '' BEGIN
  DELETE FROM `spelled_words` WHERE `character_id` = new.`character_id`;
END;--> statement-breakpoint
CREATE TRIGGER `spelled_words_delete` AFTER DELETE ON `spelled_words`
WHEN NOT EXISTS (SELECT 1 FROM `spelled_words` WHERE `word` = old.`word`) BEGIN
  DELETE FROM `search_spellings` WHERE `word` = old.`word`;
END;--> statement-breakpoint
CREATE TRIGGER `character_tags_listed_insert` AFTER INSERT ON `character_tags` BEGIN
  INSERT INTO `character_listings` (`character_id`, `tag`, `nsfw`, `chat_count`, `like_count`, `created_at`)
    SELECT `character_id`, new.`tag`, `nsfw`, `chat_count`, `like_count`, `created_at`
    FROM `character_listings` WHERE `character_id` = new.`character_id` AND `tag` = '';
  UPDATE `character_words` SET `tags` = (SELECT coalesce(group_concat(`term`, ' '), '') FROM (SELECT '#' || `tag` AS `term` FROM `character_tags` WHERE `character_id` = new.`character_id`
    UNION ALL SELECT '##' || hex(`tag`) FROM `character_free_tags` WHERE `character_id` = new.`character_id`
    UNION ALL SELECT '#=' || `language` FROM `characters` WHERE `id` = new.`character_id` AND `language` IS NOT NULL)) WHERE `character_id` = new.`character_id`;
END;--> statement-breakpoint
CREATE TRIGGER `character_tags_listed_delete` AFTER DELETE ON `character_tags` BEGIN
  DELETE FROM `character_listings` WHERE `character_id` = old.`character_id` AND `tag` = old.`tag`;
  UPDATE `character_words` SET `tags` = (SELECT coalesce(group_concat(`term`, ' '), '') FROM (SELECT '#' || `tag` AS `term` FROM `character_tags` WHERE `character_id` = old.`character_id`
    UNION ALL SELECT '##' || hex(`tag`) FROM `character_free_tags` WHERE `character_id` = old.`character_id`
    UNION ALL SELECT '#=' || `language` FROM `characters` WHERE `id` = old.`character_id` AND `language` IS NOT NULL)) WHERE `character_id` = old.`character_id`;
END;--> statement-breakpoint
CREATE TRIGGER `character_tags_listed_update` AFTER UPDATE ON `character_tags` BEGIN
  DELETE FROM `character_listings` WHERE `character_id` = old.`character_id` AND `tag` = old.`tag`;
  INSERT INTO `character_listings` (`character_id`, `tag`, `nsfw`, `chat_count`, `like_count`, `created_at`)
    SELECT `character_id`, new.`tag`, `nsfw`, `chat_count`, `like_count`, `created_at`
    FROM `character_listings` WHERE `character_id` = new.`character_id` AND `tag` = '';
  UPDATE `character_words` SET `tags` = (SELECT coalesce(group_concat(`term`, ' '), '') FROM (SELECT '#' || `tag` AS `term` FROM `character_tags` WHERE `character_id` = old.`character_id`
    UNION ALL SELECT '##' || hex(`tag`) FROM `character_free_tags` WHERE `character_id` = old.`character_id`
    UNION ALL SELECT '#=' || `language` FROM `characters` WHERE `id` = old.`character_id` AND `language` IS NOT NULL)) WHERE `character_id` = old.`character_id`;
  UPDATE `character_words` SET `tags` = (SELECT coalesce(group_concat(`term`, ' '), '') FROM (SELECT '#' || `tag` AS `term` FROM `character_tags` WHERE `character_id` = new.`character_id`
    UNION ALL SELECT '##' || hex(`tag`) FROM `character_free_tags` WHERE `character_id` = new.`character_id`
    UNION ALL SELECT '#=' || `language` FROM `characters` WHERE `id` = new.`character_id` AND `language` IS NOT NULL)) WHERE `character_id` = new.`character_id`;
END;--> statement-breakpoint
CREATE TRIGGER `character_listings_counts_insert` AFTER INSERT ON `character_listings` WHEN new.`tag` = '' BEGIN
  INSERT INTO `free_tag_counts` (`tag`, `is_due`) SELECT `tag`, 1 FROM `character_free_tags` WHERE `character_id` = new.`character_id`
    ON CONFLICT (`tag`) DO UPDATE SET `is_due` = 1;
END;--> statement-breakpoint
CREATE TRIGGER `character_listings_counts_delete` AFTER DELETE ON `character_listings` WHEN old.`tag` = '' BEGIN
  UPDATE `free_tag_counts` SET `is_due` = 1 WHERE `tag` IN (SELECT `tag` FROM `character_free_tags` WHERE `character_id` = old.`character_id`);
END;--> statement-breakpoint
CREATE TRIGGER `character_free_tags_insert` AFTER INSERT ON `character_free_tags` BEGIN
  INSERT INTO `free_tag_counts` (`tag`, `is_due`) SELECT new.`tag`, 1 WHERE EXISTS (SELECT 1 FROM `character_listings` WHERE `character_id` = new.`character_id` AND `tag` = '')
    ON CONFLICT (`tag`) DO UPDATE SET `is_due` = 1;
  UPDATE `character_words` SET `words` = '', `version` = 0, `tags` = (SELECT coalesce(group_concat(`term`, ' '), '') FROM (SELECT '#' || `tag` AS `term` FROM `character_tags` WHERE `character_id` = new.`character_id`
    UNION ALL SELECT '##' || hex(`tag`) FROM `character_free_tags` WHERE `character_id` = new.`character_id`
    UNION ALL SELECT '#=' || `language` FROM `characters` WHERE `id` = new.`character_id` AND `language` IS NOT NULL)) WHERE `character_id` = new.`character_id`;
END;--> statement-breakpoint
CREATE TRIGGER `character_free_tags_delete` AFTER DELETE ON `character_free_tags` BEGIN
  UPDATE `free_tag_counts` SET `is_due` = 1 WHERE `tag` = old.`tag`;
  UPDATE `character_words` SET `words` = '', `version` = 0, `tags` = (SELECT coalesce(group_concat(`term`, ' '), '') FROM (SELECT '#' || `tag` AS `term` FROM `character_tags` WHERE `character_id` = old.`character_id`
    UNION ALL SELECT '##' || hex(`tag`) FROM `character_free_tags` WHERE `character_id` = old.`character_id`
    UNION ALL SELECT '#=' || `language` FROM `characters` WHERE `id` = old.`character_id` AND `language` IS NOT NULL)) WHERE `character_id` = old.`character_id`;
END;--> statement-breakpoint
CREATE TRIGGER `characters_language_update` AFTER UPDATE OF `language` ON `characters` WHEN old.`language` IS NOT new.`language` BEGIN
  UPDATE `character_words` SET `tags` = (SELECT coalesce(group_concat(`term`, ' '), '') FROM (SELECT '#' || `tag` AS `term` FROM `character_tags` WHERE `character_id` = new.`id`
    UNION ALL SELECT '##' || hex(`tag`) FROM `character_free_tags` WHERE `character_id` = new.`id`
    UNION ALL SELECT '#=' || `language` FROM `characters` WHERE `id` = new.`id` AND `language` IS NOT NULL)) WHERE `character_id` = new.`id`;
END;--> statement-breakpoint
CREATE TRIGGER `likes_insert` AFTER INSERT ON `likes` BEGIN
  UPDATE `characters` SET `like_count` = `like_count` + 1 WHERE `id` = new.`character_id`;
END;--> statement-breakpoint
CREATE TRIGGER `likes_delete` AFTER DELETE ON `likes` BEGIN
  UPDATE `characters` SET `like_count` = `like_count` - 1 WHERE `id` = old.`character_id`;
END;--> statement-breakpoint
CREATE TRIGGER `characters_likes_update` AFTER UPDATE OF `like_count` ON `characters` WHEN old.`like_count` <> new.`like_count` BEGIN
  UPDATE `character_listings` SET `like_count` = new.`like_count` WHERE `character_id` = new.`id`;
END;--> statement-breakpoint
CREATE TRIGGER `conversations_counted_update` AFTER UPDATE OF `counted_at` ON `conversations`
WHEN (old.`counted_at` IS NULL) <> (new.`counted_at` IS NULL)
BEGIN
  UPDATE `characters` SET `chat_count` = max(0, `chat_count` + iif(new.`counted_at` IS NULL, -1, 1)) WHERE `id` = new.`character_id`;
  INSERT INTO `character_days` (`day`, `character_id`, `chats`, `is_pending`)
    VALUES (coalesce(new.`counted_at`, old.`counted_at`) / 86400000, new.`character_id`, iif(new.`counted_at` IS NULL, 0, 1), 1)
    ON CONFLICT (`day`, `character_id`) DO UPDATE SET `chats` = max(0, `chats` + iif(new.`counted_at` IS NULL, -1, 1)), `is_pending` = 1;
END;--> statement-breakpoint
CREATE TRIGGER `conversations_counted_delete` AFTER DELETE ON `conversations` WHEN old.`counted_at` > unixepoch('subsec') * 1000 - 86400000 BEGIN
  UPDATE `characters` SET `chat_count` = max(0, `chat_count` - 1) WHERE `id` = old.`character_id`;
  UPDATE `character_days` SET `chats` = max(0, `chats` - 1), `is_pending` = 1 WHERE `day` = old.`counted_at` / 86400000 AND `character_id` = old.`character_id`;
END;--> statement-breakpoint
CREATE TRIGGER `character_listings_words_insert` AFTER INSERT ON `character_listings` WHEN new.`tag` = '' BEGIN
  UPDATE `character_words` SET
    `popular_row_id` = new.`nsfw` * 4503599627370496 + (127 - ((length(new.`chat_count`) - 1) * 9 + substr(new.`chat_count`, 1, 1))) * 1099511627776 + (1099511627775 - `id`),
    `new_row_id` = new.`nsfw` * 4503599627370496 + (4294967295 - new.`created_at` / 1000) * 1048576 + (1048575 - `id` % 1048576)
    WHERE `character_id` = new.`character_id`;
END;--> statement-breakpoint
CREATE TRIGGER `character_listings_words_update` AFTER UPDATE OF `chat_count` ON `character_listings` WHEN new.`tag` = '' AND old.`chat_count` <> new.`chat_count` BEGIN
  UPDATE `character_words` SET
    `popular_row_id` = new.`nsfw` * 4503599627370496 + (127 - ((length(new.`chat_count`) - 1) * 9 + substr(new.`chat_count`, 1, 1))) * 1099511627776 + (1099511627775 - `id`)
    WHERE `character_id` = new.`character_id`;
END;--> statement-breakpoint
CREATE TRIGGER `character_listings_words_delete` AFTER DELETE ON `character_listings` WHEN old.`tag` = '' BEGIN
  UPDATE `character_words` SET `popular_row_id` = NULL, `new_row_id` = NULL WHERE `character_id` = old.`character_id`;
END;--> statement-breakpoint
CREATE TRIGGER `character_words_popular_update` AFTER UPDATE OF `words`, `tags`, `popular_row_id` ON `character_words`
WHEN old.`words` <> new.`words` OR old.`tags` <> new.`tags` OR old.`popular_row_id` IS NOT new.`popular_row_id`
BEGIN
  INSERT INTO `character_search` (`character_search`, rowid, `words`, `tags`)
    SELECT 'delete', old.`popular_row_id`, old.`words`, old.`tags` WHERE old.`popular_row_id` IS NOT NULL AND old.`words` <> '';
  INSERT INTO `character_search` (rowid, `words`, `tags`)
    SELECT new.`popular_row_id`, new.`words`, new.`tags` WHERE new.`popular_row_id` IS NOT NULL AND new.`words` <> '';
END;--> statement-breakpoint
CREATE TRIGGER `character_words_popular_delete` AFTER DELETE ON `character_words` BEGIN
  INSERT INTO `character_search` (`character_search`, rowid, `words`, `tags`)
    SELECT 'delete', old.`popular_row_id`, old.`words`, old.`tags` WHERE old.`popular_row_id` IS NOT NULL AND old.`words` <> '';
END;--> statement-breakpoint
CREATE TRIGGER `character_words_new_update` AFTER UPDATE OF `words`, `tags`, `new_row_id` ON `character_words`
WHEN old.`words` <> new.`words` OR old.`tags` <> new.`tags` OR old.`new_row_id` IS NOT new.`new_row_id`
BEGIN
  INSERT INTO `character_search_new` (`character_search_new`, rowid, `words`, `tags`)
    SELECT 'delete', old.`new_row_id`, old.`words`, old.`tags` WHERE old.`new_row_id` IS NOT NULL AND old.`words` <> '';
  INSERT INTO `character_search_new` (rowid, `words`, `tags`)
    SELECT new.`new_row_id`, new.`words`, new.`tags` WHERE new.`new_row_id` IS NOT NULL AND new.`words` <> '';
END;--> statement-breakpoint
CREATE TRIGGER `character_words_new_delete` AFTER DELETE ON `character_words` BEGIN
  INSERT INTO `character_search_new` (`character_search_new`, rowid, `words`, `tags`)
    SELECT 'delete', old.`new_row_id`, old.`words`, old.`tags` WHERE old.`new_row_id` IS NOT NULL AND old.`words` <> '';
END;--> statement-breakpoint
CREATE TRIGGER `competition_entries_insert` AFTER INSERT ON `characters` BEGIN
  INSERT INTO `competition_entries` (`character_id`) VALUES (new.`id`);
END;--> statement-breakpoint
CREATE TRIGGER `competition_entries_back` AFTER UPDATE OF `visibility`, `nsfw_allowed` ON `characters`
WHEN new.`visibility` = 'public' AND new.`nsfw_allowed` = 0 AND (old.`visibility` <> 'public' OR old.`nsfw_allowed` <> 0)
BEGIN
  UPDATE `competition_entries` SET `eligible_from` = CAST(unixepoch('subsec') * 1000 AS INTEGER) WHERE `character_id` = new.`id`;
END;--> statement-breakpoint
CREATE TRIGGER `competition_entries_texts` AFTER UPDATE OF `name`, `oneliner`, `character_traits`, `first_message`, `suggested_replies`, `summary`, `about` ON `characters`
WHEN old.`name` <> new.`name` OR old.`oneliner` <> new.`oneliner` OR old.`character_traits` <> new.`character_traits`
  OR old.`first_message` <> new.`first_message` OR old.`suggested_replies` <> new.`suggested_replies` OR old.`summary` IS NOT new.`summary` OR old.`about` <> new.`about`
BEGIN
  UPDATE `competition_entries` SET `scanned_version` = min(`scanned_version`, 0) - 1 WHERE `character_id` = new.`id`;
END;--> statement-breakpoint
CREATE TRIGGER `competition_entries_extras_insert` AFTER INSERT ON `character_extras` BEGIN
  UPDATE `competition_entries` SET `scanned_version` = min(`scanned_version`, 0) - 1 WHERE `character_id` = new.`character_id`;
END;--> statement-breakpoint
CREATE TRIGGER `competition_entries_extras_update` AFTER UPDATE OF `alternate_greetings`, `definition`, `nickname`, `recommended_style` ON `character_extras` BEGIN
  UPDATE `competition_entries` SET `scanned_version` = min(`scanned_version`, 0) - 1 WHERE `character_id` = new.`character_id`;
END;--> statement-breakpoint
CREATE TRIGGER `conversations_stored_insert` AFTER INSERT ON `conversations` BEGIN
  INSERT INTO `storage_totals` (`owner_id`, `conversations`, `conversation_bytes`, `trash_bytes`) VALUES (new.`owner_id`, 1, iif(new.`deleted_at` IS NULL, new.`bytes`, 0), iif(new.`deleted_at` IS NULL, 0, new.`bytes`))
    ON CONFLICT (`owner_id`) DO UPDATE SET `conversations` = `conversations` + excluded.`conversations`, `conversation_bytes` = `conversation_bytes` + excluded.`conversation_bytes`, `trash_bytes` = `trash_bytes` + excluded.`trash_bytes`;
END;--> statement-breakpoint
CREATE TRIGGER `conversations_stored_delete` AFTER DELETE ON `conversations` BEGIN
  UPDATE `storage_totals` SET `conversations` = `conversations` - 1, `conversation_bytes` = `conversation_bytes` - iif(old.`deleted_at` IS NULL, old.`bytes`, 0), `trash_bytes` = `trash_bytes` - iif(old.`deleted_at` IS NULL, 0, old.`bytes`) WHERE `owner_id` = old.`owner_id`;
END;--> statement-breakpoint
CREATE TRIGGER `conversations_stored_update` AFTER UPDATE OF `bytes`, `deleted_at` ON `conversations`
WHEN old.`owner_id` = new.`owner_id` AND (old.`bytes` <> new.`bytes` OR (old.`deleted_at` IS NULL) <> (new.`deleted_at` IS NULL)) BEGIN
  UPDATE `storage_totals` SET `conversation_bytes` = `conversation_bytes` + iif(new.`deleted_at` IS NULL, new.`bytes`, 0) - iif(old.`deleted_at` IS NULL, old.`bytes`, 0), `trash_bytes` = `trash_bytes` + iif(new.`deleted_at` IS NULL, 0, new.`bytes`) - iif(old.`deleted_at` IS NULL, 0, old.`bytes`) WHERE `owner_id` = new.`owner_id`;
END;--> statement-breakpoint
CREATE TRIGGER `conversations_stored_move` AFTER UPDATE OF `owner_id` ON `conversations` WHEN old.`owner_id` <> new.`owner_id` BEGIN
  UPDATE `storage_totals` SET `conversations` = `conversations` - 1, `conversation_bytes` = `conversation_bytes` - iif(old.`deleted_at` IS NULL, old.`bytes`, 0), `trash_bytes` = `trash_bytes` - iif(old.`deleted_at` IS NULL, 0, old.`bytes`) WHERE `owner_id` = old.`owner_id`;
  INSERT INTO `storage_totals` (`owner_id`, `conversations`, `conversation_bytes`, `trash_bytes`) VALUES (new.`owner_id`, 1, iif(new.`deleted_at` IS NULL, new.`bytes`, 0), iif(new.`deleted_at` IS NULL, 0, new.`bytes`))
    ON CONFLICT (`owner_id`) DO UPDATE SET `conversations` = `conversations` + excluded.`conversations`, `conversation_bytes` = `conversation_bytes` + excluded.`conversation_bytes`, `trash_bytes` = `trash_bytes` + excluded.`trash_bytes`;
END;--> statement-breakpoint
CREATE TRIGGER `characters_stored_insert` AFTER INSERT ON `characters` BEGIN
  INSERT INTO `storage_totals` (`owner_id`, `character_bytes`, `trash_bytes`) VALUES (new.`creator_id`, iif(new.`deleted_at` IS NULL, new.`bytes`, 0), iif(new.`deleted_at` IS NULL, 0, new.`bytes`))
    ON CONFLICT (`owner_id`) DO UPDATE SET `character_bytes` = `character_bytes` + excluded.`character_bytes`, `trash_bytes` = `trash_bytes` + excluded.`trash_bytes`;
END;--> statement-breakpoint
CREATE TRIGGER `characters_stored_delete` AFTER DELETE ON `characters` BEGIN
  UPDATE `storage_totals` SET `character_bytes` = `character_bytes` - iif(old.`deleted_at` IS NULL, old.`bytes`, 0), `trash_bytes` = `trash_bytes` - iif(old.`deleted_at` IS NULL, 0, old.`bytes`) WHERE `owner_id` = old.`creator_id`;
END;--> statement-breakpoint
CREATE TRIGGER `characters_stored_update` AFTER UPDATE OF `bytes`, `deleted_at` ON `characters`
WHEN old.`creator_id` = new.`creator_id` AND (old.`bytes` <> new.`bytes` OR (old.`deleted_at` IS NULL) <> (new.`deleted_at` IS NULL)) BEGIN
  UPDATE `storage_totals` SET `character_bytes` = `character_bytes` + iif(new.`deleted_at` IS NULL, new.`bytes`, 0) - iif(old.`deleted_at` IS NULL, old.`bytes`, 0), `trash_bytes` = `trash_bytes` + iif(new.`deleted_at` IS NULL, 0, new.`bytes`) - iif(old.`deleted_at` IS NULL, 0, old.`bytes`) WHERE `owner_id` = new.`creator_id`;
END;--> statement-breakpoint
CREATE TRIGGER `characters_stored_move` AFTER UPDATE OF `creator_id` ON `characters` WHEN old.`creator_id` <> new.`creator_id` BEGIN
  UPDATE `storage_totals` SET `character_bytes` = `character_bytes` - iif(old.`deleted_at` IS NULL, old.`bytes`, 0), `trash_bytes` = `trash_bytes` - iif(old.`deleted_at` IS NULL, 0, old.`bytes`) WHERE `owner_id` = old.`creator_id`;
  INSERT INTO `storage_totals` (`owner_id`, `character_bytes`, `trash_bytes`) VALUES (new.`creator_id`, iif(new.`deleted_at` IS NULL, new.`bytes`, 0), iif(new.`deleted_at` IS NULL, 0, new.`bytes`))
    ON CONFLICT (`owner_id`) DO UPDATE SET `character_bytes` = `character_bytes` + excluded.`character_bytes`, `trash_bytes` = `trash_bytes` + excluded.`trash_bytes`;
END;--> statement-breakpoint
CREATE TRIGGER `pictures_stored_insert` AFTER INSERT ON `pictures` BEGIN
  INSERT INTO `storage_totals` (`owner_id`, `picture_bytes`) VALUES (new.`owner_id`, new.`bytes`)
    ON CONFLICT (`owner_id`) DO UPDATE SET `picture_bytes` = `picture_bytes` + excluded.`picture_bytes`;
END;--> statement-breakpoint
CREATE TRIGGER `pictures_stored_delete` AFTER DELETE ON `pictures` BEGIN
  UPDATE `storage_totals` SET `picture_bytes` = `picture_bytes` - old.`bytes` WHERE `owner_id` = old.`owner_id`;
END;--> statement-breakpoint
CREATE TRIGGER `cards_stored_insert` AFTER INSERT ON `cards` BEGIN
  INSERT INTO `storage_totals` (`owner_id`, `character_bytes`) VALUES (new.`owner_id`, new.`bytes`)
    ON CONFLICT (`owner_id`) DO UPDATE SET `character_bytes` = `character_bytes` + excluded.`character_bytes`;
END;--> statement-breakpoint
CREATE TRIGGER `cards_stored_delete` AFTER DELETE ON `cards` BEGIN
  UPDATE `storage_totals` SET `character_bytes` = `character_bytes` - old.`bytes` WHERE `owner_id` = old.`owner_id`;
END;--> statement-breakpoint
CREATE TRIGGER `conversations_copy_delete` AFTER DELETE ON `conversations` WHEN old.`copy_hash` IS NOT NULL BEGIN
  DELETE FROM `character_copies` WHERE `character_id` = old.`character_id` AND `hash` = old.`copy_hash`
    AND NOT EXISTS (SELECT 1 FROM `conversations` WHERE `copy_hash` = old.`copy_hash` AND `character_id` = old.`character_id`);
END;--> statement-breakpoint
CREATE TRIGGER `conversations_copy_update` AFTER UPDATE OF `copy_hash` ON `conversations` WHEN old.`copy_hash` IS NOT NULL AND old.`copy_hash` IS NOT new.`copy_hash` BEGIN
  DELETE FROM `character_copies` WHERE `character_id` = old.`character_id` AND `hash` = old.`copy_hash`
    AND NOT EXISTS (SELECT 1 FROM `conversations` WHERE `copy_hash` = old.`copy_hash` AND `character_id` = old.`character_id`);
END;
