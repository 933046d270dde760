import { z } from 'zod';
import { TEXT_LIMITS } from '../../../config/text-limits.ts';
import { createTextSchema } from '../../../lib/text-schemas.ts';

export const replySettings = z.object({
  author_note: z
    .string()
    .describe('Instructions of the user to the model, at the end of every prompt; empty for none'),
});
/** How the model should reply in a conversation. */
export type ReplySettings = z.infer<typeof replySettings>;

/** Absent settings stay as they are. */
export const changeReplySettingsBody = z
  .strictObject({ author_note: createTextSchema(TEXT_LIMITS.authorNote).optional() })
  .refine((body) => Object.keys(body).length > 0, 'Nothing is to be changed');
export type ChangeReplySettingsBody = z.infer<typeof changeReplySettingsBody>;

export const DEFAULT_REPLY_SETTINGS: ReplySettings = { author_note: '' };
