import { z } from 'zod';
import { TEXT_LIMITS } from '../../config/text-limits.ts';
import { createVisibleTextSchema } from '../../lib/text-schemas.ts';

/** `hidden` during a review, `removed` for good; both can be undone. */
export const moderationBody = z
  .strictObject({
    moderation: z.enum(['shown', 'hidden', 'removed']),
    reason: createVisibleTextSchema(TEXT_LIMITS.reportDetails, 'Say why')
      .optional()
      .describe('Shown to the creator; required unless `moderation` is `shown`'),
  })
  .refine(({ moderation, reason }) => moderation === 'shown' || reason !== undefined, {
    path: ['reason'],
    error: 'Say why',
  });

/** A character in moderation responses. */
export const moderatedCharacter = z.object({
  id: z.string(),
  name: z.string(),
  moderation: z.enum(['shown', 'hidden', 'removed']),
});
export type ModeratedCharacter = z.infer<typeof moderatedCharacter>;
