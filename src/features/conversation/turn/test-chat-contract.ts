import { z } from 'zod';
import { CHAT_FILE } from '../limits.ts';
import { TEXT_LIMITS } from '../../../config/text-limits.ts';
import { newCharacterFields } from '../../character/contract.ts';
import { createVisibleTextSchema, createTextSchema } from '../../../lib/text-schemas.ts';
import { clientMessageId } from './turn-contract.ts';
import { TEST_CHAT_MESSAGES, TESTED } from './test-chat-rules.ts';

/** A message of a test chat, with the same limits as a user message or a reply. */
const testMessage = z.discriminatedUnion('role', [
  z.strictObject({
    role: z.literal('user'),
    content: createVisibleTextSchema(TEXT_LIMITS.message, 'Write something first'),
  }),
  z.strictObject({ role: z.literal('character'), content: createTextSchema(CHAT_FILE.maxContentChars) }),
]);

const testedCharacter = newCharacterFields.pick(TESTED);

/** A message to a character draft, with the whole test chat before it, because the server stores nothing. */
export const testChatBody = z.strictObject({
  /** Created by the client; the same id is never answered or charged twice. */
  turn_id: clientMessageId,
  character: testedCharacter,
  /** The saved character that the draft changes; the persona that belongs to it takes part. */
  character_id: z
    .string()
    .regex(/^[0-9a-z]{1,64}$/, 'Not the id of a character')
    .optional(),
  /** The messages after the first one, oldest first; the reply answers the last one. */
  messages: z
    .array(testMessage)
    .min(1, 'Write something first')
    .max(TEST_CHAT_MESSAGES)
    .refine((messages) => messages.at(-1)?.role === 'user', 'The last message must be from the user'),
});
export type TestChatBody = z.input<typeof testChatBody>;
export type TestedCharacter = z.output<typeof testedCharacter>;
export type TestMessage = z.output<typeof testMessage>;
