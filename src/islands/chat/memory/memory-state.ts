import { atom, type ReadableAtom } from 'nanostores';
import type {
  ChangeMemoryBody,
  ContextRecord,
  LeftOut,
  MemoryEntryView,
  MemoryView,
} from '../../../features/conversation/memory/memory-contract.ts';
import { client, dataOf, inPath, type Client, type Failure, type Result } from '../../shared/api.ts';

/** The calls about what is remembered, and what the model saw. Tests put their own in its place. */
export interface MemoryApi {
  memory(conversationId: string): Promise<Result<MemoryView>>;
  changeMemory(conversationId: string, change: ChangeMemoryBody): Promise<Result<MemoryView>>;
  context(conversationId: string, messageId: string): Promise<Result<ContextRecord>>;
}

export function createMemoryApi({ conversations }: Client): MemoryApi {
  const one = conversations[':id'];
  return {
    memory: (id) => dataOf(one.memory.$get({ param: { id: inPath(id) } })),
    changeMemory: (id, change) => dataOf(one.memory.$put({ param: { id: inPath(id) }, json: change })),
    context: (id, messageId) =>
      dataOf(one.messages[':mid'].context.$get({ param: { id: inPath(id), mid: inPath(messageId) } })),
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
  leftOut: readonly LeftOut[];
  /** What the last change did, to be said; null before any. */
  done: 'saved' | 'kept' | 'removed' | 'cleared' | 'restored' | null;
  saving: boolean;
  /** The notes as they were before something was taken out of them; null when there is nothing to take back. */
  before: readonly MemoryEntryView[] | null;
}

/** What a person can do with what a conversation remembers. Every change is saved at once. */
export interface Memory {
  $memory: ReadableAtom<MemoryState>;
  load(): Promise<void>;
  /** Tells whose words are being changed here: those notes stay, should they be gone or replaced meanwhile. */
  writes(ids: ReadonlySet<string>): void;
  /** Looks again, in silence: something was done elsewhere. */
  refresh(): Promise<void>;
  /** @returns whether it was saved */
  correct(id: string, text: string): Promise<boolean>;
  add(text: string): Promise<boolean>;
  /** Takes up a note that was set aside, as one of the person's own: only its messages' deletion can hide it now. */
  keep(id: string): Promise<boolean>;
  remove(id: string): Promise<boolean>;
  clear(): Promise<boolean>;
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
    done: null,
    saving: false,
    before: null,
  });
  const now = () => $memory.get();
  /** The messages of every note that stood here: one that is written over may be replaced by now. */
  const grounds = new Map<string, string[]>();
  const shown = (view: MemoryView) => {
    for (const { id, source_message_ids: ground } of view.entries) grounds.set(id, ground);
    return { entries: view.entries, setAside: view.set_aside_count, leftOut: view.left_out };
  };
  let writing: ReadonlySet<string> = new Set();
  /** The notes that are there now, and those that somebody writes over here. */
  const latest = (view: MemoryView, changed: ReadonlySet<string> = new Set()) => {
    const there = new Set(view.entries.map(({ id }) => id));
    const kept = now().entries.filter(({ id }) => writing.has(id) && !there.has(id) && !changed.has(id));
    const fresh = shown(view);
    return { ...fresh, entries: [...fresh.entries, ...kept] };
  };
  const written = (id: string, text: string): Note => ({ id, text, rests_on: grounds.get(id) });

  /**
   * Saves what changes and nothing else: what stands here of the other notes may be replaced by now.
   * @param entries corrected, had back or new
   * @param gone the ids of those to be removed
   */
  async function save(
    entries: Note[],
    gone: string[],
    done: NonNullable<MemoryState['done']>,
    before: MemoryState['before'] = null,
  ): Promise<boolean> {
    if (now().saving) return false;
    $memory.set({ ...now(), saving: true, problem: null, done: null });
    const answer = await api.changeMemory(conversationId, { entries, known: gone });
    const changed = new Set([...entries.flatMap(({ id }) => id ?? []), ...gone]);
    if (answer.ok) $memory.set({ ...now(), saving: false, ...latest(answer.data, changed), done, before });
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
          ? { ...now(), phase: 'ready', ...shown(answer.data) }
          : { ...now(), phase: 'failed', problem: answer },
      );
    },
    writes: (ids) => void (writing = ids),
    async refresh() {
      const before = now();
      if (before.phase !== 'ready') return;
      const answer = await api.memory(conversationId);
      // What was done here meanwhile has brought newer ones.
      if (!answer.ok || now().saving || now().entries !== before.entries) return;
      $memory.set({ ...now(), ...latest(answer.data) });
    },
    correct: (id, text) => save([written(id, text)], [], 'saved'),
    add: (text) => save([{ text }], [], 'saved'),
    async keep(id) {
      const note = now().entries.find((entry) => entry.id === id);
      return note !== undefined && save([written(id, note.text)], [], 'kept');
    },
    remove: (id) => save([], [id], 'removed', now().entries),
    clear: () =>
      save(
        [],
        now().entries.map(({ id }) => id),
        'cleared',
        now().entries,
      ),
    async undo() {
      const { before, entries } = now();
      if (before === null) return false;
      const there = new Set(entries.map(({ id }) => id));
      const back = before.filter(({ id }) => !there.has(id)).map(({ id, text }) => ({ id, text }));
      return save(back, [], 'restored');
    },
  };
}
