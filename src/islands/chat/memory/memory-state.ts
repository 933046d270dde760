import { atom, type ReadableAtom } from 'nanostores';
import type {
  ChangeMemoryBody,
  ContextRecord,
  OmittedItem,
  MemoryEntryView,
  MemoryView,
} from '../../../features/conversation/memory/memory-contract.ts';
import {
  client,
  readJson,
  encodePathPart,
  type Client,
  type Failure,
  type Result,
} from '../../shared/api.ts';

/** The calls about what is remembered, and what the model saw. Tests put their own in its place. */
export interface MemoryApi {
  memory(conversationId: string): Promise<Result<MemoryView>>;
  changeMemory(conversationId: string, change: ChangeMemoryBody): Promise<Result<MemoryView>>;
  context(conversationId: string, messageId: string): Promise<Result<ContextRecord>>;
}

export function createMemoryApi({ conversations }: Client): MemoryApi {
  const one = conversations[':id'];
  return {
    memory: (id) => readJson(one.memory.$get({ param: { id: encodePathPart(id) } })),
    changeMemory: (id, change) =>
      readJson(one.memory.$put({ param: { id: encodePathPart(id) }, json: change })),
    context: (id, messageId) =>
      readJson(
        one.messages[':mid'].context.$get({
          param: { id: encodePathPart(id), mid: encodePathPart(messageId) },
        }),
      ),
  };
}

export const memoryApi: MemoryApi = createMemoryApi(client);

export interface MemoryState {
  phase: 'loading' | 'ready' | 'failed';
  /** Why it could not be loaded, or the last change not be saved. */
  problem: Failure | null;
  entries: readonly MemoryEntryView[];
  /** Notes that wait for deleted messages; their words are not shown. */
  setAside: number;
  /** What of notes and pinned messages the model would not be told now. */
  leftOut: readonly OmittedItem[];
  /** What the last change did, to be said; null before any. */
  outcome: 'saved' | 'kept' | 'removed' | 'cleared' | 'restored' | null;
  saving: boolean;
  /** The notes as they were before something was taken out of them; null when there is nothing to take back. */
  previousEntries: readonly MemoryEntryView[] | null;
}

/** What a person can do with what a conversation remembers. Every change is saved at once. */
export interface Memory {
  $memory: ReadableAtom<MemoryState>;
  load(): Promise<void>;
  /** Tells whose words are being changed here: those notes stay, should they be gone or replaced meanwhile. */
  setEditing(ids: ReadonlySet<string>): void;
  /** Looks again, in silence: something was done elsewhere. */
  refresh(): Promise<void>;
  /** @returns whether it was saved */
  updateNote(id: string, text: string): Promise<boolean>;
  addNote(text: string): Promise<boolean>;
  /** Takes up a note that was set aside, as one of the person's own: only its messages' deletion can hide it now. */
  adoptNote(id: string): Promise<boolean>;
  removeNote(id: string): Promise<boolean>;
  clearNotes(): Promise<boolean>;
  /** Takes the last removal back. */
  undo(): Promise<boolean>;
}

type Note = NonNullable<ChangeMemoryBody['entries']>[number];

export function createMemory(api: Omit<MemoryApi, 'context'>, conversationId: string): Memory {
  const $memory = atom<MemoryState>({
    phase: 'loading',
    problem: null,
    entries: [],
    setAside: 0,
    leftOut: [],
    outcome: null,
    saving: false,
    previousEntries: null,
  });
  const now = () => $memory.get();
  /** The messages of every note that stood here: one that is written over may be replaced by now. */
  const sources = new Map<string, string[]>();
  const toState = (view: MemoryView) => {
    for (const { id, source_message_ids: ground } of view.entries) sources.set(id, ground);
    return { entries: view.entries, setAside: view.set_aside_count, leftOut: view.left_out };
  };
  let editing: ReadonlySet<string> = new Set();
  /** The notes that are there now, and those that somebody writes over here. */
  const mergeView = (view: MemoryView, changed: ReadonlySet<string> = new Set()) => {
    const there = new Set(view.entries.map(({ id }) => id));
    const kept = now().entries.filter(({ id }) => editing.has(id) && !there.has(id) && !changed.has(id));
    const fresh = toState(view);
    return { ...fresh, entries: [...fresh.entries, ...kept] };
  };
  const toNote = (id: string, text: string): Note => ({ id, text, rests_on: sources.get(id) });

  /**
   * Saves what changes and nothing else: what stands here of the other notes may be replaced by now.
   * @param entries corrected, had back or new
   * @param removedIds the ids of those to be removed
   */
  async function save(
    entries: Note[],
    removedIds: string[],
    outcome: NonNullable<MemoryState['outcome']>,
    previousEntries: MemoryState['previousEntries'] = null,
  ): Promise<boolean> {
    if (now().saving) return false;
    $memory.set({ ...now(), saving: true, problem: null, outcome: null });
    const answer = await api.changeMemory(conversationId, { entries, known: removedIds });
    const changed = new Set([...entries.flatMap(({ id }) => id ?? []), ...removedIds]);
    if (answer.ok)
      $memory.set({
        ...now(),
        saving: false,
        ...mergeView(answer.data, changed),
        outcome,
        previousEntries,
      });
    else $memory.set({ ...now(), saving: false, problem: answer });
    return answer.ok;
  }

  return {
    $memory,
    async load() {
      $memory.set({ ...now(), phase: 'loading', problem: null });
      const answer = await api.memory(conversationId);
      $memory.set(
        answer.ok
          ? { ...now(), phase: 'ready', ...toState(answer.data) }
          : { ...now(), phase: 'failed', problem: answer },
      );
    },
    setEditing: (ids) => void (editing = ids),
    async refresh() {
      const before = now();
      if (before.phase !== 'ready') return;
      const answer = await api.memory(conversationId);
      // What was done here meanwhile has brought newer ones.
      if (!answer.ok || now().saving || now().entries !== before.entries) return;
      $memory.set({ ...now(), ...mergeView(answer.data) });
    },
    updateNote: (id, text) => save([toNote(id, text)], [], 'saved'),
    addNote: (text) => save([{ text }], [], 'saved'),
    async adoptNote(id) {
      const note = now().entries.find((entry) => entry.id === id);
      return note !== undefined && save([toNote(id, note.text)], [], 'kept');
    },
    removeNote: (id) => save([], [id], 'removed', now().entries),
    clearNotes: () =>
      save(
        [],
        now().entries.map(({ id }) => id),
        'cleared',
        now().entries,
      ),
    async undo() {
      const { previousEntries: before, entries } = now();
      if (before === null) return false;
      const there = new Set(entries.map(({ id }) => id));
      const back = before.filter(({ id }) => !there.has(id)).map(({ id, text }) => ({ id, text }));
      return save(back, [], 'restored');
    },
  };
}
