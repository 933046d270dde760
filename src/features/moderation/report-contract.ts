import { z } from 'zod';
import { STAFF_LIMITS } from './limits.ts';
import { DEFINITION_PARTS } from '../character/definition-parts.ts';
import { moderationState, visibility } from '../character/contract.ts';
import { TEXT_LIMITS } from '../../config/text-limits.ts';
import { createTextSchema, createVisibleTextSchema } from '../../lib/text-schemas.ts';
import { moderationAction } from './moderation-action-contract.ts';
import { REPORT_REASONS } from './report-reasons.ts';
import { caseStep, createListSchema, queueOrder } from './staff-contract.ts';

export const reportSubject = z.enum(['character', 'creator', 'message']);
export type ReportSubject = z.infer<typeof reportSubject>;

/** `upheld`: the report was justified; `dismissed`: the content may stay. */
export const reportStatus = z.enum(['open', 'upheld', 'dismissed']);
export type ReportStatus = z.infer<typeof reportStatus>;

/** Reason of a report (docs/product.md). */
export const reportReason = z.enum(REPORT_REASONS);
export type ReportReason = z.infer<typeof reportReason>;

export const reportBody = z.strictObject({
  reason: reportReason,
  details: createTextSchema(
    TEXT_LIMITS.reportDetails,
    `Report details must not exceed ${TEXT_LIMITS.reportDetails} characters`,
  ).default(''),
});
export type ReportBody = z.input<typeof reportBody>;

export const reportResponse = z.object({ id: z.string() });

const reportFields = {
  id: z.string(),
  subject: reportSubject,
  /** Id of the character, the creator or the message. */
  subject_id: z.string(),
  /** The character, or the character that wrote the message. */
  character_id: z.string().nullable(),
  /** Name of the creator or character; null if it is not public. */
  name: z.string().nullable(),
  reason: reportReason,
  status: reportStatus,
  answer: z.string().nullable(),
  created_at: z.string(),
  resolved_at: z.string().nullable(),
};

/** A report as its author sees it. */
export const ownReport = z.object({ ...reportFields, details: z.string() });
export type OwnReport = z.infer<typeof ownReport>;
export const ownReportList = createListSchema(ownReport);
export type OwnReportList = z.infer<typeof ownReportList>;

/** A report in the queue, without anything of restricted visibility. */
export const queuedReport = z.object({
  ...reportFields,
  /** Other open reports about the same subject. */
  open_beside: z.number().int(),
});
export type QueuedReport = z.infer<typeof queuedReport>;
export const reportQueue = createListSchema(queuedReport);
export type ReportQueue = z.infer<typeof reportQueue>;

export const reportQueueQuery = z.object({
  status: reportStatus.default('open'),
  subject: reportSubject.optional(),
  order: queueOrder,
  cursor: z.string().max(200).optional(),
  limit: z.coerce.number().int().min(1).max(100).default(24),
});
export type ReportQueueQuery = z.infer<typeof reportQueueQuery>;

/** A user in a case: its author, or the owner of its subject. */
export const casePerson = z.object({
  id: z.string(),
  name: z.string(),
  suspended_at: z.string().nullable(),
});

/** The full current state of a character in a case. */
export const caseCharacter = z.object({
  id: z.string(),
  name: z.string(),
  oneliner: z.string(),
  character_traits: z.string(),
  first_message: z.string(),
  /** The creator’s text for readers; empty for none. */
  about: z.string(),
  alternate_greetings: z.array(z.string()),
  suggested_replies: z.array(z.string()),
  /** The public summary written by a model; null if there is none. */
  summary: z.string().nullable(),
  /** The name used in chats, if different. */
  nickname: z.string().nullable(),
  recommended_note: z
    .string()
    .describe('The author’s note that new conversations start with; empty for none'),
  /** The texts of its parts, whether others may read them or not. */
  definition: z.partialRecord(z.enum(DEFINITION_PARTS), z.string()),
  /** Number of lorebook texts; they are read in pages. */
  lorebook_texts: z.number().int(),
  visibility,
  nsfw_allowed: z.boolean(),
  moderation: moderationState,
  /** Picture URL for staff; null without a picture. */
  picture_url: z.string().nullable(),
  deleted_at: z.string().nullable(),
});
export type CaseCharacter = z.infer<typeof caseCharacter>;

/** A page of a lorebook: its own description first, then each entry in full, including keys and names. */
export const caseLorebook = z.object({
  texts: z.array(z.string()),
  /** Index of the first text on the next page; null at the end. */
  next: z.number().int().nullable(),
});
export type CaseLorebook = z.infer<typeof caseLorebook>;

export const caseLorebookQuery = z.object({
  skip: z.coerce.number().int().min(1).max(100_000).optional().describe('Number of texts to skip'),
});

export const casePictureQuery = z.object({
  size: z.enum(['whole', 'list']).default('whole').describe('`list`: the picture that lists show'),
});

/** A report as staff opens it, with the current state of its subject. */
export const reportCase = queuedReport.extend({
  details: z.string(),
  /** The message as it was when reported; empty for other subjects. */
  excerpt: z.string(),
  reporter: casePerson.nullable(),
  owner: casePerson.nullable(),
  character: caseCharacter.nullable(),
  /** Earlier moderation actions on the same subject, newest first. */
  measures: z.array(moderationAction),
  history: z.array(caseStep),
});
export type ReportCase = z.infer<typeof reportCase>;

export const reportDecision = z.strictObject({
  status: reportStatus,
  answer: createVisibleTextSchema(STAFF_LIMITS.maxAnswerChars, 'Write something first')
    .optional()
    .describe('Shown to the reporter'),
  note: createVisibleTextSchema(STAFF_LIMITS.maxNoteChars, 'Write something first')
    .optional()
    .describe('Visible to staff only'),
});
export type ReportDecision = z.infer<typeof reportDecision>;
