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
	FOREIGN KEY (`measure_id`) REFERENCES `measures`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "appeals_status" CHECK("appeals"."status" in ('open', 'granted', 'declined')),
	CONSTRAINT "appeals_about" CHECK(("appeals"."measure_id" is null) <> ("appeals"."refused_text" is null))
);
--> statement-breakpoint
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
);
--> statement-breakpoint
CREATE INDEX `case_steps_case` ON `case_steps` (`case_id`,`created_at`);--> statement-breakpoint
CREATE TABLE `crisis_days` (
	`day` integer NOT NULL,
	`kind` text NOT NULL,
	`referrals` integer NOT NULL,
	PRIMARY KEY(`day`, `kind`),
	CONSTRAINT "crisis_days_kind" CHECK("crisis_days"."kind" in ('suicide', 'self_harm', 'harm_to_others')),
	CONSTRAINT "crisis_days_referrals" CHECK("crisis_days"."referrals" >= 0)
);
--> statement-breakpoint
CREATE TABLE `measures` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`subject_id` text NOT NULL,
	`subject_name` text NOT NULL,
	`owner_id` text NOT NULL,
	`reason` text NOT NULL,
	`report_id` text,
	`admin_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`ended_at` integer,
	FOREIGN KEY (`owner_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "measures_kind" CHECK("measures"."kind" in ('character_hidden', 'character_removed', 'picture_removed', 'name_cleared', 'account_suspended'))
);
--> statement-breakpoint
CREATE INDEX `measures_owner` ON `measures` (`owner_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `measures_subject` ON `measures` (`subject_id`,`created_at`);--> statement-breakpoint
CREATE TABLE `staff_views` (
	`id` text PRIMARY KEY NOT NULL,
	`owner_id` text NOT NULL,
	`admin_id` text NOT NULL,
	`what` text NOT NULL,
	`subject_id` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`owner_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "staff_views_what" CHECK("staff_views"."what" in ('character', 'message', 'account', 'appeal', 'report'))
);
--> statement-breakpoint
CREATE INDEX `staff_views_owner` ON `staff_views` (`owner_id`,`created_at`);--> statement-breakpoint
CREATE TABLE `competition_marks` (
	`season_id` text NOT NULL,
	`character_id` text NOT NULL,
	`judge_id` text NOT NULL,
	`mark` integer NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`season_id`, `character_id`, `judge_id`),
	FOREIGN KEY (`season_id`) REFERENCES `seasons`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`character_id`) REFERENCES `characters`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "competition_marks_mark" CHECK("competition_marks"."mark" between 0 and 100)
);
--> statement-breakpoint
CREATE INDEX `competition_marks_character` ON `competition_marks` (`character_id`);--> statement-breakpoint
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
);
--> statement-breakpoint
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
);
--> statement-breakpoint
CREATE INDEX `competition_standings_rank` ON `competition_standings` (`season_id`,`rank`,`character_id`);--> statement-breakpoint
CREATE INDEX `competition_standings_character` ON `competition_standings` (`character_id`);--> statement-breakpoint
CREATE TABLE `competition_withdrawals` (
	`season_id` text NOT NULL,
	`character_id` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`season_id`, `character_id`),
	FOREIGN KEY (`season_id`) REFERENCES `seasons`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`character_id`) REFERENCES `characters`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `competition_withdrawals_character` ON `competition_withdrawals` (`character_id`);--> statement-breakpoint
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
);
--> statement-breakpoint
CREATE UNIQUE INDEX `seasons_number` ON `seasons` (`number`);--> statement-breakpoint
CREATE TABLE `stat_days` (
	`day` integer NOT NULL,
	`name` text NOT NULL,
	`value` real NOT NULL,
	PRIMARY KEY(`name`, `day`)
);
--> statement-breakpoint
CREATE TABLE `turn_hours` (
	`hour` integer NOT NULL,
	`model` text NOT NULL,
	`turns` integer NOT NULL,
	`failed` integer NOT NULL,
	`stopped` integer NOT NULL,
	`refused` integer NOT NULL,
	`prompt_tokens` integer NOT NULL,
	`reply_tokens` integer NOT NULL,
	`points` integer NOT NULL,
	`first_250` integer NOT NULL,
	`first_500` integer NOT NULL,
	`first_1000` integer NOT NULL,
	`first_2000` integer NOT NULL,
	`first_5000` integer NOT NULL,
	`first_later` integer NOT NULL,
	PRIMARY KEY(`hour`, `model`),
	CONSTRAINT "turn_hours_turns" CHECK("turn_hours"."turns" >= 0)
);
--> statement-breakpoint
CREATE TABLE `__new_reports` (
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
	CONSTRAINT "reports_subject" CHECK("subject" in ('character', 'creator', 'message')),
	CONSTRAINT "reports_status" CHECK("status" in ('open', 'upheld', 'dismissed'))
);
--> statement-breakpoint
INSERT INTO `__new_reports`("id", "subject", "subject_id", "character_id", "owner_id", "reporter_id", "reason", "details", "status", "created_at", "resolved_at")
SELECT reports.id, 'character', reports.character_id, reports.character_id, characters.creator_id, reports.reporter_id, reports.reason, reports.details, reports.status, reports.created_at, reports.resolved_at
FROM reports JOIN characters ON characters.id = reports.character_id;--> statement-breakpoint
DROP TABLE `reports`;--> statement-breakpoint
ALTER TABLE `__new_reports` RENAME TO `reports`;--> statement-breakpoint
CREATE UNIQUE INDEX `reports_reporter_subject` ON `reports` (`reporter_id`,`subject`,`subject_id`);--> statement-breakpoint
CREATE INDEX `reports_reporter` ON `reports` (`reporter_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `reports_subject` ON `reports` (`subject`,`subject_id`);--> statement-breakpoint
CREATE INDEX `reports_character` ON `reports` (`character_id`);--> statement-breakpoint
CREATE INDEX `reports_owner` ON `reports` (`owner_id`);--> statement-breakpoint
CREATE INDEX `reports_status` ON `reports` (`status`,`created_at`,`id`);--> statement-breakpoint
DROP INDEX `conversations_character`;--> statement-breakpoint
ALTER TABLE `conversations` ADD `turns` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `conversations` ADD `network` text;--> statement-breakpoint
CREATE INDEX `conversations_character` ON `conversations` (`character_id`,`owner_id`);--> statement-breakpoint
CREATE TABLE `__new_refunds` (
	`id` text PRIMARY KEY NOT NULL,
	`payment_id` text NOT NULL,
	`amount_cents` integer,
	`created_at` integer NOT NULL,
	CONSTRAINT "refunds_amount" CHECK("amount_cents" >= 0)
);
--> statement-breakpoint
INSERT INTO `__new_refunds`("id", "payment_id", "amount_cents", "created_at")
SELECT id, payment_id, CASE WHEN id LIKE 'reversal:%' OR amount_cents >= 1000000000000 THEN NULL ELSE amount_cents END, created_at
FROM refunds;--> statement-breakpoint
DROP TABLE `refunds`;--> statement-breakpoint
ALTER TABLE `__new_refunds` RENAME TO `refunds`;--> statement-breakpoint
CREATE INDEX `refunds_payment` ON `refunds` (`payment_id`);--> statement-breakpoint
ALTER TABLE `users` ADD `suspended_at` integer;--> statement-breakpoint
CREATE INDEX `users_seen` ON `users` (`seen_at`);--> statement-breakpoint
CREATE INDEX `users_created` ON `users` (`created_at`);--> statement-breakpoint
ALTER TABLE `subscriptions` ADD `went_back` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `subscriptions` ADD `begins_at` integer;--> statement-breakpoint
ALTER TABLE `subscriptions` ADD `next_billing_at` integer;--> statement-breakpoint
CREATE INDEX `subscriptions_payer` ON `subscriptions` (`payer_hash`);