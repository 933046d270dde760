import { z } from 'zod';
import { APPEAL_LIMITS } from '../safety/limits.ts';
import { STAFF_LIMITS } from './limits.ts';
import { isId } from '../../lib/ids.ts';
import { createVisibleTextSchema } from '../../lib/text-schemas.ts';
import type { Passage } from '../safety/evidence.ts';
import { LABELS } from '../safety/labels.ts';
import { moderationAction } from './moderation-action-contract.ts';
import { caseCharacter, casePerson } from './report-contract.ts';
import { caseStep, createListSchema, queueOrder } from './staff-contract.ts';

/** Where a text was refused. */
export const refusedPlace = z.enum(['message', 'reply', 'character', 'persona', 'import', 'name']);
export type RefusedPlace = z.infer<typeof refusedPlace>;

/** The rules that refuse a text (safety/moderation.ts). */
export const refusedRule = z.enum([
  'minors',
  'sexual',
  'violence',
  'hate',
  'illegal',
  'urging',
  'prompt',
  'unavailable',
]);

export const appealStatus = z.enum(['open', 'granted', 'declined']);
export type AppealStatus = z.infer<typeof appealStatus>;

/** A passage that contributed to the refusal of a text. */
const passage = z.object({
  of: z.enum(['character', 'persona', 'lorebook', 'note', 'message', 'name']),
  text: z.string(),
}) satisfies z.ZodType<Passage>;

const idSchema = z.string().refine(isId, 'Not an id');

/** Appeals against a moderation action or against a refused text. */
export const appealBody = z
  .strictObject({
    measure_id: idSchema.optional(),
    place: refusedPlace.optional(),
    rule: refusedRule.optional(),
    refused_text: createVisibleTextSchema(
      APPEAL_LIMITS.maxRefusedTextChars,
      'Write something first',
    ).optional(),
    appeal_token: z
      .string()
      .max(APPEAL_LIMITS.maxTokenChars)
      .regex(/^[0-9a-z]{1,12}\.[\w-]+$/, 'Not an appeal token')
      .optional()
      .describe('As returned with the refusal'),
    conversation_id: idSchema
      .optional()
      .describe('Conversation of a reply that a rule ended; used with `message_id`'),
    message_id: idSchema.optional(),
    message: createVisibleTextSchema(APPEAL_LIMITS.maxMessageChars, 'Write something first'),
  })
  .refine(
    ({ measure_id, place, rule, refused_text, appeal_token, conversation_id, message_id }) => {
      const textFields = [place, rule, refused_text];
      return measure_id === undefined
        ? !textFields.includes(undefined)
        : [...textFields, appeal_token, conversation_id, message_id].every((field) => field === undefined);
    },
    {
      error: 'An appeal must name a moderation action, or a refused text with its place and rule',
      // Report invalid fields first.
      when: ({ issues }) => issues.length === 0,
    },
  );
export type AppealBody = z.infer<typeof appealBody>;

export const appealCreated = z.object({ id: z.string() });

const appealFields = {
  id: z.string(),
  measure_id: z.string().nullable(),
  place: refusedPlace.nullable(),
  rule: z.string().nullable(),
  status: appealStatus,
  answer: z.string().nullable(),
  created_at: z.string(),
  decided_at: z.string().nullable(),
};

/** An appeal as its author sees it. */
export const ownAppeal = z.object({
  ...appealFields,
  refused_text: z.string().nullable(),
  message: z.string(),
});
export type OwnAppeal = z.infer<typeof ownAppeal>;
export const ownAppealList = createListSchema(ownAppeal);
export type OwnAppealList = z.infer<typeof ownAppealList>;

/** An appeal in the queue, without its texts. */
export const queuedAppeal = z.object({ ...appealFields, measure_kind: z.string().nullable() });
export type QueuedAppeal = z.infer<typeof queuedAppeal>;
export const appealQueue = createListSchema(queuedAppeal);
export type AppealQueue = z.infer<typeof appealQueue>;

export const appealQueueQuery = z.object({
  status: appealStatus.default('open'),
  order: queueOrder,
  cursor: z.string().max(200).optional(),
  limit: z.coerce.number().int().min(1).max(100).default(24),
});
export type AppealQueueQuery = z.infer<typeof appealQueueQuery>;

/** The text classifier's scores for a refused text, with the features that weighed most. */
const explanation = z.object({
  probabilities: z
    .record(z.enum(LABELS), z.number().min(0).max(1))
    .describe('Probability of each label, from 0 to 1'),
  explanations: z.array(
    z.object({
      label: z.enum(LABELS),
      probability: z.number().min(0).max(1),
      sentence: z.string().describe('Sentence with the highest score for the label'),
      features: z.array(z.object({ feature: z.string(), weight: z.number().describe('In log-odds') })),
    }),
  ),
});

/** An appeal as staff opens it. */
export const appealCase = queuedAppeal.extend({
  message: z.string(),
  refused_text: z.string().nullable(),
  /** The passages the text was refused with; a grant exempts the text only together with these. */
  beside: z.array(passage),
  /** Whether `beside` is complete; if not, a grant exempts nothing. */
  beside_whole: z.boolean(),
  explanation: explanation.nullable().describe('For the refused text; null if there is none'),
  person: casePerson,
  measure: moderationAction.nullable(),
  /** The current state of the character that the action concerns; null for an account, or if the character is deleted. */
  character: caseCharacter.nullable(),
  history: z.array(caseStep),
});
export type AppealCase = z.infer<typeof appealCase>;

export const appealDecision = z.strictObject({
  status: z
    .enum(['granted', 'declined'])
    .describe('`granted` revokes the moderation action or allows the refused text'),
  answer: createVisibleTextSchema(STAFF_LIMITS.maxAnswerChars, 'Write something first'),
  note: createVisibleTextSchema(STAFF_LIMITS.maxNoteChars, 'Write something first')
    .optional()
    .describe('Visible to staff only'),
});
export type AppealDecision = z.infer<typeof appealDecision>;
