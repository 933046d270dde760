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

/** The API calls for memory notes and context records. Tests replace them. */
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
  /** Why loading, or saving the last change, failed. */
  problem: Failure | null;
  entries: readonly MemoryEntryView[];
  /** Number of notes hidden because their messages are deleted. */
  setAside: number;
  /** Notes and pinned messages that do not fit into the model's context now. */
  leftOut: readonly OmittedItem[];
  /** The result of the last change, to announce; null before any. */
  outcome: 'saved' | 'kept' | 'removed' | 'cleared' | 'restored' | null;
  saving: boolean;
  /** The notes before the last removal; null when there is nothing to undo. */
  previousEntries: readonly MemoryEntryView[] | null;
}

/** Operations on a conversation's memory notes. Every change is saved at once. */
export interface Memory {
  $memory: ReadableAtom<MemoryState>;
  load(): Promise<void>;
  /**
   * Sets the ids of the notes that are being edited. Those stay in the list when they are removed or replaced elsewhere.
   */
  setEditing(ids: ReadonlySet<string>): void;
  /** Loads the notes again without a loading state, after a change elsewhere. */
  refresh(): Promise<void>;
  /** @returns whether the change was saved */
  updateNote(id: string, text: string): Promise<boolean>;
  addNote(text: string): Promise<boolean>;
  /** Adopts a set-aside note as one of the user's own, so that only deleting its messages can hide it again. */
  adoptNote(id: string): Promise<boolean>;
  removeNote(id: string): Promise<boolean>;
  clearNotes(): Promise<boolean>;
  /** Undoes the last removal. */
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
  /**
   * Source messages of every note seen here. An edited note may have been replaced on the server by the time it is saved.
   */
  const sources = new Map<string, string[]>();
  const toState = (view: MemoryView) => {
    for (const { id, source_message_ids: ground } of view.entries) sources.set(id, ground);
    return { entries: view.entries, setAside: view.set_aside_count, leftOut: view.left_out };
  };
  let editing: ReadonlySet<string> = new Set();
  /** The current notes, plus those that are being edited here. */
  const mergeView = (view: MemoryView, changed: ReadonlySet<string> = new Set()) => {
    const there = new Set(view.entries.map(({ id }) => id));
    const kept = now().entries.filter(({ id }) => editing.has(id) && !there.has(id) && !changed.has(id));
    const fresh = toState(view);
    return { ...fresh, entries: [...fresh.entries, ...kept] };
  };
  const toNote = (id: string, text: string): Note => ({ id, text, rests_on: sources.get(id) });

  /**
   * Sends only the changes, because other notes may have been replaced on the server.
   * @param entries edited, restored and new notes
   * @param removedIds the ids of the notes to remove
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
      // A change made here in the meantime has loaded newer notes.
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
