import { atom, type ReadableAtom } from 'nanostores';
import type { CreatePersonaBody, Persona } from '../../features/persona/contract.ts';
import type { Failure, Result } from '../shared/api.ts';
import { retryAfterSignIn, type SessionAccess, pageSession } from '../sign-in/reauthenticate.ts';
import { personasApi, type PersonasApi } from './personas-api.ts';

export interface PersonasState {
  /** `idle` before the first request. Known personas stay while they are fetched again. */
  status: 'idle' | 'loading' | 'ready' | 'failed';
  items: readonly Persona[];
  /** Number of personas, and the limit of the user's plan. */
  count: number;
  limit: number;
  /** The limit with a membership. */
  memberLimit: number;
  /** Cursor of the next page; null at the end. */
  nextCursor: string | null;
  more: 'idle' | 'loading' | 'failed';
  /** Id of the persona with an action in progress. */
  busyId: string | null;
}

/** The fields of a persona that the form sends; a character or picture that is left out stays. */
export type PersonaFields = Required<Pick<CreatePersonaBody, 'name' | 'description' | 'is_default'>> &
  Pick<CreatePersonaBody, 'character_id' | 'avatar_id'>;

/** A deletion that the server does not know of yet; afterwards the persona is in the trash. */
export interface PendingRemoval {
  /** @returns false if it was already deleted */
  undoRemoval(): boolean;
  /** Deletes the persona once, unless the deletion was undone. A failure puts it back into the list. */
  confirmRemoval(): Promise<Failure | null>;
}

/** State of the user's personas. Actions resolve to the failure, or to null on success. */
export interface PersonasStore {
  $personas: ReadableAtom<PersonasState>;
  /** Fetches the newest personas; of overlapping calls the latest one counts. */
  load(): Promise<void>;
  showMore(): Promise<void>;
  /** Creates a persona, or changes the one with the id. A new one is inserted at the top. */
  save(id: string | null, fields: PersonaFields): Promise<Result<Persona>>;
  /** Deletes a persona. Succeeds if it is already gone. */
  remove(id: string): Promise<Failure | null>;
  /** Hides a persona and prepares its deletion; null if it is not in the list. */
  scheduleRemoval(id: string): PendingRemoval | null;
  /** Carries out all scheduled deletions now. */
  confirmRemovals(): Promise<void>;
  makeDefault(id: string): Promise<Failure | null>;
  clearDefault(): Promise<Failure | null>;
  /** Clears all data; another user is signed in. */
  reset(): void;
}

export interface PersonasDeps {
  api: PersonasApi;
  asker: SessionAccess;
}

export const EMPTY_PERSONAS: PersonasState = {
  status: 'idle',
  items: [],
  count: 0,
  limit: 0,
  memberLimit: 0,
  nextCursor: null,
  more: 'idle',
  busyId: null,
};

/** Whether the limit is reached. */
export function hasMaxPersonas({ status, count, limit }: PersonasState): boolean {
  return status === 'ready' && count >= limit;
}

/** Whether a former guest has more personas than the plan allows; a deleted one then cannot be restored until others are deleted. */
export function isOverLimit({ status, count, limit }: PersonasState): boolean {
  return status === 'ready' && count > limit;
}

export function createPersonasStore({ api, asker }: PersonasDeps): PersonasStore {
  const $personas = atom<PersonasState>(EMPTY_PERSONAS);
  let latest = 0;
  // Personas hidden from the list, and those of them that are not deleted yet.
  const hiddenIds = new Set<string>();
  const pendingRemovals = new Map<string, () => Promise<Failure | null>>();

  const change = (part: Partial<PersonasState>) => $personas.set({ ...$personas.get(), ...part });

  /** Runs an action on a persona and marks it as busy. */
  async function runBusy<T>(id: string | null, call: () => Promise<Result<T>>): Promise<Result<T>> {
    change({ busyId: id });
    const answer = await retryAfterSignIn(call, asker);
    change({ busyId: null });
    return answer;
  }

  const shown = (items: readonly Persona[]) => items.filter(({ id }) => !hiddenIds.has(id));

  /** Puts a persona back into its place. It loses its default flag if another one is the default now. */
  function reinsert(persona: Persona, at: number): void {
    hiddenIds.delete(persona.id);
    const { items, count } = $personas.get();
    const isDefault = persona.is_default && !items.some((item) => item.is_default);
    change({ items: items.toSpliced(at, 0, { ...persona, is_default: isDefault }), count: count + 1 });
  }

  /** Replaces a persona in the list, or inserts it at the top. A new default clears the previous one. */
  function replacePersona(items: readonly Persona[], changed: Persona): Persona[] {
    const others = items.map((item) =>
      changed.is_default && item.is_default ? { ...item, is_default: false } : item,
    );
    return others.some(({ id }) => id === changed.id)
      ? others.map((item) => (item.id === changed.id ? changed : item))
      : [changed, ...others];
  }

  async function load(): Promise<void> {
    const call = ++latest;
    change({ status: 'loading' });
    const answer = await retryAfterSignIn(() => api.list(), asker);
    if (call !== latest) return;
    if (!answer.ok) return change({ status: 'failed' });
    const { items, count, limit, member_limit: memberLimit, next_cursor: nextCursor } = answer.data;
    change({
      status: 'ready',
      items: shown(items),
      count: Math.max(0, count - pendingRemovals.size),
      limit,
      memberLimit,
      nextCursor,
      more: 'idle',
    });
  }

  async function confirmRemovals(): Promise<void> {
    await Promise.all([...pendingRemovals.values()].map((go) => go()));
  }

  return {
    $personas,
    load,
    confirmRemovals,
    async showMore() {
      const { nextCursor, more } = $personas.get();
      if (nextCursor === null || more === 'loading') return;
      const call = latest;
      change({ more: 'loading' });
      const answer = await retryAfterSignIn(() => api.list(nextCursor), asker);
      if (call !== latest) return;
      if (!answer.ok) return change({ more: 'failed' });
      const known = new Set($personas.get().items.map(({ id }) => id));
      change({
        more: 'idle',
        items: [...$personas.get().items, ...shown(answer.data.items).filter(({ id }) => !known.has(id))],
        count: Math.max(0, answer.data.count - pendingRemovals.size),
        nextCursor: answer.data.next_cursor,
      });
    },
    async save(id, fields) {
      const { count: keptItems, limit } = $personas.get();
      // The server still counts pending deletions; run them now if a new persona needs the room.
      if (id === null && keptItems + pendingRemovals.size >= limit) await confirmRemovals();
      const answer = await runBusy(id, () => (id === null ? api.create(fields) : api.change(id, fields)));
      // The limit was reached elsewhere, so the list is outdated.
      if (!answer.ok && answer.code === 'persona_limit') await load();
      if (!answer.ok) return answer;
      const { items, count } = $personas.get();
      change({ items: replacePersona(items, answer.data), count: id === null ? count + 1 : count });
      return answer;
    },
    async remove(id) {
      const answer = await runBusy(id, () => api.remove(id));
      if (!answer.ok && answer.status !== 404) return answer;
      const { items, count } = $personas.get();
      change({ items: items.filter((item) => item.id !== id), count: Math.max(0, count - 1) });
      return null;
    },
    scheduleRemoval(id) {
      const { items, count } = $personas.get();
      const at = items.findIndex((item) => item.id === id);
      const persona = items[at];
      if (!persona) return null;
      hiddenIds.add(id);
      change({ items: shown(items), count: Math.max(0, count - 1) });
      const go = async () => {
        if (!pendingRemovals.delete(id)) return null;
        const answer = await api.remove(id);
        if (answer.ok || answer.status === 404) return null;
        reinsert(persona, at);
        return answer;
      };
      pendingRemovals.set(id, go);
      return {
        confirmRemoval: go,
        undoRemoval() {
          if (!pendingRemovals.delete(id)) return false;
          reinsert(persona, at);
          return true;
        },
      };
    },
    async makeDefault(id) {
      const answer = await runBusy(id, () => api.makeDefault(id));
      if (!answer.ok) return answer;
      change({ items: replacePersona($personas.get().items, answer.data) });
      return null;
    },
    async clearDefault() {
      const before = $personas.get().items.find((item) => item.is_default);
      const answer = await runBusy(before?.id ?? null, () => api.clearDefault());
      if (!answer.ok) return answer;
      const cleared = (item: Persona) => (item.is_default ? { ...item, is_default: false } : item);
      change({ items: $personas.get().items.map(cleared) });
      return null;
    },
    reset() {
      latest += 1;
      hiddenIds.clear();
      for (const go of pendingRemovals.values()) void go();
      $personas.set(EMPTY_PERSONAS);
    },
  };
}

export const personasStore: PersonasStore = createPersonasStore({
  api: personasApi,
  asker: pageSession,
});
