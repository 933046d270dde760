import { describe, expect, test } from 'vitest';
import { extractMarks, createMemoryFixture } from '../support/memory-fixture.ts';

const GONE = { ok: false, code: 'memory_ground_gone' };

/** Twelve messages, of which one note of the model's tells the first eight: #f0 to #f7. */
async function remembered() {
  const world = createMemoryFixture(extractMarks);
  for (let index = 0; index < 12; index += 1) world.say(`#f${index} happened`);
  await world.turn('m9');
  const [entry] = world.memory.getView().entries;
  if (entry === undefined) throw new Error('nothing was remembered');
  return { world, entry, reworded: entry.text.replace('They', 'We') };
}

describe('What I write over a note', () => {
  test('waits in the trash when its messages were deleted meanwhile, comes back with them, and goes with them', async () => {
    const { world, entry, reworded } = await remembered();
    world.deleteFrom('m8');
    const after = world.change({ entries: [{ id: entry.id, text: reworded }], known: [] }, 1);
    expect(after).toMatchObject({ summary: '', entries: [], set_aside_count: 1 });
    expect(world.memory.listLive()).toEqual([]);
    world.restore();
    expect(world.memory.getView().entries).toMatchObject([
      { id: entry.id, text: reworded, author: 'person' },
    ]);
    world.deleteFrom('m8');
    world.erase();
    expect(JSON.stringify(world.sql.exec('select * from memory_entries').toArray())).not.toContain('#f');
  });

  test('rests on the messages of that note, though it was replaced while I wrote', async () => {
    const { world, entry, reworded } = await remembered();
    world.edit('m2', '#other happened');
    await world.turn('m9');
    const written = { id: entry.id, text: reworded, rests_on: entry.source_message_ids };
    const { entries } = world.change({ entries: [written], known: [] }, 1);
    expect(entries.find(({ text }) => text === reworded)).toMatchObject({
      author: 'person',
      source_message_ids: entry.source_message_ids,
      changed_source_id: null,
    });
    world.deleteFrom('m8');
    expect(world.memory.getView()).toMatchObject({ summary: '', set_aside_count: 2 });
  });

  test('is kept hidden when that note is no more and its messages lie in the trash', async () => {
    const { world, entry, reworded } = await remembered();
    world.edit('m2', '#other happened');
    await world.turn('m9');
    world.deleteFrom('m8');
    const written = { id: entry.id, text: reworded, rests_on: entry.source_message_ids };
    expect(world.change({ entries: [written], known: [] }, 1)).toMatchObject({
      summary: '',
      set_aside_count: 2,
    });
    world.restore();
    expect(world.memory.getView().summary).toContain(reworded);
  });

  test('is refused when those messages are gone for good, and nothing else of it is done', async () => {
    const { world, entry, reworded } = await remembered();
    world.deleteFrom('m8');
    world.erase();
    const written = { id: entry.id, text: reworded, rests_on: entry.source_message_ids };
    expect(world.memory.applyChange({ entries: [{ text: 'Mine.' }, written], known: [] }, 1)).toEqual(GONE);
    expect(world.memory.getView().entries).toEqual([]);
  });

  test('is bounded while it waits, too', async () => {
    const { world, entry } = await remembered();
    world.deleteFrom('m8');
    const waiting = Array.from({ length: 200 }, () => ({ text: 'x', rests_on: entry.source_message_ids }));
    expect(world.memory.applyChange({ entries: waiting, known: [] }, 1)).toMatchObject({
      code: 'invalid_input',
    });
    expect(world.memory.applyChange({ entries: waiting.slice(1), known: [] }, 2)).toBeNull();
    expect(world.memory.getView().set_aside_count).toBe(200);
  });
});

describe('A note that I keep though its message has changed', () => {
  test('is mine, holds, and is hidden and erased with its messages', async () => {
    const { world, entry } = await remembered();
    world.edit('m2', '#other happened');
    const kept = { id: entry.id, text: entry.text, rests_on: entry.source_message_ids };
    expect(world.change({ entries: [kept], known: [] }, 1).entries).toMatchObject([
      { id: entry.id, text: entry.text, author: 'person', stale: false, changed_source_id: null },
    ]);
    world.deleteFrom('m8');
    expect(world.memory.getView()).toMatchObject({ summary: '', set_aside_count: 1 });
    world.erase();
    expect(world.memory.getView()).toMatchObject({ summary: '', set_aside_count: 0 });
  });
});

describe('One text in the place of everything', () => {
  const more = (text: string) => ({ summary: `${text}\nThe sea is warm.` });

  test('tells nothing that lies in the trash, though it repeats it', async () => {
    const { world, entry } = await remembered();
    world.deleteFrom('m8');
    expect(world.change({ summary: entry.text }, 1)).toMatchObject({ summary: '', set_aside_count: 1 });
    expect(world.change(more(entry.text), 2)).toMatchObject({
      summary: 'The sea is warm.',
      set_aside_count: 1,
    });
    world.restore();
    expect(world.memory.getView().summary).toBe(`${entry.text}\nThe sea is warm.`);
  });

  test('tells nothing of erased messages, though others stand in their place by now', async () => {
    const { world, entry } = await remembered();
    world.deleteFrom('m3');
    world.erase();
    for (let index = 3; index < 12; index += 1) world.say('And on.');
    expect(world.change(more(entry.text), 1).summary).toBe('The sea is warm.');
  });

  test('rests on what its lines were taken from, though that note was replaced or taken out long ago', async () => {
    const { world, entry } = await remembered();
    world.change({ summary: '' }, 1);
    world.memory.purgeRemoved(60 * 60_000);
    world.change(more(entry.text), 2);
    expect(world.memory.getView().summary).toContain('#f7');
    world.deleteFrom('m8');
    expect(world.memory.getView().summary).toBe('');
  });

  test('rests on what was read with it, when the whole memory comes back with another text', async () => {
    const { world, reworded } = await remembered();
    const whole = { ...world.memory.getView(), summary: reworded };
    world.deleteFrom('m8');
    expect(world.change(whole, 1)).toMatchObject({ summary: '', set_aside_count: 2 });
    world.erase();
    expect(world.memory.applyChange({ ...whole, summary: 'Otherwise.' }, 2)).toEqual(GONE);
  });

  test('goes on telling what I wrote by myself, though a deleted message said the same', async () => {
    const { world, entry } = await remembered();
    world.change({ entries: [{ text: entry.text }], known: [] }, 1);
    world.deleteFrom('m8');
    expect(world.change(more(entry.text), 2).summary).toBe(`${entry.text}\nThe sea is warm.`);
  });
});
