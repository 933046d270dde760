import type { ListCursor } from '../../db/cursor.ts';
import type { ConversationQuery, ListedConversation } from './contract.ts';

type Row = {
  id: string;
  character_id: string;
  character_name: string;
  avatar_url: string;
  title: string | null;
  last_line: string;
  created_at: number;
  last_message_at: number;
  message_count: number;
  branch_of: string | null;
  unread: number;
  deleted_at: number | null;
};

/** SQL of one user's list of conversations. */
export class ListStore {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** Adds or replaces a conversation. */
  save(row: ListedConversation): void {
    this.#sql.exec(
      `insert or replace into conversations (id, character_id, character_name, avatar_url, title, last_line, created_at,
         last_message_at, message_count, branch_of, unread, deleted_at)
       values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      row.id,
      row.characterId,
      row.characterName,
      row.avatarUrl,
      row.title,
      row.lastLine,
      row.createdAt,
      row.lastMessageAt,
      row.messageCount,
      row.branchOf,
      Number(row.isUnread),
      row.deletedAt,
    );
  }

  remove(id: string): void {
    this.#sql.exec('delete from conversations where id = ?', id);
  }

  /** Number of conversations, including those in the trash. */
  count(): number {
    return this.#sql.exec<{ count: number }>('select count(*) as count from conversations').one().count;
  }

  /** The size of the index that D1 has, in bytes. */
  getReportedBytes(): number {
    return this.#sql.exec<{ bytes: number }>('select bytes from reported').toArray()[0]?.bytes ?? 0;
  }

  setReportedBytes(bytes: number): void {
    this.#sql.exec('insert or replace into reported (one, bytes) values (1, ?)', bytes);
  }

  /** The ids of all conversations, including those in the trash. */
  listIds(): string[] {
    return this.#sql
      .exec<{ id: string }>('select id from conversations')
      .toArray()
      .map(({ id }) => id);
  }

  /** Returns those of the given conversations that are listed, in no order. */
  findByIds(ids: readonly string[]): ListedConversation[] {
    return this.#sql
      .exec<Row>(
        'select * from conversations where id in (select value from json_each(?))',
        JSON.stringify(ids),
      )
      .toArray()
      .map(toListed);
  }

  /**
   * Lists conversations, newest first: by their last message, or those in the trash by their deletion. They are sorted for
   * each call, because an index with their times would be another row of each turn.
   */
  list({ from, characterId, after, limit }: ConversationQuery): ListedConversation[] {
    const [by, where] =
      from === 'trash' ? ['deleted_at', 'deleted_at is not null'] : ['last_message_at', 'deleted_at is null'];
    return this.#sql
      .exec<Row>(
        `select * from conversations
         where ${where} and (?1 is null or character_id = ?1) and (?2 is null or (${by}, id) < (?2, ?3))
         order by ${by} desc, id desc limit ?4`,
        characterId ?? null,
        after?.value ?? null,
        after?.id ?? null,
        limit,
      )
      .toArray()
      .map(toListed);
  }
}

/** Where the page after this conversation begins. */
export function getListCursor(
  { id, lastMessageAt, deletedAt }: ListedConversation,
  from: ConversationQuery['from'],
): ListCursor {
  return { id, value: from === 'trash' ? (deletedAt ?? 0) : lastMessageAt };
}

function toListed(row: Row): ListedConversation {
  return {
    id: row.id,
    characterId: row.character_id,
    characterName: row.character_name,
    avatarUrl: row.avatar_url,
    title: row.title,
    lastLine: row.last_line,
    createdAt: row.created_at,
    lastMessageAt: row.last_message_at,
    messageCount: row.message_count,
    branchOf: row.branch_of,
    isUnread: row.unread === 1,
    deletedAt: row.deleted_at,
  };
}
