import { memoizeLru } from '../../lib/memoize-lru.ts';
import type { CharacterDefinition } from '../character/definition.ts';

/** The version of the character that the conversation uses. */
export interface CharacterSnapshot extends Omit<
  CharacterDefinition,
  'alternate_greetings' | 'nickname' | 'lorebook'
> {
  id: string;
  /** Absent in old conversations, which use version 1. */
  version?: number;
  /** Further openings besides the first message. */
  alternate_greetings?: string[];
  /** Replacement for `{{char}}`, where it differs from the name. */
  nickname?: string;
  /** The creator's account was deleted: no more replies are written. */
  gone?: true;
}

/** The user's persona in this conversation, as of the last lookup. */
export interface PersonaSnapshot {
  id: string;
  name: string;
  description: string;
}

export interface ConversationMeta {
  id: string;
  ownerId: string;
  /** The user's name when they use no persona. */
  userName: string;
  persona: PersonaSnapshot | null;
  character: CharacterSnapshot;
  title: string | null;
  createdAt: number;
  updatedAt: number;
  /** Messages outside the trash. */
  messageCount: number;
  /** The first message that the model saw word for word in the latest turn; null when it saw all. */
  contextStartId: string | null;
  /** User messages that were answered in this conversation; imported and copied ones, and failed turns, do not count. */
  answeredCount: number;
  /** When the AI notice was last shown; null when unknown. */
  noticedAt: number | null;
  /** When the conversation was moved to the trash; null when it is not there. */
  deletedAt: number | null;
  isListRowStale: boolean;
  /** Whether this conversation was added to the character's chat count. */
  isChatCounted: boolean;
  /** The last message time written with the latest attempt to count the chat; null when there was none. */
  countAttemptAt: number | null;
  /**
   * Since when the conversation may have no list row, because it was just created or is being erased; null once listed.
   */
  unlistedSince: number | null;
}

type ConversationMetaRow = {
  id: string;
  owner_id: string;
  user_name: string;
  persona: string | null;
  character: string;
  title: string | null;
  created_at: number;
  updated_at: number;
  message_count: number;
  context_start_id: string | null;
  answered: number;
  noticed_at: number | null;
  deleted_at: number | null;
  index_dirty: number;
  counted: number;
  counting: number | null;
  unlisted_since: number | null;
};

/** SQL of the conversation's one row and of the queue for the search index. */
export class ConversationStore {
  readonly #sql: SqlStorage;
  /** Cached by text, because a turn reads them repeatedly; frozen, because callers share the objects. */
  readonly #character = memoizeLru(1, (text) => Object.freeze(JSON.parse(text) as CharacterSnapshot));
  readonly #persona = memoizeLru(1, (text) => Object.freeze(JSON.parse(text) as PersonaSnapshot));

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  create(input: {
    id: string;
    ownerId: string;
    userName: string;
    persona: PersonaSnapshot | null;
    character: CharacterSnapshot;
    title: string | null;
    createdAt: number;
  }): void {
    this.#sql.exec(
      `insert into meta (one, id, owner_id, user_name, persona, character, title, created_at, updated_at)
       values (1, ?, ?, ?, ?, ?, ?, ?, ?)`,
      input.id,
      input.ownerId,
      input.userName,
      input.persona === null ? null : JSON.stringify(input.persona),
      JSON.stringify(input.character),
      input.title,
      input.createdAt,
      input.createdAt,
    );
  }

  getMeta(): ConversationMeta | null {
    const row = this.#sql.exec<ConversationMetaRow>('select * from meta').toArray()[0];
    if (row === undefined) return null;
    return {
      id: row.id,
      ownerId: row.owner_id,
      userName: row.user_name,
      persona: row.persona === null ? null : this.#persona(row.persona),
      character: this.#character(row.character),
      title: row.title,
      createdAt: row.created_at,
      updatedAt: row.updated_at,
      messageCount: row.message_count,
      contextStartId: row.context_start_id,
      answeredCount: row.answered,
      noticedAt: row.noticed_at,
      deletedAt: row.deleted_at,
      isListRowStale: row.index_dirty === 1,
      isChatCounted: row.counted === 1,
      countAttemptAt: row.counting,
      unlistedSince: row.unlisted_since,
    };
  }

  setOwner(ownerId: string): void {
    this.#sql.exec('update meta set owner_id = ?', ownerId);
  }

  setTitle(title: string): void {
    this.#sql.exec('update meta set title = ?, index_dirty = 1', title);
  }

  setPersona(persona: PersonaSnapshot | null): void {
    this.#sql.exec('update meta set persona = ?', persona === null ? null : JSON.stringify(persona));
  }

  /** Also marks the list row as stale: it contains the character's name and picture. */
  setCharacter(character: CharacterSnapshot): void {
    this.#sql.exec('update meta set character = ?, index_dirty = 1', JSON.stringify(character));
  }

  setContextStart(messageId: string | null): void {
    this.#sql.exec(
      'update meta set context_start_id = ? where context_start_id is not ?',
      messageId,
      messageId,
    );
  }

  /** Stores when the AI notice was last shown. */
  setNoticedAt(at: number | null): void {
    this.#sql.exec('update meta set noticed_at = ?', at);
  }

  /** Also marks the list row as stale. */
  setDeletedAt(at: number | null): void {
    this.#sql.exec('update meta set deleted_at = ?, index_dirty = 1', at);
  }

  /** Stores since when the conversation may have no list row; null once it has one. */
  setUnlistedSince(since: number | null): void {
    this.#sql.exec('update meta set unlisted_since = ?', since);
  }

  /** Stores the last message time of an attempt to count the chat; null when there is none. */
  setCountAttempt(lastMessageAt: number | null): void {
    this.#sql.exec('update meta set counting = ?', lastMessageAt);
  }

  /**
   * Sets the last message time and marks the list row in D1 as stale.
   * @param isAnswered whether a user message was answered
   */
  touch(at: number, { isAnswered = false } = {}): void {
    this.#sql.exec(
      'update meta set updated_at = ?, answered = answered + ?, index_dirty = 1',
      at,
      isAnswered ? 1 : 0,
    );
  }

  /** Marks the list row as stale without changing the last message time. */
  markListRowStale(): void {
    this.#sql.exec('update meta set index_dirty = 1');
  }

  markListRowWritten(): void {
    this.#sql.exec('update meta set index_dirty = 0');
  }

  markChatCounted(): void {
    this.#sql.exec('update meta set counted = 1');
  }

  // ── queue for the search index ──

  /** Queues messages whose text was changed, added or removed. */
  queueForSearch(messageIds: readonly string[]): void {
    for (const id of messageIds)
      this.#sql.exec('insert or replace into search_queue (message_id) values (?)', id);
  }

  /** Queues all messages, including those in the trash, for a new owner's search index. */
  queueAllForSearch(): void {
    this.#sql.exec(
      'insert or ignore into search_queue (message_id) select id from messages order by position',
    );
  }

  /** Queues the messages that contain the `{{user}}` macro, because the user's name has changed. */
  queueNamedForSearch(): void {
    this.#sql.exec(
      `insert or replace into search_queue (message_id)
       select messages.id from messages join versions on versions.id = messages.selected_version_id
       where messages.trash_id is null and versions.content like '%{{user}}%' order by messages.position`,
    );
  }

  /** Returns the oldest queued messages, at most `limit`, and the number to remove them by. */
  getSearchQueue(limit: number): { messageIds: string[]; lastSeq: number } | null {
    const rows = this.#sql
      .exec<{ seq: number; message_id: string }>('select * from search_queue order by seq limit ?', limit)
      .toArray();
    const last = rows.at(-1);
    return last === undefined ? null : { messageIds: rows.map((row) => row.message_id), lastSeq: last.seq };
  }

  /** Removes entries up to this number. A message that was queued again since has a higher number and stays. */
  removeFromSearchQueue(upTo: number): void {
    this.#sql.exec('delete from search_queue where seq <= ?', upTo);
  }
}
