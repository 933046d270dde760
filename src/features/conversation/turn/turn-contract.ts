import { z } from 'zod';
import { TEXT_LIMITS } from '../../../config/text-limits.ts';
import { createTextSchema, createVisibleTextSchema } from '../../../lib/text-schemas.ts';
import { modelChoice } from '../../model/contract.ts';

/** Created by the client, so that retrying a send is safe. */
export const clientMessageId = z
  .string()
  .min(8)
  .max(64)
  .regex(/^[A-Za-z0-9_-]+$/, 'Letters, digits, - and _ only');

export const messageContent = createVisibleTextSchema(TEXT_LIMITS.message, 'Write something first');

export const sendMessageBody = z.strictObject({
  content: messageContent,
  client_message_id: clientMessageId,
  model: modelChoice.optional(),
});

export const regenerateBody = z.strictObject({
  client_message_id: clientMessageId,
  model: modelChoice.optional(),
  note: createTextSchema(TEXT_LIMITS.regenerateNote)
    .optional()
    .describe('Instructions of the user for this reply alone, at the end of its prompt'),
});

export const continueBody = z.strictObject({
  client_message_id: clientMessageId,
  model: modelChoice.optional(),
});

export const answerBody = continueBody;
