import { describe, expect, test } from 'vitest';
import type { MemoryEntryView } from '../../../../../src/features/conversation/memory/memory-contract.ts';
import { MAX_MEMORY_SHARE } from '../../../../../src/features/conversation/prompt/fit-history.ts';
import { estimateTokens } from '../../../../../src/features/model/estimate-tokens.ts';
import { extractMarks, createMemoryFixture, m } from '../../../../support/memory-fixture.ts';

const EMPTY = { summary: '', entries: [], set_aside_count: 0, left_out: [] };

describe('Memory summarizing', () => {
  const addMessages = (fixture: ReturnType<typeof createMemoryFixture>, count: number) =>
    Array.from({ length: count }, (_, index) =>
      fixture.say(`#f${fixture.rows().length} happened`, index % 2 ? 'user' : 'character'),
    );

  test('the summarizer reads only messages outside the context and names its sources', async () => {
    const fixture = createMemoryFixture(extractMarks);
    addMessages(fixture, 12);
    await fixture.turn(m(9));
    const { entries, summary } = fixture.memory.getView();
    expect(entries.flatMap((entry) => entry.source_message_ids)).toEqual([
      m(1),
      m(2),
      m(3),
      m(4),
      m(5),
      m(6),
      m(7),
      m(8),
    ]);
    expect(entries[0]).toMatchObject({ author: 'model', stale: false, first_source_id: m(1) });
    expect(summary).toContain('#f0');
    expect(summary).not.toContain('#f8');
    const calls = fixture.asked.length;
    await fixture.turn(m(9));
    await fixture.turn(m(11));
    expect(fixture.asked).toHaveLength(calls);
  });

  test('the summarizer sees earlier notes and nothing that came later', async () => {
    const fixture = createMemoryFixture(extractMarks);
    addMessages(fixture, 20);
    await fixture.turn(m(9));
    await fixture.turn(m(17));
    expect(fixture.asked.at(-1)?.[0]?.content).toContain('They spoke of #f0 ');
    fixture.edit(m(2), '#other happened');
    await fixture.turn(m(17));
    const system = fixture.asked.at(-1)?.[0]?.content;
    expect(fixture.asked).toHaveLength(3);
    expect(system).not.toContain('#f8');
    expect(fixture.memory.getView().summary).toMatch(/#other.*\n.*#f8/);
  });

  test('every stored note notifies the clients once', async () => {
    const fixture = createMemoryFixture(extractMarks);
    addMessages(fixture, 20);
    await fixture.turn(m(9));
    expect(fixture.told()).toBe(1);
    await fixture.turn(m(9));
    expect(fixture.told()).toBe(1);
    await fixture.turn(m(17));
    expect(fixture.told()).toBe(2);
  });

  test('the summarizer does nothing while all messages fit the context', async () => {
    const fixture = createMemoryFixture(extractMarks);
    addMessages(fixture, 12);
    await fixture.turn(null);
    expect(fixture.asked).toHaveLength(0);
  });

  test('a message deleted while the model reads it leaves no note', async () => {
    const fixture = createMemoryFixture(async (messages) => {
      if (fixture.asked.length === 1) fixture.deleteFrom(m(2));
      return extractMarks(messages);
    });
    addMessages(fixture, 12);
    await fixture.turn(m(9));
    expect(fixture.memory.getView().entries).toEqual([]);
  });

  test('the summarizer pauses after a failure and stores nothing', async () => {
    const fixture = createMemoryFixture(() => ({ code: 'provider_error' }));
    addMessages(fixture, 12);
    await fixture.turn(m(9));
    await fixture.turn(m(9));
    expect(fixture.asked).toHaveLength(1);
    expect(fixture.memory.getView()).toEqual(EMPTY);
  });

  test('the summarizer does not ask again when it found nothing to note', async () => {
    const fixture = createMemoryFixture(() => '-');
    addMessages(fixture, 8);
    await fixture.turn(m(7));
    await fixture.turn(m(7));
    expect(fixture.asked).toHaveLength(1);
    expect(fixture.memory.getView().entries).toEqual([]);
  });

  test('the oldest notes are merged when memory exceeds its share of the context', async () => {
    const fixture = createMemoryFixture((messages) =>
      messages[1]?.content.includes('# Older notes')
        ? 'All of it, in short.'
        : `${extractMarks(messages)} ${'And more of it. '.repeat(60)}`,
    );
    addMessages(fixture, 60);
    const seen: MemoryEntryView[] = [];
    for (let end = 6; end <= 60; end += 6) {
      seen.push(...fixture.memory.getView().entries);
      await fixture.turn(m(end));
    }
    const { entries } = fixture.memory.getView();
    expect(entries.some(({ text }) => text === 'All of it, in short.')).toBe(true);
    const sources = entries.flatMap((entry) => entry.source_message_ids);
    expect(new Set(sources).size).toBe(sources.length);
    const again = fixture.change({ entries: [...seen, { text: 'Mine.' }], known: [] }, 1).entries;
    expect(again.filter(({ author }) => author === 'person')).toMatchObject([{ text: 'Mine.' }]);
    const live = fixture.memory.listLive();
    expect(live.reduce((sum, { text }) => sum + estimateTokens(text), 0)).toBeLessThanOrEqual(
      4000 * MAX_MEMORY_SHARE + 1200,
    );
  });
});

describe('User memory notes', () => {
  const createRemembered = async () => {
    const fixture = createMemoryFixture(extractMarks);
    for (let index = 0; index < 12; index += 1) fixture.say(`#f${index} happened`);
    await fixture.turn(m(9));
    const [entry] = fixture.memory.getView().entries;
    if (entry === undefined) throw new Error('nothing was remembered');
    return { fixture, entry };
  };

  test("a user's note stays when its message changes, is marked, and the new text gets its own note", async () => {
    const { fixture, entry } = await createRemembered();
    fixture.change({ entries: [{ id: entry.id, text: 'Mine now.' }] }, 1);
    expect(fixture.memory.getView().entries).toMatchObject([{ changed_source_id: null }]);
    fixture.edit(m(2), '#other happened');
    expect(fixture.memory.getView()).toMatchObject({
      summary: 'Mine now.',
      entries: [{ author: 'person', stale: false, changed_source_id: m(2) }],
    });
    await fixture.turn(m(9));
    const { entries, summary } = fixture.memory.getView();
    expect(entries).toHaveLength(2);
    expect(entries).toContainEqual(
      expect.objectContaining({ author: 'model', source_message_ids: [m(2)], text: 'They spoke of #other.' }),
    );
    expect(summary).toContain('Mine now.');
    const calls = fixture.asked.length;
    await fixture.turn(m(9));
    expect(fixture.asked).toHaveLength(calls);
  });

  test('a changed note loses its mark once it is corrected or its message says the same again', async () => {
    const { fixture, entry } = await createRemembered();
    fixture.change({ entries: [{ id: entry.id, text: 'Mine now.' }] }, 1);
    fixture.edit(m(2), '#other happened');
    const [first] = fixture.listVersions(m(2));
    fixture.select(m(2), first ?? '');
    expect(fixture.memory.getView().entries).toMatchObject([{ changed_source_id: null }]);
    fixture.edit(m(2), '#third happened');
    const { entries } = fixture.change({ entries: [{ id: entry.id, text: 'Mine, in sight of it.' }] }, 2);
    expect(entries).toMatchObject([{ text: 'Mine, in sight of it.', changed_source_id: null }]);
  });

  test('a note is hidden with its deleted messages and restored with them', async () => {
    const { fixture, entry } = await createRemembered();
    fixture.change({ entries: [{ id: entry.id, text: 'Mine now.' }] }, 1);
    fixture.deleteFrom(m(8));
    expect(fixture.memory.getView()).toEqual({ summary: '', entries: [], set_aside_count: 1, left_out: [] });
    // A list without the hidden note has not seen it, so saving that list must not remove it.
    fixture.change({ entries: [{ text: 'Something else.' }] }, 2);
    fixture.change({ summary: 'All in one.' }, 3);
    fixture.restore();
    const { entries, set_aside_count: waiting } = fixture.memory.getView();
    expect(waiting).toBe(0);
    expect(entries).toContainEqual(
      expect.objectContaining({ id: entry.id, text: 'Mine now.', author: 'person' }),
    );
  });

  test('a note is erased with its source messages, while a note without sources stays', async () => {
    const { fixture, entry } = await createRemembered();
    fixture.change({ entries: [{ id: entry.id, text: 'From the lighthouse.' }, { text: 'By myself.' }] }, 1);
    fixture.deleteFrom(m(8));
    fixture.erase();
    expect(fixture.memory.getView()).toMatchObject({ summary: 'By myself.', set_aside_count: 0 });
  });

  test("an old reply's prompt omits notes that rest on later messages", async () => {
    const { fixture, entry } = await createRemembered();
    fixture.change({ entries: [{ id: entry.id, text: 'What came later.' }, { text: 'By myself.' }] }, 1);
    const listTexts = (before?: string) => fixture.memory.listLive(before).map(({ text }) => text);
    expect(listTexts(m(4))).toEqual(['By myself.']);
    expect(listTexts(m(8))).toEqual(['By myself.']);
    expect(listTexts(m(9))).toEqual(['What came later.', 'By myself.']);
    expect(listTexts()).toEqual(['What came later.', 'By myself.']);
  });

  test('a removed note stays removed, and undo restores it unchanged', async () => {
    const { fixture, entry } = await createRemembered();
    expect(fixture.change({ summary: '' }, Date.now())).toEqual(EMPTY);
    const calls = fixture.asked.length;
    await fixture.turn(m(9));
    expect(fixture.asked).toHaveLength(calls);
    expect(
      fixture.change({ entries: [{ id: entry.id, text: entry.text }] }, Date.now()).entries,
    ).toMatchObject([{ id: entry.id, text: entry.text, author: 'model' }]);
  });

  test('saving an outdated list restores no note whose messages changed', async () => {
    const { fixture, entry } = await createRemembered();
    fixture.edit(m(2), '#other happened');
    const { entries: seen } = fixture.memory.getView();
    expect(seen).toMatchObject([{ id: entry.id, stale: true }]);
    await fixture.turn(m(9));
    const { entries, summary } = fixture.change(
      { entries: [...seen, { text: 'Mine.' }], known: seen.map(({ id }) => id) },
      1,
    );
    expect(summary).not.toContain('#f1');
    expect(entries).toMatchObject([
      { author: 'model', text: expect.stringContaining('#other') },
      { author: 'person', text: 'Mine.' },
    ]);
  });

  test('saving an outdated whole memory restores no note whose messages changed', async () => {
    const { fixture } = await createRemembered();
    for (let index = 12; index < 20; index += 1) fixture.say(`#f${index} happened`);
    await fixture.turn(m(17));
    fixture.edit(m(2), '#other happened');
    const seen = fixture.memory.getView();
    expect(seen.entries.map(({ stale }) => stale)).toEqual([true, false]);
    fixture.edit(m(10), '#third happened');
    const { summary, entries } = fixture.change(seen, 1);
    expect(summary).toBe('');
    expect(entries.map(({ author }) => author)).toEqual(['model', 'model']);
  });

  test('neither a list nor undo restores a note whose messages are erased', async () => {
    const { fixture, entry } = await createRemembered();
    fixture.change({ entries: [{ id: entry.id, text: 'Mine, of #f7.' }] }, 1);
    const { entries: seen } = fixture.memory.getView();
    fixture.deleteFrom(m(8));
    fixture.erase();
    expect(fixture.change({ entries: seen, known: [] }, 2)).toEqual(EMPTY);
    expect(fixture.change({ entries: seen }, 3)).toEqual(EMPTY);
  });

  test('a note whose text was purged returns only while its messages say the same', async () => {
    const { fixture, entry } = await createRemembered();
    const own = fixture.change({ entries: [entry, { text: 'By myself.' }] }, 1).entries;
    fixture.change({ summary: '' }, 1);
    expect(fixture.memory.hasUndoable()).toBe(true);
    fixture.memory.purgeRemoved(60 * 60_000);
    expect(fixture.memory.hasUndoable()).toBe(false);
    expect(JSON.stringify(fixture.sql.exec('select * from memory_entries').toArray())).not.toMatch(
      /#f|myself/,
    );
    fixture.edit(m(2), '#other happened');
    expect(fixture.change({ entries: own }, 2)).toEqual(EMPTY);
    const [first] = fixture.listVersions(m(2));
    fixture.select(m(2), first ?? '');
    expect(fixture.change({ entries: own }, 3).entries).toMatchObject([
      { id: entry.id, text: entry.text, author: 'person' },
    ]);
  });

  test('the limit of notes holds for every kind of change, while removing and correcting stay possible', async () => {
    const { fixture, entry } = await createRemembered();
    const createEntries = (count: number) => ({
      entries: Array.from({ length: count }, () => ({ text: 'x' })),
      known: [],
    });
    const noRoom = { ok: false, code: 'invalid_input' };
    expect(fixture.memory.applyChange(createEntries(199), 1)).toBeNull();
    expect(fixture.memory.applyChange(createEntries(1), 2)).toEqual(noRoom);
    expect(fixture.memory.getView().entries).toHaveLength(200);
    expect(
      fixture.memory.applyChange({ entries: [{ id: entry.id, text: 'Mine.' }], known: [] }, 3),
    ).toBeNull();
    expect(fixture.memory.applyChange({ entries: [{ text: 'y' }], known: [entry.id] }, 4)).toBeNull();
    expect(fixture.memory.applyChange({ entries: [entry], known: [] }, 5)).toEqual(noRoom);
    expect(fixture.memory.applyChange({ entries: [] }, 6)).toBeNull();
    expect(fixture.memory.applyChange(createEntries(200), 7)).toBeNull();
    expect(fixture.memory.getView().entries).toHaveLength(200);
  });

  test('saving notes leaves alone a note that was added meanwhile', async () => {
    const { fixture, entry } = await createRemembered();
    for (let index = 12; index < 20; index += 1) fixture.say(`#f${index} happened`);
    await fixture.turn(m(15));
    const after = fixture.change({ entries: [{ text: 'Mine.' }], known: [entry.id] }, 1);
    expect(after.entries.map(({ text }) => text)).toEqual([expect.stringContaining('#f8'), 'Mine.']);
  });

  test('saving one summary replaces all notes, and the summarizer continues after them', async () => {
    const { fixture } = await createRemembered();
    const { entries } = fixture.change({ summary: 'All in one.' }, 1);
    expect(entries).toMatchObject([{ text: 'All in one.', author: 'person', first_source_id: m(1) }]);
    const calls = fixture.asked.length;
    await fixture.turn(m(9));
    expect(fixture.asked).toHaveLength(calls);
  });

  test('a branch copies the notes whose sources it contains', async () => {
    const { fixture, entry } = await createRemembered();
    fixture.change({ entries: [{ id: entry.id, text: entry.text }, { text: 'Always true.' }] }, 1);
    expect(fixture.memory.listCopiesUpTo(m(8)).map(({ text }) => text)).toEqual([entry.text, 'Always true.']);
    expect(fixture.memory.listCopiesUpTo(m(5)).map(({ text }) => text)).toEqual(['Always true.']);
    const fork = createMemoryFixture(extractMarks);
    for (const { content } of fixture.rows().slice(0, 8)) fork.say(content);
    fork.memory.importEntries(fixture.memory.listCopiesUpTo(m(8)));
    expect(fork.memory.getView().summary).toBe(`${entry.text}\nAlways true.`);
  });
});
