import { CHAT_FILE } from '../limits.ts';
import type { RefusalRule } from '../../safety/moderation.ts';
import type { Message, MessageStatus, MessageVersion } from '../contract.ts';
import type { Crisis } from '../moderation/crisis-help.ts';
import { findCrisisBefore, recordCrisis, hasShownCrisis } from './crisis-rows-store.ts';
import {
  removeSurplusPins,
  MIN_POSITION,
  MAX_POSITION,
  selectWithinBytes,
  type MessageRow,
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
};

/** Selects a page of the history; `around` has its message in the middle, null means the newest page. */
export type PagePlace = { before: string } | { after: string } | { around: string } | null;

/** Up to `limit` messages, oldest first, and whether there are more before and after them. */
export interface MessagePage {
  messages: Message[];
  earlier: boolean;
  later: boolean;
}

/**
 * SQL of a conversation's messages and their versions; every call is synchronous. Messages in the trash are invisible
 * here; only `MessageTrash` reads them. Code that changes, adds or removes a message's text must call `notifyChanged` in
 * the same transaction.
 */
export class MessageStore {
  readonly #sql: SqlStorage;
  /** Must be called with every message whose text was changed, added or removed. */
  readonly notifyChanged: (messageIds: readonly string[]) => void;

  constructor(sql: SqlStorage, changed: (messageIds: readonly string[]) => void) {
    this.#sql = sql;
    this.notifyChanged = changed;
  }

  /** Adds a message with its first version at the end. Positions in the trash are not reused. */
  add(input: {
    id: string;
    versionId: string;
    role: 'user' | 'character';
    status: MessageStatus;
    content: string;
    model: string | null;
    /** The id of the turn that sent it; null for other messages. */
    clientMessageId: string | null;
    /** The user's current name; null for the character. */
    name: string | null;
    /** The text with its macros; absent when it has none. */
    template?: string;
    /** Set when the message shows that its author may need help. */
    crisis?: Crisis | null;
    now: number;
  }): void {
    this.#sql.exec(
      `insert into messages (position, id, role, client_message_id, selected_version_id, created_at, name)
       values ((select coalesce(max(position), 0) + 1 from messages), ?, ?, ?, ?, ?, ?)`,
      input.id,
      input.role,
      input.clientMessageId,
      input.versionId,
      input.now,
      input.name,
    );
    this.#addToCount(1);
    this.addVersion({ ...input, id: input.versionId, messageId: input.id });
  }

  addVersion(input: {
    id: string;
    messageId: string;
    status: MessageStatus;
    content: string;
    model: string | null;
    edited?: boolean;
    template?: string;
    crisis?: Crisis | null;
    now: number;
  }): void {
    this.#sql.exec(
      `insert into versions (id, message_id, content, model, status, created_at, edited, template, crisis)
       values (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      input.id,
      input.messageId,
      input.content,
      input.model,
      input.status,
      input.now,
      Number(input.edited ?? false),
      input.template ?? null,
      input.crisis == null ? null : JSON.stringify(input.crisis),
    );
  }

  /** Selects a version; text, status and error belong to the version. */
  selectVersion(messageId: string, versionId: string): void {
    this.#sql.exec('update messages set selected_version_id = ? where id = ?', versionId, messageId);
  }

  /** Stores how the writing of a version ended. @param end.rule the safety rule that ended it */
  endVersion(
    versionId: string,
    content: string,
    end: {
      status: MessageStatus;
      errorCode: string | null;
      rule?: RefusalRule | undefined;
      /** Set when helplines are shown with it. */
      help?: Crisis | null;
    },
  ): void {
    this.#sql.exec(
      'update versions set content = ?, status = ?, error_code = ?, rule = ?, crisis = ? where id = ?',
      content,
      end.status,
      end.errorCode,
      end.rule ?? null,
      end.help == null ? null : JSON.stringify(end.help),
      versionId,
    );
  }

  /** Shows or hides the AI notice before a message. */
  setNotice(id: string, isShown: boolean): void {
    this.#sql.exec('update messages set notice = ? where id = ?', Number(isShown), id);
  }

  /** Stores that a version shows that its author may need help. */
  markCrisis(versionId: string, crisis: Crisis): void {
    recordCrisis(this.#sql, versionId, crisis);
  }

  /** Whether any version of a message showed that its author may need help. */
  showedCrisis(id: string): boolean {
    return hasShownCrisis(this.#sql, id);
  }

  /** The latest crisis in the user's last messages before a reply (null: before the end of the conversation), or null. */
  crisisBefore(replyId: string | null): Crisis | null {
    return findCrisisBefore(this.#sql, replyId);
  }

  saveText(versionId: string, content: string): void {
    this.#sql.exec('update versions set content = ? where id = ?', content, versionId);
  }

  removeVersion(versionId: string): void {
    this.#sql.exec('delete from versions where id = ?', versionId);
  }

  /** Removes a message whose turn was refused. It does not go to the trash. */
  remove(id: string): void {
    this.#sql.exec('delete from versions where message_id = ?', id);
    this.#sql.exec('delete from messages where id = ?', id);
    this.#addToCount(-1);
  }

  setPinned(id: string, pinned: boolean): void {
    this.#sql.exec('update messages set pinned = ? where id = ?', Number(pinned), id);
  }

  /** Unpins all messages except the newest pins within the limit. @returns the ids of the unpinned messages */
  removeSurplusPins(): string[] {
    return removeSurplusPins(this.#sql);
  }

  countPinned(): number {
    return this.#sql
      .exec<{ count: number }>('select count(*) as count from messages where pinned = 1 and trash_id is null')
      .one().count;
  }

  /**
   * Lists pinned messages, oldest first; with a message id, those before it. Pinning, importing and restoring keep them
   * within the limit.
   */
  pinned(beforeMessageId?: string): HistoryMessage[] {
    return this.#sql
      .exec<HistoryMessage>(
        `${HISTORY_SELECT} where messages.pinned = 1 and messages.trash_id is null
           and messages.position < coalesce((select position from messages where id = ?), ${MAX_POSITION})
         order by messages.position`,
        beforeMessageId ?? null,
      )
      .toArray();
  }

  /** Lists versions with macros, whose text is rewritten when the user's name changes. */
  listTemplates(): { versionId: string; messageId: string; template: string }[] {
    return this.#sql
      .exec<{ versionId: string; messageId: string; template: string }>(
        'select id as versionId, message_id as messageId, template from versions where template is not null',
      )
      .toArray();
  }

  // ── reading ──

  #findRow(id: string): MessageRow | null {
    const row = findMessageRow(this.#sql, id);
    return row === null || row.trash_id !== null ? null : row;
  }

  #versionRows(messageId: string): VersionRow[] {
    return this.#sql
      .exec<VersionRow>('select * from versions where message_id = ? order by rowid', messageId)
      .toArray();
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

  findMessage(id: string): Message | null {
    const row = this.#findRow(id);
    return row === null
      ? null
      : toMessage(row, this.#versionRows(id), row.position === this.#findFirstPosition());
  }

  /** Finds the last message; null when there is none. */
  findNewest(): { id: string; role: 'user' | 'character' } | null {
    return (
      this.#sql
        .exec<{
          id: string;
          role: 'user' | 'character';
        }>('select id, role from messages where trash_id is null order by position desc limit 1')
        .toArray()[0] ?? null
    );
  }

  isNewest(id: string): boolean {
    return this.findNewest()?.id === id;
  }

  /** Returns the current text of the opening; empty when the first message is not the character's or there is none. */
  getOpeningText(): string {
    const [first] = this.#sql
      .exec<{ role: string; content: string }>(
        `select messages.role, versions.content from messages
         join versions on versions.id = messages.selected_version_id
         where messages.trash_id is null order by messages.position limit 1`,
      )
      .toArray();
    return first?.role === 'character' ? first.content : '';
  }

  /** Whether the conversation has a message of the user. */
  hasUserMessage(): boolean {
    return (
      this.#sql
        .exec("select 1 from messages where role = 'user' and trash_id is null order by position limit 1")
        .toArray().length > 0
    );
  }

  /** The same, counting messages in the trash. */
  hasEverHadUserMessage(): boolean {
    return (
      this.#sql.exec("select 1 from messages where role = 'user' order by position limit 1").toArray()
        .length > 0
    );
  }

  /**
   * Reads a page of the history that fits into one call (`CHAT_FILE.pageChars`); null when its message does not exist. A
   * page before or after a message starts at its position even when it was deleted since, so that a reader can continue.
   */
  getPage(place: PagePlace, limit: number): MessagePage | null {
    if (place === null) return this.#readBetween(MIN_POSITION, MAX_POSITION, limit, 'newest');
    const row =
      'around' in place
        ? this.#findRow(place.around)
        : findMessageRow(this.#sql, 'before' in place ? place.before : place.after);
    if (row === null) return null;
    if ('before' in place) {
      const page = this.#readBetween(MIN_POSITION, row.position, limit, 'newest');
      return { ...page, later: row.trash_id === null || this.#isAny(row.position, MAX_POSITION) };
    }
    if ('after' in place) {
      const page = this.#readBetween(row.position, MAX_POSITION, limit, 'oldest');
      return { ...page, earlier: row.trash_id === null || this.#isAny(MIN_POSITION, row.position) };
    }
    const room = CHAT_FILE.pageChars / 2;
    const upTo = this.#readBetween(MIN_POSITION, row.position + 1, Math.ceil(limit / 2), 'newest', { room });
    const after = this.#readBetween(row.position, MAX_POSITION, Math.floor(limit / 2), 'oldest', {
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
    return this.#sql
      .exec<{ first: number | null }>('select min(position) as first from messages where trash_id is null')
      .one().first;
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
      later: from === 'oldest' ? more : below < MAX_POSITION,
    };
  }

  /** The selected texts before a message, newest first, read lazily. */
  readHistoryBefore(messageId: string): Iterable<HistoryMessage> {
    return this.#sql.exec<HistoryMessage>(
      `${HISTORY_SELECT} where messages.position < (select position from messages where id = ?)
         and messages.trash_id is null order by messages.position desc`,
      messageId,
    );
  }

  /** The selected texts of all messages, newest first, read lazily. */
  readHistory(): Iterable<HistoryMessage> {
    return this.#sql.exec<HistoryMessage>(
      `${HISTORY_SELECT} where messages.trash_id is null order by messages.position desc`,
    );
  }

  /** The current texts of some messages, in no order; unknown ids are left out. */
  listTexts(messageIds: readonly string[]): (HistoryMessage & { createdAt: number })[] {
    return this.#sql
      .exec<HistoryMessage & { createdAt: number }>(
        `select messages.id, messages.selected_version_id as versionId, messages.role, messages.name, versions.content,
           messages.created_at as createdAt
         from json_each(?) as wanted join messages on messages.id = wanted.value
         join versions on versions.id = messages.selected_version_id where messages.trash_id is null`,
        JSON.stringify(messageIds),
      )
      .toArray();
  }

  #addToCount(more: number): void {
    this.#sql.exec('update meta set message_count = message_count + ?', more);
  }
}

const HISTORY_SELECT = `select messages.id, messages.selected_version_id as versionId, messages.role, messages.name,
  versions.content from messages join versions on versions.id = messages.selected_version_id`;
