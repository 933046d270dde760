import { getIdPosition } from '../../../lib/ids.ts';
import {
  type LiveMemoryEntry,
  type MemoryEntry,
  type MemorySource,
  findNextRun,
  type RunMessage,
  joinNotes,
} from './memory.ts';
import type { PromptModel } from './prompt-context-store.ts';
import { MemoryChanges, type MemoryRefusal } from './memory-changes-store.ts';
import type { ChangeMemoryBody, OmittedItem, MemoryEntryView, MemoryView } from './memory-contract.ts';
import {
  type EntryRow,
  isSourceChanged,
  MemoryRows,
  buildOverlapCondition,
  type SourceRow,
  toMemoryEntry,
  toMemorySource,
} from './memory-rows-store.ts';

/** An entry with its sources, for a fork. Removed entries have no text. */
export interface MemoryCopy extends Omit<MemoryEntry, 'stale' | 'position'> {
  removed: boolean;
  sources: MemorySource[];
}

/** A note in an export; `stale` notes are included. */
export type ExportedNote = Pick<
  MemoryEntryView,
  'id' | 'text' | 'author' | 'stale' | 'source_message_ids' | 'created_at' | 'updated_at'
>;

/**
 * A message is covered while a valid entry was derived from its current text. Removed entries count too, or their content
 * would be summarised again. A changed message is uncovered even if it is the source of a user's note; that note stays.
 */
const UNCOVERED_SELECT = `select id, position, version_id as versionId, role, name, content,
    (id, version_id) in (
      select sources.key, sources.value from memory_entries join json_each(memory_entries.sources) as sources
      where memory_entries.stale = 0 and ${buildOverlapCondition('?1', '?2')}
    ) as covered
  from messages
  where position >= ?1 and position < ?2 and trash_id is null
    and status in ('complete', 'interrupted') and content <> ''
  order by position`;

/**
 * SQL of a conversation's memory; every call is synchronous. Code that changes, adds or removes a message's text must
 * call `refresh` in the same transaction, so that entries are valid exactly while their sources are unchanged.
 */
export class MemoryStore {
  readonly #sql: SqlStorage;
  readonly #rows: MemoryRows;
  readonly #changes: MemoryChanges;
  /** All messages before this position are known to be covered and need no check in each turn. */
  #coveredBelow = 0;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    this.#rows = new MemoryRows(sql);
    this.#changes = new MemoryChanges(sql, this.#rows);
  }

  // ── reading ──

  /** Lists the valid entries, oldest first. With a message id, only those derived entirely from messages before it. */
  listLive(beforeMessageId?: string): LiveMemoryEntry[] {
    const before = beforeMessageId === undefined ? null : this.#rows.findPosition(beforeMessageId);
    return this.#rows.listLiveBefore(before ?? undefined);
  }

  /** Lists the valid entries that have no source after a run, so that they may be shown when its notes are written. */
  listKnownBefore(run: readonly RunMessage[]): MemoryEntry[] {
    return this.#rows.listLiveBefore((run.at(-1)?.position ?? 0) + 1);
  }

  /**
   * The memory in the API. Of entries with deleted sources, only the number is included.
   * @param leftOut the items that would not fit into the next prompt
   */
  getView(leftOut: readonly OmittedItem[] = []): MemoryView {
    const { listed, hidden, sources } = this.#rows.listEntries();
    return {
      summary: joinNotes(listed.filter(({ stale }) => stale === 0)),
      entries: listed.map((row) => toView(row, sources.get(row.id) ?? [])),
      set_aside_count: hidden.length,
      left_out: [...leftOut],
    };
  }

  /** Lists all notes, oldest first, including those with deleted sources, for an export. */
  exportNotes(): ExportedNote[] {
    const { listed, hidden, sources } = this.#rows.listEntries();
    return [...listed, ...hidden]
      .toSorted((a, b) => a.position - b.position)
      .map((row) => ({
        id: row.id,
        text: row.text,
        author: row.author,
        stale: row.stale === 1,
        source_message_ids: (sources.get(row.id) ?? []).map((source) => source.message_id),
        created_at: new Date(row.created_at).toISOString(),
        updated_at: new Date(row.updated_at).toISOString(),
      }));
  }

  /** Finds the next run of messages to summarise before a message; null when there are too few. */
  findRunBefore(messageId: string, { contextTokens, tokenizer }: PromptModel): RunMessage[] | null {
    const boundary = this.#rows.findPosition(messageId);
    if (boundary === null || boundary <= this.#coveredBelow) return null;
    let firstUncovered = boundary;
    const rows = this.#sql.exec<Omit<RunMessage, 'covered'> & { covered: number }>(
      UNCOVERED_SELECT,
      this.#coveredBelow,
      boundary,
    );
    const readOutside = function* (): Generator<RunMessage> {
      for (const row of rows) {
        if (row.covered === 0) firstUncovered = Math.min(firstUncovered, row.position);
        yield { ...row, covered: row.covered === 1 };
      }
    };
    const run = findNextRun(readOutside(), contextTokens, tokenizer);
    this.#coveredBelow = firstUncovered;
    return run;
  }

  // ── effects of message changes ──

  /** Updates the `stale` flags after messages were added, changed, deleted or restored. */
  refresh(messageIds: readonly string[]): void {
    this.#uncover(Math.min(...messageIds.map(getIdPosition)));
    for (const entry of this.#rows.findBySource(messageIds))
      if (this.#rows.refresh(entry)) this.#uncover(getIdPosition(entry.first_source_id ?? ''));
  }

  /** Marks messages from this position on as possibly uncovered. */
  #uncover(position: number): void {
    this.#coveredBelow = Math.min(this.#coveredBelow, position);
  }

  /** Deletes entries derived from erased messages, because they can never become valid again. */
  forgetMessages(messageIds: readonly string[]): void {
    this.#rows.delete(this.#rows.findBySource(messageIds));
    this.#rows.fingerprints.markDeletedRanges();
  }

  // ── notes of the model ──

  /**
   * Stores the model's notes of a run and deletes stale notes of the same messages. Returns false, without writing, when
   * a message has changed or is covered in the meantime.
   * @param text empty when there was nothing to keep; the messages count as covered then
   */
  saveNotes(run: readonly RunMessage[], text: string, now: number): boolean {
    if (run.length === 0 || !this.#isOpen(run)) return false;
    const noted = this.#rows.findBySource(run.map(({ id }) => id));
    this.#rows.delete(noted.filter(({ author, stale }) => author === 'model' && stale === 1));
    const sources = run.map(({ id, versionId }) => ({ messageId: id, versionId }));
    this.#rows.add({ text, author: 'model', sources, createdAt: now, updatedAt: now });
    return true;
  }

  /** Whether the messages of a run are unchanged and still uncovered. */
  #isOpen(run: readonly RunMessage[]): boolean {
    const first = run[0]?.position ?? 0;
    const last = run.at(-1)?.position ?? 0;
    const now = new Map(
      this.#sql
        .exec<{ id: string; versionId: string; covered: number }>(UNCOVERED_SELECT, first, last + 1)
        .toArray()
        .map((message) => [message.id, message]),
    );
    return run.every(({ id, versionId }) => {
      const message = now.get(id);
      return message?.versionId === versionId && message.covered === 0;
    });
  }

  /** Replaces several entries of the model by one. Returns false when one of them has changed. */
  merge(parts: readonly MemoryEntry[], text: string, now: number): boolean {
    const isUnchanged = parts.every((part) => {
      const entry = this.#rows.findEntry(part.id);
      return (
        entry !== null &&
        entry.author === 'model' &&
        entry.stale === 0 &&
        entry.removed === 0 &&
        entry.updated_at === part.updatedAt
      );
    });
    if (!isUnchanged || parts.length === 0) return false;
    const sources = parts.flatMap(({ id }) => this.#rows.listEntrySources(id).map(toMemorySource));
    this.#rows.delete(parts);
    this.#rows.add({ text, author: 'model', sources, createdAt: now, updatedAt: now });
    return true;
  }

  // ── changes by the user ──

  /** Applies a user's change completely, or returns why it was refused; then nothing was written. */
  applyChange(body: ChangeMemoryBody, now: number): MemoryRefusal | null {
    this.#coveredBelow = 0;
    return this.#changes.apply(body, this.listLive(), now);
  }

  /** Deletes the texts of removed entries after the time for an undo. */
  purgeRemoved(now: number): void {
    this.#changes.purgeRemoved(now);
  }

  /** Whether any removed entry can still be restored. */
  hasUndoable(): boolean {
    return this.#changes.hasUndoable();
  }

  // ── forks ──

  /**
   * Lists the entries to copy into a fork that ends with this message: those whose sources are all visible and not after
   * it.
   */
  listCopiesUpTo(upToMessageId: string): MemoryCopy[] {
    const end = this.#rows.findPosition(upToMessageId);
    if (end === null) return [];
    return this.#rows.list('last_position <= ?', end).flatMap((row) => {
      const sources = this.#rows.listEntrySources(row.id);
      if (sources.some(({ shown }) => shown === null)) return [];
      const { stale: _, position: __, ...entry } = toMemoryEntry(row);
      const removed = row.removed === 1;
      return [{ ...entry, text: removed ? '' : row.text, removed, sources: sources.map(toMemorySource) }];
    });
  }

  /** Imports copied entries. Their messages must have been imported before. */
  importEntries(entries: readonly MemoryCopy[]): void {
    for (const entry of entries) this.#rows.add(entry);
    this.#coveredBelow = 0;
  }
}

function toView(row: EntryRow, sources: readonly SourceRow[]): MemoryEntryView {
  return {
    id: row.id,
    text: row.text,
    author: row.author,
    stale: row.stale === 1,
    ...(row.stale === 1 ? { stale_reason: 'changed' as const } : {}),
    source_message_ids: sources.map((source) => source.message_id),
    first_source_id: sources[0]?.message_id ?? null,
    changed_source_id: row.author === 'person' ? (sources.find(isSourceChanged)?.message_id ?? null) : null,
    created_at: new Date(row.created_at).toISOString(),
    updated_at: new Date(row.updated_at).toISOString(),
  };
}
