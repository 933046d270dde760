import { type MemoryEntry, type NoteChange, parseMemoryChange, joinNotes } from './memory.ts';
import type { ChangeMemoryBody } from './memory-contract.ts';
import { MEMORY_LIMITS } from './memory-limits.ts';
import {
  type EntryRow,
  formatSources,
  type SourceMessageRow,
  type MemoryRows,
  toMessageSource,
} from './memory-rows-store.ts';

/** How long the text of a removed entry is kept for an undo. */
const UNDO_MS = 10 * 60_000;

/** `invalid_input`: too many notes or sources. `memory_source_deleted`: a source message of a note is erased. */
export interface MemoryRefusal {
  ok: false;
  code: 'invalid_input' | 'memory_source_deleted';
}
const NOTES_FULL: MemoryRefusal = { ok: false, code: 'invalid_input' };
const SOURCE_DELETED: MemoryRefusal = { ok: false, code: 'memory_source_deleted' };

/** SQL of the user's changes to memory; every call is synchronous. */
export class MemoryChanges {
  readonly #sql: SqlStorage;
  readonly #rows: MemoryRows;

  constructor(sql: SqlStorage, rows: MemoryRows) {
    this.#sql = sql;
    this.#rows = rows;
  }

  /**
   * Applies a change completely, or returns why it was refused; then nothing was written.
   * @param live the valid entries, oldest first
   */
  apply(body: ChangeMemoryBody, live: readonly MemoryEntry[], now: number): MemoryRefusal | null {
    const change = parseMemoryChange(body, joinNotes(live));
    if (change.kind === 'summary')
      return this.#replaceAll(change.text, change.replacedMessageIds ?? [], live, now);
    return change.kind === 'entries' ? this.#correctAll(change.entries, change.known, now) : null;
  }

  /**
   * Replaces all entries that the user saw by one text. Hidden entries of deleted messages stay, and lines that repeat
   * them are removed from the text. The sources of the replaced entries become the sources of the new one.
   * @param extraMessageIds further sources
   */
  #replaceAll(
    summary: string,
    extraMessageIds: readonly string[],
    live: readonly MemoryEntry[],
    now: number,
  ): MemoryRefusal | null {
    const { listed, hidden, sources } = this.#rows.listEntries();
    this.#rows.fingerprints.save([...listed, ...hidden].map(({ id }) => id));
    const { text, messageIds } = this.#rows.fingerprints.removeDeletedLines(summary);
    if (text === '' || text === joinNotes(live).trim()) return null;
    const seen = live.flatMap(({ id }) => (sources.get(id) ?? []).map((source) => source.message_id));
    const ground = this.#findSources([...seen, ...messageIds, ...extraMessageIds]);
    if ('code' in ground) return ground;
    this.#rows.delete(listed);
    this.#add(text, ground, now, this.#rows.getEndPosition());
    return null;
  }

  /** Finds the messages as sources of a note, or returns why it cannot have them: one is erased, or there are too many. */
  #findSources(messageIds: readonly string[]): SourceMessageRow[] | MemoryRefusal {
    const ground = this.#rows.findSourceMessages(messageIds);
    if (ground.length < new Set(messageIds).size) return SOURCE_DELETED;
    return ground.length > MEMORY_LIMITS.maxSourceMessages ? NOTES_FULL : ground;
  }

  #add(text: string, ground: readonly SourceMessageRow[], now: number, position?: number): void {
    const sources = ground.map(toMessageSource);
    this.#rows.add({ text, author: 'person', position, sources, createdAt: now, updatedAt: now });
  }

  /**
   * Adds, edits and removes entries. An entry is new only without an id, or with `rests_on`. Any other unknown id belongs
   * to a note that was replaced or erased in the meantime; if it were stored as a new note, it would outlive its source
   * messages.
   */
  #correctAll(
    entries: readonly NoteChange[],
    known: readonly string[] | null,
    now: number,
  ): MemoryRefusal | null {
    const kept = new Map<string, NoteChange & { entry: EntryRow }>();
    const added: { text: string; ground: SourceMessageRow[] }[] = [];
    for (const change of entries) {
      const entry = change.id === undefined ? null : this.#rows.findEntry(change.id);
      if (entry !== null && canEdit(entry)) {
        if (!kept.has(entry.id)) kept.set(entry.id, { ...change, entry });
      } else if (change.id === undefined || change.rests_on !== undefined) {
        const ground = this.#findSources(change.rests_on ?? []);
        if ('code' in ground) return ground;
        added.push({ text: change.text, ground });
      }
    }
    const waiting = added.filter(({ ground }) => ground.some(({ trash_id }) => trash_id !== null)).length;
    const { listed, hidden } = this.#rows.listEntries();
    const missing = listed.filter(({ id }) => !kept.has(id) && (known === null || known.includes(id)));
    const readded = [...kept.values()].filter(({ entry }) => entry.removed === 1);
    const growth = added.length - waiting + readded.length - missing.length;
    if (growth > 0 && listed.length + growth > MEMORY_LIMITS.maxEntries) return NOTES_FULL;
    if (waiting > 0 && hidden.length + waiting > MEMORY_LIMITS.maxEntries) return NOTES_FULL;

    this.#rows.fingerprints.save([...kept.keys(), ...missing.map(({ id }) => id)]);
    for (const { entry, text, rests_on: restsOn } of kept.values()) {
      if (entry.text !== text || restsOn !== undefined) this.#correct(entry, text, now);
      else if (entry.removed === 1) this.#setRemoved(entry.id, 0, now);
    }
    for (const { id } of missing) this.#setRemoved(id, 1, now);
    for (const { text, ground } of added) this.#add(text, ground, now);
    return null;
  }

  #setRemoved(id: string, removed: 0 | 1, now: number): void {
    this.#sql.exec('update memory_entries set removed = ?, updated_at = ? where id = ?', removed, now, id);
  }

  /**
   * Makes the entry the user's, with the current versions of its messages as sources. Deleted sources stay, because the
   * edited text may still describe them; the entry then waits for them in the trash.
   */
  #correct(entry: EntryRow, text: string, now: number): void {
    const sources = this.#rows
      .listEntrySources(entry.id)
      .map((source) => ({ messageId: source.message_id, versionId: source.shown ?? source.version_id }));
    this.#sql.exec(
      `update memory_entries set text = ?, author = 'person', removed = 0, updated_at = ?, sources = ?
       where id = ?`,
      text,
      now,
      formatSources(sources),
      entry.id,
    );
    this.#rows.refresh({ ...entry, author: 'person' });
  }

  /**
   * Deletes the texts of removed entries after the time for an undo. Entries with sources stay without text, so that
   * their messages are not summarised again.
   */
  purgeRemoved(now: number): void {
    this.#sql.exec(
      "update memory_entries set text = '' where removed = 1 and text <> '' and updated_at < ?",
      now - UNDO_MS,
    );
    this.#sql.exec("delete from memory_entries where removed = 1 and text = '' and first_source_id is null");
  }

  /** Whether any removed entry can still be restored. */
  hasUndoable(): boolean {
    return (
      this.#sql.exec("select 1 from memory_entries where removed = 1 and text <> '' limit 1").toArray()
        .length > 0
    );
  }
}

/**
 * Whether an entry can be edited or restored. When its text is already purged, it can only be restored with a text from
 * the client, and only while its sources are unchanged.
 */
const canEdit = ({ text, removed, stale }: EntryRow): boolean =>
  text !== '' || (removed === 1 && stale === 0);
