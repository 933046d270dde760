import { z } from 'zod';
import { refusedRule } from '../safety/appeal-contract.ts';
import type { Helpline } from '../safety/helplines.ts';

/** What a conversation tells of safety: where help is, and which rule a text met with. */

export const helpline = z.object({
  name: z.string(),
  phone: z.string().nullable().describe('as it is dialled in the country'),
  text: z.string().nullable().describe('the number, or the way, to write to'),
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
