import type { RefusedContent } from '../safety/Appeal.tsx';
import type { Failure } from '../shared/api.ts';
import type { TextStorage } from '../shared/outbox.ts';
import { USER_KEY_PREFIXES } from '../shared/user-storage.ts';
import { ITEM_KINDS, LEFT_REASONS, type ItemKind, type LeftReason } from './backup-layout.ts';

/** What became of a file. */
export type Outcome =
  | { state: 'pending' }
  /** `present`: an earlier request had made it; it may have been moved to the trash since. */
  | { state: 'made' | 'present'; id: string; href: string; trashed?: true }
  | { state: 'left'; reason: LeftReason }
  /** A persona that the user may copy: the plan has no room for it, or a text is too long. */
  | { state: 'text'; reason: 'limit' | 'long' }
  | { state: 'failed'; failure: ItemFailure };

/** What is wrong with a file in the archive; as the code of a failure it begins with `entry_`. */
export const ENTRY_PROBLEMS = ['damaged', 'lorebook_too_large', 'no_lorebook'] as const;
export type EntryProblem = (typeof ENTRY_PROBLEMS)[number];

/** Why a file could not be moved in: the server's code, or one of `ENTRY_PROBLEMS`. */
export type ItemFailure = Pick<Failure, 'code' | 'error' | 'line' | 'rule'> & {
  /** The refused text, for an appeal. It is not saved: trying the file again gives it, too. */
  refused?: RefusedContent;
};

/** An outcome as it is saved. */
export function toSavedOutcome(outcome: Outcome): Outcome {
  if (outcome.state !== 'failed') return outcome;
  const { refused: _, ...failure } = outcome.failure;
  return { state: 'failed', failure };
}

/** The progress of one archive. Outcomes are kept by the id of their item; the others are pending. */
export interface SavedProgress {
  fingerprint: string;
  /** Name of the archive. */
  name: string;
  /** All items to move in. */
  total: number;
  chosen: ItemKind[];
  outcomes: Record<string, Outcome>;
}

/** The progress of the last archive on this device, per account. */
export interface ProgressStore {
  read(who: string): SavedProgress | null;
  /** @returns whether the device could store it */
  write(who: string, progress: SavedProgress): boolean;
}

/** The prefix is one of those that logging out erases. */
const getProgressKey = (who: string) => USER_KEY_PREFIXES.moveIn + who;

const isText = (value: unknown): value is string => typeof value === 'string';

function isOutcome(value: unknown): value is Outcome {
  const { state, id, href, reason, failure } = (value ?? {}) as Record<string, unknown>;
  if (state === 'made' || state === 'present')
    return isText(id) && isText(href) && href.startsWith('/') && !href.startsWith('//');
  if (state === 'left') return LEFT_REASONS.some((one) => one === reason);
  if (state === 'text') return reason === 'limit' || reason === 'long';
  return state === 'failed' && isText((failure as Partial<ItemFailure> | null)?.code);
}

/**
 * Stores progress. Never throws: without it, everything is sent once more, and the server makes nothing twice.
 * @param storage null if the browser has none
 */
export function createProgressStore(storage: TextStorage | null): ProgressStore {
  return {
    read(who) {
      try {
        const kept = JSON.parse(storage?.getItem(getProgressKey(who)) ?? 'null') as SavedProgress | null;
        if (kept === null || !isText(kept.fingerprint) || !isText(kept.name)) return null;
        return {
          fingerprint: kept.fingerprint,
          name: kept.name,
          total: Number(kept.total) || 0,
          chosen: ITEM_KINDS.filter((kind) => kept.chosen.includes(kind)),
          outcomes: Object.fromEntries(Object.entries(kept.outcomes).filter(([, one]) => isOutcome(one))),
        };
      } catch {
        return null;
      }
    },
    write(who, progress) {
      try {
        storage?.setItem(getProgressKey(who), JSON.stringify(progress));
        return storage !== null;
      } catch {
        return false;
      }
    },
  };
}
