ALTER TABLE `login_codes` ADD `asker_network` text;--> statement-breakpoint
ALTER TABLE `login_codes` ADD `asker_tries` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `login_codes` ADD `network_tries` text DEFAULT '{}' NOT NULL;