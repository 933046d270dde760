import { z } from 'zod';
import { TEXT_LIMITS } from '../../config/text-limits.ts';
import { createTextSchema } from '../../lib/text-schemas.ts';
import { LIVELINESS, LIVELINESS_STEPS, MAX_NOTE_DEPTH, REPLY_LENGTHS, REPLY_WORDS } from './reply-style.ts';

/** How a model should reply: shared by conversations, named styles and character cards. */
export const replyStyle = z.object({
  author_note: createTextSchema(TEXT_LIMITS.authorNote).describe(
    'Instructions of the user to the model in every prompt; empty for none',
  ),
  author_note_depth: z
    .int()
    .min(0)
    .max(MAX_NOTE_DEPTH)
    .describe("How many messages follow the author's note; with 0 it is at the end of the prompt"),
  reply_length: z
    .union([z.enum(REPLY_LENGTHS), z.int().min(REPLY_WORDS.min).max(REPLY_WORDS.max)])
    .describe('How long replies should be: a step, or a number of words'),
  liveliness: z
    .union([
      z.enum(LIVELINESS_STEPS),
      z.number().min(LIVELINESS.min).max(LIVELINESS.max).multipleOf(LIVELINESS.step),
    ])
    .describe("How surprising replies should be: a step, or the model's temperature"),
});
export type ReplyStyle = z.infer<typeof replyStyle>;
