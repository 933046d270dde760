import { type ItemKind, type LeftReason, type Backup, type BackupFile, ITEM_KINDS } from './backup-layout.ts';
import type { BackupPersona } from './backup-personas.ts';
import type { Outcome } from './saved-progress.ts';

/** A line of the report: a file of the archive, or a persona of its settings. */
export interface MoveInItem {
  /** The same for the same archive: position in its directory, or the persona's picture. */
  id: string;
  /** Null for a file that is not moved in. */
  kind: ItemKind | null;
  /** Shown in the report; for personas with their name. */
  path: string;
  /** Null for personas and files that are not moved in. */
  file: BackupFile | null;
  persona: BackupPersona | null;
}

export interface MoveInList {
  /** In the order in which they are moved in, then those that are not. */
  items: readonly MoveInItem[];
  /** By position in `items`. */
  outcomes: readonly Outcome[];
}

/** @param personas of each settings file; null for one that cannot be read */
export function listItems(
  backup: Backup,
  personas: readonly (readonly BackupPersona[] | null)[],
): MoveInList {
  const listed = backup.settings.flatMap(({ entry }, index) =>
    (personas[index] ?? []).map((persona): MoveInItem => ({
      id: `${entry.index}:${persona.avatar}`,
      kind: 'persona',
      path: `${entry.name}: ${persona.name || persona.avatar}`,
      file: null,
      persona,
    })),
  );
  const files = backup.files.map((file): MoveInItem => {
    const { kind, entry } = file;
    return { id: String(entry.index), kind, path: entry.name, file, persona: null };
  });
  const moving = ITEM_KINDS.flatMap((kind) =>
    kind === 'persona' ? listed : files.filter((item) => item.kind === kind),
  );
  const left = [
    ...backup.left,
    ...backup.settings.map(({ entry }, index) => ({
      entry,
      reason: (personas[index] === null ? 'unknown' : 'personas_only') as LeftReason,
    })),
  ];
  return {
    items: [
      ...moving,
      ...left.map(({ entry }): MoveInItem => ({
        id: String(entry.index),
        kind: null,
        path: entry.name,
        file: null,
        persona: null,
      })),
    ],
    outcomes: [
      ...moving.map((): Outcome => ({ state: 'pending' })),
      ...left.map(({ reason }): Outcome => ({ state: 'left', reason })),
    ],
  };
}

/** The number of items of each kind. */
export function countKinds(items: readonly MoveInItem[]): Record<ItemKind, number> {
  const counts = { persona: 0, character: 0, chat: 0, lorebook: 0 };
  for (const { kind } of items) if (kind !== null) counts[kind] += 1;
  return counts;
}

/** The groups by which the report can be filtered. */
export const REPORT_FILTERS = ['all', 'made', 'present', 'left', 'failed', 'pending'] as const;
export type ReportFilter = (typeof REPORT_FILTERS)[number];

/** What the report says about an item: that its kind is not chosen, or its outcome. */
export function getShownOutcome(item: MoveInItem, outcome: Outcome, chosen: readonly ItemKind[]): Outcome {
  const isLeft = outcome.state === 'pending' && item.kind !== null && !chosen.includes(item.kind);
  return isLeft ? { state: 'left', reason: 'not_chosen' } : outcome;
}

/** A persona as text counts as left out. */
export const getReportGroup = ({ state }: Outcome): Exclude<ReportFilter, 'all'> =>
  state === 'text' ? 'left' : state;
