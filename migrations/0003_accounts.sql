CREATE TABLE `commissions` (
	`id` text PRIMARY KEY NOT NULL,
	`inviter_id` text NOT NULL,
	`invitee_id` text,
	`payment_id` text NOT NULL,
	`amount_cents` integer NOT NULL,
	`currency` text NOT NULL,
	`status` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`inviter_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`invitee_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE set null,
	CONSTRAINT "commissions_status" CHECK("commissions"."status" in ('due', 'paid', 'reversed')),
	CONSTRAINT "commissions_amount" CHECK("commissions"."amount_cents" >= 0)
);
--> statement-breakpoint
CREATE INDEX `commissions_inviter` ON `commissions` (`inviter_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `commissions_invitee` ON `commissions` (`invitee_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `commissions_payment` ON `commissions` (`payment_id`);--> statement-breakpoint
CREATE TABLE `deletion_requests` (
	`user_id` text PRIMARY KEY NOT NULL,
	`token_hash` text NOT NULL,
	`requested_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `deletion_requests_expiry` ON `deletion_requests` (`expires_at`);--> statement-breakpoint
CREATE TABLE `erasures` (
	`user_id` text PRIMARY KEY NOT NULL,
	`conversation_ids` text NOT NULL,
	`picture_keys` text NOT NULL,
	`begun_at` integer NOT NULL,
	`try_at` integer NOT NULL,
	`tries` integer DEFAULT 0 NOT NULL,
	CONSTRAINT "erasures_tries" CHECK("erasures"."tries" >= 0)
);
--> statement-breakpoint
CREATE INDEX `erasures_try` ON `erasures` (`try_at`);--> statement-breakpoint
CREATE TABLE `google_accounts` (
	`subject` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `google_accounts_user` ON `google_accounts` (`user_id`);--> statement-breakpoint
CREATE TABLE `mails` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`address` text NOT NULL,
	`language` text NOT NULL,
	`kind` text NOT NULL,
	`details` text NOT NULL,
	`about` text NOT NULL,
	`created_at` integer NOT NULL,
	`try_at` integer NOT NULL,
	`tries` integer DEFAULT 0 NOT NULL,
	CONSTRAINT "mails_tries" CHECK("mails"."tries" >= 0)
);
--> statement-breakpoint
CREATE INDEX `mails_try` ON `mails` (`try_at`);--> statement-breakpoint
CREATE INDEX `mails_user` ON `mails` (`user_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `mails_about` ON `mails` (`user_id`,`kind`,`about`);--> statement-breakpoint
CREATE TABLE `used_tokens` (
	`hash` text PRIMARY KEY NOT NULL,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `used_tokens_expiry` ON `used_tokens` (`expires_at`);--> statement-breakpoint
ALTER TABLE `sessions` ADD `last_seen_at` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `users` ADD `email_notifications` integer DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE `users` ADD `marketing_emails` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `users` ADD `marketing_sent_at` integer;--> statement-breakpoint
ALTER TABLE `users` ADD `invite_code` text;--> statement-breakpoint
ALTER TABLE `users` ADD `invited_by` text REFERENCES users(id) ON DELETE set null;--> statement-breakpoint
ALTER TABLE `users` ADD `invited_at` integer;--> statement-breakpoint
ALTER TABLE `users` ADD `seen_at` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `users_invite_code` ON `users` (`invite_code`);--> statement-breakpoint
CREATE INDEX `users_invited_by` ON `users` (`invited_by`,`invited_at`) WHERE "users"."invited_by" is not null;--> statement-breakpoint
CREATE INDEX `users_guests_seen` ON `users` (`seen_at`) WHERE "users"."is_anonymous" = 1;--> statement-breakpoint
UPDATE `users` SET `seen_at` = unixepoch() * 1000;--> statement-breakpoint
UPDATE `sessions` SET `last_seen_at` = `created_at`;
