import { z } from 'zod';
import { CHAT_FILE } from '../limits.ts';
import { TEXT_LIMITS } from '../../../config/text-limits.ts';
import { createCharacterBody } from '../../character/contract.ts';
import { createVisibleTextSchema, createTextSchema } from '../../../lib/text-schemas.ts';
import { clientMessageId } from '../contract.ts';
import { TEST_CHAT_MESSAGES, TESTED } from './test-chat-rules.ts';

/** A message of a test chat: what a person may write, or as much as a reply can have. */
const testMessage = z.discriminatedUnion('role', [
  z.strictObject({
    role: z.literal('user'),
    content: createVisibleTextSchema(TEXT_LIMITS.message, 'Write something first'),
  }),
  z.strictObject({ role: z.literal('character'), content: createTextSchema(CHAT_FILE.maxContentChars) }),
]);

const testedCharacter = createCharacterBody.pick(TESTED);

/** A message to a character that is being made, with all that was said before: the server keeps nothing of it. */
export const testChatBody = z.strictObject({
  /** Made by the client: the same id is never answered, and never charged, twice. */
  turn_id: clientMessageId,
  character: testedCharacter,
  /** What followed the first message, oldest first; the last one is what is to be answered. */
  messages: z
    .array(testMessage)
    .min(1, 'Write something first')
    .max(TEST_CHAT_MESSAGES)
    .refine((messages) => messages.at(-1)?.role === 'user', 'The last message is the one to be answered'),
});
export type TestChatBody = z.input<typeof testChatBody>;
export type TestedCharacter = z.output<typeof testedCharacter>;
export type TestMessage = z.output<typeof testMessage>;
