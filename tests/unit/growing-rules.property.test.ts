import { readFileSync, readdirSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { growingSexual } from '../../src/features/safety/minors.ts';
import { byRules, growingRules } from '../../src/features/safety/moderation.ts';
import { growingUrging, urgingIn } from '../../src/features/safety/urging.ts';

/** All sentences of the labelled sets, of whatever label and language. */
const sentencesIn = (folder: string): string[] => {
  const url = new URL(`../support/${folder}/`, import.meta.url);
  const textsOf = (value: unknown): string[] =>
    typeof value === 'string'
      ? [value]
      : value !== null && typeof value === 'object'
        ? Object.values(value).flatMap(textsOf)
        : [];
  return readdirSync(url)
    .filter((name) => name.endsWith('.json'))
    .flatMap((name) => textsOf(JSON.parse(readFileSync(new URL(name, url), 'utf8'))));
};

const PLAIN =
  'The lamp turns. She looks out over the water and says that you should have been here by noon. ';
const SIZES = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 12 });

/** The same sentence, much longer than what it says. */
const LOOKS: readonly ((said: string) => string)[] = [
  (said) => said,
  (said) => said,
  ...[1, 2, 8, 25].map(
    (marks) => (said: string) => said.replaceAll(/\p{L}/gu, `$&${'\u0336'.repeat(marks)}`),
  ),
  ...[3, 9, 70].map((times) => (said: string) => said.replaceAll(/[aeio]/g, (one) => one.repeat(times))),
  ...[1, 40].map(
    (times) => (said: string) => said.replaceAll(/(?<=\p{L})(?=\p{L})/gu, '\u200b'.repeat(times)),
  ),
  (said) => said.replaceAll(' ', ' - '.repeat(30)),
];

/** A reply out of a few sentences with plain ones between them, and the pieces that it comes in. */
const replyOf = (sentences: readonly string[]) =>
  fc.record({
    text: fc
      .array(fc.tuple(fc.constantFrom(...sentences), fc.nat({ max: 4 }), fc.constantFrom(...LOOKS)), {
        minLength: 1,
        maxLength: 4,
      })
      .map((parts) => parts.map(([said, plain, look]) => `${look(said)} ${PLAIN.repeat(plain)}`).join('')),
    sizes: SIZES,
  });

/** Each piece with the text before it, of which at most so much is shown. */
function* growing({ text, sizes }: { text: string; sizes: readonly number[] }, reach: number) {
  for (let [at, index] = [0, 0]; at < text.length; index += 1) {
    const fresh = Math.min(sizes[index % sizes.length] as number, text.length - at);
    at += fresh;
    yield { shown: text.slice(Math.max(0, at - fresh - reach), at), fresh };
  }
}

test('urging is found in a reply that grows exactly where it is found in what is shown of it', () => {
  fc.assert(
    fc.property(replyOf(sentencesIn('urging')), (reply) => {
      const urges = growingUrging(400);
      for (const { shown, fresh } of growing(reply, 400))
        expect(urges(shown, fresh), shown).toBe(urgingIn(shown, { open: false, whole: false }));
    }),
  );
});

test('what the rules say of a reply that grows is what they say of what is shown of it', () => {
  const about = { place: 'reply', adult: false, context: '', minorTold: () => false } as const;
  fc.assert(
    fc.property(replyOf(sentencesIn('minors')), (reply) => {
      const rules = growingRules(about);
      for (const { shown, fresh } of growing(reply, 1200))
        expect(rules(shown, fresh), shown).toEqual(byRules(shown, about));
    }),
  );
});

test('a story that tells of nothing of the kind is looked at once, and not with each new word', () => {
  const sexual = growingSexual();
  for (const { shown, fresh } of growing({ text: PLAIN.repeat(40), sizes: [5] }, 1200))
    expect(sexual(shown, fresh)).toBe(false);
});
