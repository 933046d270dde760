import { z } from 'zod';
import { TEXT_LIMITS } from '../../config/text-limits.ts';
import { emailAddress } from '../account/contract.ts';
import { visibleTextSchema } from '../../lib/text.ts';

export const feedbackBody = z.strictObject({
  message: visibleTextSchema(TEXT_LIMITS.feedback, 'Write something first'),
  email: emailAddress.optional().describe('Where an answer may go'),
});
export type FeedbackBody = z.input<typeof feedbackBody>;

export const feedbackKept = z.object({ id: z.string() });
export type FeedbackKept = z.infer<typeof feedbackKept>;
