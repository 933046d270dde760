import { z } from 'zod';

/** One page of a list, newest first. */
export const createListSchema = <Item extends z.ZodType>(item: Item) =>
  z.object({ items: z.array(item), next_cursor: z.string().nullable() });

/** The order of a queue. Staff usually handles the oldest open case first. */
export const queueOrder = z.enum(['newest', 'oldest']).default('newest');

/** The query of a user's own lists. */
export const ownListQuery = z.object({
  cursor: z.string().max(200).optional(),
  limit: z.coerce.number().int().min(1).max(100).default(24),
});

/** A staff step in the case of a report or an appeal. */
export const caseStep = z.object({
  id: z.string(),
  /** A status, or the kind of a moderation action. */
  step: z.string(),
  note: z.string(),
  at: z.string(),
  admin: z.object({ id: z.string(), name: z.string().nullable() }),
});
export type CaseStep = z.infer<typeof caseStep>;

/** Private data of a user that staff can view. */
export const viewedResource = z.enum(['character', 'message', 'account', 'appeal', 'report']);
export type ViewedResource = z.infer<typeof viewedResource>;

/** A staff view of private data, as the affected user sees it. The staff member is not disclosed. */
export const staffView = z.object({
  id: z.string(),
  what: viewedResource,
  subject_id: z.string(),
  /** The character's name; null for other kinds. */
  name: z.string().nullable(),
  at: z.string(),
});
export type StaffView = z.infer<typeof staffView>;
export const staffViewList = createListSchema(staffView);
export type StaffViewList = z.infer<typeof staffViewList>;
