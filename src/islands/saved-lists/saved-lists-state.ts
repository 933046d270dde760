import { atom, type ReadableAtom } from 'nanostores';
import type { HiddenList } from '../../features/character/contract.ts';
import type { Failure } from '../shared/api.ts';
import { type Choice, type ChoiceKind, choicesApi, type ChoicesApi } from './saved-lists-api.ts';
import { deviceStorage } from '../shared/device-storage.ts';
import { keepHidden, readKeptHidden } from './cached-hidden.ts';
import type { TextStorage } from '../shared/outbox.ts';

export interface ChoicesState {
  /** Whose choices these are; null while nobody with an account is known to be here. */
  owner: string | null;
  /** Favourites and follows, as far as they were asked for. */
  chosen: ReadonlyMap<string, boolean>;
  /** What is left out of lists; null while that is not known. */
  hidden: HiddenList | null;
  /** Whether the last try to fetch it failed. */
  hiddenFailed: boolean;
}

/** What somebody keeps, follows and hides, on this page. */
export interface Choices {
  $choices: ReadableAtom<ChoicesState>;
  /** Somebody is here, or nobody with an account: what another chose is forgotten, what this device knows is there. */
  begin(owner: string | null): void;
  /** Asks whether something is chosen, unless that is known. */
  ask(kind: 'favourite' | 'follow', id: string): Promise<void>;
  /** What a list tells by having it. */
  know(kind: 'favourite' | 'follow', ids: readonly string[]): void;
  loadHidden(): Promise<void>;
  /**
   * Chooses something, or takes that back. It shows at once; of several presses the last one counts, and what cannot be
   * saved is as it was before.
   */
  choose(choice: Choice, on: boolean): Promise<Failure | null>;
}

export interface ChoicesDeps {
  api: ChoicesApi;
  storage(): TextStorage | null;
  /** Milliseconds since 1970. */
  now(): number;
}

const NOTHING: HiddenList = { tags: [], creators: [] };
const NO_CHOICES: ChoicesState = { owner: null, chosen: new Map(), hidden: null, hiddenFailed: false };

const keyOf = (kind: ChoiceKind, id: string): string => `${kind}:${id}`;

/** Whether something is chosen; undefined while that is not known. */
export function isChosen(
  { chosen, hidden }: Pick<ChoicesState, 'chosen' | 'hidden'>,
  { kind, id }: Pick<Choice, 'kind' | 'id'>,
): boolean | undefined {
  if (kind === 'tag') return hidden?.tags.includes(id);
  if (kind === 'creator') return hidden?.creators.some((creator) => creator.id === id);
  return chosen.get(keyOf(kind, id));
}

/** What is hidden with one thing more, or without it. */
function changed(hidden: HiddenList, { kind, id, name }: Choice, on: boolean): HiddenList {
  if (kind === 'tag') {
    const tags = hidden.tags.filter((tag) => tag !== id);
    return { ...hidden, tags: on ? [id, ...tags] : tags };
  }
  const creators = hidden.creators.filter((creator) => creator.id !== id);
  return { ...hidden, creators: on ? [{ id, name }, ...creators] : creators };
}

/** What somebody chose, as a state machine. It knows no React; the API and the storage come in. */
export function createChoices({ api, storage, now }: ChoicesDeps): Choices {
  const $choices = atom<ChoicesState>(NO_CHOICES);
  const change = (part: Partial<ChoicesState>) => $choices.set({ ...$choices.get(), ...part });
  /** What the server has, what it shall have, and what is on its way, each by its key. */
  let settled = new Map<string, boolean>();
  let wanted = new Map<string, boolean>();
  let running = new Map<string, Promise<Failure | null>>();
  /** Counts changes of what is hidden: a list that was asked for before one is old. */
  let changes = 0;

  function setHidden(hidden: HiddenList): void {
    const { owner } = $choices.get();
    change({ hidden, hiddenFailed: false });
    if (owner !== null) keepHidden(storage(), owner, hidden, now());
  }

  function show(choice: Choice, on: boolean): void {
    const { chosen, hidden } = $choices.get();
    if (choice.kind === 'favourite' || choice.kind === 'follow')
      return change({ chosen: new Map(chosen).set(keyOf(choice.kind, choice.id), on) });
    changes += 1;
    setHidden(changed(hidden ?? NOTHING, choice, on));
  }

  /** Tells the server until it has what was wanted last. */
  async function settle(choice: Choice, key: string, owner: string | null): Promise<Failure | null> {
    for (;;) {
      const on = wanted.get(key) === true;
      if (settled.get(key) === on) return null;
      const answer = await api.choose(choice.kind, choice.id, on);
      // Somebody else is here now: what they chose is not touched.
      if ($choices.get().owner !== owner) return null;
      if (answer.ok) settled.set(key, on);
      else if (wanted.get(key) === on) {
        show(choice, !on);
        return answer;
      }
    }
  }

  return {
    $choices,
    begin(owner) {
      if (owner === $choices.get().owner) return;
      [settled, wanted, running] = [new Map(), new Map(), new Map()];
      changes += 1;
      $choices.set({
        ...NO_CHOICES,
        owner,
        hidden: owner === null ? null : readKeptHidden(storage(), owner),
      });
    },
    async ask(kind, id) {
      const { owner } = $choices.get();
      const key = keyOf(kind, id);
      if (owner === null || $choices.get().chosen.has(key)) return;
      const answer = await api.isChosen(kind, id);
      const now = $choices.get();
      if (!answer.ok || now.owner !== owner || now.chosen.has(key)) return;
      change({ chosen: new Map(now.chosen).set(key, answer.data) });
    },
    know(kind, ids) {
      const chosen = new Map($choices.get().chosen);
      for (const id of ids) if (!chosen.has(keyOf(kind, id))) chosen.set(keyOf(kind, id), true);
      change({ chosen });
    },
    async loadHidden() {
      const [{ owner }, then] = [$choices.get(), changes];
      if (owner === null) return;
      const answer = await api.hidden();
      if (then !== changes || owner !== $choices.get().owner) return;
      if (answer.ok) setHidden(answer.data);
      else change({ hiddenFailed: true });
    },
    choose(choice, on) {
      const key = keyOf(choice.kind, choice.id);
      if (!running.has(key)) settled.set(key, isChosen($choices.get(), choice) ?? !on);
      wanted.set(key, on);
      show(choice, on);
      const known = running.get(key);
      if (known !== undefined) return known;
      const mine = running;
      const run = settle(choice, key, $choices.get().owner).finally(() => mine.delete(key));
      running.set(key, run);
      return run;
    },
  };
}

/** The choices of a page. */
export const choices: Choices = createChoices({ api: choicesApi, storage: deviceStorage, now: Date.now });
