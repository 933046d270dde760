import { z } from 'zod';
import { sessionUser } from '../account/contract.ts';
import { STAFF_LIMITS } from './limits.ts';
import { isId } from '../../lib/ids.ts';
import { createVisibleTextSchema } from '../../lib/text-schemas.ts';
import { createListSchema } from './staff-contract.ts';

/** The kinds of moderation actions. All can be revoked. */
export const MODERATION_ACTION_KINDS = [
  'character_hidden',
  'character_removed',
  'picture_removed',
  'name_cleared',
  'account_suspended',
] as const;
export const moderationActionKind = z.enum(MODERATION_ACTION_KINDS);
export type ModerationActionKind = z.infer<typeof moderationActionKind>;

const actionFields = {
  id: z.string(),
  kind: moderationActionKind,
  /** Id of the character or the account. */
  subject_id: z.string(),
  /** The subject's name at the time of the action. */
  subject_name: z.string(),
  /** Empty if none was given. */
  reason: z.string(),
  created_at: z.string(),
  /** When the action was revoked; null while it is active. */
  ended_at: z.string().nullable(),
};

/** A moderation action as staff sees it. */
export const moderationAction = z.object({ ...actionFields, owner_id: z.string() });
export type ModerationAction = z.infer<typeof moderationAction>;

/** The content that an action removed, as its owner sees it. */
const removedContent = z.object({
  names: z.array(z.string()).describe('Cleared names; for an account the nickname first, if it had one'),
  picture_url: z
    .string()
    .nullable()
    .describe('URL of the removed picture, accessible to its owner only; null if none is stored'),
});

/** A moderation action as the affected user sees it. */
export const ownModerationAction = z.object({
  ...actionFields,
  subject: z.enum(['character', 'account']),
  taken: removedContent
    .nullable()
    .describe('Null if the action removed no content, as when it only hid or suspended something'),
  appeal: z
    .object({
      id: z.string(),
      status: z.enum(['open', 'granted', 'declined']),
      answer: z.string().nullable(),
    })
    .nullable(),
});
export type OwnModerationAction = z.infer<typeof ownModerationAction>;
export const ownModerationActionList = createListSchema(ownModerationAction);
export type OwnModerationActionList = z.infer<typeof ownModerationActionList>;

const idSchema = z.string().refine(isId, 'Not an id');

export const moderationActionBody = z.strictObject({
  kind: moderationActionKind,
  subject_id: idSchema,
  reason: createVisibleTextSchema(STAFF_LIMITS.maxReasonChars, 'Say why').describe(
    'Shown to the affected user',
  ),
  report_id: idSchema.optional().describe('Report that led to the action'),
});
export type ModerationActionBody = z.infer<typeof moderationActionBody>;

/** An account as staff opens it. The owner can see that it was opened. */
export const accountCase = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string().nullable(),
  is_anonymous: z.boolean(),
  plan: sessionUser.shape.plan,
  points: z.number().int().nullable().describe('Current and permanent points; null if none were ever used'),
  character_count: z.number().int(),
  created_at: z.string(),
  suspended_at: z.string().nullable(),
  measures: z.array(moderationAction),
});
export type AccountCase = z.infer<typeof accountCase>;
