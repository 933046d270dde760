import { createId, getIdPosition, MAX_POSITION, selectIdPosition } from '../../../lib/ids.ts';
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
  /** The oldest one; null without sources. */
  first_source_id: string | null;
};

/** A source of an entry. `shown` is the version that its message shows now; null when the message is deleted. */
export type SourceRow = { entry_id: string; message_id: string; version_id: string; shown: string | null };

/** A message that a note may be derived from, with its selected version. It may be in the trash. */
export type SourceMessageRow = { id: string; version_id: string; trash_id: string | null };

/** An entry to add; `id` and `removed` of a copied one. */
type NewEntry = Pick<MemoryEntry, 'text' | 'author' | 'createdAt' | 'updatedAt'> & {
  id?: string;
  /** By default that of its newest source; without sources, after all messages. */
  position?: number | undefined;
  removed?: boolean;
  sources: readonly MemorySource[];
};

/** Selects the sources of entries. Those of an entry are in conversation order, as they are stored. */
const SOURCES_SELECT = `select memory_entries.id as entry_id, sources.key as message_id, sources.value as version_id,
    messages.version_id as shown
  from memory_entries join json_each(memory_entries.sources) as sources
  left ${joinMessages('sources.key')} and messages.trash_id is null`;

/** Without the sources, which may be thousands. */
const ENTRIES_SELECT = `select id, text, author, position, stale, removed, created_at, updated_at, first_source_id
  from memory_entries`;

/** SQL condition for entries with a source in a range of positions. Most entries have all messages of their own range. */
export const buildOverlapCondition = (first: string, last: string): string =>
  `last_position >= ${first} and ${selectIdPosition('first_source_id')} <= ${last}`;

/** The sources as they are stored, from the oldest to the newest. */
export const formatSources = (sources: readonly MemorySource[]): string =>
  JSON.stringify(Object.fromEntries(sources.map(({ messageId, versionId }) => [messageId, versionId])));

/**
 * SQL of single memory entries. An entry's `stale` flag is updated whenever it is written or its sources change. Its sources
 * are a column of its row, because each row is billed and a note may have thousands.
 */
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
        `select messages.id, messages.version_id, messages.trash_id
         from (select distinct value from json_each(?)) as wanted ${joinMessages('wanted.value')}`,
        JSON.stringify(messageIds),
      )
      .toArray();
  }

  findEntry(id: string): EntryRow | null {
    return this.#sql.exec<EntryRow>(`${ENTRIES_SELECT} where id = ?`, id).toArray()[0] ?? null;
  }

  /** Lists entries in the order of the messages that they describe. @param where an SQL condition */
  list(where: string, ...bindings: number[]): EntryRow[] {
    return this.#sql
      .exec<EntryRow>(`${ENTRIES_SELECT} where ${where} order by position, id`, ...bindings)
      .toArray();
  }

  /** Lists the valid entries whose sources are all before a position. */
  listLiveBefore(position = MAX_POSITION + 1): LiveMemoryEntry[] {
    return this.list("removed = 0 and stale = 0 and text <> '' and last_position < ?", position).map(
      (row) => ({ ...toMemoryEntry(row), firstSourceId: row.first_source_id }),
    );
  }

  /** Finds the entries that have one of some messages as a source. */
  findBySource(messageIds: readonly string[]): EntryRow[] {
    const positions = messageIds.map(getIdPosition);
    return this.#sql
      .exec<EntryRow>(
        `${ENTRIES_SELECT} where ${buildOverlapCondition('?', '?')}
           and exists (select 1 from json_each(sources) where key in (select value from json_each(?)))`,
        Math.min(...positions),
        Math.max(...positions),
        JSON.stringify(messageIds),
      )
      .toArray();
  }

  listEntrySources(entryId: string): SourceRow[] {
    return this.#sql.exec<SourceRow>(`${SOURCES_SELECT} where memory_entries.id = ?`, entryId).toArray();
  }

  /** The sources of all entries, by entry id, each list in conversation order. */
  groupAllSources(): Map<string, SourceRow[]> {
    return Map.groupBy(this.#sql.exec<SourceRow>(SOURCES_SELECT), (source) => source.entry_id);
  }

  /**
   * Lists the entries that the user sees, and the hidden ones, which are stale because a source message is in the trash.
   */
  listEntries(): { listed: EntryRow[]; hidden: EntryRow[]; sources: Map<string, SourceRow[]> } {
    const rows = this.list("removed = 0 and text <> ''");
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

  /** The position after all messages. */
  getEndPosition(): number {
    return this.#sql
      .exec<{ position: number }>('select coalesce(max(position), 0) + 1 as position from messages')
      .one().position;
  }

  add(entry: NewEntry): void {
    const id = entry.id ?? createId(entry.createdAt);
    const sources = entry.sources
      .map((source) => ({ ...source, position: getIdPosition(source.messageId) }))
      .toSorted((a, b) => a.position - b.position);
    const last = sources.at(-1)?.position ?? null;
    this.#sql.exec(
      `insert into memory_entries (id, author, position, removed, created_at, updated_at, first_source_id,
         last_position, text, sources) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      id,
      entry.author,
      entry.position ?? last ?? this.getEndPosition(),
      Number(entry.removed ?? false),
      entry.createdAt,
      entry.updatedAt,
      sources[0]?.messageId ?? null,
      last ?? 0,
      entry.text,
      formatSources(sources),
    );
    this.refresh({ id, author: entry.author, stale: 0 });
  }

  /** Updates the `stale` flag of an entry. @returns whether it changed */
  refresh(entry: Pick<EntryRow, 'id' | 'author' | 'stale'>): boolean {
    const stale = Number(getRowStaleReason(entry.author, this.listEntrySources(entry.id)) !== null);
    if (stale === entry.stale) return false;
    this.#sql.exec('update memory_entries set stale = ? where id = ?', stale, entry.id);
    return true;
  }

  delete(entries: readonly { id: string }[]): void {
    const ids = entries.map(({ id }) => id);
    this.fingerprints.save(ids);
    this.#sql.exec(
      'delete from memory_entries where id in (select value from json_each(?))',
      JSON.stringify(ids),
    );
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

export const toMemoryEntry = (row: EntryRow): MemoryEntry => ({
  id: row.id,
  text: row.text,
  author: row.author,
  stale: row.stale === 1,
  position: row.position,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});
