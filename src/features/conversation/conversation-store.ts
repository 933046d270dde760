// Over 400 lines: all that is stored in the one row of a conversation, which one statement per transaction writes.
import { memoizeLru } from '../../lib/memoize-lru.ts';
import type { CharacterDefinition } from '../character/definition.ts';
import type { RatingChange } from './messages/rating-changes.ts';
import type { Access } from './access/access.ts';
import { getIdPosition } from '../../lib/ids.ts';
import { CHAT_COUNT } from './limits.ts';
import {
  type CharacterCopy,
  NO_COPY,
  type PinnedSource,
  toCharacterCopy,
} from './character/character-copy.ts';
import type { TurnFigures } from './turn/turn-figures.ts';
import type { OpenTurn, Settlement } from './turn/turn-store.ts';

/** The version of the character that the conversation uses. */
export interface CharacterSnapshot extends Omit<
  CharacterDefinition,
  'alternate_greetings' | 'nickname' | 'lorebook' | 'parts'
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
  /** Without its further greetings, which no turn needs; `getCharacter` returns them too. */
  character: Omit<CharacterSnapshot, 'alternate_greetings'>;
  /** The user's title; null while they gave none (`findTitle`). */
  title: string | null;
  /** The title that a model wrote; null when there is none. */
  modelTitle: string | null;
  /** The user's first message; null before it, and in imports. */
  firstMessageId: string | null;
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
  /** The conversation that this one was forked from; null for others. */
  branchOf: string | null;
  /** Whether a reply ended that the user has not seen. */
  isUnread: boolean;
  /**
   * Whether the conversation is in the user's list and search. A started one is not before the user's first turn; copies and
   * imports are at once.
   */
  isBegun: boolean;
  /** Whether the row in D1 says the same. */
  isD1Begun: boolean;
  /** Whether the user's list has an older state. */
  isListRowStale: boolean;
  /** Whether the row in D1 has an older state. */
  isD1RowStale: boolean;
  /** Answered messages that the row in D1 has. */
  d1Turns: number;
  /** When the first reply to the user was completed here; null before. */
  completedAt: number | null;
  /** Whether D1 has decided whether the chat counts for its character. */
  isCountDecided: boolean;
  /**
   * Since when the conversation may have no row in D1, because it was just created or is being erased; null once it has.
   */
  unlistedSince: number | null;
  /** Where D1 has the character's long texts; null when it has none. */
  copyHash: string | null;
  /** The size that the row in D1 has, in bytes. */
  d1Bytes: number;
}

type ConversationMetaRow = {
  id: string;
  owner_id: string;
  user_name: string;
  persona: string | null;
  character: string;
  title: string | null;
  model_title: string | null;
  first_message_id: string | null;
  created_at: number;
  updated_at: number;
  message_count: number;
  context_start_id: string | null;
  answered: number;
  noticed_at: number | null;
  deleted_at: number | null;
  branch_of: string | null;
  unread: number;
  begun: number;
  d1_begun: number;
  list_row_stale: number;
  d1_row_stale: number;
  d1_turns: number;
  search_position: number;
  open_turn: string | null;
  settlements: string;
  figures: string;
  rating_changes: string;
  rating_number: number;
  wake_at: number;
  access: string | null;
  completed_at: number | null;
  count_decided: number;
  unlisted_since: number | null;
  copy_hash: string | null;
  d1_bytes: number;
};

type MetaChanges = Partial<Omit<ConversationMetaRow, 'id'>>;

/** What was sent to the search index, to be marked as sent. */
export interface SearchBatch {
  messageIds: string[];
  /** Up to this number in the queue, and up to this position. */
  seq: number;
  position: number;
  generation: number;
}

/**
 * SQL of the conversation's one row and of the queue for the search index. The row is read once and then kept in memory,
 * because a turn asks for it some forty times; only this class writes it. Inside `atomically` all changes of the row are
 * written by one statement, because each statement is billed as a row.
 */
export class ConversationStore {
  readonly #sql: SqlStorage;
  readonly #transaction: <T>(write: () => T) => T;
  /** Cached by text, because a turn reads them repeatedly; frozen, because callers share the objects. */
  readonly #character = memoizeLru(1, (text) =>
    Object.freeze(JSON.parse(text) as ConversationMeta['character']),
  );
  readonly #persona = memoizeLru(1, (text) => Object.freeze(JSON.parse(text) as PersonaSnapshot));
  /** The row with the changes of the current transaction; null until it is read. */
  #row: ConversationMetaRow | null = null;
  /** Changes of the row that the current transaction has not written yet; null outside of one. */
  #pending: MetaChanges | null = null;
  /** The last position of the batch that is being sent to the search index. */
  #sendingPosition = 0;
  /** Raised when everything has to be sent again. */
  #searchGeneration = 0;
  /** The character's long texts, once they were loaded from D1. */
  #copy: { hash: string | null; copy: CharacterCopy } = { hash: null, copy: NO_COPY };

  /** @param transaction runs the writes in one transaction and rolls them back on an exception */
  constructor(sql: SqlStorage, transaction: <T>(write: () => T) => T) {
    this.#sql = sql;
    this.#transaction = transaction;
  }

  /** Runs the writes in one transaction. Every transaction that changes the row has to begin here. */
  atomically<T>(write: () => T): T {
    if (this.#pending !== null) return write();
    this.#pending = {};
    try {
      return this.#transaction(() => {
        const result = write();
        this.#write(this.#pending ?? {});
        return result;
      });
    } catch (error) {
      // The transaction was rolled back.
      this.#row = null;
      throw error;
    } finally {
      this.#pending = null;
    }
  }

  #set(changes: MetaChanges): void {
    if (this.#pending === null) this.#write(changes);
    else Object.assign(this.#pending, changes);
    if (this.#row !== null) this.#row = { ...this.#row, ...changes };
  }

  #write(changes: MetaChanges): void {
    const names = Object.keys(changes) as (keyof MetaChanges)[];
    if (names.length === 0) return;
    this.#sql.exec(
      `update meta set ${names.map((name) => `${name} = ?`).join(', ')}`,
      ...names.map((name) => changes[name] as string | number | null),
    );
  }

  #readRow(): ConversationMetaRow | null {
    if (this.#row !== null) return this.#row;
    const [row] = this.#sql.exec<ConversationMetaRow>('select * from meta').toArray();
    this.#row = row === undefined ? null : { ...row, ...this.#pending };
    return this.#row;
  }

  create(
    input: Pick<
      ConversationMeta,
      | 'id'
      | 'ownerId'
      | 'userName'
      | 'persona'
      | 'title'
      | 'modelTitle'
      | 'firstMessageId'
      | 'createdAt'
      | 'branchOf'
    > & { source: PinnedSource; isBegun: boolean },
  ): void {
    const { alternate_greetings: _, ...character } = input.source.character;
    const { copyHash } = input.source;
    const isBegun = Number(input.isBegun);
    this.#sql.exec(
      `insert into meta (one, id, owner_id, user_name, persona, character, title, model_title, first_message_id,
         branch_of, created_at, updated_at, begun, d1_begun, copy_hash)
       values (1, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      input.id,
      input.ownerId,
      input.userName,
      input.persona === null ? null : JSON.stringify(input.persona),
      JSON.stringify(character),
      input.title,
      input.modelTitle,
      input.firstMessageId,
      input.branchOf,
      input.createdAt,
      input.createdAt,
      isBegun,
      isBegun,
      copyHash,
    );
    this.#copy = { hash: copyHash, copy: toCharacterCopy(input.source) };
  }

  getMeta(): ConversationMeta | null {
    const row = this.#readRow();
    if (row === null) return null;
    return {
      id: row.id,
      ownerId: row.owner_id,
      userName: row.user_name,
      persona: row.persona === null ? null : this.#persona(row.persona),
      character: this.#character(row.character),
      title: row.title,
      modelTitle: row.model_title,
      firstMessageId: row.first_message_id,
      createdAt: row.created_at,
      updatedAt: row.updated_at,
      messageCount: row.message_count,
      contextStartId: row.context_start_id,
      answeredCount: row.answered,
      noticedAt: row.noticed_at,
      deletedAt: row.deleted_at,
      branchOf: row.branch_of,
      isUnread: row.unread === 1,
      isBegun: row.begun === 1,
      isD1Begun: row.d1_begun === 1,
      isListRowStale: row.list_row_stale === 1,
      isD1RowStale: row.d1_row_stale === 1,
      d1Turns: row.d1_turns,
      completedAt: row.completed_at,
      isCountDecided: row.count_decided === 1,
      unlistedSince: row.unlisted_since,
      copyHash: row.copy_hash,
      d1Bytes: row.d1_bytes,
    };
  }

  setOwner(ownerId: string): void {
    this.#set({ owner_id: ownerId });
  }

  setTitle(title: string): void {
    this.#set({ title, list_row_stale: 1 });
  }

  /** Stores a title that a model wrote, or removes it. Also marks the list row as stale. */
  setModelTitle(title: string | null): void {
    this.#set({ model_title: title, list_row_stale: 1 });
  }

  /** Stores the user's name without a persona. */
  setUserName(userName: string): void {
    this.#set({ user_name: userName });
  }

  setPersona(persona: PersonaSnapshot | null): void {
    this.#set({ persona: persona === null ? null : JSON.stringify(persona) });
  }

  /** Also marks both rows as stale: they contain the character's name and picture. */
  setCharacter(source: PinnedSource): void {
    const { alternate_greetings: _, ...character } = source.character;
    const { copyHash } = source;
    this.#set({
      character: JSON.stringify(character),
      copy_hash: copyHash,
      list_row_stale: 1,
      d1_row_stale: 1,
    });
    this.#copy = { hash: copyHash, copy: toCharacterCopy(source) };
  }

  /** The character with all of its greetings. */
  getCharacter(): CharacterSnapshot {
    const { character } = this.getMeta() as ConversationMeta;
    const { greetings } = this.getCopy();
    return greetings.length === 0 ? character : { ...character, alternate_greetings: [...greetings] };
  }

  /** The hash of the long texts that are not loaded; null when there are none to load. */
  getMissingCopy(): string | null {
    const hash = this.#readRow()?.copy_hash ?? null;
    return hash === this.#copy.hash ? null : hash;
  }

  /** Keeps the long texts that D1 has under a hash. */
  keepCopy(hash: string, copy: CharacterCopy): void {
    this.#copy = { hash, copy };
  }

  /** The character's long texts. `ConversationHost.authorize` loads them first; none while they are not loaded. */
  getCopy(): CharacterCopy {
    return this.#copy.hash === (this.#readRow()?.copy_hash ?? null) ? this.#copy.copy : NO_COPY;
  }

  setContextStart(messageId: string | null): void {
    if (this.#readRow()?.context_start_id !== messageId) this.#set({ context_start_id: messageId });
  }

  /** Stores when the AI notice was last shown. */
  setNoticedAt(at: number | null): void {
    this.#set({ noticed_at: at });
  }

  /**
   * Also marks both rows as stale. A chat that moves to the trash soon after it was counted leaves the count, and D1 decides
   * again when it is restored.
   */
  setDeletedAt(at: number | null): void {
    const completedAt = this.#readRow()?.completed_at ?? null;
    const leavesCount = at !== null && completedAt !== null && at < completedAt + CHAT_COUNT.withdrawnUnderMs;
    this.#set({
      deleted_at: at,
      list_row_stale: 1,
      d1_row_stale: 1,
      ...(leavesCount ? { count_decided: 0 } : {}),
    });
  }

  /** Stores whether a reply ended that the user has not seen. Also marks the list row as stale. */
  setUnread(isUnread: boolean): void {
    if (this.#readRow()?.unread !== Number(isUnread))
      this.#set({ unread: Number(isUnread), list_row_stale: 1 });
  }

  /**
   * Stores whether the conversation is in the user's list. Also marks the list row as stale.
   * @param firstMessageId the user's message that begins it; null when it begins with another turn
   */
  setBegun(isBegun: boolean, firstMessageId: string | null): void {
    this.#set({ begun: Number(isBegun), first_message_id: firstMessageId, list_row_stale: 1 });
  }

  /** Stores since when the conversation may have no row in D1; null once it has one. */
  setUnlistedSince(since: number | null): void {
    this.#set({ unlisted_since: since });
  }

  /** Stores that D1 has a row, and the size that it says, in bytes. */
  markListed(bytes: number): void {
    this.#set({ unlisted_since: null, d1_bytes: bytes });
  }

  /**
   * Sets the last message time and marks the list row as stale.
   * @param isAnswered whether a user message was answered
   * @param isCompleted whether a reply to the user was completed
   */
  touch(at: number, { isAnswered = false, isCompleted = false } = {}): void {
    const { answered = 0, completed_at: completedAt = null } = this.#readRow() ?? {};
    this.#set({
      updated_at: at,
      list_row_stale: 1,
      ...(isAnswered ? { answered: answered + 1 } : {}),
      ...(isCompleted && completedAt === null ? { completed_at: at } : {}),
    });
  }

  /** Adds to the number of messages outside the trash. */
  addToMessageCount(more: number): void {
    this.#set({ message_count: (this.#readRow()?.message_count ?? 0) + more });
  }

  markListRowWritten(): void {
    this.#set({ list_row_stale: 0 });
  }

  /**
   * @param written.turns the answered messages that the row in D1 has now
   * @param written.isCurrent whether it has all else as it is now; otherwise it stays stale
   * @param written.isCountDecided whether D1 has decided whether the chat counts, while it was not in the trash
   * @param written.isBegun whether it says now that the conversation has begun
   */
  markD1RowWritten(written: {
    turns: number;
    isCurrent: boolean;
    isCountDecided: boolean;
    isBegun: boolean;
    /** Null when the size was not written. */
    bytes: number | null;
  }): void {
    const isHere = this.#readRow()?.deleted_at == null;
    this.#set({
      d1_turns: written.turns,
      ...(written.bytes === null ? {} : { d1_bytes: written.bytes }),
      ...(written.isCurrent ? { d1_row_stale: 0 } : {}),
      ...(written.isCountDecided && isHere ? { count_decided: 1 } : {}),
      ...(written.isBegun ? { d1_begun: 1 } : {}),
    });
  }

  // ── the open turn, what its caller was allowed, and what the wallet has not confirmed ──

  getOpenTurn(): OpenTurn | null {
    const text = this.#readRow()?.open_turn ?? null;
    return text === null ? null : (JSON.parse(text) as OpenTurn);
  }

  setOpenTurn(turn: OpenTurn | null): void {
    this.#set({ open_turn: turn === null ? null : JSON.stringify(turn) });
  }

  /** What the latest turn's caller was allowed; null before the first turn. */
  getAccess(): Access | null {
    const text = this.#readRow()?.access ?? null;
    return text === null ? null : (JSON.parse(text) as Access);
  }

  setAccess(access: Access): void {
    const text = JSON.stringify(access);
    if (this.#readRow()?.access !== text) this.#set({ access: text });
  }

  listSettlements(): Settlement[] {
    return JSON.parse(this.#readRow()?.settlements ?? '[]') as Settlement[];
  }

  setSettlements(settlements: readonly Settlement[]): void {
    this.#set({ settlements: JSON.stringify(settlements) });
  }

  // ── metrics that were not sent yet, and the alarm ──

  listFigures(): TurnFigures[] {
    return JSON.parse(this.#readRow()?.figures ?? '[]') as TurnFigures[];
  }

  setFigures(figures: readonly TurnFigures[]): void {
    this.#set({ figures: JSON.stringify(figures) });
  }

  // ── changed ratings that the totals do not have yet ──

  /** Changed ratings, oldest first. */
  listRatingChanges(): RatingChange[] {
    return JSON.parse(this.#readRow()?.rating_changes ?? '[]') as RatingChange[];
  }

  addRatingChange(change: Omit<RatingChange, 'number'>): void {
    const number = (this.#readRow()?.rating_number ?? 0) + 1;
    const changes = [...this.listRatingChanges(), { number, ...change }];
    this.#set({ rating_number: number, rating_changes: JSON.stringify(changes) });
  }

  /** Removes the changes up to this one, which the totals have. */
  removeRatingChanges(upTo: number): void {
    const left = this.listRatingChanges().filter(({ number }) => number > upTo);
    this.#set({ rating_changes: JSON.stringify(left) });
  }

  /** When the alarm that a turn has set will run; in the past when there is none. */
  getWakeAt(): number {
    return this.#readRow()?.wake_at ?? 0;
  }

  setWakeAt(at: number): void {
    if (this.getWakeAt() !== at) this.#set({ wake_at: at });
  }

  // ── queue for the search index ──

  /** The index has all messages up to this position, except those in the queue. */
  getSearchPosition(): number {
    return this.#readRow()?.search_position ?? 0;
  }

  /**
   * Queues messages whose text was changed, added or removed. Messages after the search position need no entry. Also marks
   * the list row as stale: one of them may be the last.
   */
  queueForSearch(messageIds: readonly string[]): void {
    this.#set({ list_row_stale: 1 });
    const sent = Math.max(this.getSearchPosition(), this.#sendingPosition);
    for (const id of messageIds)
      if (getIdPosition(id) <= sent)
        this.#sql.exec('insert or replace into search_queue (message_id) values (?)', id);
  }

  /** Queues all messages and the list row, for a new owner's index. */
  queueAllForSearch(): void {
    this.#searchGeneration += 1;
    this.#sendingPosition = 0;
    this.#sql.exec('delete from search_queue');
    this.#set({ search_position: 0, list_row_stale: 1 });
  }

  /** Queues the messages that contain the `{{user}}` macro, because the user's name has changed. */
  queueNamedForSearch(): void {
    const named = this.#sql
      .exec<{ id: string }>(
        "select id from messages where trash_id is null and content like '%{{user}}%' order by position",
      )
      .toArray();
    this.queueForSearch(named.map(({ id }) => id));
  }

  hasSearchQueue(): boolean {
    return (
      this.#sql
        .exec(
          `select 1 where exists (select 1 from search_queue)
             or (select coalesce(max(position), 0) from messages) > (select search_position from meta)`,
        )
        .toArray().length > 0
    );
  }

  /** Takes the oldest queued messages, at most `limit`, to be marked by `markSearched` when they were sent. */
  takeSearchQueue(limit: number): SearchBatch | null {
    const queued = this.#sql
      .exec<{ seq: number; message_id: string }>('select * from search_queue order by seq limit ?', limit)
      .toArray();
    const from = this.getSearchPosition();
    const fresh = this.#sql
      .exec<{ id: string; position: number }>(
        'select id, position from messages where position > ? order by position limit ?',
        from,
        limit - queued.length,
      )
      .toArray();
    const messageIds = [...queued.map((row) => row.message_id), ...fresh.map(({ id }) => id)];
    if (messageIds.length === 0) return null;
    const position = fresh.at(-1)?.position ?? from;
    this.#sendingPosition = position;
    return { messageIds, seq: queued.at(-1)?.seq ?? 0, position, generation: this.#searchGeneration };
  }

  /** Marks a batch as sent. A message that was queued again since has a higher number and stays. */
  markSearched({ seq, position, generation }: SearchBatch): void {
    if (generation !== this.#searchGeneration) return;
    if (seq > 0) this.#sql.exec('delete from search_queue where seq <= ?', seq);
    if (position > this.getSearchPosition()) this.#set({ search_position: position });
  }
}
