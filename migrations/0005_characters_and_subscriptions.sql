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
);
--> statement-breakpoint
CREATE INDEX `cards_owner` ON `cards` (`owner_id`,`created_at`);--> statement-breakpoint
CREATE UNIQUE INDEX `cards_character` ON `cards` (`character_id`);--> statement-breakpoint
CREATE INDEX `cards_object` ON `cards` (`object_key`);--> statement-breakpoint
CREATE INDEX `cards_unclaimed` ON `cards` (`created_at`) WHERE "cards"."character_id" is null;--> statement-breakpoint
CREATE TABLE `character_creations` (
	`owner_id` text NOT NULL,
	`key` text NOT NULL,
	`character_id` text NOT NULL,
	`body_hash` text NOT NULL,
	`done` integer DEFAULT false NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`owner_id`, `key`),
	FOREIGN KEY (`owner_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `character_creations_created` ON `character_creations` (`created_at`);--> statement-breakpoint
CREATE TABLE `character_days` (
	`day` integer NOT NULL,
	`character_id` text NOT NULL,
	`chats` integer NOT NULL,
	PRIMARY KEY(`day`, `character_id`),
	FOREIGN KEY (`character_id`) REFERENCES `characters`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `character_days_character` ON `character_days` (`character_id`);--> statement-breakpoint
CREATE TABLE `character_extras` (
	`character_id` text PRIMARY KEY NOT NULL,
	`nickname` text,
	`alternate_greetings` text NOT NULL,
	`creator_notes` text,
	`lorebook` text,
	FOREIGN KEY (`character_id`) REFERENCES `characters`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "character_extras_lorebook" CHECK("character_extras"."lorebook" is null or json_valid("character_extras"."lorebook"))
);
--> statement-breakpoint
CREATE TABLE `character_versions` (
	`character_id` text NOT NULL,
	`version` integer NOT NULL,
	`definition` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`character_id`, `version`),
	FOREIGN KEY (`character_id`) REFERENCES `characters`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "character_versions_definition" CHECK(json_valid("character_versions"."definition"))
);
--> statement-breakpoint
CREATE TABLE `favourites` (
	`user_id` text NOT NULL,
	`character_id` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`user_id`, `character_id`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`character_id`) REFERENCES `characters`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `favourites_user` ON `favourites` (`user_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `favourites_character` ON `favourites` (`character_id`);--> statement-breakpoint
CREATE TABLE `follows` (
	`user_id` text NOT NULL,
	`creator_id` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`user_id`, `creator_id`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`creator_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `follows_user` ON `follows` (`user_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `follows_creator` ON `follows` (`creator_id`);--> statement-breakpoint
CREATE TABLE `hidden_things` (
	`user_id` text NOT NULL,
	`kind` text NOT NULL,
	`what` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`user_id`, `kind`, `what`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "hidden_things_kind" CHECK("hidden_things"."kind" in ('tag', 'creator'))
);
--> statement-breakpoint
CREATE INDEX `hidden_things_what` ON `hidden_things` (`kind`,`what`);--> statement-breakpoint
CREATE TABLE `reports` (
	`id` text PRIMARY KEY NOT NULL,
	`character_id` text NOT NULL,
	`reporter_id` text NOT NULL,
	`reason` text NOT NULL,
	`details` text NOT NULL,
	`status` text DEFAULT 'open' NOT NULL,
	`created_at` integer NOT NULL,
	`resolved_at` integer,
	FOREIGN KEY (`character_id`) REFERENCES `characters`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`reporter_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "reports_status" CHECK("reports"."status" in ('open', 'upheld', 'dismissed'))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `reports_reporter_character` ON `reports` (`reporter_id`,`character_id`);--> statement-breakpoint
CREATE INDEX `reports_character` ON `reports` (`character_id`);--> statement-breakpoint
CREATE INDEX `reports_status` ON `reports` (`status`,`created_at`);--> statement-breakpoint
CREATE TABLE `subscriptions` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`plan` text NOT NULL,
	`status` text NOT NULL,
	`period_end` integer NOT NULL,
	`checked_at` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "subscriptions_plan" CHECK("subscriptions"."plan" in ('storyteller', 'adventurer', 'legend')),
	CONSTRAINT "subscriptions_status" CHECK("subscriptions"."status" in ('active', 'suspended', 'cancelled', 'expired'))
);
--> statement-breakpoint
CREATE INDEX `subscriptions_user` ON `subscriptions` (`user_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `subscriptions_checked` ON `subscriptions` (`status`,`checked_at`);--> statement-breakpoint
ALTER TABLE `characters` ADD `version` integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE `characters` ADD `moderation` text DEFAULT 'shown' NOT NULL;--> statement-breakpoint
ALTER TABLE `characters` ADD `language` text;--> statement-breakpoint
ALTER TABLE `characters` ADD `summary_generated` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `characters` ADD `summary_try_at` integer;--> statement-breakpoint
ALTER TABLE `characters` ADD `summary_tries` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `characters` ADD `deleted_at` integer;--> statement-breakpoint
CREATE INDEX `characters_summary_due` ON `characters` (`summary_try_at`) WHERE "characters"."summary_try_at" is not null;--> statement-breakpoint
CREATE INDEX `characters_deleted` ON `characters` (`deleted_at`) WHERE "characters"."deleted_at" is not null;