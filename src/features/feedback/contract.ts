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
