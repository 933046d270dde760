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

/** The rules by which a text is refused (moderation.ts). */
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

/** A text that another one was refused beside, and what it is. */
const passage = z.object({
  of: z.enum(['character', 'persona', 'lorebook', 'note', 'message', 'name']),
  text: z.string(),
}) satisfies z.ZodType<Passage>;

const idSchema = z.string().refine(isId, 'Not an id');

/** Against a measure, or against a text being refused. */
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
      .regex(/^[0-9a-z]{1,12}\.[\w-]+$/, 'Not as a refusal tells it')
      .optional()
      .describe('as the refusal told it'),
    conversation_id: idSchema.optional().describe('of a reply that a rule ended, with `message_id`'),
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
      error: 'An appeal is about a measure, or about a refused text with its place and rule',
      // A field that is wrong is said first.
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

/** An appeal as whoever made it has it. */
export const ownAppeal = z.object({
  ...appealFields,
  refused_text: z.string().nullable(),
  message: z.string(),
});
export type OwnAppeal = z.infer<typeof ownAppeal>;
export const ownAppealList = createListSchema(ownAppeal);
export type OwnAppealList = z.infer<typeof ownAppealList>;

/** An appeal as the queue shows it: without what was written. */
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

/** How the text classifier reads a refused text, and what weighed most for that. */
const explanation = z.object({
  probabilities: z
    .record(z.enum(LABELS), z.number().min(0).max(1))
    .describe('for each label how likely the text shows it'),
  explanations: z.array(
    z.object({
      label: z.enum(LABELS),
      probability: z.number().min(0).max(1),
      sentence: z.string().describe('the sentence that shows it most'),
      features: z.array(z.object({ feature: z.string(), weight: z.number().describe('in log-odds') })),
    }),
  ),
});

/** An appeal as it is opened. */
export const appealCase = queuedAppeal.extend({
  message: z.string(),
  refused_text: z.string().nullable(),
  /** What the text was refused beside: a grant lets it by beside this, and nothing else. */
  beside: z.array(passage),
  /** Whether that is all of it; where it is not, a grant lets nothing by. */
  beside_whole: z.boolean(),
  explanation: explanation.nullable().describe('of the refused text; null where there is none'),
  person: casePerson,
  measure: moderationAction.nullable(),
  /** What the measure was taken against, as it is now; null where that is an account, or gone. */
  character: caseCharacter.nullable(),
  history: z.array(caseStep),
});
export type AppealCase = z.infer<typeof appealCase>;

export const appealDecision = z.strictObject({
  status: z.enum(['granted', 'declined']).describe('`granted` takes the measure back, or lets the text by'),
  answer: createVisibleTextSchema(STAFF_LIMITS.maxAnswerChars, 'Write something first'),
  note: createVisibleTextSchema(STAFF_LIMITS.maxNoteChars, 'Write something first')
    .optional()
    .describe('For staff alone'),
});
export type AppealDecision = z.infer<typeof appealDecision>;
