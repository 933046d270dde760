import { type MemoryEntry, type NoteChange, parseMemoryChange, joinNotes } from './memory.ts';
import type { ChangeMemoryBody } from './memory-contract.ts';
import { MEMORY_LIMITS } from './memory-limits.ts';
import {
  type EntryRow,
  type SourceMessageRow,
  type MemoryRows,
  toMessageSource,
} from './memory-rows-store.ts';

/** How long the text of a removed entry is kept for an undo. */
const UNDO_MS = 10 * 60_000;

/** `invalid_input`: no room for so many notes. `memory_ground_gone`: what one would rest on is erased. */
export interface MemoryRefusal {
  ok: false;
  code: 'invalid_input' | 'memory_ground_gone';
}
const NOTES_FULL: MemoryRefusal = { ok: false, code: 'invalid_input' };
const SOURCE_DELETED: MemoryRefusal = { ok: false, code: 'memory_ground_gone' };

/** SQL of what a person writes into memory and takes out of it; every call is synchronous. */
export class MemoryChanges {
  readonly #sql: SqlStorage;
  readonly #rows: MemoryRows;

  constructor(sql: SqlStorage, rows: MemoryRows) {
    this.#sql = sql;
    this.#rows = rows;
  }

  /**
   * Carries out a change, all of it. Null, or why it was refused and nothing was written.
   * @param live what holds now, oldest first
   */
  apply(body: ChangeMemoryBody, live: readonly MemoryEntry[], now: number): MemoryRefusal | null {
    const change = parseMemoryChange(body, joinNotes(live));
    if (change.kind === 'summary')
      return this.#replaceAll(change.text, change.replacedMessageIds ?? [], live, now);
    return change.kind === 'entries' ? this.#correctAll(change.entries, change.known, now) : null;
  }

  /**
   * One text of the person's, which stands for all that they saw. What waits for deleted messages goes on waiting, and
   * its lines are not told by this text either; the others rest on what they were taken from.
   * @param extraMessageIds messages that it rests on beside these
   */
  #replaceAll(
    summary: string,
    extraMessageIds: readonly string[],
    live: readonly MemoryEntry[],
    now: number,
  ): MemoryRefusal | null {
    const { listed, hidden, sources } = this.#rows.listEntries();
    // Lines of notes from before their marks were kept.
    for (const { id, text } of [...listed, ...hidden]) this.#rows.fingerprints.save(id, text);
    const { text, messageIds } = this.#rows.fingerprints.removeDeletedLines(summary);
    if (text === '' || text === joinNotes(live).trim()) return null;
    const seen = live.flatMap(({ id }) => (sources.get(id) ?? []).map((source) => source.message_id));
    const ground = this.#findSources([...seen, ...messageIds, ...extraMessageIds]);
    if (ground === null) return SOURCE_DELETED;
    for (const { id } of listed) this.#rows.delete(id);
    this.#add(text, this.#rows.getEndPosition(), ground, now);
    return null;
  }

  /** Messages as what a note rests on; null when one of them is erased. */
  #findSources(messageIds: readonly string[]): SourceMessageRow[] | null {
    const ground = this.#rows.findSourceMessages(messageIds);
    return ground.length === new Set(messageIds).size ? ground : null;
  }

  #add(text: string, position: number, ground: readonly SourceMessageRow[], now: number): void {
    this.#rows.add({ text, author: 'person', position, sources: ground.map(toMessageSource), now });
  }

  /**
   * Only what comes without an id is new, or with the messages that it rests on. Else an id that is not known any more
   * names a note that was replaced or erased meanwhile: taken for the person's own, it would outlive the messages that it
   * came from.
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
        if (ground === null) return SOURCE_DELETED;
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

    for (const { entry, text, rests_on: restsOn } of kept.values()) {
      if (entry.text !== text || restsOn !== undefined) this.#correct(entry, text, now);
      else if (entry.removed === 1) this.#setRemoved(entry.id, 0, now);
    }
    for (const { id } of missing) this.#setRemoved(id, 1, now);
    for (const { text, ground } of added) {
      const place =
        ground.length === 0 ? this.#rows.getEndPosition() : Math.max(...ground.map((row) => row.position));
      this.#add(text, place, ground, now);
    }
    return null;
  }

  #setRemoved(id: string, removed: 0 | 1, now: number): void {
    this.#sql.exec('update memory_entries set removed = ?, updated_at = ? where id = ?', removed, now, id);
  }

  /**
   * The entry is the person's from now on, written in sight of what its messages say now. It keeps those that are
   * deleted too: corrected words may still tell of them, so it waits with them.
   */
  #correct(entry: EntryRow, text: string, now: number): void {
    this.#sql.exec(
      "update memory_entries set text = ?, author = 'person', removed = 0, updated_at = ? where id = ?",
      text,
      now,
      entry.id,
    );
    this.#sql.exec(
      `update memory_sources set version_id = messages.selected_version_id from messages
       where memory_sources.entry_id = ? and messages.id = memory_sources.message_id and messages.trash_id is null`,
      entry.id,
    );
    this.#rows.refresh(entry.id);
    this.#rows.fingerprints.save(entry.id, text);
  }

  /**
   * Lets go the words of what was removed long enough ago that nobody takes it back. What rests on messages stays as a
   * mark, so that they are not noted again.
   */
  purgeRemoved(now: number): void {
    this.#sql.exec(
      "update memory_entries set text = '' where removed = 1 and text <> '' and updated_at < ?",
      now - UNDO_MS,
    );
    this.#sql.exec(
      `delete from memory_entries where removed = 1 and text = ''
         and id not in (select entry_id from memory_sources)`,
    );
  }

  /** Whether words of removed notes are still kept for an undo. */
  hasUndoable(): boolean {
    return (
      this.#sql.exec("select 1 from memory_entries where removed = 1 and text <> '' limit 1").toArray()
        .length > 0
    );
  }
}

/**
 * Whether an entry can be corrected or taken back. One whose words are forgotten comes back in the person's own words,
 * and only while its messages still say what it was taken from.
 */
const canEdit = ({ text, removed, stale }: EntryRow): boolean =>
  text !== '' || (removed === 1 && stale === 0);
