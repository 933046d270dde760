import { atom, type ReadableAtom } from 'nanostores';
import type { Clock } from '../shared/clock.ts';
import type { Failure, Result } from '../shared/api.ts';
import { getRetryDelayMs, type TabLocks } from '../shared/outbox.ts';
import { createThrottle } from '../shared/ui/throttle.ts';
import { retryAfterSignIn } from '../sign-in/reauthenticate.ts';
import {
  type ArchiveRefusal,
  openArchive,
  readArchiveEntry,
  readRange,
  type SlicedFile,
} from './archive-file.ts';
import { countKinds, listItems, type MoveInItem, type MoveInList } from './backup-items.ts';
import {
  HEAD_BYTES,
  detectFileKind,
  ITEM_KINDS,
  type ItemKind,
  MAX_ENTRY_BYTES,
  type OtherArchive,
  type OtherFile,
  readBackupLayout,
} from './backup-layout.ts';
import { type BackupPersona, readPersonas } from './backup-personas.ts';
import type { MoveInApi } from './move-in-api.ts';
import { moveItem, type MoveDeps, PAUSED, type PortraitMaker } from './move-item.ts';
import { type Outcome, type ProgressStore, type SavedProgress, toSavedOutcome } from './saved-progress.ts';

/** Why moving in waits; it continues by itself. `day`: the files of one day are used up. */
export type WaitReason = 'network' | 'rate' | 'day' | 'server';

export interface MoveInState {
  /**
   * `idle`: no archive; `refused`: the chosen file is none; `ready`: not started; `stopped`: by a failure that concerns
   * all items; `elsewhere`: another tab is moving in.
   */
  phase: 'idle' | 'opening' | 'refused' | 'ready' | 'running' | 'paused' | 'stopped' | 'elsewhere' | 'done';
  /** Name of the archive. */
  name: string;
  refusal: OtherFile | OtherArchive | ArchiveRefusal | null;
  items: readonly MoveInItem[];
  /** By position in `items`. */
  outcomes: readonly Outcome[];
  chosen: readonly ItemKind[];
  /** Position of the item that is being moved. */
  current: number | null;
  /** Until when a running move waits, in milliseconds since the epoch. */
  wait: { reason: WaitReason; until: number } | null;
  failure: Failure | null;
  /** Whether the device keeps the progress. */
  isSaved: boolean;
  /** Progress of an earlier visit, of the archive that has to be chosen again. */
  earlier: SavedProgress | null;
}

export const NO_ARCHIVE: MoveInState = {
  phase: 'idle',
  name: '',
  refusal: null,
  items: [],
  outcomes: [],
  chosen: [],
  current: null,
  wait: null,
  failure: null,
  isSaved: true,
  earlier: null,
};

export interface MoveIn {
  $moveIn: ReadableAtom<MoveInState>;
  /** Shows the progress of an earlier visit. @param who id of the account */
  openFor(who: string): void;
  /** Ends everything, for another account or none. */
  close(): void;
  /** Reads what a file has. */
  choose(file: SlicedFile): Promise<void>;
  /** Chooses whether a kind is moved in. */
  chooseKind(kind: ItemKind, isChosen: boolean): void;
  /** Starts or resumes. Resolves when it ends for any reason. */
  start(): Promise<void>;
  pause(): void;
  /** Makes failed items pending, and starts. @param item one of them; all by default */
  retry(item?: MoveInItem): Promise<void>;
  /** Saves the progress at once, before the page may be closed. */
  saveNow(): void;
}

export interface MoveInDeps {
  api: MoveInApi;
  portraits: PortraitMaker;
  progress: ProgressStore;
  clock: Clock;
  /** Null when the browser has none. */
  locks: TabLocks | null;
  /** Asks the user to sign in again after the session ended. @returns the id of the signed-in user; null for none */
  signIn(): Promise<string | null>;
  /** Calls back when the network returns. @returns ends that */
  onOnline(run: () => void): () => void;
}

/** A saved progress may be this old, in milliseconds; the rest is sent once more, and nothing is made twice. */
const SAVE_DELAY_MS = 1000;
/** Computers sleep during long waits, and timers with them: look at the clock this often. */
const MAX_TIMER_MS = 30_000;
/** Without `Retry-After`, in milliseconds: the period of the rate limits. */
const RATE_WAIT_MS = 60_000;
/** Requests that a server error is answered to before the item counts as failed. */
const MAX_SERVER_ERRORS = 5;

/** How long to wait before a failed request is repeated; null if repeating does not help. */
function planWait(failure: Failure, failures: number): { reason: WaitReason; ms: number } | null {
  const { status, code, retryAfter } = failure;
  if (status === 0 && code === 'network') return { reason: 'network', ms: getRetryDelayMs(failures) };
  if (status === 429) {
    const ms = retryAfter === undefined ? RATE_WAIT_MS : retryAfter * 1000;
    return { reason: code === 'too_many_imports' ? 'day' : 'rate', ms };
  }
  if (status < 500 || failures >= MAX_SERVER_ERRORS) return null;
  return { reason: 'server', ms: (retryAfter ?? 0) * 1000 || getRetryDelayMs(failures) };
}

/** The failure after an error that is not expected; it has the text of any other error. */
const UNEXPECTED: Failure = { ok: false, status: 0, code: 'unexpected', error: '' };

/** Returns the saved outcomes, and those of the other items. */
const restoreOutcomes = (
  { items, outcomes }: Pick<MoveInState, 'items' | 'outcomes'>,
  saved: SavedProgress['outcomes'],
): Outcome[] =>
  items.map(({ id, kind }, index) => {
    const outcome = kind !== null && Object.hasOwn(saved, id) ? saved[id] : undefined;
    return outcome ?? (outcomes[index] as Outcome);
  });

export function createMoveIn(deps: MoveInDeps): MoveIn {
  const { api, portraits, progress, clock, locks, signIn, onOnline } = deps;
  const $moveIn = atom<MoveInState>(NO_ARCHIVE);
  let who: string | null = null;
  let archive: SlicedFile | null = null;
  let fingerprint = '';
  let run = new AbortController();
  let lastRun: Promise<unknown> = Promise.resolve();
  let opening = 0;
  const saving = createThrottle(clock, SAVE_DELAY_MS, save);

  const set = (part: Partial<MoveInState>) => $moveIn.set({ ...$moveIn.get(), ...part });

  function save(): void {
    const { name, items, outcomes, chosen } = $moveIn.get();
    if (who === null || archive === null || fingerprint === '') return;
    const kept = items.flatMap(({ id, kind }, index): [string, Outcome][] => {
      const outcome = outcomes[index];
      return kind === null || outcome === undefined || outcome.state === 'pending'
        ? []
        : [[id, toSavedOutcome(outcome)]];
    });
    const total = items.filter(({ kind }) => kind !== null && chosen.includes(kind)).length;
    const stored = { fingerprint, name, total, chosen: [...chosen], outcomes: Object.fromEntries(kept) };
    set({ isSaved: progress.write(who, stored) });
  }

  function setOutcome(item: MoveInItem, outcome: Outcome): void {
    const { items, outcomes } = $moveIn.get();
    const index = items.indexOf(item);
    if (index === -1) return;
    set({ outcomes: outcomes.with(index, outcome) });
    saving.schedule();
  }

  const getOutcome = (item: MoveInItem): Outcome => {
    const { items, outcomes } = $moveIn.get();
    return outcomes[items.indexOf(item)] ?? { state: 'pending' };
  };

  /** Waits until a time, or until the move is paused, or the network returns if that was missing. */
  async function waitFor({ reason, ms }: { reason: WaitReason; ms: number }, signal: AbortSignal) {
    const until = clock.now() + ms;
    set({ wait: { reason, until } });
    let isOnline = false;
    while (!isOnline && !signal.aborted && clock.now() < until) {
      await new Promise<void>((resolve) => {
        const ends: (() => void)[] = [];
        const end = () => {
          for (const stop of ends) stop();
          resolve();
        };
        const endOnline = () => {
          isOnline = true;
          end();
        };
        ends.push(clock.after(Math.min(until - clock.now(), MAX_TIMER_MS), end));
        if (reason === 'network') ends.push(onOnline(endOnline));
        signal.addEventListener('abort', end);
        ends.push(() => signal.removeEventListener('abort', end));
      });
    }
    // A pause has cleared it, and a later run may already wait.
    if (!signal.aborted) set({ wait: null });
  }

  async function call<T>(request: () => Promise<Result<T>>, signal: AbortSignal): Promise<Result<T>> {
    for (let failures = 0; ; failures += 1) {
      if (signal.aborted) return PAUSED;
      const answer = await retryAfterSignIn(request, { getUserId: () => who, signIn });
      if (answer.ok) return answer;
      const wait = signal.aborted ? null : planWait(answer, failures);
      if (wait === null) return signal.aborted ? PAUSED : answer;
      await waitFor(wait, signal);
    }
  }

  /** Moves the pending items in, one after the other. */
  async function moveAll(signal: AbortSignal): Promise<void> {
    const { items, chosen } = $moveIn.get();
    if (archive === null) return;
    const moving: MoveDeps = {
      archive,
      items,
      api,
      portraits,
      signal,
      call: (request) => call(request, signal),
      getOutcome,
      setOutcome,
      hasLorebooks: chosen.includes('lorebook'),
    };
    for (const [index, item] of items.entries()) {
      if (item.kind === null || !chosen.includes(item.kind)) continue;
      if (getOutcome(item).state !== 'pending') continue;
      if (signal.aborted) return;
      set({ current: index });
      const result = await moveItem(moving, item);
      // A request that was answered counts, also if the move was paused in between.
      if (result.ok) setOutcome(item, result.outcome);
      else if (!signal.aborted) return set({ phase: 'stopped', failure: result.failure });
    }
    if (!signal.aborted) set({ phase: 'done' });
  }

  /** Outcomes that depend on other items are decided again. */
  function resetDependents(): void {
    const { items, outcomes } = $moveIn.get();
    set({
      outcomes: outcomes.map((outcome, index): Outcome => {
        const isDependent = outcome.state === 'left' && ['no_character', 'unlinked'].includes(outcome.reason);
        return isDependent && items[index]?.file != null ? { state: 'pending' } : outcome;
      }),
    });
  }

  /** Takes over what another tab has moved in. */
  function readOtherTab(): void {
    const saved = who === null ? null : progress.read(who);
    if (saved?.fingerprint === fingerprint) set({ outcomes: restoreOutcomes($moveIn.get(), saved.outcomes) });
  }

  async function start(): Promise<void> {
    const { phase } = $moveIn.get();
    if (archive === null || who === null || phase === 'running' || phase === 'opening') return;
    run = new AbortController();
    const { signal } = run;
    if (phase === 'elsewhere') readOtherTab();
    resetDependents();
    set({ phase: 'running', failure: null });
    const runAlone = async () => {
      if (locks === null) return moveAll(signal);
      return locks.request(`move-in:${who}`, { ifAvailable: true }, async (lock) => {
        if (lock === null) set({ phase: 'elsewhere' });
        else await moveAll(signal);
      });
    };
    lastRun = lastRun.then(async () => {
      try {
        if (!signal.aborted) await runAlone();
      } catch {
        if (!signal.aborted) set({ phase: 'stopped', failure: UNEXPECTED });
      }
      if (run.signal === signal) set({ current: null });
      saving.cancel();
      // Progress of the tab that moves in is newer.
      if ($moveIn.get().phase !== 'elsewhere') save();
    });
    await lastRun;
  }

  function close(): void {
    run.abort();
    saving.cancel();
    opening += 1;
    archive = null;
    who = null;
    $moveIn.set(NO_ARCHIVE);
  }

  /** Reads what a file has. */
  async function readBackup(
    file: SlicedFile,
  ): Promise<
    | ({ ok: true; fingerprint: string } & MoveInList)
    | { ok: false; refusal: NonNullable<MoveInState['refusal']> }
  > {
    const head = await readRange(file, 0, HEAD_BYTES);
    const other = head === null ? 'unreadable' : detectFileKind(file.name, head);
    if (other !== null) return { ok: false, refusal: other };
    const opened = await openArchive(file);
    if (!opened.ok) return { ok: false, refusal: opened.code };
    const layout = readBackupLayout(opened.entries);
    if (!layout.ok) return { ok: false, refusal: layout.code };
    const personas: (BackupPersona[] | null)[] = [];
    for (const { entry } of layout.backup.settings) {
      const content = await readArchiveEntry(file, entry, MAX_ENTRY_BYTES.persona);
      personas.push(content.ok ? readPersonas(new TextDecoder().decode(content.bytes)) : null);
    }
    return { ok: true, fingerprint: opened.fingerprint, ...listItems(layout.backup, personas) };
  }

  /** The state of an archive that was not begun before. */
  function toNewState({ items, outcomes }: MoveInList): Partial<MoveInState> {
    const counts = countKinds(items);
    return { phase: 'ready', items, outcomes, chosen: ITEM_KINDS.filter((kind) => counts[kind] > 0) };
  }

  /** The state of an archive whose move continues. */
  function toResumedState(
    { items, outcomes: fresh }: MoveInList,
    { outcomes: saved, chosen }: SavedProgress,
  ): Partial<MoveInState> {
    const outcomes = restoreOutcomes({ items, outcomes: fresh }, saved);
    const isDone = items.every(
      ({ kind }, index) => kind === null || !chosen.includes(kind) || outcomes[index]?.state !== 'pending',
    );
    return { phase: isDone ? 'done' : 'paused', items, outcomes, chosen };
  }

  /** The state of an archive that has been read. */
  function toOpenedState(list: MoveInList): Partial<MoveInState> {
    const saved = who === null ? null : progress.read(who);
    return saved?.fingerprint === fingerprint ? toResumedState(list, saved) : toNewState(list);
  }

  return {
    $moveIn,
    openFor(id) {
      // A file may be chosen before the account is known.
      if (who !== null) close();
      who = id;
      set({ earlier: progress.read(id), ...(archive === null ? {} : toOpenedState($moveIn.get())) });
    },
    close,
    async choose(file) {
      const request = (opening += 1);
      run.abort();
      archive = null;
      set({ ...NO_ARCHIVE, earlier: $moveIn.get().earlier, phase: 'opening', name: file.name });
      const read = await readBackup(file);
      if (request !== opening) return;
      if (!read.ok) return set({ phase: 'refused', refusal: read.refusal });
      archive = file;
      fingerprint = read.fingerprint;
      set(toOpenedState(read));
    },
    chooseKind(kind, isChosen) {
      const { chosen } = $moveIn.get();
      set({ chosen: ITEM_KINDS.filter((one) => (one === kind ? isChosen : chosen.includes(one))) });
    },
    start,
    pause() {
      if ($moveIn.get().phase !== 'running') return;
      run.abort();
      set({ phase: 'paused', current: null, wait: null });
    },
    async retry(item) {
      const { items, outcomes } = $moveIn.get();
      set({
        outcomes: outcomes.map((outcome, index): Outcome => {
          const isWanted = item === undefined || items[index] === item;
          return outcome.state === 'failed' && isWanted ? { state: 'pending' } : outcome;
        }),
      });
      await start();
    },
    saveNow: saving.flush,
  };
}
