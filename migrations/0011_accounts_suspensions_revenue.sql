CREATE TABLE `gone_payments` (
	`id` text PRIMARY KEY NOT NULL,
	`day` integer NOT NULL,
	`amount_cents` integer NOT NULL,
	`refunded_cents` integer NOT NULL,
	`kept_until` integer,
	`updated_at` integer NOT NULL,
	CONSTRAINT "gone_payments_amount" CHECK("gone_payments"."amount_cents" >= 0 and "gone_payments"."refunded_cents" >= 0)
);
--> statement-breakpoint
CREATE INDEX `gone_payments_day` ON `gone_payments` (`day`);--> statement-breakpoint
CREATE INDEX `gone_payments_updated` ON `gone_payments` (`updated_at`);--> statement-breakpoint
CREATE INDEX `gone_payments_until` ON `gone_payments` (`kept_until`) WHERE "gone_payments"."kept_until" is not null;--> statement-breakpoint
CREATE TABLE `kept_suspensions` (
	`hash` text PRIMARY KEY NOT NULL,
	`suspension_id` text NOT NULL,
	`reason` text NOT NULL,
	`admin_id` text NOT NULL,
	`suspended_at` integer NOT NULL,
	`kept_until` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `kept_suspensions_suspension` ON `kept_suspensions` (`suspension_id`);--> statement-breakpoint
CREATE INDEX `kept_suspensions_until` ON `kept_suspensions` (`kept_until`);--> statement-breakpoint
ALTER TABLE `users` ADD `account_since` integer;--> statement-breakpoint
CREATE INDEX `users_account_since` ON `users` (`account_since`) WHERE "users"."account_since" is not null;--> statement-breakpoint
ALTER TABLE `payments` ADD `updated_at` integer;--> statement-breakpoint
CREATE INDEX `payments_paid` ON `payments` (`paid_at`);--> statement-breakpoint
CREATE INDEX `payments_updated` ON `payments` (`updated_at`) WHERE "payments"."updated_at" is not null;--> statement-breakpoint
ALTER TABLE `measures` ADD `goes_on_from` text;--> statement-breakpoint
CREATE INDEX `reports_status_subject` ON `reports` (`status`,`subject`,`created_at`,`id`);--> statement-breakpoint
-- When a guest became an account, nothing said until now.
UPDATE `users` SET `account_since` = `created_at` WHERE `is_anonymous` = 0;--> statement-breakpoint
-- Days that were not counted again any more keep what was found of accounts that have gone since.
INSERT INTO `gone_payments` (`id`, `day`, `amount_cents`, `refunded_cents`, `kept_until`, `updated_at`)
SELECT 'day:' || `day`, `day`, CAST(`value` - `here` AS INTEGER), 0, NULL, 0 FROM (
	SELECT `day`, `value`, coalesce((SELECT sum(`amount_cents` - `refunded_cents`) FROM `payments`
		WHERE `currency` = 'USD' AND `paid_at` >= `day` * 86400000 AND `paid_at` < (`day` + 1) * 86400000), 0) AS `here`
	FROM `stat_days` WHERE `name` = 'revenue_cents'
) WHERE `value` > `here` AND `day` <= (SELECT max(`day`) FROM `stat_days`) - 30;
