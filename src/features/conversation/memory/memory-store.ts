import { getIdPosition } from '../../../lib/ids.ts';
import { joinMessages } from '../messages/message-ids.ts';
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
  LIVE_ENTRIES_SELECT,
  type LiveEntryRow,
  toLiveEntry,
  MemoryRows,
  type SourceRow,
  toMemoryEntry,
  toMemorySource,
} from './memory-rows-store.ts';

/** An entry with its sources, for a fork. Removed entries have no text. */
export interface MemoryCopy extends Omit<MemoryEntry, 'stale'> {
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
    exists (
      select 1 from memory_sources join memory_entries on memory_entries.id = memory_sources.entry_id
      where memory_sources.message_id = messages.id and memory_sources.version_id = messages.version_id
        and memory_entries.stale = 0
    ) as covered
  from messages
  where position >= ? and position < ? and trash_id is null
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
    if (before !== null) return this.#liveBefore(before);
    return this.#sql
      .exec<LiveEntryRow>(`${LIVE_ENTRIES_SELECT} order by position, id`)
      .toArray()
      .map(toLiveEntry);
  }

  /** Lists the valid entries that have no source after a run, so that they may be shown when its notes are written. */
  listKnownBefore(run: readonly RunMessage[]): MemoryEntry[] {
    return this.#liveBefore((run.at(-1)?.position ?? 0) + 1);
  }

  #liveBefore(position: number): LiveMemoryEntry[] {
    return this.#sql
      .exec<LiveEntryRow>(
        `${LIVE_ENTRIES_SELECT} and not exists (
           select 1 from memory_sources ${joinMessages('memory_sources.message_id')}
           where memory_sources.entry_id = memory_entries.id and messages.position >= ?
         ) order by position, id`,
        position,
      )
      .toArray()
      .map(toLiveEntry);
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
    const touched = this.#sql
      .exec<{ entry_id: string }>(
        `select distinct memory_sources.entry_id from json_each(?) as changed
         join memory_sources on memory_sources.message_id = changed.value`,
        JSON.stringify(messageIds),
      )
      .toArray();
    for (const { entry_id } of touched) {
      if (!this.#rows.refresh(entry_id)) continue;
      this.#uncover(
        this.#rows.findFirstPosition(
          this.#rows.listEntrySources(entry_id).map((source) => source.message_id),
        ),
      );
    }
  }

  /** Marks messages from this position on as possibly uncovered. */
  #uncover(position: number | null): void {
    if (position !== null) this.#coveredBelow = Math.min(this.#coveredBelow, position);
  }

  /** Deletes entries derived from erased messages, because they can never become valid again. */
  forgetMessages(messageIds: readonly string[]): void {
    for (const { entry_id } of this.#sql
      .exec<{ entry_id: string }>(
        `select distinct memory_sources.entry_id from json_each(?) as gone
         join memory_sources on memory_sources.message_id = gone.value`,
        JSON.stringify(messageIds),
      )
      .toArray()) {
      this.#rows.delete(entry_id);
    }
    this.#rows.fingerprints.markDeletedRanges();
  }

  // ── notes of the model ──

  /**
   * Stores the model's notes of a run and deletes stale notes of the same messages. Returns false, without writing, when
   * a message has changed or is covered in the meantime.
   * @param text empty when there was nothing to keep; the messages count as covered then
   */
  saveNotes(run: readonly RunMessage[], text: string, now: number): boolean {
    const last = run.at(-1);
    if (last === undefined || !this.#isOpen(run)) return false;
    for (const { id } of this.#sql
      .exec<{ id: string }>(
        `select distinct memory_entries.id from json_each(?) as read
         join memory_sources on memory_sources.message_id = read.value
         join memory_entries on memory_entries.id = memory_sources.entry_id
         where memory_entries.author = 'model' and memory_entries.stale = 1`,
        JSON.stringify(run.map((message) => message.id)),
      )
      .toArray()) {
      this.#rows.delete(id);
    }
    this.#rows.add({
      text,
      author: 'model',
      position: last.position,
      sources: run.map(({ id, versionId }) => ({ messageId: id, versionId })),
      now,
    });
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
    const sources = parts.flatMap(({ id }) => this.#rows.listEntrySources(id));
    for (const { id } of parts) this.#rows.delete(id);
    this.#rows.add({
      text,
      author: 'model',
      position: Math.max(...parts.map(({ position }) => position)),
      sources: sources.map(toMemorySource),
      now,
    });
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
    return this.#sql
      .exec<EntryRow>(
        `select * from memory_entries where not exists (
           select 1 from memory_sources
           left ${joinMessages('memory_sources.message_id')} and messages.trash_id is null
           where memory_sources.entry_id = memory_entries.id and (messages.id is null or messages.position > ?)
         ) order by position, id`,
        end,
      )
      .toArray()
      .map((row) => {
        const { stale: _, ...entry } = toMemoryEntry(row);
        return {
          ...entry,
          text: row.removed === 1 ? '' : row.text,
          removed: row.removed === 1,
          sources: this.#rows.listEntrySources(row.id).map(toMemorySource),
        };
      });
  }

  /** Imports copied entries. Their messages must have been imported before. */
  importEntries(entries: readonly MemoryCopy[]): void {
    for (const entry of entries) {
      this.#sql.exec(
        `insert into memory_entries (id, text, author, position, removed, created_at, updated_at)
         values (?, ?, ?, ?, ?, ?, ?)`,
        entry.id,
        entry.text,
        entry.author,
        this.#rows.getEndPosition(),
        Number(entry.removed),
        entry.createdAt,
        entry.updatedAt,
      );
      this.#rows.addSources(entry.id, entry.sources);
      this.#sql.exec(
        `update memory_entries set position = (
           select max(messages.position) from memory_sources ${joinMessages('memory_sources.message_id')}
           where memory_sources.entry_id = memory_entries.id
         ) where id = ? and exists (select 1 from memory_sources where entry_id = memory_entries.id)`,
        entry.id,
      );
      this.#rows.refresh(entry.id);
      this.#rows.fingerprints.save(entry.id, entry.text);
    }
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
