import { describe, expect, test } from 'vitest';
import type { MemoryEntryView } from '../../src/features/conversation/memory/memory-contract.ts';
import { MAX_MEMORY_SHARE } from '../../src/features/conversation/prompt/build-prompt.ts';
import { estimateTokens } from '../../src/features/model/estimate-tokens.ts';
import { extractMarks, createMemoryFixture } from '../support/memory-fixture.ts';

const EMPTY = { summary: '', entries: [], set_aside_count: 0, left_out: [] };

describe('Remembering in the background', () => {
  const talk = (world: ReturnType<typeof createMemoryFixture>, count: number) =>
    Array.from({ length: count }, (_, index) =>
      world.say(`#f${world.rows().length} happened`, index % 2 ? 'user' : 'character'),
    );

  test('reads only what has left the context, and names where it took it from', async () => {
    const world = createMemoryFixture(extractMarks);
    talk(world, 12);
    await world.turn('m9');
    const { entries, summary } = world.memory.getView();
    expect(entries.flatMap((entry) => entry.source_message_ids)).toEqual([
      'm1',
      'm2',
      'm3',
      'm4',
      'm5',
      'm6',
      'm7',
      'm8',
    ]);
    expect(entries[0]).toMatchObject({ author: 'model', stale: false, first_source_id: 'm1' });
    expect(summary).toContain('#f0');
    expect(summary).not.toContain('#f8');
    const calls = world.asked.length;
    await world.turn('m9');
    await world.turn('m11');
    expect(world.asked).toHaveLength(calls);
  });

  test('is written in sight of what was noted before, and of nothing that came later', async () => {
    const world = createMemoryFixture(extractMarks);
    talk(world, 20);
    await world.turn('m9');
    await world.turn('m17');
    expect(world.asked.at(-1)?.[0]?.content).toContain('They spoke of #f0 ');
    world.edit('m2', '#other happened');
    await world.turn('m17');
    const system = world.asked.at(-1)?.[0]?.content;
    expect(world.asked).toHaveLength(3);
    expect(system).not.toContain('#f8');
    expect(world.memory.getView().summary).toMatch(/#other.*\n.*#f8/);
  });

  test('is told to whoever looks, each time that something was written', async () => {
    const world = createMemoryFixture(extractMarks);
    talk(world, 20);
    await world.turn('m9');
    expect(world.told()).toBe(1);
    await world.turn('m9');
    expect(world.told()).toBe(1);
    await world.turn('m17');
    expect(world.told()).toBe(2);
  });

  test('does nothing while the model sees all', async () => {
    const world = createMemoryFixture(extractMarks);
    talk(world, 12);
    await world.turn(null);
    expect(world.asked).toHaveLength(0);
  });

  test('writes nothing of a message that was deleted while the model read it', async () => {
    const world = createMemoryFixture(async (messages) => {
      if (world.asked.length === 1) world.deleteFrom('m2');
      return extractMarks(messages);
    });
    talk(world, 12);
    await world.turn('m9');
    expect(world.memory.getView().entries).toEqual([]);
  });

  test('rests after a failure, and tells nobody', async () => {
    const world = createMemoryFixture(() => ({ code: 'provider_error' }));
    talk(world, 12);
    await world.turn('m9');
    await world.turn('m9');
    expect(world.asked).toHaveLength(1);
    expect(world.memory.getView()).toEqual(EMPTY);
  });

  test('finds nothing to keep without asking again', async () => {
    const world = createMemoryFixture(() => '-');
    talk(world, 8);
    await world.turn('m7');
    await world.turn('m7');
    expect(world.asked).toHaveLength(1);
    expect(world.memory.getView().entries).toEqual([]);
  });

  test('makes one of the oldest entries when memory has outgrown its share', async () => {
    const world = createMemoryFixture((messages) =>
      messages[1]?.content.includes('# Older notes')
        ? 'All of it, in short.'
        : `${extractMarks(messages)} ${'And more of it. '.repeat(60)}`,
    );
    talk(world, 60);
    const seen: MemoryEntryView[] = [];
    for (let end = 6; end <= 60; end += 6) {
      seen.push(...world.memory.getView().entries);
      await world.turn(`m${end}`);
    }
    const { entries } = world.memory.getView();
    expect(entries.some(({ text }) => text === 'All of it, in short.')).toBe(true);
    const sources = entries.flatMap((entry) => entry.source_message_ids);
    expect(new Set(sources).size).toBe(sources.length);
    const again = world.change({ entries: [...seen, { text: 'Mine.' }], known: [] }, 1).entries;
    expect(again.filter(({ author }) => author === 'person')).toMatchObject([{ text: 'Mine.' }]);
    const live = world.memory.listLive();
    expect(live.reduce((sum, { text }) => sum + estimateTokens(text), 0)).toBeLessThanOrEqual(
      4000 * MAX_MEMORY_SHARE + 1200,
    );
  });
});

describe('What I write in memory', () => {
  const remembered = async () => {
    const world = createMemoryFixture(extractMarks);
    for (let index = 0; index < 12; index += 1) world.say(`#f${index} happened`);
    await world.turn('m9');
    const [entry] = world.memory.getView().entries;
    if (entry === undefined) throw new Error('nothing was remembered');
    return { world, entry };
  };

  test('stays as it is when a message behind it changes, says so, and what the message says now is noted beside it', async () => {
    const { world, entry } = await remembered();
    world.change({ entries: [{ id: entry.id, text: 'Mine now.' }] }, 1);
    expect(world.memory.getView().entries).toMatchObject([{ changed_source_id: null }]);
    world.edit('m2', '#other happened');
    expect(world.memory.getView()).toMatchObject({
      summary: 'Mine now.',
      entries: [{ author: 'person', stale: false, changed_source_id: 'm2' }],
    });
    await world.turn('m9');
    const { entries, summary } = world.memory.getView();
    expect(entries).toHaveLength(2);
    expect(entries).toContainEqual(
      expect.objectContaining({ author: 'model', source_message_ids: ['m2'], text: 'They spoke of #other.' }),
    );
    expect(summary).toContain('Mine now.');
    const calls = world.asked.length;
    await world.turn('m9');
    expect(world.asked).toHaveLength(calls);
  });

  test('is not marked any more once I have corrected it again, or its message says again what it said', async () => {
    const { world, entry } = await remembered();
    world.change({ entries: [{ id: entry.id, text: 'Mine now.' }] }, 1);
    world.edit('m2', '#other happened');
    const [first] = world.listVersions('m2');
    world.select('m2', first ?? '');
    expect(world.memory.getView().entries).toMatchObject([{ changed_source_id: null }]);
    world.edit('m2', '#third happened');
    const { entries } = world.change({ entries: [{ id: entry.id, text: 'Mine, in sight of it.' }] }, 2);
    expect(entries).toMatchObject([{ text: 'Mine, in sight of it.', changed_source_id: null }]);
  });

  test('waits with deleted messages unseen, and comes back with them', async () => {
    const { world, entry } = await remembered();
    world.change({ entries: [{ id: entry.id, text: 'Mine now.' }] }, 1);
    world.deleteFrom('m8');
    expect(world.memory.getView()).toEqual({ summary: '', entries: [], set_aside_count: 1, left_out: [] });
    // Whoever saves a list without it has not seen it, and does not remove it.
    world.change({ entries: [{ text: 'Something else.' }] }, 2);
    world.change({ summary: 'All in one.' }, 3);
    world.restore();
    const { entries, set_aside_count: waiting } = world.memory.getView();
    expect(waiting).toBe(0);
    expect(entries).toContainEqual(
      expect.objectContaining({ id: entry.id, text: 'Mine now.', author: 'person' }),
    );
  });

  test('goes for good with the messages that it came from; what I wrote by myself stays', async () => {
    const { world, entry } = await remembered();
    world.change({ entries: [{ id: entry.id, text: 'From the lighthouse.' }, { text: 'By myself.' }] }, 1);
    world.deleteFrom('m8');
    world.erase();
    expect(world.memory.getView()).toMatchObject({ summary: 'By myself.', set_aside_count: 0 });
  });

  test('is not told for an old reply when it rests on something later; what rests on nothing is', async () => {
    const { world, entry } = await remembered();
    world.change({ entries: [{ id: entry.id, text: 'What came later.' }, { text: 'By myself.' }] }, 1);
    const told = (before?: string) => world.memory.listLive(before).map(({ text }) => text);
    expect(told('m4')).toEqual(['By myself.']);
    expect(told('m8')).toEqual(['By myself.']);
    expect(told('m9')).toEqual(['What came later.', 'By myself.']);
    expect(told()).toEqual(['What came later.', 'By myself.']);
  });

  test('is taken out and stays out; taking that back brings it as it was', async () => {
    const { world, entry } = await remembered();
    expect(world.change({ summary: '' }, Date.now())).toEqual(EMPTY);
    const calls = world.asked.length;
    await world.turn('m9');
    expect(world.asked).toHaveLength(calls);
    expect(world.change({ entries: [{ id: entry.id, text: entry.text }] }, Date.now()).entries).toMatchObject(
      [{ id: entry.id, text: entry.text, author: 'model' }],
    );
  });

  test('does not bring back what a list says that was read before its messages changed', async () => {
    const { world, entry } = await remembered();
    world.edit('m2', '#other happened');
    const { entries: seen } = world.memory.getView();
    expect(seen).toMatchObject([{ id: entry.id, stale: true }]);
    await world.turn('m9');
    const { entries, summary } = world.change(
      { entries: [...seen, { text: 'Mine.' }], known: seen.map(({ id }) => id) },
      1,
    );
    expect(summary).not.toContain('#f1');
    expect(entries).toMatchObject([
      { author: 'model', text: expect.stringContaining('#other') },
      { author: 'person', text: 'Mine.' },
    ]);
  });

  test('does not bring back what a whole memory says that was read before its messages changed', async () => {
    const { world } = await remembered();
    for (let index = 12; index < 20; index += 1) world.say(`#f${index} happened`);
    await world.turn('m17');
    world.edit('m2', '#other happened');
    const seen = world.memory.getView();
    expect(seen.entries.map(({ stale }) => stale)).toEqual([true, false]);
    world.edit('m10', '#third happened');
    const { summary, entries } = world.change(seen, 1);
    expect(summary).toBe('');
    expect(entries.map(({ author }) => author)).toEqual(['model', 'model']);
  });

  test('does not bring back what rested on messages that are gone for good, by no list and no undo', async () => {
    const { world, entry } = await remembered();
    world.change({ entries: [{ id: entry.id, text: 'Mine, of #f7.' }] }, 1);
    const { entries: seen } = world.memory.getView();
    world.deleteFrom('m8');
    world.erase();
    expect(world.change({ entries: seen, known: [] }, 2)).toEqual(EMPTY);
    expect(world.change({ entries: seen }, 3)).toEqual(EMPTY);
  });

  test('comes back after its words were forgotten only while its messages say the same', async () => {
    const { world, entry } = await remembered();
    const own = world.change({ entries: [entry, { text: 'By myself.' }] }, 1).entries;
    world.change({ summary: '' }, 1);
    expect(world.memory.hasUndoable()).toBe(true);
    world.memory.purgeRemoved(60 * 60_000);
    expect(world.memory.hasUndoable()).toBe(false);
    expect(JSON.stringify(world.sql.exec('select * from memory_entries').toArray())).not.toMatch(/#f|myself/);
    world.edit('m2', '#other happened');
    expect(world.change({ entries: own }, 2)).toEqual(EMPTY);
    const [first] = world.listVersions('m2');
    world.select('m2', first ?? '');
    expect(world.change({ entries: own }, 3).entries).toMatchObject([
      { id: entry.id, text: entry.text, author: 'person' },
    ]);
  });

  test('is bounded in all, however it comes; taking out and correcting is always possible', async () => {
    const { world, entry } = await remembered();
    const mine = (count: number) => ({
      entries: Array.from({ length: count }, () => ({ text: 'x' })),
      known: [],
    });
    const noRoom = { ok: false, code: 'invalid_input' };
    expect(world.memory.applyChange(mine(199), 1)).toBeNull();
    expect(world.memory.applyChange(mine(1), 2)).toEqual(noRoom);
    expect(world.memory.getView().entries).toHaveLength(200);
    expect(world.memory.applyChange({ entries: [{ id: entry.id, text: 'Mine.' }], known: [] }, 3)).toBeNull();
    expect(world.memory.applyChange({ entries: [{ text: 'y' }], known: [entry.id] }, 4)).toBeNull();
    expect(world.memory.applyChange({ entries: [entry], known: [] }, 5)).toEqual(noRoom);
    expect(world.memory.applyChange({ entries: [] }, 6)).toBeNull();
    expect(world.memory.applyChange(mine(200), 7)).toBeNull();
    expect(world.memory.getView().entries).toHaveLength(200);
  });

  test('leaves alone what was remembered while I wrote', async () => {
    const { world, entry } = await remembered();
    for (let index = 12; index < 20; index += 1) world.say(`#f${index} happened`);
    await world.turn('m15');
    const after = world.change({ entries: [{ text: 'Mine.' }], known: [entry.id] }, 1);
    expect(after.entries.map(({ text }) => text)).toEqual([expect.stringContaining('#f8'), 'Mine.']);
  });

  test('as one text stands for all of it, and the background goes on from there', async () => {
    const { world } = await remembered();
    const { entries } = world.change({ summary: 'All in one.' }, 1);
    expect(entries).toMatchObject([{ text: 'All in one.', author: 'person', first_source_id: 'm1' }]);
    const calls = world.asked.length;
    await world.turn('m9');
    expect(world.asked).toHaveLength(calls);
  });

  test('goes with a fork as far as the fork goes', async () => {
    const { world, entry } = await remembered();
    world.change({ entries: [{ id: entry.id, text: entry.text }, { text: 'Always true.' }] }, 1);
    expect(world.memory.listCopiesUpTo('m8').map(({ text }) => text)).toEqual([entry.text, 'Always true.']);
    expect(world.memory.listCopiesUpTo('m5').map(({ text }) => text)).toEqual(['Always true.']);
    const fork = createMemoryFixture(extractMarks);
    for (const { content } of world.rows().slice(0, 8)) fork.say(content);
    fork.memory.importEntries(world.memory.listCopiesUpTo('m8'));
    expect(fork.memory.getView().summary).toBe(`${entry.text}\nAlways true.`);
  });
});
