CREATE TABLE `character_listings` (
	`character_id` text NOT NULL,
	`tag` text NOT NULL,
	`nsfw` integer NOT NULL,
	`chat_count` integer NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`character_id`, `tag`),
	FOREIGN KEY (`character_id`) REFERENCES `characters`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `character_listings_popular` ON `character_listings` (`tag`,`nsfw`,`chat_count`,`character_id`);--> statement-breakpoint
CREATE INDEX `character_listings_new` ON `character_listings` (`tag`,`nsfw`,`created_at`,`character_id`);--> statement-breakpoint
CREATE TABLE `character_words` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`character_id` text NOT NULL,
	`words` text NOT NULL,
	`tags` text NOT NULL,
	`version` integer NOT NULL,
	`place_popular` integer,
	`place_new` integer,
	FOREIGN KEY (`character_id`) REFERENCES `characters`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `character_words_character` ON `character_words` (`character_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `character_words_popular` ON `character_words` (`place_popular`);--> statement-breakpoint
CREATE UNIQUE INDEX `character_words_new` ON `character_words` (`place_new`);--> statement-breakpoint
CREATE INDEX `character_words_version` ON `character_words` (`version`);--> statement-breakpoint
ALTER TABLE `character_days` ADD `fresh` integer DEFAULT true NOT NULL;--> statement-breakpoint
CREATE INDEX `character_days_fresh` ON `character_days` (`day`,`character_id`) WHERE "character_days"."fresh" = 1;
--> statement-breakpoint
DROP TRIGGER `character_search_insert`;
--> statement-breakpoint
DROP TRIGGER `character_search_delete`;
--> statement-breakpoint
DROP TRIGGER `character_search_update`;
--> statement-breakpoint
DROP TABLE `character_search`;
--> statement-breakpoint
CREATE VIRTUAL TABLE `character_search` USING fts5(`words`, `tags`, content='', prefix='1 2 3', tokenize="ascii tokenchars '=~#^$'");
--> statement-breakpoint
INSERT INTO `character_search` (`character_search`, rank) VALUES ('secure-delete', 1);
--> statement-breakpoint
CREATE VIRTUAL TABLE `character_search_new` USING fts5(`words`, `tags`, content='', prefix='1 2 3', tokenize="ascii tokenchars '=~#^$'");
--> statement-breakpoint
INSERT INTO `character_search_new` (`character_search_new`, rank) VALUES ('secure-delete', 1);
--> statement-breakpoint
CREATE TRIGGER `characters_listed_insert` AFTER INSERT ON `characters` BEGIN
  INSERT INTO `character_words` (`character_id`, `words`, `tags`, `version`) VALUES (new.`id`, '', '', 0);
  INSERT INTO `character_listings` (`character_id`, `tag`, `nsfw`, `chat_count`, `created_at`)
    SELECT new.`id`, '', new.`nsfw_allowed`, new.`chat_count`, new.`created_at` WHERE new.`visibility` = 'public' AND new.`moderation` = 'shown' AND new.`deleted_at` IS NULL;
END;
--> statement-breakpoint
CREATE TRIGGER `characters_listed_update` AFTER UPDATE OF `visibility`, `moderation`, `deleted_at`, `nsfw_allowed`, `created_at` ON `characters`
WHEN old.`visibility` <> new.`visibility` OR old.`moderation` <> new.`moderation` OR old.`deleted_at` IS NOT new.`deleted_at`
  OR old.`nsfw_allowed` <> new.`nsfw_allowed` OR old.`created_at` <> new.`created_at`
BEGIN
  DELETE FROM `character_listings` WHERE `character_id` = new.`id`;
  INSERT INTO `character_listings` (`character_id`, `tag`, `nsfw`, `chat_count`, `created_at`)
    SELECT new.`id`, `tag`, new.`nsfw_allowed`, new.`chat_count`, new.`created_at`
    FROM (SELECT '' AS `tag` UNION ALL SELECT `tag` FROM `character_tags` WHERE `character_id` = new.`id`)
    WHERE new.`visibility` = 'public' AND new.`moderation` = 'shown' AND new.`deleted_at` IS NULL;
END;
--> statement-breakpoint
CREATE TRIGGER `characters_words_update` AFTER UPDATE OF `name`, `oneliner`, `summary` ON `characters`
WHEN old.`name` <> new.`name` OR old.`oneliner` <> new.`oneliner` OR old.`summary` IS NOT new.`summary`
BEGIN
  UPDATE `character_words` SET `words` = '', `version` = 0 WHERE `character_id` = new.`id`;
END;
--> statement-breakpoint
CREATE TRIGGER `character_tags_listed_insert` AFTER INSERT ON `character_tags` BEGIN
  INSERT INTO `character_listings` (`character_id`, `tag`, `nsfw`, `chat_count`, `created_at`)
    SELECT `character_id`, new.`tag`, `nsfw`, `chat_count`, `created_at`
    FROM `character_listings` WHERE `character_id` = new.`character_id` AND `tag` = '';
  UPDATE `character_words` SET `tags` = (SELECT coalesce(group_concat('#' || `tag`, ' '), '') FROM `character_tags` WHERE `character_id` = new.`character_id`) WHERE `character_id` = new.`character_id`;
END;
--> statement-breakpoint
CREATE TRIGGER `character_tags_listed_delete` AFTER DELETE ON `character_tags` BEGIN
  DELETE FROM `character_listings` WHERE `character_id` = old.`character_id` AND `tag` = old.`tag`;
  UPDATE `character_words` SET `tags` = (SELECT coalesce(group_concat('#' || `tag`, ' '), '') FROM `character_tags` WHERE `character_id` = old.`character_id`) WHERE `character_id` = old.`character_id`;
END;
--> statement-breakpoint
CREATE TRIGGER `character_tags_listed_update` AFTER UPDATE ON `character_tags` BEGIN
  DELETE FROM `character_listings` WHERE `character_id` = old.`character_id` AND `tag` = old.`tag`;
  INSERT INTO `character_listings` (`character_id`, `tag`, `nsfw`, `chat_count`, `created_at`)
    SELECT `character_id`, new.`tag`, `nsfw`, `chat_count`, `created_at`
    FROM `character_listings` WHERE `character_id` = new.`character_id` AND `tag` = '';
  UPDATE `character_words` SET `tags` = (SELECT coalesce(group_concat('#' || `tag`, ' '), '') FROM `character_tags` WHERE `character_id` = old.`character_id`) WHERE `character_id` = old.`character_id`;
  UPDATE `character_words` SET `tags` = (SELECT coalesce(group_concat('#' || `tag`, ' '), '') FROM `character_tags` WHERE `character_id` = new.`character_id`) WHERE `character_id` = new.`character_id`;
END;
--> statement-breakpoint
CREATE TRIGGER `character_listings_words_insert` AFTER INSERT ON `character_listings` WHEN new.`tag` = '' BEGIN
  UPDATE `character_words` SET
    `place_popular` = new.`nsfw` * 4503599627370496 + (127 - ((length(new.`chat_count`) - 1) * 9 + substr(new.`chat_count`, 1, 1))) * 1099511627776 + (1099511627775 - `id`),
    `place_new` = new.`nsfw` * 4503599627370496 + (4294967295 - new.`created_at` / 1000) * 1048576 + (1048575 - `id` % 1048576)
    WHERE `character_id` = new.`character_id`;
END;
--> statement-breakpoint
CREATE TRIGGER `character_listings_words_update` AFTER UPDATE OF `chat_count` ON `character_listings` WHEN new.`tag` = '' AND old.`chat_count` <> new.`chat_count` BEGIN
  UPDATE `character_words` SET
    `place_popular` = new.`nsfw` * 4503599627370496 + (127 - ((length(new.`chat_count`) - 1) * 9 + substr(new.`chat_count`, 1, 1))) * 1099511627776 + (1099511627775 - `id`)
    WHERE `character_id` = new.`character_id`;
END;
--> statement-breakpoint
CREATE TRIGGER `character_listings_words_delete` AFTER DELETE ON `character_listings` WHEN old.`tag` = '' BEGIN
  UPDATE `character_words` SET `place_popular` = NULL, `place_new` = NULL WHERE `character_id` = old.`character_id`;
END;
--> statement-breakpoint
CREATE TRIGGER `character_words_popular_update` AFTER UPDATE OF `words`, `tags`, `place_popular` ON `character_words`
WHEN old.`words` <> new.`words` OR old.`tags` <> new.`tags` OR old.`place_popular` IS NOT new.`place_popular`
BEGIN
  INSERT INTO `character_search` (`character_search`, rowid, `words`, `tags`)
    SELECT 'delete', old.`place_popular`, old.`words`, old.`tags` WHERE old.`place_popular` IS NOT NULL AND old.`words` <> '';
  INSERT INTO `character_search` (rowid, `words`, `tags`)
    SELECT new.`place_popular`, new.`words`, new.`tags` WHERE new.`place_popular` IS NOT NULL AND new.`words` <> '';
END;
--> statement-breakpoint
CREATE TRIGGER `character_words_popular_delete` AFTER DELETE ON `character_words` BEGIN
  INSERT INTO `character_search` (`character_search`, rowid, `words`, `tags`)
    SELECT 'delete', old.`place_popular`, old.`words`, old.`tags` WHERE old.`place_popular` IS NOT NULL AND old.`words` <> '';
END;
--> statement-breakpoint
CREATE TRIGGER `character_words_new_update` AFTER UPDATE OF `words`, `tags`, `place_new` ON `character_words`
WHEN old.`words` <> new.`words` OR old.`tags` <> new.`tags` OR old.`place_new` IS NOT new.`place_new`
BEGIN
  INSERT INTO `character_search_new` (`character_search_new`, rowid, `words`, `tags`)
    SELECT 'delete', old.`place_new`, old.`words`, old.`tags` WHERE old.`place_new` IS NOT NULL AND old.`words` <> '';
  INSERT INTO `character_search_new` (rowid, `words`, `tags`)
    SELECT new.`place_new`, new.`words`, new.`tags` WHERE new.`place_new` IS NOT NULL AND new.`words` <> '';
END;
--> statement-breakpoint
CREATE TRIGGER `character_words_new_delete` AFTER DELETE ON `character_words` BEGIN
  INSERT INTO `character_search_new` (`character_search_new`, rowid, `words`, `tags`)
    SELECT 'delete', old.`place_new`, old.`words`, old.`tags` WHERE old.`place_new` IS NOT NULL AND old.`words` <> '';
END;
--> statement-breakpoint
INSERT INTO `character_words` (`character_id`, `words`, `tags`, `version`)
  SELECT `id`, '', (SELECT coalesce(group_concat('#' || `tag`, ' '), '') FROM `character_tags` WHERE `character_id` = `characters`.`id`), 0 FROM `characters`;
--> statement-breakpoint
INSERT INTO `character_listings` (`character_id`, `tag`, `nsfw`, `chat_count`, `created_at`)
  SELECT `id`, '', `nsfw_allowed`, `chat_count`, `created_at` FROM `characters` WHERE `characters`.`visibility` = 'public' AND `characters`.`moderation` = 'shown' AND `characters`.`deleted_at` IS NULL;
--> statement-breakpoint
INSERT INTO `character_listings` (`character_id`, `tag`, `nsfw`, `chat_count`, `created_at`)
  SELECT l.`character_id`, t.`tag`, l.`nsfw`, l.`chat_count`, l.`created_at`
  FROM `character_tags` AS t JOIN `character_listings` AS l ON l.`character_id` = t.`character_id` AND l.`tag` = '';
