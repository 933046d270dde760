import { z } from 'zod';
import { refusedRule } from '../../moderation/appeal-contract.ts';
import type { Helpline } from '../../safety/helplines.ts';

/** Safety notices of the API: crisis help, and the rule that refused a text. */

export const helpline = z.object({
  name: z.string(),
  phone: z
    .string()
    .nullable()
    .describe(
      'For display: the number, followed in parentheses by the key to press after the call is answered',
    ),
  phone_number: z.string().nullable().optional().describe('The number alone, as dialed in the country'),
  phone_then: z.string().nullable().optional().describe('Key to press after the call is answered'),
  text: z
    .string()
    .nullable()
    .describe('For display: the number to text, followed in parentheses by the word to text'),
  text_number: z.string().nullable().optional().describe('The number to text, without the word'),
  text_word: z.string().nullable().optional().describe('Word to text, if one is needed'),
  url: z.string().nullable(),
  hours: z.enum(['always', 'limited']),
}) satisfies z.ZodType<Helpline>;

const crisisHelp = z
  .object({ kind: z.literal('crisis'), helplines: z.array(helpline) })
  .describe('Helplines for a user who may need help');
const refused = z.object({
  kind: z.literal('refused'),
  rule: refusedRule,
  appeal_token: z
    .string()
    .optional()
    .describe('Proof of the refusal for an appeal, if the text is not stored'),
  helplines: z
    .array(helpline)
    .optional()
    .describe('Helplines, with the rule `urging`: the reply urged the user to hurt themself'),
});

export const messageSafety = z.discriminatedUnion('kind', [
  crisisHelp,
  refused.describe('A safety rule ended this reply'),
]);
export type MessageSafety = z.infer<typeof messageSafety>;
