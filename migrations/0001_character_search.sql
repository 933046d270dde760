CREATE VIRTUAL TABLE `character_search` USING fts5(`name`, `oneliner`, `summary`, content='characters', tokenize='unicode61 remove_diacritics 2', prefix='2 3');
--> statement-breakpoint
CREATE TRIGGER `character_search_insert` AFTER INSERT ON `characters` BEGIN
  INSERT INTO `character_search` (rowid, `name`, `oneliner`, `summary`) VALUES (new.rowid, new.`name`, new.`oneliner`, new.`summary`);
END;
--> statement-breakpoint
CREATE TRIGGER `character_search_delete` AFTER DELETE ON `characters` BEGIN
  INSERT INTO `character_search` (`character_search`, rowid, `name`, `oneliner`, `summary`) VALUES ('delete', old.rowid, old.`name`, old.`oneliner`, old.`summary`);
END;
--> statement-breakpoint
CREATE TRIGGER `character_search_update` AFTER UPDATE OF `name`, `oneliner`, `summary` ON `characters` BEGIN
  INSERT INTO `character_search` (`character_search`, rowid, `name`, `oneliner`, `summary`) VALUES ('delete', old.rowid, old.`name`, old.`oneliner`, old.`summary`);
  INSERT INTO `character_search` (rowid, `name`, `oneliner`, `summary`) VALUES (new.rowid, new.`name`, new.`oneliner`, new.`summary`);
END;
