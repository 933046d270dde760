import { z } from 'zod';
import { TEXT_LIMITS } from '../../config/text-limits.ts';
import { emailAddress } from '../account/contract.ts';
import { createVisibleTextSchema } from '../../lib/text-schemas.ts';

export const feedbackBody = z.strictObject({
  message: createVisibleTextSchema(TEXT_LIMITS.feedback, 'Write something first'),
  email: emailAddress.optional().describe('Address for an answer'),
});
export type FeedbackBody = z.input<typeof feedbackBody>;

export const feedbackResponse = z.object({ id: z.string() });
export type FeedbackResponse = z.infer<typeof feedbackResponse>;

export const feedbackInboxQuery = z.object({
  cursor: z.string().max(200).optional(),
  limit: z.coerce.number().int().min(1).max(100).default(30),
});

/** Feedback as staff reads it. */
const receivedFeedback = z.object({
  id: z.string(),
  message: z.string(),
  email: z.string().nullable().describe('Address for an answer; null if none was given'),
  language: z.string().describe('Language of the page that it was written on'),
  sender: z
    .object({ id: z.string(), name: z.string(), is_member: z.boolean() })
    .nullable()
    .describe('Null without a session'),
  created_at: z.string(),
  read_at: z.string().nullable(),
});
export type ReceivedFeedback = z.infer<typeof receivedFeedback>;
export const feedbackInbox = z.object({
  items: z.array(receivedFeedback),
  next_cursor: z.string().nullable(),
});
export type FeedbackInbox = z.infer<typeof feedbackInbox>;

export const feedbackReadBody = z.strictObject({ read: z.boolean() });
export const feedbackReadState = z.object({ id: z.string(), read_at: z.string().nullable() });
export type FeedbackReadState = z.infer<typeof feedbackReadState>;
