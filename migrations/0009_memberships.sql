CREATE TABLE `payment_events` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`subscription_id` text,
	`payment` text,
	`received_at` integer NOT NULL,
	`handled_at` integer,
	`tries` integer DEFAULT 0 NOT NULL,
	`try_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `payment_events_waiting` ON `payment_events` (`try_at`) WHERE "payment_events"."handled_at" is null;--> statement-breakpoint
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
	FOREIGN KEY (`subscription_id`) REFERENCES `subscriptions`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "payments_status" CHECK("payments"."status" in ('completed', 'refunded', 'reversed')),
	CONSTRAINT "payments_amount" CHECK("payments"."amount_cents" >= 0 and "payments"."refunded_cents" >= 0)
);
--> statement-breakpoint
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
);
--> statement-breakpoint
CREATE INDEX `payouts_user` ON `payouts` (`user_id`,`created_at`);--> statement-breakpoint
CREATE TABLE `refunds` (
	`id` text PRIMARY KEY NOT NULL,
	`payment_id` text NOT NULL,
	`amount_cents` integer NOT NULL,
	`created_at` integer NOT NULL,
	CONSTRAINT "refunds_amount" CHECK("refunds"."amount_cents" >= 0)
);
--> statement-breakpoint
CREATE INDEX `refunds_payment` ON `refunds` (`payment_id`);--> statement-breakpoint
ALTER TABLE `users` ADD `plan_until` integer;--> statement-breakpoint
CREATE INDEX `users_plan_until` ON `users` (`plan_until`) WHERE "users"."plan_until" is not null;--> statement-breakpoint
ALTER TABLE `commissions` ADD `percent` integer;--> statement-breakpoint
ALTER TABLE `commissions` ADD `payout_id` text;--> statement-breakpoint
ALTER TABLE `commissions` ADD `recovered_by` text;--> statement-breakpoint
ALTER TABLE `subscriptions` ADD `agreed_cents` integer;--> statement-breakpoint
ALTER TABLE `subscriptions` ADD `payer_hash` text;--> statement-breakpoint
ALTER TABLE `subscriptions` ADD `is_failing` integer DEFAULT false NOT NULL;