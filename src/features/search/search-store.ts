import type { SearchChange, SearchHit } from './contract.ts';
import { toIndexedText } from './search-words.ts';

/**
 * An entry's id is the second of its message times 64 plus a counter, because small gaps between ids keep the index
 * small. When a second is full, as after an import, the following ids are used.
 */
const SECOND_MS = 1000;
const IDS_PER_SECOND = 64;
/** In the year 2242; imported messages with a later time are treated as this. */
const MAX_TIME_MS = 8.6e12;
/** UTF-16 units written per statement. A Durable Object rejects values above 2 MB. */
const MAX_STATEMENT_CHARS = 200_000;
/** Above every entry id, and still a safe integer. */
const MAX_ENTRY_ID = Number.MAX_SAFE_INTEGER;

/** A new row of the index. */
type NewRow = [
  id: number,
  words: string,
  key: string,
  conversationId: string,
  messageId: string,
  reportedAt: number,
];

const getName = ({ conversationId, messageId }: SearchHit): string => `${conversationId} ${messageId}`;

/** The word of an id in `key`. Ids are letters and digits; anything else would be an operator of the query. */
const toKeyWord = (id: string): string => id.replaceAll(/[^A-Za-z0-9]/g, '');

/** SQL of one user's index. All calls are synchronous, so no other call runs between a read and a write. */
export class SearchStore {
  readonly #sql: SqlStorage;
  /**
   * The last full second and its next free id, so that thousands of messages of one moment need not search
   * from its start.
   */
  #fullSecond: { second: number; nextId: number } | null = null;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /**
   * Adds, replaces or removes messages. Removals and additions are one statement each, so that FTS5 writes one segment
   * rather than one per message.
   */
  apply(changes: readonly SearchChange[], now: number): void {
    const removedIds: number[] = [];
    const added: NewRow[] = [];
    // When a message occurs twice in one call, the later change counts.
    const latest = new Map(changes.map((change) => [getName(change), change]));
    const known = this.#findIds([...latest.values()]);
    for (const [name, change] of latest) {
      const { conversationId, messageId } = change;
      const knownId = known.get(name);
      if (knownId !== undefined) removedIds.push(knownId);
      const words = change.text === null ? '' : toIndexedText(change.text);
      if (words === '') continue;
      const id = knownId ?? this.#freeId(change.at, added);
      const key = `${toKeyWord(conversationId)} ${toKeyWord(messageId)}`;
      added.push([id, words, key, conversationId, messageId, now]);
    }
    this.#remove(removedIds);
    this.#add(added);
  }

  /** Removes a message, unless it was reported at `since` or later. */
  forget(hit: SearchHit, since: number): void {
    const known = this.#findRow(hit);
    if (known !== null && known.reportedAt < since) this.#remove([known.id]);
  }

  removeConversation(conversationId: string): void {
    const rows = this.#sql
      .exec<{ id: number }>(
        'select rowid as id from words where words match ? and conversation_id = ?',
        `key : ${toKeyWord(conversationId)}`,
        conversationId,
      )
      .toArray();
    this.#remove(rows.map(({ id }) => id));
  }

  isEmpty(): boolean {
    return this.#sql.exec('select 1 from words limit 1').toArray().length === 0;
  }

  /**
   * Finds the messages that match an FTS5 expression, newest first. `next` is null when there are no more. Conversations
   * in the trash are left out here: a long one would fill page after page with hits that are not shown.
   */
  find(
    expression: string,
    { before, limit }: { before: number | null; limit: number },
  ): { hits: SearchHit[]; next: number | null } {
    const rows = this.#sql
      .exec<{ id: number; conversation_id: string; message_id: string }>(
        `select rowid as id, conversation_id, message_id from words
         where words match ? and rowid < ?
           and conversation_id not in (select id from conversations where deleted_at is not null)
         order by rowid desc limit ?`,
        `line : (${expression})`,
        before ?? MAX_ENTRY_ID,
        limit + 1,
      )
      .toArray();
    const page = rows.slice(0, limit);
    return {
      hits: page.map((row) => ({ conversationId: row.conversation_id, messageId: row.message_id })),
      next: rows.length > limit ? (page.at(-1)?.id ?? null) : null,
    };
  }

  /** Finds the rows of some messages with one query for each conversation. @returns ids by `getName` */
  #findIds(hits: readonly SearchHit[]): Map<string, number> {
    const ids = new Map<string, number>();
    for (const [conversationId, group] of Map.groupBy(hits, (hit) => hit.conversationId)) {
      const rows = this.#sql.exec<{ id: number; message_id: string }>(
        'select rowid as id, message_id from words where words match ? and conversation_id = ?',
        `key : ${toKeyWord(conversationId)} AND key : (${group.map(({ messageId }) => toKeyWord(messageId)).join(' OR ')})`,
        conversationId,
      );
      for (const row of rows) ids.set(getName({ conversationId, messageId: row.message_id }), row.id);
    }
    return ids;
  }

  #findRow({ conversationId, messageId }: SearchHit): { id: number; reportedAt: number } | null {
    const row = this.#sql
      .exec<{ id: number; reported_at: number }>(
        `select rowid as id, reported_at from words
         where words match ? and conversation_id = ? and message_id = ?`,
        `key : ${toKeyWord(conversationId)} ${toKeyWord(messageId)}`,
        conversationId,
        messageId,
      )
      .toArray()[0];
    return row === undefined ? null : { id: row.id, reportedAt: row.reported_at };
  }

  #remove(ids: readonly number[]): void {
    if (ids.length === 0) return;
    this.#sql.exec('delete from words where rowid in (select value from json_each(?))', JSON.stringify(ids));
  }

  #add(rows: readonly NewRow[]): void {
    let chunk: NewRow[] = [];
    let chars = 0;
    const write = () => {
      this.#sql.exec(
        `insert into words (rowid, line, key, conversation_id, message_id, reported_at)
         select value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5 from json_each(?)`,
        JSON.stringify(chunk),
      );
      chunk = [];
      chars = 0;
    };
    for (const row of rows) {
      chunk.push(row);
      chars += row[1].length;
      if (chars >= MAX_STATEMENT_CHARS) write();
    }
    if (chunk.length > 0) write();
  }

  /**
   * Returns a free id at or after the message's second, so that id order is time order.
   * @param added rows that are not stored yet
   */
  #freeId(at: number, added: readonly NewRow[]): number {
    const time = Math.min(Math.max(0, at || 0), MAX_TIME_MS);
    const second = Math.trunc(time / SECOND_MS) * IDS_PER_SECOND;
    let base = this.#fullSecond?.second === second ? this.#fullSecond.nextId : second;
    for (;;) {
      const stored = this.#sql
        .exec<{ last: number | null }>(
          // FTS5 reads all rows for a range of rowids; the table behind it (sqlite.org/fts5.html, "%_content") has a key.
          'select max(id) as last from words_content where id >= ? and id < ?',
          base,
          base + IDS_PER_SECOND,
        )
        .one().last;
      const ids = added.map(([id]) => id).filter((id) => id >= base && id < base + IDS_PER_SECOND);
      const last = Math.max(stored ?? -1, ...ids);
      if (last === -1) return base;
      if (last < base + IDS_PER_SECOND - 1) return last + 1;
      base += IDS_PER_SECOND;
      this.#fullSecond = { second, nextId: base };
    }
  }
}
