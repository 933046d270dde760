CREATE INDEX `characters_avatar` ON `characters` (`avatar_key`);--> statement-breakpoint
CREATE INDEX `characters_listed` ON `characters` (`creator_id`,`created_at`,`id`) WHERE "characters"."visibility" = 'public' and "characters"."moderation" = 'shown' and "characters"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX `conversations_avatar` ON `conversations` (`avatar_url`,`owner_id`);