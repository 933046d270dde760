import { z } from 'zod';
import { STAFF_LIMITS } from './limits.ts';
import { reportReason } from '../character/contract.ts';
import { moderationState, visibility } from '../character/contract.ts';
import { createVisibleTextSchema } from '../../lib/text-schemas.ts';
import { moderationAction } from './moderation-action-contract.ts';
import { caseStep, createListSchema, queueOrder } from './staff-contract.ts';

/** What can be reported. */
export const reportSubject = z.enum(['character', 'creator', 'message']);
export type ReportSubject = z.infer<typeof reportSubject>;

/** `upheld`: what was reported should not be there as it was; `dismissed`: it may stay. */
export const reportStatus = z.enum(['open', 'upheld', 'dismissed']);
export type ReportStatus = z.infer<typeof reportStatus>;

const reportFields = {
  id: z.string(),
  subject: reportSubject,
  /** The id of the character, of the maker, or of the message. */
  subject_id: z.string(),
  /** The character, or the one that said the message. */
  character_id: z.string().nullable(),
  /** What it, or the one that said it, is called; null where that is not public. */
  name: z.string().nullable(),
  reason: reportReason,
  status: reportStatus,
  answer: z.string().nullable(),
  created_at: z.string(),
  resolved_at: z.string().nullable(),
};

/** A report as whoever made it has it. */
export const ownReport = z.object({ ...reportFields, details: z.string() });
export type OwnReport = z.infer<typeof ownReport>;
export const ownReportList = createListSchema(ownReport);
export type OwnReportList = z.infer<typeof ownReportList>;

/** A report as the queue shows it: nothing of it that only some may see. */
export const queuedReport = z.object({
  ...reportFields,
  /** Reports of the same thing that are open beside this one. */
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

/** Somebody whom a report or an appeal is about, or who made it. */
export const casePerson = z.object({
  id: z.string(),
  name: z.string(),
  suspended_at: z.string().nullable(),
});

/** A character in a case, with all that it tells, as it is now. */
export const caseCharacter = z.object({
  id: z.string(),
  name: z.string(),
  oneliner: z.string(),
  character_traits: z.string(),
  first_message: z.string(),
  alternate_greetings: z.array(z.string()),
  suggested_replies: z.array(z.string()),
  /** What a model wrote of it for whoever has not met it; null while there is nothing. */
  summary: z.string().nullable(),
  /** What it is called in chats, where that is not its name. */
  nickname: z.string().nullable(),
  /** By language. */
  creator_notes: z.record(z.string(), z.string()),
  /** How many texts its lorebook has; they are read page by page. */
  lorebook_texts: z.number().int(),
  visibility,
  nsfw_allowed: z.boolean(),
  moderation: moderationState,
  /** Where its picture opens for staff; null where it has none. */
  picture_url: z.string().nullable(),
  deleted_at: z.string().nullable(),
});
export type CaseCharacter = z.infer<typeof caseCharacter>;

/** Some texts of a lorebook: what it says of itself first, then each of its entries whole, keys and names among it. */
export const caseLorebook = z.object({
  texts: z.array(z.string()),
  /** From which text the next page begins; null behind the last. */
  next: z.number().int().nullable(),
});
export type CaseLorebook = z.infer<typeof caseLorebook>;

export const caseLorebookQuery = z.object({
  skip: z.coerce.number().int().min(1).max(100_000).optional().describe('entries before the page'),
});

/** A report as it is opened: with what was reported, as it is now. */
export const reportCase = queuedReport.extend({
  details: z.string(),
  /** The message, as it was when it was reported; empty for everything else. */
  excerpt: z.string(),
  reporter: casePerson.nullable(),
  owner: casePerson.nullable(),
  character: caseCharacter.nullable(),
  /** What was done already against the same, the latest first. */
  measures: z.array(moderationAction),
  history: z.array(caseStep),
});
export type ReportCase = z.infer<typeof reportCase>;

export const reportDecision = z.strictObject({
  status: reportStatus,
  answer: createVisibleTextSchema(STAFF_LIMITS.maxAnswerChars, 'Write something first')
    .optional()
    .describe('What the reporter is told'),
  note: createVisibleTextSchema(STAFF_LIMITS.maxNoteChars, 'Write something first')
    .optional()
    .describe('For staff alone'),
});
export type ReportDecision = z.infer<typeof reportDecision>;
