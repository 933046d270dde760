import { memoizeLru } from '../../lib/memoize-lru.ts';
import type { CharacterDefinition } from '../character/definition.ts';

/** The character as it was when the conversation began. */
export interface CharacterSnapshot extends Omit<
  CharacterDefinition,
  'alternate_greetings' | 'nickname' | 'lorebook'
> {
  id: string;
  /** Which version of the character this is; the first conversations do not say, and have the first. */
  version?: number;
  /** What it may begin with instead of its first message. */
  alternate_greetings?: string[];
  /** What `{{char}}` stands for, where that is not the name. */
  nickname?: string;
  /** Whoever made it is gone: nobody answers any more. */
  gone?: true;
}

/** Who the person is in this story, as the persona was when it was last looked up. */
export interface PersonaSnapshot {
  id: string;
  name: string;
  description: string;
}

export interface ConversationMeta {
  id: string;
  ownerId: string;
  /** What the person is called when no persona says otherwise. */
  userName: string;
  persona: PersonaSnapshot | null;
  character: CharacterSnapshot;
  title: string | null;
  createdAt: number;
  updatedAt: number;
  /** Messages that are not in the trash. */
  messageCount: number;
  /** The first message that the model saw word for word in the latest turn; null when it saw all. */
  contextStartId: string | null;
  /** Messages of its person that were answered here: not what was brought along or copied, nor what came to nothing. */
  answeredCount: number;
  /** When the notice that an AI answers stood here last; null where nobody knows. */
  noticedAt: number | null;
  /** Since when the conversation lies in the trash. */
  deletedAt: number | null;
  isListRowStale: boolean;
  /** Whether the character's chat count has been told of this conversation. */
  isChatCounted: boolean;
  /** What the list row was to say of its last time when the chat count was told; null where it never was. */
  countAttemptAt: number | null;
  /** Since when nobody may have it in their lists, as one that has just begun or is being erased; null once it is listed. */
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

/** SQL of the conversation itself: its one row, and which messages are still to be told to the search. */
export class ConversationStore {
  readonly #sql: SqlStorage;
  /** Read from the same text, as they are time and again in a turn; nobody changes what they are given. */
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

  /** The list row shows its name and face, too. */
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

  /** Notes when the notice that an AI answers stood here last. */
  setNoticedAt(at: number | null): void {
    this.#sql.exec('update meta set noticed_at = ?', at);
  }

  /** Its list row says so, too. */
  setDeletedAt(at: number | null): void {
    this.#sql.exec('update meta set deleted_at = ?, index_dirty = 1', at);
  }

  /** Notes since when it may stand in nobody's lists; null once it does. */
  setUnlistedSince(since: number | null): void {
    this.#sql.exec('update meta set unlisted_since = ?', since);
  }

  /** The character's chat count is about to be told, together with a list row of that time; null: it is not. */
  setCountAttempt(lastMessageAt: number | null): void {
    this.#sql.exec('update meta set counting = ?', lastMessageAt);
  }

  /**
   * Notes when something happened last, and that the list row in D1 no longer tells the truth.
   * @param isAnswered whether what happened is that a message of its person was answered
   */
  touch(at: number, { isAnswered = false } = {}): void {
    this.#sql.exec(
      'update meta set updated_at = ?, answered = answered + ?, index_dirty = 1',
      at,
      isAnswered ? 1 : 0,
    );
  }

  /** The list row has to be written again, though nothing was said. */
  markListRowStale(): void {
    this.#sql.exec('update meta set index_dirty = 1');
  }

  markListRowWritten(): void {
    this.#sql.exec('update meta set index_dirty = 0');
  }

  markChatCounted(): void {
    this.#sql.exec('update meta set counted = 1');
  }

  // ── what the search has still to be told ──

  /** Notes messages whose words have changed, come or gone. */
  queueForSearch(messageIds: readonly string[]): void {
    for (const id of messageIds)
      this.#sql.exec('insert or replace into search_queue (message_id) values (?)', id);
  }

  /** Queues all messages, trashed ones included: somebody else's search has to know them from now on. */
  queueAllForSearch(): void {
    this.#sql.exec(
      'insert or ignore into search_queue (message_id) select id from messages order by position',
    );
  }

  /** Queues the messages that call the person by a macro: what they say changes with who the person is. */
  queueNamedForSearch(): void {
    this.#sql.exec(
      `insert or replace into search_queue (message_id)
       select messages.id from messages join versions on versions.id = messages.selected_version_id
       where messages.trash_id is null and versions.content like '%{{user}}%' order by messages.position`,
    );
  }

  /** The messages that have waited longest, at most `limit`, and a mark to take them out by. */
  getSearchQueue(limit: number): { messageIds: string[]; lastSeq: number } | null {
    const rows = this.#sql
      .exec<{ seq: number; message_id: string }>('select * from search_queue order by seq limit ?', limit)
      .toArray();
    const last = rows.at(-1);
    return last === undefined ? null : { messageIds: rows.map((row) => row.message_id), lastSeq: last.seq };
  }

  /** What was queued again meanwhile has a higher number and stays. */
  removeFromSearchQueue(upTo: number): void {
    this.#sql.exec('delete from search_queue where seq <= ?', upTo);
  }
}
