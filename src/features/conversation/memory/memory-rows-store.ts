import { createId, getIdPosition, selectIdPosition } from '../../../lib/ids.ts';
import { joinMessages } from '../messages/message-ids.ts';
import { type LiveMemoryEntry, type MemoryEntry, type MemorySource, findStaleReason } from './memory.ts';
import { MemoryFingerprints } from './memory-fingerprints-store.ts';

export type EntryRow = {
  id: string;
  text: string;
  author: MemoryEntry['author'];
  position: number;
  stale: number;
  removed: number;
  created_at: number;
  updated_at: number;
};

/** A source of an entry. `shown` is the version that its message shows now; null when the message is deleted. */
export type SourceRow = { entry_id: string; message_id: string; version_id: string; shown: string | null };

/** A message that a note may be derived from, with its selected version. It may be in the trash. */
export type SourceMessageRow = { id: string; version_id: string; position: number; trash_id: string | null };

const SOURCES_SELECT = `select sources.entry_id, sources.message_id, sources.version_id, messages.version_id as shown
  from memory_sources as sources
  left ${joinMessages('sources.message_id')} and messages.trash_id is null`;

/** Selects the entries that are used in prompts. Ids of messages sort by time, so the least one is the oldest. */
export const LIVE_ENTRIES_SELECT = `select *,
    (select min(message_id) from memory_sources where entry_id = memory_entries.id) as first_source_id
  from memory_entries where removed = 0 and stale = 0 and text <> ''`;

/** SQL of single memory entries. An entry's `stale` flag is updated whenever it is written or its sources change. */
export class MemoryRows {
  readonly #sql: SqlStorage;
  readonly fingerprints: MemoryFingerprints;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    this.fingerprints = new MemoryFingerprints(sql);
  }

  /** Finds messages as sources of a note, including those in the trash; erased ones are left out. */
  findSourceMessages(messageIds: readonly string[]): SourceMessageRow[] {
    return this.#sql
      .exec<SourceMessageRow>(
        `select messages.id, messages.version_id, messages.position, messages.trash_id
         from (select distinct value from json_each(?)) as wanted ${joinMessages('wanted.value')}`,
        JSON.stringify(messageIds),
      )
      .toArray();
  }

  findEntry(id: string): EntryRow | null {
    return this.#sql.exec<EntryRow>('select * from memory_entries where id = ?', id).toArray()[0] ?? null;
  }

  listEntrySources(entryId: string): SourceRow[] {
    return this.#sql.exec<SourceRow>(`${SOURCES_SELECT} where sources.entry_id = ?`, entryId).toArray();
  }

  /** The sources of all entries, by entry id, each list in conversation order. */
  groupAllSources(): Map<string, SourceRow[]> {
    const byEntry = new Map<string, SourceRow[]>();
    for (const source of this.#sql.exec<SourceRow>(
      `select * from (${SOURCES_SELECT}) as s order by ${selectIdPosition('s.message_id')}`,
    )) {
      const list = byEntry.get(source.entry_id) ?? [];
      list.push(source);
      byEntry.set(source.entry_id, list);
    }
    return byEntry;
  }

  /**
   * Lists the entries that the user sees, and the hidden ones, which are stale because a source message is in the trash.
   */
  listEntries(): { listed: EntryRow[]; hidden: EntryRow[]; sources: Map<string, SourceRow[]> } {
    const rows = this.#sql
      .exec<EntryRow>("select * from memory_entries where removed = 0 and text <> '' order by position, id")
      .toArray();
    const sources = this.groupAllSources();
    const isHidden = (row: EntryRow) =>
      row.stale === 1 && getRowStaleReason(row.author, sources.get(row.id) ?? []) === 'deleted';
    return {
      listed: rows.filter((row) => !isHidden(row)),
      hidden: rows.filter(isHidden),
      sources,
    };
  }

  findPosition(messageId: string): number | null {
    const position = getIdPosition(messageId);
    const [row] = this.#sql
      .exec('select 1 from messages where position = ? and id = ?', position, messageId)
      .toArray();
    return row === undefined ? null : position;
  }

  /** The position of the oldest of some messages; null when none of them exists. */
  findFirstPosition(messageIds: readonly string[]): number | null {
    return this.#sql
      .exec<{ position: number | null }>(
        `select min(messages.position) as position from json_each(?) as wanted ${joinMessages('wanted.value')}`,
        JSON.stringify(messageIds),
      )
      .one().position;
  }

  /** The position after all messages. */
  getEndPosition(): number {
    return this.#sql
      .exec<{ position: number }>('select coalesce(max(position), 0) + 1 as position from messages')
      .one().position;
  }

  /** @returns the new entry's id */
  add(entry: {
    text: string;
    author: MemoryEntry['author'];
    position: number;
    sources: readonly MemorySource[];
    now: number;
  }): string {
    const id = createId(entry.now);
    this.#sql.exec(
      'insert into memory_entries (id, text, author, position, created_at, updated_at) values (?, ?, ?, ?, ?, ?)',
      id,
      entry.text,
      entry.author,
      entry.position,
      entry.now,
      entry.now,
    );
    this.addSources(id, entry.sources);
    this.refresh(id);
    this.fingerprints.save(id, entry.text);
    return id;
  }

  addSources(entryId: string, sources: readonly MemorySource[]): void {
    for (const { messageId, versionId } of sources) {
      this.#sql.exec(
        'insert or replace into memory_sources (entry_id, message_id, version_id) values (?, ?, ?)',
        entryId,
        messageId,
        versionId,
      );
    }
  }

  /** Updates the `stale` flag of an entry. @returns whether it changed */
  refresh(id: string): boolean {
    const entry = this.findEntry(id);
    if (entry === null) return false;
    const stale = Number(getRowStaleReason(entry.author, this.listEntrySources(id)) !== null);
    if (stale === entry.stale) return false;
    this.#sql.exec('update memory_entries set stale = ? where id = ?', stale, id);
    return true;
  }

  delete(id: string): void {
    this.#sql.exec('delete from memory_sources where entry_id = ?', id);
    this.#sql.exec('delete from memory_entries where id = ?', id);
  }
}

/** Returns why an entry with these sources is stale; null when it is not. */
export function getRowStaleReason(author: MemoryEntry['author'], sources: readonly SourceRow[]) {
  const shown = new Map(
    sources.flatMap((source) => (source.shown === null ? [] : [[source.message_id, source.shown] as const])),
  );
  return findStaleReason({ author, sources: sources.map(toMemorySource) }, shown);
}

/** Whether the source message exists and its text has changed since. */
export const isSourceChanged = ({ shown, version_id }: SourceRow): boolean =>
  shown !== null && shown !== version_id;

export const toMessageSource = ({ id, version_id }: SourceMessageRow): MemorySource => ({
  messageId: id,
  versionId: version_id,
});

export const toMemorySource = (row: SourceRow): MemorySource => ({
  messageId: row.message_id,
  versionId: row.version_id,
});

export type LiveEntryRow = EntryRow & { first_source_id: string | null };

export const toLiveEntry = (row: LiveEntryRow): LiveMemoryEntry => ({
  ...toMemoryEntry(row),
  firstSourceId: row.first_source_id,
});

export const toMemoryEntry = (row: EntryRow): MemoryEntry => ({
  id: row.id,
  text: row.text,
  author: row.author,
  stale: row.stale === 1,
  position: row.position,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});
