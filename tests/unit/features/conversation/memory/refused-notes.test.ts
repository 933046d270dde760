import { expect, test } from 'vitest';
import type { ModelMessage } from '../../../../../src/vendors/model.ts';
import { extractMarks, createMemoryFixture, m } from '../../../../support/memory-fixture.ts';

/** Creates a conversation of which some messages have left the model's context. */
async function createFixtureWhere(isAllowed: (notes: string) => boolean) {
  const fixture = createMemoryFixture(extractMarks, isAllowed);
  for (let count = 0; count < 12; count += 1)
    fixture.say(`#f${count} happened`, count % 2 ? 'user' : 'character');
  await fixture.turn(m(9));
  return fixture;
}

test('notes that a reply may not say are not stored, and the model is not asked for them again', async () => {
  const fixture = await createFixtureWhere((notes) => !notes.includes('#f0'));
  expect(fixture.memory.getView()).toMatchObject({ summary: '' });
  const calls = fixture.asked.length;
  expect(calls).toBeGreaterThan(0);
  await fixture.turn(m(9));
  expect(fixture.asked).toHaveLength(calls);
});

test('notes that a reply may say are stored', async () => {
  const fixture = await createFixtureWhere(() => true);
  expect(fixture.memory.getView().summary).toContain('#f0');
});

test('half of the messages are summarised when the provider refuses them all for their length', async () => {
  const countMarks = (messages: ModelMessage[]) => messages.at(-1)?.content.match(/#f\d+/g)?.length ?? 0;
  const fixture = createMemoryFixture((messages) =>
    countMarks(messages) > 8 ? { code: 'too_long' } : extractMarks(messages),
  );
  for (let count = 0; count < 20; count += 1)
    fixture.say(`#f${count} happened`, count % 2 ? 'user' : 'character');
  await fixture.turn(m(17));
  // From the refusal on, the model is given no more than it takes.
  expect(fixture.asked.map(countMarks)).toEqual([16, 8, 8]);
  const { summary } = fixture.memory.getView();
  expect(summary).toContain('#f0 ');
  expect(summary).toContain('#f15');
});
