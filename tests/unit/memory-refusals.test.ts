import { expect, test } from 'vitest';
import { extractMarks, createMemoryFixture } from '../support/memory-fixture.ts';

/** A story of which some has left what a model reads. */
async function worldWhere(mayBeKept: (notes: string) => boolean) {
  const world = createMemoryFixture(extractMarks, mayBeKept);
  for (let count = 0; count < 12; count += 1)
    world.say(`#f${count} happened`, count % 2 ? 'user' : 'character');
  await world.turn('m9');
  return world;
}

test('Notes that no reply might say are not remembered, and the model is not asked for them again', async () => {
  const world = await worldWhere((notes) => !notes.includes('#f0'));
  expect(world.memory.getView()).toMatchObject({ summary: '' });
  const calls = world.asked.length;
  expect(calls).toBeGreaterThan(0);
  await world.turn('m9');
  expect(world.asked).toHaveLength(calls);
});

test('Notes that may be said are remembered', async () => {
  const world = await worldWhere(() => true);
  expect(world.memory.getView().summary).toContain('#f0');
});
