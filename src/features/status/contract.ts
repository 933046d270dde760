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
  id: z.string().describe('`site`, `sign_in`, `chats` or `replies:<model id>`'),
  kind: z.enum(PART_KINDS),
  model: z.enum(MODEL_CHOICES).nullable().describe('Model that is checked; null unless `kind` is `replies`'),
  label: z.string().nullable().describe('Display name of the model; null if `model` is null'),
  now: z.enum([...CHECK_RESULTS, 'unknown']).describe('`unknown` if there is no recent check'),
  since: z.iso
    .datetime()
    .nullable()
    .describe('Start of the current state, as far back as it was measured; null if unknown'),
  checked_at: z.iso.datetime().nullable(),
  hours: z.array(counts.extend({ from: z.iso.datetime() })).describe('Last 24 hours, oldest first'),
  days: z.array(counts.extend({ day: z.iso.date() })).describe('Last 90 days (UTC), oldest first'),
});
export type StatusPart = z.infer<typeof statusPart>;

export const statusView = z.object({
  now: z
    .enum([...CHECK_RESULTS, 'unknown'])
    .describe('Worst state of the parts; `unknown` if the last check is too old'),
  checked_at: z.iso.datetime().nullable().describe('Time of the last check; null if there was none'),
  stale: z.boolean().describe('Whether there is no recent check, so that the current state is unknown'),
  checking: z.boolean().describe('Whether this site runs checks of itself'),
  every_minutes: z.number(),
  told_at: z.iso.datetime(),
  parts: z.array(statusPart),
});
export type StatusView = z.infer<typeof statusView>;
