import { TRASH } from '../../character/limits.ts';
import type { TrashItem, TrashList } from '../contract.ts';
import { type MacroValues, replaceMacros } from '../macro-names.ts';
import { getIdPosition } from '../../../lib/ids.ts';

const MAX_EXCERPT_CHARS = 120;
/** How much of a message is read for it: long enough for a note in braces before the text that is shown. */
const MAX_START_CHARS = 4000;

type TrashRow = { id: string; deleted_at: number; expires_at: number; message_count: number };

/**
 * SQL of deleted messages that can be restored. A deleted message keeps its position and is marked with the id of its
 * deletion; restoring removes the mark. Messages sent in between are therefore never displaced.
 */
export class MessageTrash {
  readonly #sql: SqlStorage;
  readonly #count: (more: number) => void;

  /** @param count adds to the number of messages outside the trash */
  constructor(sql: SqlStorage, count: (more: number) => void) {
    this.#sql = sql;
    this.#count = count;
  }

  /** The ids of a message and all messages after it, oldest first; empty when the message does not exist. */
  listTailIds(messageId: string): string[] {
    return this.#sql
      .exec<{ id: string }>(
        `select id from messages where trash_id is null and position >=
           (select position from messages where position = ? and id = ? and trash_id is null) order by position`,
        getIdPosition(messageId),
        messageId,
      )
      .toArray()
      .map(({ id }) => id);
  }

  /** Whether a message or one after it has the AI notice. */
  hasNotice(messageId: string): boolean {
    return (
      this.#sql
        .exec(
          'select 1 from messages where notice = 1 and trash_id is null and position >= ? limit 1',
          getIdPosition(messageId),
        )
        .toArray().length > 0
    );
  }

  /** Moves a message and all messages after it to the trash, as one deletion. */
  trashTail(
    trashId: string,
    messageId: string,
    { count, now, names }: { count: number; now: number; names: MacroValues },
  ): TrashItem {
    this.#sql.exec(
      'update messages set trash_id = ? where trash_id is null and position >= ?',
      trashId,
      getIdPosition(messageId),
    );
    const row = {
      id: trashId,
      deleted_at: now,
      expires_at: now + TRASH.retentionMs,
      message_count: count,
    };
    this.#sql.exec(
      'insert into trash (id, deleted_at, expires_at, message_count) values (?, ?, ?, ?)',
      row.id,
      row.deleted_at,
      row.expires_at,
      row.message_count,
    );
    this.#count(-count);
    return this.#toItem(row, names);
  }

  /** How many messages a deletion contains; 0 when its id is unknown. */
  countMessages(trashId: string): number {
    const sizes = this.#sql.exec<TrashRow>('select * from trash where id = ?', trashId).toArray();
    return sizes[0]?.message_count ?? 0;
  }

  /** Restores a deletion. @returns the ids of the restored messages, oldest first; null when the deletion is unknown */
  restore(trashId: string): string[] | null {
    const row = this.#sql.exec<TrashRow>('select * from trash where id = ?', trashId).toArray()[0];
    if (row === undefined) return null;
    const ids = this.#listIds(trashId);
    this.#sql.exec('update messages set trash_id = null where trash_id = ?', trashId);
    this.#sql.exec('delete from trash where id = ?', trashId);
    this.#count(ids.length);
    return ids;
  }

  /**
   * Lists deletions, newest first. The cursor is the id of the last one seen, because ids sort by time.
   * @param names replacements for the macros in the excerpts
   */
  list(cursor: string | undefined, limit: number, names: MacroValues): TrashList {
    const rows = this.#sql
      .exec<TrashRow>(
        'select * from trash where id < ? order by id desc limit ?',
        cursor ?? '\u{10ffff}',
        limit + 1,
      )
      .toArray();
    const page = rows.slice(0, limit);
    return {
      items: page.map((row) => this.#toItem(row, names)),
      next_cursor: rows.length > limit ? (page.at(-1)?.id ?? null) : null,
    };
  }

  /** When the next deletion expires; null when the trash is empty. */
  getNextExpiry(): number | null {
    return this.#sql.exec<{ at: number | null }>('select min(expires_at) as at from trash').one().at;
  }

  /** Erases expired deletions. @returns the ids of the erased messages */
  expire(now: number): string[] {
    return this.#sql
      .exec<{ id: string }>('select id from trash where expires_at <= ?', now)
      .toArray()
      .flatMap(({ id }) => this.erase(id));
  }

  /** Erases one deletion. @returns the ids of the erased messages; empty when the deletion is unknown */
  erase(trashId: string): string[] {
    const erasedIds = this.#listIds(trashId);
    this.#sql.exec(
      'delete from versions where position in (select position from messages where trash_id = ?)',
      trashId,
    );
    this.#sql.exec('delete from messages where trash_id = ?', trashId);
    this.#sql.exec('delete from trash where id = ?', trashId);
    return erasedIds;
  }

  #listIds(trashId: string): string[] {
    return this.#sql
      .exec<{ id: string }>('select id from messages where trash_id = ? order by position', trashId)
      .toArray()
      .map(({ id }) => id);
  }

  #toItem(row: TrashRow, names: MacroValues): TrashItem {
    const { role, start, createdAt } = this.#sql
      .exec<{ role: 'user' | 'character'; start: string; createdAt: number }>(
        `select role, substr(content, 1, ${MAX_START_CHARS}) as start, created_at as createdAt from messages
         where trash_id = ? order by position limit 1`,
        row.id,
      )
      .one();
    const excerpt = replaceMacros(start, { ...names, at: createdAt })
      .slice(0, MAX_EXCERPT_CHARS)
      .toWellFormed();
    return {
      id: row.id,
      deleted_at: new Date(row.deleted_at).toISOString(),
      expires_at: new Date(row.expires_at).toISOString(),
      message_count: row.message_count,
      first_message: { role, excerpt },
    };
  }
}
