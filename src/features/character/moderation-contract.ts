import { z } from 'zod';
import { TEXT_LIMITS } from '../../config.ts';

/** `hidden` while somebody looks into it, `removed` for good; both may be taken back. */
export const moderationBody = z.strictObject({
  moderation: z.enum(['shown', 'hidden', 'removed']),
  /** For the operator's own log. */
  reason: z.string().trim().min(1).max(TEXT_LIMITS.reportDetails).optional(),
});
export type ModerationBody = z.infer<typeof moderationBody>;

/** A character as moderation has it. */
export const moderatedCharacter = z.object({
  id: z.string(),
  name: z.string(),
  moderation: z.enum(['shown', 'hidden', 'removed']),
});
export type ModeratedCharacter = z.infer<typeof moderatedCharacter>;
