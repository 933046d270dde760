import { type MemoryEntry, type MemorySource, findNextRun, type RunMessage, joinNotes } from './memory.ts';
import { MemoryChanges, type MemoryRefusal } from './memory-changes-store.ts';
import type { ChangeMemoryBody, OmittedItem, MemoryEntryView, MemoryView } from './memory-contract.ts';
import {
  type EntryRow,
  isSourceChanged,
  LIVE_ENTRIES_SELECT,
  MemoryRows,
  type SourceRow,
  toMemoryEntry,
  toMemorySource,
} from './memory-rows-store.ts';

/** An entry with everything that belongs to it, on its way to a fork. Its removed ones come without text. */
export interface MemoryCopy extends Omit<MemoryEntry, 'stale'> {
  removed: boolean;
  sources: MemorySource[];
}

/** A note as its person takes it along; set aside (`stale`) or not. */
export type ExportedNote = Pick<
  MemoryEntryView,
  'id' | 'text' | 'author' | 'stale' | 'source_message_ids' | 'created_at' | 'updated_at'
>;

/**
 * A message is covered while an entry holds that was taken from what it says now; removed entries count, or they would
 * come back. One that was changed under a person's note is to be read anew: the note stays as it is.
 */
const UNCOVERED_SELECT = `select messages.id, messages.position, messages.selected_version_id as versionId, messages.role,
    messages.name, versions.content,
    exists (
      select 1 from memory_sources join memory_entries on memory_entries.id = memory_sources.entry_id
      where memory_sources.message_id = messages.id and memory_sources.version_id = messages.selected_version_id
        and memory_entries.stale = 0
    ) as covered
  from messages join versions on versions.id = messages.selected_version_id
  where messages.position >= ? and messages.position < ? and messages.trash_id is null
    and versions.status in ('complete', 'interrupted') and versions.content <> ''
  order by messages.position`;

/**
 * SQL of what is remembered of a conversation; every call is synchronous. Whoever changes what a message says, or
 * whether it is there, calls `refresh` inside the same write: entries then hold exactly while what they were taken from
 * does.
 */
export class MemoryStore {
  readonly #sql: SqlStorage;
  readonly #rows: MemoryRows;
  readonly #changes: MemoryChanges;
  /** All messages before this position are covered, as far as is known; spares looking at them each turn. */
  #coveredBelow = 0;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    this.#rows = new MemoryRows(sql);
    this.#changes = new MemoryChanges(sql, this.#rows);
  }

  // ── reading ──

  /**
   * What holds, oldest first. With a message, only what may be known when that one is written: nothing that rests on it
   * or on later ones.
   */
  listLive(beforeMessageId?: string): MemoryEntry[] {
    const before = beforeMessageId === undefined ? null : this.#rows.findPosition(beforeMessageId);
    if (before !== null) return this.#liveBefore(before);
    return this.#sql
      .exec<EntryRow>(`${LIVE_ENTRIES_SELECT} order by position, id`)
      .toArray()
      .map(toMemoryEntry);
  }

  /** What holds and rests on nothing after a run: all that its notes may be written in sight of. */
  listKnownBefore(run: readonly RunMessage[]): MemoryEntry[] {
    return this.#liveBefore((run.at(-1)?.position ?? 0) + 1);
  }

  #liveBefore(position: number): MemoryEntry[] {
    return this.#sql
      .exec<EntryRow>(
        `${LIVE_ENTRIES_SELECT} and not exists (
           select 1 from memory_sources join messages on messages.id = memory_sources.message_id
           where memory_sources.entry_id = memory_entries.id and messages.position >= ?
         ) order by position, id`,
        position,
      )
      .toArray()
      .map(toMemoryEntry);
  }

  /**
   * What is remembered, for the person it belongs to. Of deleted messages nothing is told but how many notes wait for
   * them.
   * @param leftOut what of it the model would not be told now
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

  /** Every note there is, oldest first, with those that rest on deleted messages: what its person takes along. */
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

  /** The next messages to remember, of those before a message; null when there are too few. */
  findRunBefore(messageId: string, contextTokens: number): RunMessage[] | null {
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
    const run = findNextRun(readOutside(), contextTokens);
    this.#coveredBelow = firstUncovered;
    return run;
  }

  // ── what messages do to it ──

  /** Sets entries aside, or takes them up again, after messages were written, changed, deleted or restored. */
  refresh(messageIds: readonly string[]): void {
    this.#uncover(this.#rows.findFirstPosition(messageIds));
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

  /** From this position on, messages have to be looked at again. */
  #uncover(position: number | null): void {
    if (position !== null) this.#coveredBelow = Math.min(this.#coveredBelow, position);
  }

  /** Lets go what rests on messages that are gone for good: nothing could bring it back. */
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

  // ── what the background writes ──

  /**
   * Writes what a model noted of a run, in the place of what was set aside of the same messages. False, and nothing
   * written, when a message has changed since or is remembered already.
   * @param text empty when there was nothing to keep: the messages then count as read
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

  /** Whether each message of a run still says the same, and none of them is covered by now. */
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

  /** Puts one entry in the place of several of the model's. False when one of them has changed since. */
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

  // ── what the person writes ──

  /** Carries out a person's change, all of it. Null, or why it was refused and nothing was written. */
  applyChange(body: ChangeMemoryBody, now: number): MemoryRefusal | null {
    this.#coveredBelow = 0;
    return this.#changes.apply(body, this.listLive(), now);
  }

  /** Lets go the words of what was removed long enough ago that nobody takes it back. */
  purgeRemoved(now: number): void {
    this.#changes.purgeRemoved(now);
  }

  /** Whether words of removed notes are still kept for an undo. */
  hasUndoable(): boolean {
    return this.#changes.hasUndoable();
  }

  // ── forks ──

  /** What a conversation knows that ends with a message: entries that rest on nothing after it or out of sight. */
  listCopiesUpTo(upToMessageId: string): MemoryCopy[] {
    const end = this.#rows.findPosition(upToMessageId);
    if (end === null) return [];
    return this.#sql
      .exec<EntryRow>(
        `select * from memory_entries where not exists (
           select 1 from memory_sources
           left join messages on messages.id = memory_sources.message_id and messages.trash_id is null
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

  /** Takes up a copy, once its messages are here. */
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
           select max(messages.position) from memory_sources join messages on messages.id = memory_sources.message_id
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
