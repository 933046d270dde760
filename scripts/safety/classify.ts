import { createInterface } from 'node:readline';
import { z } from 'zod';
import { findCrisis } from '../../src/features/safety/decisions.ts';
import { computeProbabilities } from '../../src/features/safety/explain.ts';
import { applyRules } from '../../src/features/safety/moderation.ts';
import { classifier } from '../../src/features/safety/weights.ts';

// `npm run safety:classify`: reads JSON lines from standard input and prints the decision for each, or an error.

const line = z.strictObject({
  text: z.string(),
  /** A user's message, a character's reply, or a published text. */
  place: z.enum(['message', 'reply', 'publication']).default('message'),
  /** Whether the character is for adults. */
  adult: z.boolean().default(false),
  /** The text's context, such as the character's definition. */
  context: z.string().optional(),
});

for await (const each of createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY })) {
  if (each.trim() === '') continue;
  let read: z.infer<typeof line>;
  try {
    read = line.parse(JSON.parse(each));
  } catch (error) {
    const reason = error instanceof z.ZodError ? z.prettifyError(error) : 'no JSON';
    process.stdout.write(`${JSON.stringify({ error: reason, line: each.slice(0, 80) })}\n`);
    process.exitCode = 1;
    continue;
  }
  const { text, place, adult, context } = read;
  const verdict = applyRules(text, { place, adult, context });
  const answer = {
    refused: verdict.ok ? null : verdict.rule,
    // Helplines are shown only for a user's own words.
    crisis: place === 'message' ? findCrisis(text) : null,
    labels: computeProbabilities(classifier.classify(text)),
  };
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
