CREATE VIRTUAL TABLE `character_search` USING fts5(`name`, `oneliner`, content='characters', tokenize='unicode61 remove_diacritics 2', prefix='2 3');
--> statement-breakpoint
CREATE TRIGGER `character_search_insert` AFTER INSERT ON `characters` BEGIN
  INSERT INTO `character_search` (rowid, `name`, `oneliner`) VALUES (new.rowid, new.`name`, new.`oneliner`);
END;
--> statement-breakpoint
CREATE TRIGGER `character_search_delete` AFTER DELETE ON `characters` BEGIN
  INSERT INTO `character_search` (`character_search`, rowid, `name`, `oneliner`) VALUES ('delete', old.rowid, old.`name`, old.`oneliner`);
END;
--> statement-breakpoint
CREATE TRIGGER `character_search_update` AFTER UPDATE OF `name`, `oneliner` ON `characters` BEGIN
  INSERT INTO `character_search` (`character_search`, rowid, `name`, `oneliner`) VALUES ('delete', old.rowid, old.`name`, old.`oneliner`);
  INSERT INTO `character_search` (rowid, `name`, `oneliner`) VALUES (new.rowid, new.`name`, new.`oneliner`);
END;
