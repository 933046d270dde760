import { describe, expect, test } from 'vitest';
import { extractMarks, createMemoryFixture, m } from '../../../../support/memory-fixture.ts';

const GONE = { ok: false, code: 'memory_source_deleted' };

/** Creates twelve messages; one memory note of the model covers the first eight, #f0 to #f7. */
async function createRemembered() {
  const fixture = createMemoryFixture(extractMarks);
  for (let index = 0; index < 12; index += 1) fixture.say(`#f${index} happened`);
  await fixture.turn(m(9));
  const [entry] = fixture.memory.getView().entries;
  if (entry === undefined) throw new Error('nothing was remembered');
  return { fixture, entry, reworded: entry.text.replace('They', 'We') };
}

describe('Corrected memory note', () => {
  test('a correction to a note waits in the trash, returns and is erased together with its messages', async () => {
    const { fixture, entry, reworded } = await createRemembered();
    fixture.deleteFrom(m(8));
    const after = fixture.change({ entries: [{ id: entry.id, text: reworded }], known: [] }, 1);
    expect(after).toMatchObject({ summary: '', entries: [], set_aside_count: 1 });
    expect(fixture.memory.listLive()).toEqual([]);
    fixture.restore();
    expect(fixture.memory.getView().entries).toMatchObject([
      { id: entry.id, text: reworded, author: 'person' },
    ]);
    fixture.deleteFrom(m(8));
    fixture.erase();
    expect(JSON.stringify(fixture.sql.exec('select * from memory_entries').toArray())).not.toContain('#f');
  });

  test('a correction rests on the messages of its note, even if that note was replaced meanwhile', async () => {
    const { fixture, entry, reworded } = await createRemembered();
    fixture.edit(m(2), '#other happened');
    await fixture.turn(m(9));
    const written = { id: entry.id, text: reworded, rests_on: entry.source_message_ids };
    const { entries } = fixture.change({ entries: [written], known: [] }, 1);
    expect(entries.find(({ text }) => text === reworded)).toMatchObject({
      author: 'person',
      source_message_ids: entry.source_message_ids,
      changed_source_id: null,
    });
    fixture.deleteFrom(m(8));
    expect(fixture.memory.getView()).toMatchObject({ summary: '', set_aside_count: 2 });
  });

  test('a correction is kept hidden when its note is gone and its messages are in the trash', async () => {
    const { fixture, entry, reworded } = await createRemembered();
    fixture.edit(m(2), '#other happened');
    await fixture.turn(m(9));
    fixture.deleteFrom(m(8));
    const written = { id: entry.id, text: reworded, rests_on: entry.source_message_ids };
    expect(fixture.change({ entries: [written], known: [] }, 1)).toMatchObject({
      summary: '',
      set_aside_count: 2,
    });
    fixture.restore();
    expect(fixture.memory.getView().summary).toContain(reworded);
  });

  test('a correction is refused as a whole when its messages are erased', async () => {
    const { fixture, entry, reworded } = await createRemembered();
    fixture.deleteFrom(m(8));
    fixture.erase();
    const written = { id: entry.id, text: reworded, rests_on: entry.source_message_ids };
    expect(fixture.memory.applyChange({ entries: [{ text: 'Mine.' }, written], known: [] }, 1)).toEqual(GONE);
    expect(fixture.memory.getView().entries).toEqual([]);
  });

  test('the limit of memory notes also counts notes that wait in the trash', async () => {
    const { fixture, entry } = await createRemembered();
    fixture.deleteFrom(m(8));
    const waiting = Array.from({ length: 200 }, () => ({ text: 'x', rests_on: entry.source_message_ids }));
    expect(fixture.memory.applyChange({ entries: waiting, known: [] }, 1)).toMatchObject({
      code: 'invalid_input',
    });
    expect(fixture.memory.applyChange({ entries: waiting.slice(1), known: [] }, 2)).toBeNull();
    expect(fixture.memory.getView().set_aside_count).toBe(200);
  });
});

describe('Adopted memory note', () => {
  test("adopting a note whose message changed makes it the user's, and it is hidden and erased with its messages", async () => {
    const { fixture, entry } = await createRemembered();
    fixture.edit(m(2), '#other happened');
    const adopted = { id: entry.id, text: entry.text, rests_on: entry.source_message_ids };
    expect(fixture.change({ entries: [adopted], known: [] }, 1).entries).toMatchObject([
      { id: entry.id, text: entry.text, author: 'person', stale: false, changed_source_id: null },
    ]);
    fixture.deleteFrom(m(8));
    expect(fixture.memory.getView()).toMatchObject({ summary: '', set_aside_count: 1 });
    fixture.erase();
    expect(fixture.memory.getView()).toMatchObject({ summary: '', set_aside_count: 0 });
  });
});

describe('Memory summary', () => {
  const addLine = (text: string) => ({ summary: `${text}\nThe sea is warm.` });

  test('a summary that repeats a note in the trash shows nothing of it until it is restored', async () => {
    const { fixture, entry } = await createRemembered();
    fixture.deleteFrom(m(8));
    expect(fixture.change({ summary: entry.text }, 1)).toMatchObject({ summary: '', set_aside_count: 1 });
    expect(fixture.change(addLine(entry.text), 2)).toMatchObject({
      summary: 'The sea is warm.',
      set_aside_count: 1,
    });
    fixture.restore();
    expect(fixture.memory.getView().summary).toBe(`${entry.text}\nThe sea is warm.`);
  });

  test('a summary shows nothing of erased messages, even if new messages took their places', async () => {
    const { fixture, entry } = await createRemembered();
    fixture.deleteFrom(m(3));
    fixture.erase();
    for (let index = 3; index < 12; index += 1) fixture.say('And on.');
    expect(fixture.change(addLine(entry.text), 1).summary).toBe('The sea is warm.');
  });

  test('a summary shows nothing of deleted messages, even if their note was merged into another', async () => {
    const { fixture, entry } = await createRemembered();
    expect(fixture.memory.merge(fixture.memory.listLive(), 'They spoke.', 1)).toBe(true);
    fixture.deleteFrom(m(8));
    expect(fixture.change(addLine(entry.text), 2).summary).toBe('The sea is warm.');
  });

  test('the hashes of lines take at most a megabyte, and the newest are kept', async () => {
    const { fixture } = await createRemembered();
    for (let index = 0; index < 400; index += 1) fixture.say('And on.');
    // Each source is a range of its own.
    const rests_on = fixture.visible().flatMap(({ id }, index) => (index % 2 === 0 ? [id] : []));
    for (const count of [60, 150]) {
      const entries = Array.from({ length: count }, (_, index) => ({
        text: `Note ${index} of ${count}.`,
        rests_on,
      }));
      fixture.change({ entries }, count);
    }
    fixture.change({ entries: [] }, 200);
    fixture.memory.purgeRemoved(60 * 60_000);
    const { chars } = fixture.sql
      .exec<{ chars: number }>('select length(lines) as chars from memory_lines')
      .one();
    expect(chars).toBeGreaterThan(500_000);
    expect(chars).toBeLessThan(1_000_000);
    fixture.deleteFrom(rests_on.at(-1) as string);
    expect(fixture.change(addLine('Note 149 of 150.'), 201).summary).toBe('The sea is warm.');
  });

  test('a summary rests on the sources of its lines, even if their note was removed long ago', async () => {
    const { fixture, entry } = await createRemembered();
    fixture.change({ summary: '' }, 1);
    fixture.memory.purgeRemoved(60 * 60_000);
    fixture.change(addLine(entry.text), 2);
    expect(fixture.memory.getView().summary).toContain('#f7');
    fixture.deleteFrom(m(8));
    expect(fixture.memory.getView().summary).toBe('');
  });

  test('a saved whole memory rests on the sources that were read with it', async () => {
    const { fixture, reworded } = await createRemembered();
    const whole = { ...fixture.memory.getView(), summary: reworded };
    fixture.deleteFrom(m(8));
    expect(fixture.change(whole, 1)).toMatchObject({ summary: '', set_aside_count: 2 });
    fixture.erase();
    expect(fixture.memory.applyChange({ ...whole, summary: 'Otherwise.' }, 2)).toEqual(GONE);
  });

  test('a summary keeps a note that the user wrote, even if a deleted message said the same', async () => {
    const { fixture, entry } = await createRemembered();
    fixture.change({ entries: [{ text: entry.text }], known: [] }, 1);
    fixture.deleteFrom(m(8));
    expect(fixture.change(addLine(entry.text), 2).summary).toBe(`${entry.text}\nThe sea is warm.`);
  });
});
