CREATE TABLE `check_days` (
	`day` integer NOT NULL,
	`part` text NOT NULL,
	`checks` integer NOT NULL,
	`slow` integer NOT NULL,
	`down` integer NOT NULL,
	PRIMARY KEY(`part`, `day`),
	CONSTRAINT "check_days_counts" CHECK("check_days"."slow" >= 0 and "check_days"."down" >= 0 and "check_days"."slow" + "check_days"."down" <= "check_days"."checks")
);
--> statement-breakpoint
CREATE INDEX `check_days_day` ON `check_days` (`day`);--> statement-breakpoint
CREATE TABLE `checks` (
	`at` integer PRIMARY KEY NOT NULL,
	`parts` text NOT NULL
);
