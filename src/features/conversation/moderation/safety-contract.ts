import { z } from 'zod';
import { refusedRule } from '../../moderation/appeal-contract.ts';
import type { Helpline } from '../../safety/helplines.ts';

/** Safety notices of the API: crisis help, and the rule that refused a text. */

export const helpline = z.object({
  name: z.string(),
  phone: z
    .string()
    .nullable()
    .describe('as shown: the number, in brackets the key to press once the call is answered'),
  phone_number: z.string().nullable().optional().describe('the number alone, as it is dialed in the country'),
  phone_then: z.string().nullable().optional().describe('the key to press once the call is answered'),
  text: z.string().nullable().describe('as shown: the number to text, in brackets the word to text'),
  text_number: z.string().nullable().optional().describe('the number to text alone'),
  text_word: z.string().nullable().optional().describe('the word to text, where one is needed'),
  url: z.string().nullable(),
  hours: z.enum(['always', 'limited']),
}) satisfies z.ZodType<Helpline>;

const crisisHelp = z
  .object({ kind: z.literal('crisis'), helplines: z.array(helpline) })
  .describe('somebody may need help: where it is');
const refused = z.object({
  kind: z.literal('refused'),
  rule: refusedRule,
  appeal_token: z
    .string()
    .optional()
    .describe('for an appeal, where the text is kept nowhere: that it was refused'),
  helplines: z
    .array(helpline)
    .optional()
    .describe('where help is, with the rule `urging`: the reply urged its reader to hurt themself'),
});

export const messageSafety = z.discriminatedUnion('kind', [
  crisisHelp,
  refused.describe('a rule ended this reply'),
]);
export type MessageSafety = z.infer<typeof messageSafety>;
