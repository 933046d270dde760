CREATE TABLE `feedback` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text,
	`message` text NOT NULL,
	`email` text,
	`language` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `feedback_user` ON `feedback` (`user_id`);--> statement-breakpoint
CREATE INDEX `feedback_created` ON `feedback` (`created_at`);--> statement-breakpoint
CREATE TABLE `pictures` (
	`key` text PRIMARY KEY NOT NULL,
	`owner_id` text NOT NULL,
	`bytes` integer NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`owner_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "pictures_bytes" CHECK("pictures"."bytes" > 0)
);
--> statement-breakpoint
CREATE INDEX `pictures_owner` ON `pictures` (`owner_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `pictures_created` ON `pictures` (`created_at`);--> statement-breakpoint
ALTER TABLE `users` ADD `age_checked_at` integer;