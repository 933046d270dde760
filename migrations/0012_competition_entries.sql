CREATE TABLE `competition_entries` (
	`character_id` text PRIMARY KEY NOT NULL,
	`since` integer DEFAULT 0 NOT NULL,
	`explicit` integer DEFAULT false NOT NULL,
	`looked` integer DEFAULT 0 NOT NULL,
	FOREIGN KEY (`character_id`) REFERENCES `characters`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "competition_entries_explicit" CHECK("competition_entries"."explicit" in (0, 1))
);
--> statement-breakpoint
CREATE TRIGGER `competition_entries_insert` AFTER INSERT ON `characters` BEGIN
  INSERT INTO `competition_entries` (`character_id`) VALUES (new.`id`);
END;
--> statement-breakpoint
CREATE TRIGGER `competition_entries_back` AFTER UPDATE OF `visibility`, `nsfw_allowed` ON `characters`
WHEN new.`visibility` = 'public' AND new.`nsfw_allowed` = 0 AND (old.`visibility` <> 'public' OR old.`nsfw_allowed` <> 0)
BEGIN
  UPDATE `competition_entries` SET `since` = CAST(unixepoch('subsec') * 1000 AS INTEGER) WHERE `character_id` = new.`id`;
END;
--> statement-breakpoint
CREATE TRIGGER `competition_entries_texts` AFTER UPDATE OF `name`, `oneliner`, `character_traits`, `first_message`, `suggested_replies`, `summary` ON `characters`
WHEN old.`name` <> new.`name` OR old.`oneliner` <> new.`oneliner` OR old.`character_traits` <> new.`character_traits`
  OR old.`first_message` <> new.`first_message` OR old.`suggested_replies` <> new.`suggested_replies` OR old.`summary` IS NOT new.`summary`
BEGIN
  UPDATE `competition_entries` SET `looked` = min(`looked`, 0) - 1 WHERE `character_id` = new.`id`;
END;
--> statement-breakpoint
CREATE TRIGGER `competition_entries_extras_insert` AFTER INSERT ON `character_extras` BEGIN
  UPDATE `competition_entries` SET `looked` = min(`looked`, 0) - 1 WHERE `character_id` = new.`character_id`;
END;
--> statement-breakpoint
CREATE TRIGGER `competition_entries_extras_update` AFTER UPDATE OF `alternate_greetings`, `creator_notes`, `nickname` ON `character_extras` BEGIN
  UPDATE `competition_entries` SET `looked` = min(`looked`, 0) - 1 WHERE `character_id` = new.`character_id`;
END;
--> statement-breakpoint
-- What characters were until now nobody wrote down: those of a season that runs are taken as they are.
INSERT INTO `competition_entries` (`character_id`) SELECT `id` FROM `characters`;
