import { z } from 'zod';
import { STAFF } from './limits.ts';
import { isId } from '../../lib/ids.ts';
import { visibleTextSchema } from '../../lib/text.ts';
import { pageOfList } from './staff-contract.ts';

/** What staff may do against something. Each can be taken back. */
export const MEASURE_KINDS = [
  'character_hidden',
  'character_removed',
  'picture_removed',
  'name_cleared',
  'account_suspended',
] as const;
export const measureKind = z.enum(MEASURE_KINDS);
export type MeasureKind = z.infer<typeof measureKind>;

const kept = {
  id: z.string(),
  kind: measureKind,
  /** The id of the character or of the account. */
  subject_id: z.string(),
  /** What it was called then. */
  subject_name: z.string(),
  /** Empty where none was given. */
  reason: z.string(),
  created_at: z.string(),
  /** When it was taken back; null while it holds. */
  ended_at: z.string().nullable(),
};

/** A measure as staff has it. */
export const measure = z.object({ ...kept, owner_id: z.string() });
export type Measure = z.infer<typeof measure>;

/** What a measure took away, as its owner sees it. */
const taken = z.object({
  names: z
    .array(z.string())
    .describe('that were cleared; of an account the nickname first, where it had one'),
  picture_url: z
    .string()
    .nullable()
    .describe('of the picture, which opens for its owner alone, as long as it is kept for them'),
});

/** A measure as those have it whom it concerns. */
export const ownMeasure = z.object({
  ...kept,
  subject: z.enum(['character', 'account']),
  taken: taken.nullable().describe('null where nothing was taken away, but hidden or shut'),
  appeal: z
    .object({
      id: z.string(),
      status: z.enum(['open', 'granted', 'declined']),
      answer: z.string().nullable(),
    })
    .nullable(),
});
export type OwnMeasure = z.infer<typeof ownMeasure>;
export const ownMeasureList = pageOfList(ownMeasure);
export type OwnMeasureList = z.infer<typeof ownMeasureList>;

const anId = z.string().refine(isId, 'Not an id');

export const measureBody = z.strictObject({
  kind: measureKind,
  subject_id: anId,
  reason: visibleTextSchema(STAFF.reasonChars, 'Say why').describe('Read by those concerned'),
  report_id: anId.optional().describe('The report that it comes of'),
});
export type MeasureBody = z.infer<typeof measureBody>;

/** An account as staff opens it; whoever it belongs to is told. */
export const accountCase = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string().nullable(),
  is_anonymous: z.boolean(),
  character_count: z.number().int(),
  created_at: z.string(),
  suspended_at: z.string().nullable(),
  measures: z.array(measure),
});
export type AccountCase = z.infer<typeof accountCase>;
