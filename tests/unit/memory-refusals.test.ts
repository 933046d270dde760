import { expect, test } from 'vitest';
import { byMarks, memoryWorld } from '../support/memory-world.ts';

/** A story of which some has left what a model reads. */
async function worldWhere(mayBeKept: (notes: string) => boolean) {
  const world = memoryWorld(byMarks, mayBeKept);
  for (let count = 0; count < 12; count += 1)
    world.say(`#f${count} happened`, count % 2 ? 'user' : 'character');
  await world.turn('m9');
  return world;
}

test('Notes that no reply might say are not remembered, and the model is not asked for them again', async () => {
  const world = await worldWhere((notes) => !notes.includes('#f0'));
  expect(world.memory.view()).toMatchObject({ summary: '' });
  const calls = world.asked.length;
  expect(calls).toBeGreaterThan(0);
  await world.turn('m9');
  expect(world.asked).toHaveLength(calls);
});

test('Notes that may be said are remembered', async () => {
  const world = await worldWhere(() => true);
  expect(world.memory.view().summary).toContain('#f0');
});
