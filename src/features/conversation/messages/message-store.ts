// Over 400 lines: all statements that read or write messages as a whole, so that one place knows their columns.
import { CHAT_FILE } from '../limits.ts';
import type { Message, MessageStatus, MessageVersion, ReplyRating } from '../contract.ts';
import type { Crisis } from '../moderation/crisis-help.ts';
import {
  endVersion,
  findCrisisBefore,
  hasShownCrisis,
  addVersion,
  type NewVersion,
  removeVersion,
  selectVersion,
  toVersionValues,
  SET_THINKING,
  updateVersion,
  type VersionEnd,
} from './message-versions-store.ts';
import { getIdPosition, MAX_POSITION } from '../../../lib/ids.ts';
import { TITLE_SOURCE_CHARS } from '../title/truncate-title.ts';
import { createMessageIds, createVersionId, joinMessages, type MessageIds } from './message-ids.ts';
import {
  removeSurplusPins,
  MIN_POSITION,
  selectWithinBytes,
  findMessageRow,
  SIZED_COLUMNS,
  type SizedRow,
  toMessage,
  toVersion,
  type VersionRow,
  withVersions,
} from './message-rows-store.ts';

/** A message of the history with its selected text, for prompts. */
export type HistoryMessage = {
  id: string;
  versionId: string;
  role: 'user' | 'character';
  name: string | null;
  content: string;
  /** Milliseconds since 1970. */
  createdAt: number;
};

/** Selects a page of the history; `around` has its message in the middle, null means the newest page. */
export type PagePlace = { before: string } | { after: string } | { around: string } | null;

/** Up to `limit` messages, oldest first, and whether there are more before and after them. */
export interface MessagePage {
  messages: Message[];
  earlier: boolean;
  later: boolean;
}

/** A position after all messages. */
const AFTER_ALL = MAX_POSITION + 1;

export interface MessageEffects {
  /** Adds to the number of messages outside the trash. */
  count(more: number): void;
  /** The id of the conversation's character, which speaks in its messages. */
  getCharacterId(): string;
  /** Must be called with every message whose text was changed, added or removed. */
  notifyChanged(messageIds: readonly string[]): void;
  /** The position after which no message was ever indexed for the search, so that none is used twice. */
  getSearchPosition(): number;
}

/**
 * SQL of a conversation's messages and their versions; every call is synchronous. Messages in the trash are invisible
 * here; only `MessageTrash` reads them. Code that changes, adds or removes a message's text must call `notifyChanged` in
 * the same transaction.
 */
export class MessageStore {
  readonly #sql: SqlStorage;
  readonly #effects: MessageEffects;

  constructor(sql: SqlStorage, effects: MessageEffects) {
    this.#sql = sql;
    this.#effects = effects;
  }

  /** Must be called with every message whose text was changed, added or removed. */
  notifyChanged(messageIds: readonly string[]): void {
    this.#effects.notifyChanged(messageIds);
  }

  /** The position of the next message. Positions in the trash are not reused. */
  getNextPosition(): number {
    const { last } = this.#sql
      .exec<{ last: number }>('select coalesce(max(position), 0) as last from messages')
      .one();
    return Math.max(last, this.#effects.getSearchPosition()) + 1;
  }

  /** Adds a message with its first version at the end. */
  add(
    input: NewVersion & {
      /** Created before by `createMessageIds`; by default new ones. */
      ids?: MessageIds;
      role: 'user' | 'character';
      /** The id of the turn that sent it; null for other messages. */
      clientMessageId: string | null;
      /** The user's current name; null for the character. */
      name: string | null;
    },
  ): MessageIds {
    const { id, versionId } = input.ids ?? createMessageIds(this.getNextPosition(), input.now);
    this.#sql.exec(
      `insert into messages (position, id, role, character_id, client_message_id, created_at, name, version_id,
         version_number, version_created_at, content, model, status, edited, template, crisis, regenerate_note)
       values (?, ?, ?, ?, ?, ?, ?, ?, 1, ?, ?, ?, ?, ?, ?, ?, ?)`,
      getIdPosition(id),
      id,
      input.role,
      input.role === 'user' ? null : this.#effects.getCharacterId(),
      input.clientMessageId,
      input.now,
      input.name,
      versionId,
      input.now,
      ...toVersionValues(input),
    );
    this.#effects.count(1);
    return { id, versionId };
  }

  /** Adds a version and selects it. @param id created before by `createVersionId`; by default a new one */
  addVersion(messageId: string, version: NewVersion, id = createVersionId(messageId, version.now)): void {
    addVersion(this.#sql, messageId, id, version);
  }

  selectVersion(messageId: string, versionId: string): void {
    selectVersion(this.#sql, messageId, versionId);
  }

  /** Stores how the writing of a version ended. */
  endVersion(versionId: string, content: string, end: VersionEnd): void {
    endVersion(this.#sql, versionId, content, end);
  }

  /** Shows or hides the AI notice before a message. */
  setNotice(id: string, isShown: boolean): void {
    this.#sql.exec('update messages set notice = ? where position = ?', Number(isShown), getIdPosition(id));
  }

  /** Stores that a version shows that its author may need help. */
  markCrisis(versionId: string, crisis: Crisis): void {
    updateVersion(this.#sql, versionId, 'crisis = ?', JSON.stringify(crisis));
  }

  /** Whether any version of a message showed that its author may need help. */
  showedCrisis(id: string): boolean {
    return hasShownCrisis(this.#sql, id);
  }

  /** The latest crisis in the user's last messages before a reply (null: before the end of the conversation), or null. */
  crisisBefore(replyId: string | null): Crisis | null {
    return findCrisisBefore(this.#sql, replyId);
  }

  /** @param thinking empty to keep what was saved */
  saveText(versionId: string, content: string, thinking = ''): void {
    updateVersion(this.#sql, versionId, `content = ?, ${SET_THINKING}`, content, thinking);
  }

  removeVersion(versionId: string): void {
    removeVersion(this.#sql, versionId);
  }

  /** Removes a message whose turn was refused, with its versions. It does not go to the trash. */
  remove(id: string): void {
    this.#sql.exec('delete from messages where position = ?', getIdPosition(id));
    this.#effects.count(-1);
    // A sync while the turn was being admitted may have sent it to the search index.
    this.notifyChanged([id]);
  }

  setRating(versionId: string, rating: ReplyRating | null): void {
    updateVersion(this.#sql, versionId, 'rating = ?', rating);
  }

  setPinned(id: string, pinned: boolean): void {
    this.#sql.exec('update messages set pinned = ? where position = ?', Number(pinned), getIdPosition(id));
  }

  /** Unpins all messages except the newest pins within the limit. @returns the ids of the unpinned messages */
  removeSurplusPins(): string[] {
    return removeSurplusPins(this.#sql);
  }

  countPinned(): number {
    const count = 'select count(*) as count from messages where pinned = 1 and trash_id is null';
    return this.#sql.exec<{ count: number }>(count).one().count;
  }

  /**
   * Lists pinned messages, oldest first; with a message id, those before it. Pinning, importing and restoring keep them
   * within the limit.
   */
  pinned(beforeMessageId?: string): HistoryMessage[] {
    return this.#sql
      .exec<HistoryMessage>(
        `${HISTORY_SELECT} where pinned = 1 and trash_id is null and position < ? order by position`,
        beforeMessageId === undefined ? AFTER_ALL : getIdPosition(beforeMessageId),
      )
      .toArray();
  }

  /** Lists versions with macros, whose text is rewritten when the user's name changes. */
  listTemplates(): { versionId: string; messageId: string; template: string; createdAt: number }[] {
    return this.#sql
      .exec<{ versionId: string; messageId: string; template: string; createdAt: number }>(
        `select version_id as versionId, id as messageId, template, created_at as createdAt from messages
         where template is not null
         union all
         select versions.id, messages.id, versions.template, messages.created_at from versions
         join messages on messages.position = versions.position where versions.template is not null`,
      )
      .toArray();
  }

  // ── reading ──

  #findRow(id: string): ReturnType<typeof findMessageRow> {
    const row = findMessageRow(this.#sql, id);
    return row === null || row.trash_id !== null ? null : row;
  }

  #versionRows(messageId: string): VersionRow[] {
    const row = findMessageRow(this.#sql, messageId);
    return row === null ? [] : (withVersions(this.#sql, [row])[0]?.versions ?? []);
  }

  /** Versions of a message, oldest first. */
  listVersions(messageId: string): MessageVersion[] {
    return this.#versionRows(messageId).map(toVersion);
  }

  /** Finds one version of a message, with its status. */
  findVersion(messageId: string, versionId: string): (MessageVersion & { status: MessageStatus }) | null {
    const row = this.#versionRows(messageId).find(({ id }) => id === versionId);
    return row === undefined ? null : { ...toVersion(row), status: row.status };
  }

  /** Returns what the model thought before it wrote the selected version; null when there is none. */
  findThinking(messageId: string): string | null {
    return this.#findRow(messageId)?.thinking ?? null;
  }

  /** Returns the user's instructions for the version that is being written; null when there are none. */
  findRegenerateNote(messageId: string): string | null {
    const note = "select regenerate_note as note from messages where position = ? and status = 'streaming'";
    const [row] = this.#sql.exec<{ note: string | null }>(note, getIdPosition(messageId)).toArray();
    return row?.note ?? null;
  }

  findMessage(id: string): Message | null {
    const row = this.#findRow(id);
    const [found] = row === null ? [] : withVersions(this.#sql, [row]);
    return row === null || found === undefined
      ? null
      : toMessage(row, found.versions, row.position === row.first_position);
  }

  /** Finds the last message; null when there is none. */
  findNewest(): { id: string; role: 'user' | 'character' } | null {
    const newest = 'select id, role from messages where trash_id is null order by position desc limit 1';
    return this.#sql.exec<{ id: string; role: 'user' | 'character' }>(newest).toArray()[0] ?? null;
  }

  /** The start of the last message that has a text, long enough for hidden notes in it; null without messages. */
  findLastText(): { start: string; createdAt: number } | null {
    const start = `select substr(content, 1, 4000) as start, created_at as createdAt from messages
      where trash_id is null and content <> '' order by position desc limit 1`;
    return this.#sql.exec<{ start: string; createdAt: number }>(start).toArray()[0] ?? null;
  }

  /**
   * The start of the message that gives the conversation its title, or of the user's first one where that is gone; null
   * without messages of the user. @param id null where it is not known
   */
  findTitleText(id: string | null): { start: string; createdAt: number } | null {
    const start = `select substr(content, 1, ${TITLE_SOURCE_CHARS}) as start, created_at as createdAt from messages
      where trash_id is null and role = 'user'`;
    const find = (where: string, ...values: (string | number)[]) =>
      this.#sql.exec<{ start: string; createdAt: number }>(`${start} ${where}`, ...values).toArray()[0] ??
      null;
    const titled = id === null ? null : find('and position = ? and id = ?', getIdPosition(id), id);
    return titled ?? find('order by position limit 1');
  }

  isNewest(id: string): boolean {
    return this.findNewest()?.id === id;
  }

  /** Returns the current text of the opening; empty when the first message is not the character's or there is none. */
  getOpeningText(): string {
    const [first] = this.#sql
      .exec<{ role: string; content: string }>(
        'select role, content from messages where trash_id is null order by position limit 1',
      )
      .toArray();
    return first?.role === 'character' ? first.content : '';
  }

  /** Whether the conversation has a message of the user. @param where also in the trash, for `anywhere` */
  hasUserMessage(where: 'here' | 'anywhere' = 'here'): boolean {
    const there = where === 'here' ? 'trash_id is null' : 'true';
    const sql = `select 1 from messages where role = 'user' and ${there} order by position limit 1`;
    return this.#sql.exec(sql).toArray().length > 0;
  }

  /**
   * Reads a page of the history that fits into one call (`CHAT_FILE.pageChars`); null when its message does not exist. A
   * page before or after a message starts at its position even when it was deleted since, so that a reader can continue.
   */
  getPage(place: PagePlace, limit: number): MessagePage | null {
    if (place === null) return this.#readBetween(MIN_POSITION, AFTER_ALL, limit, 'newest');
    const row =
      'around' in place
        ? this.#findRow(place.around)
        : findMessageRow(this.#sql, 'before' in place ? place.before : place.after);
    if (row === null) return null;
    if ('before' in place) {
      const page = this.#readBetween(MIN_POSITION, row.position, limit, 'newest');
      return { ...page, later: row.trash_id === null || this.#isAny(row.position, AFTER_ALL) };
    }
    if ('after' in place) {
      const page = this.#readBetween(row.position, AFTER_ALL, limit, 'oldest');
      return { ...page, earlier: row.trash_id === null || this.#isAny(MIN_POSITION, row.position) };
    }
    const room = CHAT_FILE.pageChars / 2;
    const upTo = this.#readBetween(MIN_POSITION, row.position + 1, Math.ceil(limit / 2), 'newest', { room });
    const after = this.#readBetween(row.position, AFTER_ALL, Math.floor(limit / 2), 'oldest', {
      room,
      least: 0,
    });
    return {
      messages: [...upTo.messages, ...after.messages],
      earlier: upTo.earlier,
      later: after.later,
    };
  }

  /** The position of the first message; null when there is none. */
  #findFirstPosition(): number | null {
    const first = 'select min(position) as first from messages where trash_id is null';
    return this.#sql.exec<{ first: number | null }>(first).one().first;
  }

  #isAny(above: number, below: number): boolean {
    return this.#readBetween(above, below, 1, 'oldest').messages.length > 0;
  }

  /** Reads messages between two positions (exclusive), starting from the newest or from the oldest of them. */
  #readBetween(
    above: number,
    below: number,
    limit: number,
    from: 'newest' | 'oldest',
    { room = CHAT_FILE.pageChars, least = 1 }: { room?: number; least?: 0 | 1 } = {},
  ): MessagePage {
    const rows = this.#sql
      .exec<SizedRow>(
        `select ${SIZED_COLUMNS} from messages where position > ? and position < ? and trash_id is null
         order by position ${from === 'newest' ? 'desc' : 'asc'} limit ?`,
        above,
        below,
        limit + 1,
      )
      .toArray();
    const fit = selectWithinBytes(rows.slice(0, limit), room, least);
    const taken = from === 'newest' ? fit.reverse() : fit;
    const more = rows.length > taken.length;
    const first = this.#findFirstPosition();
    return {
      messages: withVersions(this.#sql, taken).map(({ row, versions }) =>
        toMessage(row, versions, row.position === first),
      ),
      earlier: from === 'newest' ? more : above > MIN_POSITION,
      later: from === 'oldest' ? more : below < AFTER_ALL,
    };
  }

  /** The selected texts before a message, newest first, read lazily. */
  readHistoryBefore(messageId: string): Iterable<HistoryMessage> {
    return this.#readHistory(getIdPosition(messageId));
  }

  /** The selected texts of all messages, newest first, read lazily. */
  readHistory(): Iterable<HistoryMessage> {
    return this.#readHistory(AFTER_ALL);
  }

  #readHistory(below: number): Iterable<HistoryMessage> {
    return this.#sql.exec<HistoryMessage>(
      `${HISTORY_SELECT} where position < ? and trash_id is null order by position desc`,
      below,
    );
  }

  /** The current texts of some messages, in no order; unknown ids are left out. */
  listTexts(messageIds: readonly string[]): HistoryMessage[] {
    return this.#sql
      .exec<HistoryMessage>(
        `select messages.id, version_id as versionId, role, name, content, created_at as createdAt
         from json_each(?) as wanted ${joinMessages('wanted.value')} where trash_id is null`,
        JSON.stringify(messageIds),
      )
      .toArray();
  }
}

const HISTORY_SELECT =
  'select id, version_id as versionId, role, name, content, created_at as createdAt from messages';
