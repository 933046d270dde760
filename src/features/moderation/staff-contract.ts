import { z } from 'zod';

/** One page of a list of these, the latest first. */
export const createListSchema = <Item extends z.ZodType>(item: Item) =>
  z.object({ items: z.array(item), next_cursor: z.string().nullable() });

/** The order of a queue: whoever goes through what is open begins with what has waited longest. */
export const queueOrder = z.enum(['newest', 'oldest']).default('newest');

/** A page of one's own lists. */
export const ownListQuery = z.object({
  cursor: z.string().max(200).optional(),
  limit: z.coerce.number().int().min(1).max(100).default(24),
});

/** What staff did with a report or an appeal. */
export const caseStep = z.object({
  id: z.string(),
  /** By its machine's name: a status, or the kind of a measure. */
  step: z.string(),
  note: z.string(),
  at: z.string(),
  admin: z.object({ id: z.string(), name: z.string().nullable() }),
});
export type CaseStep = z.infer<typeof caseStep>;

/** What staff can be shown of a person that is not public. */
export const viewedResource = z.enum(['character', 'message', 'account', 'appeal', 'report']);
export type ViewedResource = z.infer<typeof viewedResource>;

/** One time that staff was shown something, as the person reads it. Who of the staff it was is not told. */
export const staffView = z.object({
  id: z.string(),
  what: viewedResource,
  subject_id: z.string(),
  /** The character's name; null for everything else. */
  name: z.string().nullable(),
  at: z.string(),
});
export type StaffView = z.infer<typeof staffView>;
export const staffViewList = createListSchema(staffView);
export type StaffViewList = z.infer<typeof staffViewList>;
