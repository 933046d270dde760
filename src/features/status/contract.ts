import { z } from 'zod';
import { MODEL_CHOICES } from '../model/contract.ts';

/** `slow` works, but users notice the delay. */
export const CHECK_RESULTS = ['up', 'slow', 'down'] as const;
export type CheckResult = (typeof CHECK_RESULTS)[number];

/** The checked parts, in the order in which users reach them. */
export const PART_KINDS = ['site', 'sign_in', 'chats', 'replies'] as const;
export type PartKind = (typeof PART_KINDS)[number];

/** One part of a check, as stored. */
export const checkedPart = z.object({
  part: z.string(),
  is: z.enum(CHECK_RESULTS),
  /** Time until the answer; for replies, until the first words. Null without an answer. */
  ms: z.number().int().nonnegative().nullable(),
  /** For the operator: the error code, or the step that failed. */
  code: z.string().optional(),
});
export type CheckedPart = z.infer<typeof checkedPart>;

/** One check of all parts. */
export const check = z.object({ at: z.number().int(), parts: z.array(checkedPart) });
export type Check = z.infer<typeof check>;

/** Checks within a period and their results. `checks` 0 means that nothing was measured. */
const counts = z.object({
  checks: z.number().int(),
  slow: z.number().int(),
  down: z.number().int(),
});
export type Counts = z.infer<typeof counts>;

const statusPart = z.object({
  id: z.string().describe('site, sign_in, chats, or replies: with the id of a model'),
  kind: z.enum(PART_KINDS),
  model: z.enum(MODEL_CHOICES).nullable().describe('whose replies; null where none is meant'),
  label: z.string().nullable().describe('what people call that model'),
  now: z.enum([...CHECK_RESULTS, 'unknown']).describe('unknown: it was not measured of late'),
  since: z.iso.datetime().nullable().describe('since when it is so, as far as that was measured'),
  checked_at: z.iso.datetime().nullable(),
  hours: z.array(counts.extend({ from: z.iso.datetime() })).describe('the last 24 hours, the oldest first'),
  days: z.array(counts.extend({ day: z.iso.date() })).describe('the last 90 days (UTC), the oldest first'),
});
export type StatusPart = z.infer<typeof statusPart>;

export const statusView = z.object({
  now: z.enum([...CHECK_RESULTS, 'unknown']).describe('the worst of the parts'),
  checked_at: z.iso.datetime().nullable().describe('the last check; null where there was none'),
  stale: z.boolean().describe('the last check is too long ago to say anything of now'),
  checking: z.boolean().describe('whether this site checks itself at all'),
  every_minutes: z.number(),
  told_at: z.iso.datetime(),
  parts: z.array(statusPart),
});
export type StatusView = z.infer<typeof statusView>;
