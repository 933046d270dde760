import { createHash } from 'node:crypto';
import { getIdPosition } from '../../../lib/ids.ts';
import { type MessageRanges, groupIntoRanges, hasAllMessages } from './message-ranges-store.ts';

/** Enough for some hundred notes that were rewritten many times. */
const MAX_LINES = 2000;
/** All of them as JSON. A Durable Object rejects values above 2 MB, and notes may have sources far apart. */
const MAX_LINES_CHARS = 1_000_000;

const HASH_BYTES = 8;

/** Lines are stored as hashes only. */
const hashLine = (line: string): string =>
  createHash('sha256')
    .update(line)
    .digest('hex')
    .slice(0, HASH_BYTES * 2);

const splitNonEmptyLines = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

/** The hashes of a note's lines and the messages that it was derived from; null once one of them is erased. */
type NoteLines = readonly [marks: readonly string[], ground: MessageRanges | null];

function hashNote(text: string, sources: string): NoteLines {
  const marks = new Set(splitNonEmptyLines(text).slice(0, MAX_LINES).map(hashLine));
  return [[...marks], groupIntoRanges(Object.keys(JSON.parse(sources) as object).map(getIdPosition))];
}

/**
 * SQL of the sources of every line that was once part of a note. When a user replaces all entries by one text, the text
 * has no ids; the hashes of its lines show which messages they were derived from, even if the original note is gone. All of
 * them are one row, because each row is billed.
 */
export class MemoryFingerprints {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** Stores the lines of entries with their sources. Call it before an entry's text is changed, removed or deleted. */
  save(entryIds: readonly string[]): void {
    const entries = this.#sql.exec<{ text: string; sources: string }>(
      "select text, sources from memory_entries where text <> '' and id in (select value from json_each(?))",
      JSON.stringify(entryIds),
    );
    const notes = [...entries].map(({ text, sources }) => hashNote(text, sources));
    if (notes.length === 0) return;
    const known = this.#read();
    const keys = new Set(known.map((note) => JSON.stringify(note)));
    const added = notes.filter((note) => !keys.has(JSON.stringify(note)));
    if (added.length > 0) this.#write([...added, ...known]);
  }

  /** The latest notes first. */
  #read(): NoteLines[] {
    const [row] = this.#sql.exec<{ lines: string }>('select lines from memory_lines').toArray();
    return row === undefined ? [] : (JSON.parse(row.lines) as NoteLines[]);
  }

  /** Writes the first of some notes, as many as there is room for. */
  #write(notes: readonly NoteLines[]): void {
    const kept = new Set<string>();
    let [lines, chars] = [0, 0];
    for (const note of notes) {
      const text = JSON.stringify(note);
      lines += note[0].length;
      chars += text.length + 1;
      if (lines > MAX_LINES || chars > MAX_LINES_CHARS) break;
      kept.add(text);
    }
    this.#sql.exec('insert or replace into memory_lines (one, lines) values (1, ?)', `[${[...kept].join()}]`);
  }

  /**
   * Removes the lines that were derived only from deleted or erased messages.
   * @returns the remaining text and the source messages of its lines
   */
  removeDeletedLines(text: string): { text: string; messageIds: string[] } {
    const knownLines = this.#read().flatMap(([marks, ground]) => {
      const isThere = ground !== null && hasAllMessages(this.#sql, ground, 'trash_id is null');
      return marks.map((mark) => ({ mark, ground: isThere ? ground : null }));
    });
    const linesByMark = Map.groupBy(knownLines, ({ mark }) => mark);
    const grounds = new Set<MessageRanges>();
    const newLines = text.split('\n').filter((line) => {
      const known = linesByMark.get(hashLine(line.trim()));
      const ground = known?.find((one) => one.ground !== null)?.ground ?? null;
      if (ground !== null) grounds.add(ground);
      return known === undefined || ground !== null;
    });
    return {
      text: newLines.join('\n').trim(),
      messageIds: [...grounds].flatMap((ground) => this.#listMessageIds(ground)),
    };
  }

  #listMessageIds(ground: MessageRanges): string[] {
    return this.#sql
      .exec<{ id: string }>(
        `select messages.id from json_each(?) as row join messages on messages.position
           between json_extract(row.value, '$.first') and json_extract(row.value, '$.last')`,
        JSON.stringify(ground),
      )
      .toArray()
      .map(({ id }) => id);
  }

  /** Permanently marks the lines derived from messages that were just erased, because positions can be reused. */
  markDeletedRanges(): void {
    const known = this.#read();
    const marked = known.map(([marks, ground]): NoteLines => [
      marks,
      ground !== null && hasAllMessages(this.#sql, ground, 'true') ? ground : null,
    ]);
    if (marked.some(([, ground], index) => ground !== known[index]?.[1])) this.#write(marked);
  }
}
