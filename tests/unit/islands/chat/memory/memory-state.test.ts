import { describe, expect, test } from 'vitest';
import type {
  ChangeMemoryBody,
  MemoryEntryView,
  MemoryView,
} from '../../../../../src/features/conversation/memory/memory-contract.ts';
import { createMemory } from '../../../../../src/islands/chat/memory/memory-state.ts';
import { NETWORK_FAILURE, type Result } from '../../../../../src/islands/shared/api.ts';

const note = (id: string, fields: Partial<MemoryEntryView> = {}): MemoryEntryView => ({
  id,
  text: `What ${id} tells`,
  author: 'model',
  stale: false,
  source_message_ids: ['m1'],
  first_source_id: 'm1',
  changed_source_id: null,
  created_at: '2026-03-10T12:00:00.000Z',
  updated_at: '2026-03-10T12:00:00.000Z',
  ...fields,
});

/**
 * A server that applies changes, restores removed notes by their ids, makes a new note of a text written over a
 * missing one, and can be offline or refuse.
 */
function server(...entries: MemoryEntryView[]) {
  const sent: ChangeMemoryBody[] = [];
  const state = {
    entries,
    offline: false,
    refused: false,
    made: 0,
    gone: new Map(entries.map((entry) => [entry.id, entry])),
    view: { set_aside_count: 0, left_out: [] } as Pick<MemoryView, 'set_aside_count' | 'left_out'>,
  };
  const view = (): Result<MemoryView> =>
    state.offline
      ? NETWORK_FAILURE
      : { ok: true, data: { summary: '', entries: state.entries, ...state.view } };
  const api = {
    memory: async () => view(),
    changeMemory: async (_: string, change: ChangeMemoryBody) => {
      sent.push(change);
      if (state.refused)
        return { ok: false as const, status: 409, code: 'memory_source_deleted', error: 'Gone.' };
      if (!state.offline) {
        const listed = (change.entries ?? []).flatMap(({ id, text, rests_on: ground }): MemoryEntryView[] => {
          const known = id === undefined ? undefined : state.gone.get(id);
          if (known !== undefined) {
            if (known.text === text && ground === undefined) return [known];
            return [{ ...known, text, author: 'person', stale: false }];
          }
          if (id !== undefined && ground === undefined) return [];
          state.made += 1;
          return [note(`new${state.made}`, { text, author: 'person', source_message_ids: ground ?? [] })];
        });
        const unseen = state.entries.filter(
          ({ id }) => !(change.known ?? []).includes(id) && !listed.some((entry) => entry.id === id),
        );
        state.entries = [...unseen, ...listed].toSorted((a, b) => (a.id < b.id ? -1 : 1));
        for (const entry of state.entries) state.gone.set(entry.id, entry);
      }
      return view();
    },
  };
  return { api, sent, state };
}

async function loaded(...entries: MemoryEntryView[]) {
  const { api, sent, state } = server(...entries);
  const memory = createMemory(api, 'c1');
  await memory.load();
  const ids = () => memory.$memory.get().entries.map(({ id }) => id);
  return { memory, sent, state, ids, now: () => memory.$memory.get() };
}

describe('Memory panel', () => {
  test('the panel shows the notes, and reports when they cannot be loaded', async () => {
    const { memory, ids, state, now } = await loaded(note('a'), note('b'));
    expect(ids()).toEqual(['a', 'b']);
    state.offline = true;
    await memory.load();
    expect(now()).toMatchObject({ phase: 'failed', problem: { code: 'network' } });
  });

  test('a correction is saved at once and sends no other note, because others may be replaced already', async () => {
    const { memory, sent, now } = await loaded(note('a'), note('b'));
    expect(await memory.updateNote('b', 'Mine.')).toBe(true);
    expect(sent.at(-1)).toEqual({ entries: [{ id: 'b', text: 'Mine.', rests_on: ['m1'] }], known: [] });
    expect(now()).toMatchObject({ outcome: 'saved', saving: false, problem: null });
    expect(now().entries.at(-1)).toMatchObject({ id: 'b', text: 'Mine.', author: 'person' });
  });

  test('a change that cannot be saved leaves the shown notes as they are', async () => {
    const { memory, state, ids, now } = await loaded(note('a'));
    state.offline = true;
    expect(await memory.addNote('Mine.')).toBe(false);
    expect(now()).toMatchObject({ saving: false, problem: { code: 'network' } });
    expect(ids()).toEqual(['a']);
    state.offline = false;
    expect(await memory.addNote('Mine.')).toBe(true);
    expect(now().problem).toBeNull();
  });

  test('saving or undoing in an open panel restores no note that was replaced or erased', async () => {
    const { memory, state, ids, now } = await loaded(note('a'), note('b'));
    await memory.removeNote('b');
    state.entries = [note('fresh')];
    state.gone.clear();
    state.gone.set('fresh', note('fresh'));
    await memory.addNote('Mine.');
    expect(ids()).toEqual(['fresh', 'new1']);
    await memory.removeNote('a');
    await memory.undo();
    expect(ids()).toEqual(['fresh', 'new1']);
    expect(now().problem).toBeNull();
  });

  test('a correction to a note that was replaced meanwhile becomes a new note', async () => {
    const { memory, state, sent, now } = await loaded(note('a'), note('b'));
    state.entries = [note('fresh')];
    state.gone.clear();
    state.gone.set('fresh', note('fresh'));
    expect(await memory.updateNote('a', 'Mine.')).toBe(true);
    expect(sent).toHaveLength(1);
    expect(now().entries).toMatchObject([
      { id: 'fresh' },
      { id: 'new1', text: 'Mine.', source_message_ids: ['m1'] },
    ]);
    expect(now().outcome).toBe('saved');
  });

  test('a refused correction is reported, and the note stays visible', async () => {
    const { memory, state, ids, now } = await loaded(note('a'));
    state.refused = true;
    expect(await memory.updateNote('a', 'Mine.')).toBe(false);
    expect(now()).toMatchObject({ saving: false, outcome: null, problem: { code: 'memory_source_deleted' } });
    expect(ids()).toEqual(['a']);
  });

  test('undo restores removed notes and keeps those written since', async () => {
    const { memory, ids, now } = await loaded(note('a'), note('b'), note('c'));
    await memory.removeNote('b');
    expect(ids()).toEqual(['a', 'c']);
    await memory.undo();
    expect(ids()).toEqual(['a', 'b', 'c']);
    await memory.clearNotes();
    expect(now()).toMatchObject({ entries: [], outcome: 'cleared' });
    await memory.undo();
    expect(ids()).toEqual(['a', 'b', 'c']);
    expect(now()).toMatchObject({ outcome: 'restored', previousEntries: null });
    expect(await memory.undo()).toBe(false);
  });

  test('removing a note keeps notes that were added elsewhere', async () => {
    const { memory, state, ids } = await loaded(note('a'));
    state.entries = [...state.entries, note('meanwhile')];
    await memory.removeNote('a');
    expect(ids()).toEqual(['meanwhile']);
    await memory.undo();
    expect(ids().toSorted()).toEqual(['a', 'meanwhile']);
  });

  test("adopting an outdated note makes it the user's, with the same source messages", async () => {
    const { memory, now } = await loaded(note('a', { stale: true, stale_reason: 'changed' }));
    await memory.adoptNote('a');
    expect(now().entries).toMatchObject([
      { id: 'a', text: 'What a tells', author: 'person', stale: false, source_message_ids: ['m1'] },
    ]);
  });

  test('a refresh shows changes from elsewhere and keeps a note that is being edited', async () => {
    const { memory, state, ids, now } = await loaded(note('a'), note('b'));
    state.entries = [note('b', { text: 'Corrected elsewhere.', author: 'person' }), note('c')];
    memory.setEditing(new Set(['a']));
    await memory.refresh();
    expect(ids()).toEqual(['b', 'c', 'a']);
    expect(now()).toMatchObject({ phase: 'ready', outcome: null, problem: null });
    expect(now().entries[0]).toMatchObject({ text: 'Corrected elsewhere.' });
    await memory.updateNote('a', 'Mine.');
    expect(now().entries.map(({ text }) => text)).toContain('Mine.');
    memory.setEditing(new Set());
    await memory.refresh();
    state.offline = true;
    await memory.refresh();
    expect(now()).toMatchObject({ phase: 'ready', problem: null });
  });

  test('saving one note keeps another that is being edited, even if it was replaced meanwhile', async () => {
    const { memory, state, ids } = await loaded(note('a'), note('b'));
    memory.setEditing(new Set(['a']));
    state.entries = [note('b'), note('merged')];
    await memory.updateNote('b', 'Mine.');
    expect(ids()).toEqual(['b', 'merged', 'a']);
    await memory.removeNote('a');
    expect(ids()).toEqual(['b', 'merged']);
  });

  test('the panel shows how many notes are set aside and which are left out of the prompt', async () => {
    const { api, state } = server(note('a'));
    const left = { kind: 'note' as const, id: 'a', excerpt: 'What a', tokens: 9, in_part: false };
    state.view = { set_aside_count: 2, left_out: [left] };
    const memory = createMemory(api, 'c1');
    await memory.load();
    expect(memory.$memory.get()).toMatchObject({ setAside: 2, leftOut: [left] });
    state.view = { set_aside_count: 0, left_out: [] };
    await memory.addNote('Mine.');
    expect(memory.$memory.get()).toMatchObject({ setAside: 0, leftOut: [] });
  });

  test('the panel runs one change at a time', async () => {
    const { memory, sent } = await loaded(note('a'), note('b'));
    const both = await Promise.all([memory.removeNote('a'), memory.removeNote('b')]);
    expect(both).toEqual([true, false]);
    expect(sent).toHaveLength(1);
  });
});
