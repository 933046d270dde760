import { z } from 'zod';
import { TEXT_LIMITS } from '../../config/text-limits.ts';
import { createNameSchema, createTextSchema } from '../../lib/text-schemas.ts';
import {
  DEFAULT_REPLY_STYLE,
  LIVELINESS,
  LIVELINESS_STEPS,
  MAX_NOTE_DEPTH,
  REPLY_LENGTHS,
  REPLY_WORDS,
} from './reply-style.ts';

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

const name = createNameSchema(TEXT_LIMITS.styleName, {
  missing: 'Name is required',
  tooLong: `A name can have up to ${TEXT_LIMITS.styleName} characters`,
});

const { shape } = replyStyle;

/** A style as clients send it; absent fields are the default ones. */
export const replyStyleInput = z.strictObject({
  author_note: shape.author_note.default(DEFAULT_REPLY_STYLE.author_note),
  author_note_depth: shape.author_note_depth.default(DEFAULT_REPLY_STYLE.author_note_depth),
  reply_length: shape.reply_length.default(DEFAULT_REPLY_STYLE.reply_length),
  liveliness: shape.liveliness.default(DEFAULT_REPLY_STYLE.liveliness),
});

export const createReplyStyleBody = replyStyleInput.extend({ name });
export type CreateReplyStyleBody = z.input<typeof createReplyStyleBody>;
export type NewReplyStyle = z.output<typeof createReplyStyleBody>;

/** Absent fields stay as they are. */
export const replyStyleChange = z
  .strictObject({ name, ...shape })
  .partial()
  .refine((change) => Object.keys(change).length > 0, 'There is nothing to change');
export type ReplyStyleChange = z.infer<typeof replyStyleChange>;

/** A style that a user saved under a name. */
export const namedReplyStyle = z.object({ id: z.string(), name: z.string(), ...shape });
export type NamedReplyStyle = z.infer<typeof namedReplyStyle>;

export const replyStyleList = z.object({
  items: z.array(namedReplyStyle),
  limit: z.int().describe('How many a user may save; there can be more after a guest logs in to an account'),
});
export type ReplyStyleList = z.infer<typeof replyStyleList>;
