CREATE TABLE `stale_pages` (
	`tag` text PRIMARY KEY NOT NULL,
	`changes` integer DEFAULT 1 NOT NULL,
	`try_at` integer NOT NULL,
	`tries` integer DEFAULT 0 NOT NULL,
	CONSTRAINT "stale_pages_tries" CHECK("stale_pages"."tries" >= 0)
);
--> statement-breakpoint
CREATE INDEX `stale_pages_try` ON `stale_pages` (`try_at`);--> statement-breakpoint
DROP INDEX `characters_popular`;--> statement-breakpoint
DROP INDEX `characters_new`;--> statement-breakpoint
ALTER TABLE `conversations` ADD `character_name` text;--> statement-breakpoint
ALTER TABLE `conversations` ADD `avatar_url` text;--> statement-breakpoint
ALTER TABLE `character_creations` ADD `import_id` text;--> statement-breakpoint
CREATE INDEX `character_creations_open` ON `character_creations` (`created_at`) WHERE "character_creations"."done" = 0;--> statement-breakpoint
UPDATE `conversations` SET
  `character_name` = (SELECT `name` FROM `characters` WHERE `characters`.`id` = `conversations`.`character_id`),
  `avatar_url` = (
    SELECT CASE `avatar_key` WHEN '' THEN '/icons/nobody.svg' ELSE '/media/' || `avatar_key` END
    FROM `characters` WHERE `characters`.`id` = `conversations`.`character_id`
  );
