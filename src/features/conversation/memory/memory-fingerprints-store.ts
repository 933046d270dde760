import { createHash } from 'node:crypto';
import { joinMessages } from '../messages/message-ids.ts';
import { type MessageRanges, findMessageRanges, hasAllMessages } from './message-ranges-store.ts';

/** Enough for some hundred notes that were rewritten many times. */
const MAX_LINES = 2000;

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

/**
 * SQL of the sources of every line that was ever part of a note. When a user replaces all entries by one text, the text
 * has no ids; the hashes of its lines show which messages they were derived from, even if the original note is gone.
 */
export class MemoryFingerprints {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** Stores the lines of an entry with its current sources. */
  save(entryId: string, text: string): void {
    const lines = splitNonEmptyLines(text);
    if (lines.length === 0) return;
    const ground = JSON.stringify(
      findMessageRanges(
        this.#sql,
        `select messages.position from memory_sources ${joinMessages('memory_sources.message_id')}
         where memory_sources.entry_id = ?`,
        entryId,
      ),
    );
    for (const line of lines)
      this.#sql.exec(
        `insert into memory_lines (mark, ground) values (?, ?)
         on conflict (mark, ground) do update set gone = 0`,
        hashLine(line),
        ground,
      );
    this.#sql.exec(
      'delete from memory_lines where seq <= (select max(seq) from memory_lines) - ?',
      MAX_LINES,
    );
  }

  /**
   * Removes the lines that were derived only from deleted or erased messages.
   * @returns the remaining text and the source messages of its lines
   */
  removeDeletedLines(text: string): { text: string; messageIds: string[] } {
    const presence = new Map<string, boolean>();
    const isPresent = (ground: string): boolean => {
      const known =
        presence.get(ground) ??
        hasAllMessages(this.#sql, JSON.parse(ground) as MessageRanges, 'trash_id is null');
      presence.set(ground, known);
      return known;
    };
    const grounds = new Set<string>();
    const newLines = text.split('\n').filter((line) => {
      const known = this.#sql
        .exec<{ ground: string; gone: number }>(
          'select ground, gone from memory_lines where mark = ? order by seq desc',
          hashLine(line.trim()),
        )
        .toArray();
      const there = known.find(({ ground, gone }) => gone === 0 && isPresent(ground));
      if (there !== undefined) grounds.add(there.ground);
      return known.length === 0 || there !== undefined;
    });
    return {
      text: newLines.join('\n').trim(),
      messageIds: [...grounds].flatMap((ground) => this.#listMessageIds(ground)),
    };
  }

  #listMessageIds(ground: string): string[] {
    return this.#sql
      .exec<{ id: string }>(
        `select messages.id from json_each(?) as row join messages on messages.position
           between json_extract(row.value, '$.first') and json_extract(row.value, '$.last')`,
        ground,
      )
      .toArray()
      .map(({ id }) => id);
  }

  /** Permanently marks the lines derived from messages that were just erased, because positions can be reused. */
  markDeletedRanges(): void {
    for (const { ground } of this.#sql
      .exec<{ ground: string }>('select distinct ground from memory_lines where gone = 0')
      .toArray()) {
      if (!hasAllMessages(this.#sql, JSON.parse(ground) as MessageRanges, 'true'))
        this.#sql.exec('update memory_lines set gone = 1 where ground = ?', ground);
    }
  }
}
