import { TRASH } from '../../character/limits.ts';
import type { TrashItem, TrashList } from '../contract.ts';
import { replaceMacros } from '../macro-names.ts';

/** Characters of the first message that the list of the trash shows. */
const MAX_EXCERPT_CHARS = 120;

type TrashRow = { id: string; deleted_at: number; expires_at: number; message_count: number };

/**
 * SQL of what was deleted and can be had back. A deleted message stays where it stood, marked with the deletion it
 * belongs to; having it back takes the mark away. So nothing is ever displaced, by whatever was written meanwhile.
 */
export class MessageTrash {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** The ids of a message and of all that follow it, oldest first; empty when it is not there. */
  listTailIds(messageId: string): string[] {
    return this.#sql
      .exec<{ id: string }>(
        `select id from messages where trash_id is null and position >=
           (select position from messages where id = ? and trash_id is null) order by position`,
        messageId,
      )
      .toArray()
      .map(({ id }) => id);
  }

  /** Whether the notice that an AI answers stands before a message, or before one that follows it. */
  hasNotice(messageId: string): boolean {
    return (
      this.#sql
        .exec(
          `select 1 from messages where notice = 1 and trash_id is null and position >=
             (select position from messages where id = ?) limit 1`,
          messageId,
        )
        .toArray().length > 0
    );
  }

  /** Puts a message and all that follow it into the trash, as one deletion. */
  trashTail(trashId: string, messageId: string, count: number, now: number): TrashItem {
    this.#sql.exec(
      `update messages set trash_id = ? where trash_id is null and position >=
         (select position from messages where id = ?)`,
      trashId,
      messageId,
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
    this.#addToCount(-count);
    return this.#toItem(row);
  }

  /** How many messages a deletion holds; 0 when it is not known. */
  countMessages(trashId: string): number {
    const sizes = this.#sql.exec<TrashRow>('select * from trash where id = ?', trashId).toArray();
    return sizes[0]?.message_count ?? 0;
  }

  /** Gives a deletion back. @returns the messages that are there again, oldest first; null when it is not known */
  restore(trashId: string): string[] | null {
    const row = this.#sql.exec<TrashRow>('select * from trash where id = ?', trashId).toArray()[0];
    if (row === undefined) return null;
    const ids = this.#listIds(trashId);
    this.#sql.exec('update messages set trash_id = null where trash_id = ?', trashId);
    this.#sql.exec('delete from trash where id = ?', trashId);
    this.#addToCount(ids.length);
    return ids;
  }

  /**
   * Deletions, newest first. The cursor is the id of the last one seen: ids are ordered by time.
   * @param names what `{{user}}` and `{{char}}` stand for in what is shown of a message
   */
  list(cursor: string | undefined, limit: number, names: { user: string; char: string }): TrashList {
    const rows = this.#sql
      .exec<TrashRow>(
        'select * from trash where id < ? order by id desc limit ?',
        cursor ?? '\u{10ffff}',
        limit + 1,
      )
      .toArray();
    const page = rows.slice(0, limit);
    return {
      items: page.map((row) => {
        const item = this.#toItem(row);
        const { role, excerpt } = item.first_message;
        return { ...item, first_message: { role, excerpt: replaceMacros(excerpt, names) } };
      }),
      next_cursor: rows.length > limit ? (page.at(-1)?.id ?? null) : null,
    };
  }

  /** When the next deletion becomes final; null while the trash is empty. */
  getNextExpiry(): number | null {
    return this.#sql.exec<{ at: number | null }>('select min(expires_at) as at from trash').one().at;
  }

  /** Erases what was deleted too long ago. @returns the ids of the messages that are gone for good */
  expire(now: number): string[] {
    return this.#sql
      .exec<{ id: string }>('select id from trash where expires_at <= ?', now)
      .toArray()
      .flatMap(({ id }) => this.erase(id));
  }

  /** Erases one deletion for good. @returns the ids of the messages that are gone; empty when it is not known */
  erase(trashId: string): string[] {
    const erasedIds = this.#listIds(trashId);
    this.#sql.exec(
      'delete from versions where message_id in (select id from messages where trash_id = ?)',
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

  #toItem(row: TrashRow): TrashItem {
    const first = this.#sql
      .exec<{ role: 'user' | 'character'; excerpt: string }>(
        `select messages.role, substr(versions.content, 1, ${MAX_EXCERPT_CHARS}) as excerpt from messages
         join versions on versions.id = messages.selected_version_id
         where messages.trash_id = ? order by messages.position limit 1`,
        row.id,
      )
      .one();
    return {
      id: row.id,
      deleted_at: new Date(row.deleted_at).toISOString(),
      expires_at: new Date(row.expires_at).toISOString(),
      message_count: row.message_count,
      first_message: first,
    };
  }

  #addToCount(more: number): void {
    this.#sql.exec('update meta set message_count = message_count + ?', more);
  }
}
