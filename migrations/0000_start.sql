CREATE TABLE `character_tags` (
	`tag` text NOT NULL,
	`character_id` text NOT NULL,
	PRIMARY KEY(`tag`, `character_id`),
	FOREIGN KEY (`character_id`) REFERENCES `characters`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `character_tags_character` ON `character_tags` (`character_id`);--> statement-breakpoint
CREATE TABLE `characters` (
	`id` text PRIMARY KEY NOT NULL,
	`creator_id` text NOT NULL,
	`name` text NOT NULL,
	`oneliner` text NOT NULL,
	`character_traits` text NOT NULL,
	`first_message` text DEFAULT '' NOT NULL,
	`model_type` text NOT NULL,
	`visibility` text NOT NULL,
	`point_of_view` text NOT NULL,
	`nsfw_allowed` integer DEFAULT false NOT NULL,
	`suggested_replies` text NOT NULL,
	`summary` text,
	`avatar_key` text NOT NULL,
	`featured` integer DEFAULT false NOT NULL,
	`chat_count` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`creator_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "characters_model_type" CHECK("characters"."model_type" in ('roleplay', 'chatgpt')),
	CONSTRAINT "characters_visibility" CHECK("characters"."visibility" in ('public', 'unlisted', 'private')),
	CONSTRAINT "characters_point_of_view" CHECK("characters"."point_of_view" in ('normal', 'multiPeople', 'rpg', 'reverse')),
	CONSTRAINT "characters_flags" CHECK("characters"."nsfw_allowed" in (0, 1) and "characters"."featured" in (0, 1)),
	CONSTRAINT "characters_chat_count" CHECK("characters"."chat_count" >= 0),
	CONSTRAINT "characters_suggested_replies" CHECK(json_valid("characters"."suggested_replies"))
);
--> statement-breakpoint
CREATE INDEX `characters_creator` ON `characters` (`creator_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `characters_popular` ON `characters` (`visibility`,`nsfw_allowed`,`chat_count`,`id`);--> statement-breakpoint
CREATE INDEX `characters_new` ON `characters` (`visibility`,`nsfw_allowed`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `characters_featured` ON `characters` (`featured`,`visibility`,`nsfw_allowed`,`chat_count`);--> statement-breakpoint
CREATE TABLE `conversations` (
	`id` text PRIMARY KEY NOT NULL,
	`owner_id` text NOT NULL,
	`character_id` text NOT NULL,
	`title` text,
	`created_at` integer NOT NULL,
	`last_message_at` integer NOT NULL,
	`message_count` integer NOT NULL,
	FOREIGN KEY (`owner_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`character_id`) REFERENCES `characters`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "conversations_message_count" CHECK("conversations"."message_count" >= 0)
);
--> statement-breakpoint
CREATE INDEX `conversations_owner` ON `conversations` (`owner_id`,`last_message_at`);--> statement-breakpoint
CREATE INDEX `conversations_owner_character` ON `conversations` (`owner_id`,`character_id`,`last_message_at`);--> statement-breakpoint
CREATE INDEX `conversations_character` ON `conversations` (`character_id`);--> statement-breakpoint
CREATE TABLE `login_codes` (
	`email` text PRIMARY KEY NOT NULL,
	`code_hash` text NOT NULL,
	`sent_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`tries` integer DEFAULT 0 NOT NULL,
	CONSTRAINT "login_codes_tries" CHECK("login_codes"."tries" >= 0)
);
--> statement-breakpoint
CREATE INDEX `login_codes_expiry` ON `login_codes` (`expires_at`);--> statement-breakpoint
CREATE TABLE `sessions` (
	`id` text PRIMARY KEY NOT NULL,
	`public_id` text NOT NULL,
	`user_id` text NOT NULL,
	`expires_at` integer NOT NULL,
	`created_at` integer NOT NULL,
	`user_agent` text NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `sessions_user` ON `sessions` (`user_id`);--> statement-breakpoint
CREATE INDEX `sessions_expiry` ON `sessions` (`expires_at`);--> statement-breakpoint
CREATE UNIQUE INDEX `sessions_public_id` ON `sessions` (`public_id`);--> statement-breakpoint
CREATE TABLE `users` (
	`id` text PRIMARY KEY NOT NULL,
	`username` text NOT NULL,
	`email` text,
	`nickname` text,
	`avatar_key` text,
	`plan` text DEFAULT 'free' NOT NULL,
	`is_anonymous` integer NOT NULL,
	`is_house` integer DEFAULT false NOT NULL,
	`onboarding_completed` integer DEFAULT false NOT NULL,
	`spicy_mode` integer DEFAULT false NOT NULL,
	`age_confirmed` integer DEFAULT false NOT NULL,
	`language` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	CONSTRAINT "users_plan" CHECK("users"."plan" in ('free', 'storyteller', 'adventurer', 'legend')),
	CONSTRAINT "users_flags" CHECK("users"."is_anonymous" in (0, 1) and "users"."is_house" in (0, 1)),
	CONSTRAINT "users_guest_has_no_email" CHECK("users"."is_anonymous" = 0 or "users"."email" is null),
	CONSTRAINT "users_email_lower" CHECK("users"."email" is null or "users"."email" = lower("users"."email"))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `users_email` ON `users` (`email`);