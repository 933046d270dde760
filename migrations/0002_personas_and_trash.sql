CREATE TABLE `personas` (
	`id` text PRIMARY KEY NOT NULL,
	`owner_id` text NOT NULL,
	`name` text NOT NULL,
	`description` text NOT NULL,
	`is_default` integer DEFAULT false NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`owner_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "personas_flag" CHECK("personas"."is_default" in (0, 1))
);
--> statement-breakpoint
CREATE INDEX `personas_owner` ON `personas` (`owner_id`,`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `personas_default` ON `personas` (`owner_id`) WHERE "personas"."is_default" = 1;--> statement-breakpoint
ALTER TABLE `conversations` ADD `deleted_at` integer;--> statement-breakpoint
CREATE INDEX `conversations_deleted` ON `conversations` (`deleted_at`) WHERE "conversations"."deleted_at" is not null;--> statement-breakpoint
CREATE INDEX `conversations_owner_deleted` ON `conversations` (`owner_id`,`deleted_at`) WHERE "conversations"."deleted_at" is not null;