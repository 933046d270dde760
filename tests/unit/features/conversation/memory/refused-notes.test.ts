import { expect, test } from 'vitest';
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
