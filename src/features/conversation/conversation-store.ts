import type { ModelType, PointOfView } from '../character/contract.ts';
import type { Message, MessageStatus, MessageVersion } from './contract.ts';
import type { PromptMessage } from './prompt.ts';

/** The conversation object's tables, append-only (see `migrateObject`). */
export const CONVERSATION_MIGRATIONS = [
  `create table meta (
     one integer primary key check (one = 1),
     id text not null,
     owner_id text not null,
     user_name text not null,
     character text not null check (json_valid(character)),
     title text,
     created_at integer not null,
     updated_at integer not null,
     index_dirty integer not null default 1 check (index_dirty in (0, 1)),
     counted integer not null default 0 check (counted in (0, 1))
   ) strict;
   create table messages (
     position integer primary key,
     id text not null unique,
     role text not null check (role in ('user', 'character')),
     client_message_id text,
     edited integer not null default 0 check (edited in (0, 1)),
     selected_version_id text not null,
     created_at integer not null
   ) strict;
   create table versions (
     id text primary key,
     message_id text not null references messages (id) on delete cascade,
     content text not null,
     model text,
     status text not null check (status in ('complete', 'streaming', 'interrupted', 'failed')),
     error_code text,
     created_at integer not null
   ) strict;
   create index versions_message on versions (message_id);
   create table turns (
     id text primary key,
     user_message_id text,
     reply_id text not null,
     version_id text not null,
     previous_version_id text,
     payer_id text not null,
     ended integer not null default 0 check (ended in (0, 1)),
     error_code text,
     created_at integer not null
   ) strict;
   create index turns_open on turns (ended) where ended = 0;
   create table settlements (
     version_id text primary key,
     payer_id text not null,
     reply_id text,
     outcome text not null check (outcome in ('settle', 'release'))
   ) strict;`,
] as const;

/** The character as it was when the conversation began. */
export interface CharacterSnapshot {
  id: string;
  name: string;
  oneliner: string;
  character_traits: string;
  first_message: string;
  model_type: ModelType;
  point_of_view: PointOfView;
  suggested_replies: string[];
  avatar_url: string;
}

export interface Meta {
  id: string;
  ownerId: string;
  /** What the person is called in this story. */
  userName: string;
  character: CharacterSnapshot;
  title: string | null;
  createdAt: number;
  updatedAt: number;
  indexDirty: boolean;
  /** Whether the character's chat count has been told of this conversation. */
  counted: boolean;
}

type MetaRow = {
  id: string;
  owner_id: string;
  user_name: string;
  character: string;
  title: string | null;
  created_at: number;
  updated_at: number;
  index_dirty: number;
  counted: number;
};

type MessageRow = {
  position: number;
  id: string;
  role: 'user' | 'character';
  client_message_id: string | null;
  edited: number;
  selected_version_id: string;
  created_at: number;
};

type VersionRow = {
  id: string;
  message_id: string;
  content: string;
  model: string | null;
  status: MessageStatus;
  error_code: string | null;
  created_at: number;
};

/** SQL of a conversation; every call is synchronous. */
export class ConversationStore {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  // ── the conversation itself ──

  create(input: {
    id: string;
    ownerId: string;
    userName: string;
    character: CharacterSnapshot;
    now: number;
  }): void {
    this.#sql.exec(
      'insert into meta (one, id, owner_id, user_name, character, created_at, updated_at) values (1, ?, ?, ?, ?, ?, ?)',
      input.id,
      input.ownerId,
      input.userName,
      JSON.stringify(input.character),
      input.now,
      input.now,
    );
  }

  meta(): Meta | null {
    const row = this.#sql.exec<MetaRow>('select * from meta').toArray()[0];
    if (row === undefined) return null;
    return {
      id: row.id,
      ownerId: row.owner_id,
      userName: row.user_name,
      character: JSON.parse(row.character) as CharacterSnapshot,
      title: row.title,
      createdAt: row.created_at,
      updatedAt: row.updated_at,
      indexDirty: row.index_dirty === 1,
      counted: row.counted === 1,
    };
  }

  setOwner(ownerId: string): void {
    this.#sql.exec('update meta set owner_id = ?', ownerId);
  }

  setTitle(title: string): void {
    this.#sql.exec('update meta set title = ?, index_dirty = 1', title);
  }

  /** Notes that the list row in D1 no longer tells the truth. */
  touch(now: number): void {
    this.#sql.exec('update meta set updated_at = ?, index_dirty = 1', now);
  }

  /** Takes a touch back: nothing happened after all. */
  untouch(before: Meta): void {
    this.#sql.exec(
      'update meta set updated_at = ?, index_dirty = ?',
      before.updatedAt,
      Number(before.indexDirty),
    );
  }

  indexWritten(): void {
    this.#sql.exec('update meta set index_dirty = 0');
  }

  setCounted(): void {
    this.#sql.exec('update meta set counted = 1');
  }

  /** Whether its person has said anything yet. */
  hasBegun(): boolean {
    return this.#sql.exec("select 1 from messages where role = 'user' limit 1").toArray().length > 0;
  }

  // ── messages ──

  /** Adds a message with its first version at the end. */
  addMessage(input: {
    id: string;
    versionId: string;
    role: 'user' | 'character';
    status: MessageStatus;
    content: string;
    model: string | null;
    /** The turn that its person sent it with. */
    clientMessageId: string | null;
    now: number;
  }): void {
    this.#sql.exec(
      `insert into messages (position, id, role, client_message_id, selected_version_id, created_at)
       values ((select coalesce(max(position), 0) + 1 from messages), ?, ?, ?, ?, ?)`,
      input.id,
      input.role,
      input.clientMessageId,
      input.versionId,
      input.now,
    );
    this.addVersion({ ...input, id: input.versionId, messageId: input.id });
  }

  addVersion(input: {
    id: string;
    messageId: string;
    status: MessageStatus;
    content: string;
    model: string | null;
    now: number;
  }): void {
    this.#sql.exec(
      'insert into versions (id, message_id, content, model, status, created_at) values (?, ?, ?, ?, ?, ?)',
      input.id,
      input.messageId,
      input.content,
      input.model,
      input.status,
      input.now,
    );
  }

  /** Points a message at one of its versions; text, status and error are the version's own. */
  selectVersion(messageId: string, versionId: string): void {
    this.#sql.exec('update messages set selected_version_id = ? where id = ?', versionId, messageId);
  }

  /** How the writing of a version ended. */
  endVersion(versionId: string, content: string, status: MessageStatus, errorCode: string | null): void {
    this.#sql.exec(
      'update versions set content = ?, status = ?, error_code = ? where id = ?',
      content,
      status,
      errorCode,
      versionId,
    );
  }

  saveText(versionId: string, content: string): void {
    this.#sql.exec('update versions set content = ? where id = ?', content, versionId);
  }

  removeVersion(versionId: string): void {
    this.#sql.exec('delete from versions where id = ?', versionId);
  }

  #versionRows(messageId: string): VersionRow[] {
    return this.#sql
      .exec<VersionRow>('select * from versions where message_id = ? order by rowid', messageId)
      .toArray();
  }

  /** Versions of a message in the order they were made. */
  versions(messageId: string): MessageVersion[] {
    return this.#versionRows(messageId).map(toVersion);
  }

  removeMessage(id: string): void {
    this.#sql.exec('delete from versions where message_id = ?', id);
    this.#sql.exec('delete from messages where id = ?', id);
  }

  message(id: string): Message | null {
    const row = this.#sql.exec<MessageRow>('select * from messages where id = ?', id).toArray()[0];
    return row === undefined ? null : toMessage(row, this.#versionRows(id));
  }

  messageCount(): number {
    return this.#sql.exec<{ count: number }>('select count(*) as count from messages').one().count;
  }

  /** Up to `limit` messages before one (or the newest), oldest first, and whether there are older ones. */
  page(before: string | undefined, limit: number): { messages: Message[]; more: boolean } | null {
    let below = Number.MAX_SAFE_INTEGER;
    if (before !== undefined) {
      const row = this.#sql
        .exec<{ position: number }>('select position from messages where id = ?', before)
        .toArray()[0];
      if (row === undefined) return null;
      below = row.position;
    }
    const rows = this.#sql
      .exec<MessageRow>(
        'select * from messages where position < ? order by position desc limit ?',
        below,
        limit + 1,
      )
      .toArray();
    const taken = rows.slice(0, limit).reverse();
    const first = taken[0];
    const last = taken.at(-1);
    if (first === undefined || last === undefined) return { messages: [], more: false };
    const versions = new Map<string, VersionRow[]>();
    for (const row of this.#sql.exec<VersionRow>(
      `select versions.* from versions join messages on messages.id = versions.message_id
       where messages.position between ? and ? order by versions.rowid`,
      first.position,
      last.position,
    )) {
      const list = versions.get(row.message_id) ?? [];
      list.push(row);
      versions.set(row.message_id, list);
    }
    return {
      messages: taken.map((row) => toMessage(row, versions.get(row.id) ?? [])),
      more: rows.length > limit,
    };
  }

  /** The selected texts before a message, oldest first, at most `limit` of the newest. */
  historyBefore(messageId: string, limit: number): PromptMessage[] {
    return this.#sql
      .exec<{ role: PromptMessage['role']; content: string }>(
        `select messages.role, versions.content from messages
         join versions on versions.id = messages.selected_version_id
         where messages.position < (select position from messages where id = ?)
         order by messages.position desc limit ?`,
        messageId,
        limit,
      )
      .toArray()
      .reverse();
  }
}

const toVersion = (row: VersionRow): MessageVersion => ({
  id: row.id,
  content: row.content,
  model: row.model,
  created_at: new Date(row.created_at).toISOString(),
});

function toMessage(row: MessageRow, versions: VersionRow[]): Message {
  const selected = versions.find((version) => version.id === row.selected_version_id);
  return {
    id: row.id,
    role: row.role,
    content: selected?.content ?? '',
    created_at: new Date(row.created_at).toISOString(),
    edited: row.edited === 1,
    status: selected?.status ?? 'failed',
    ...(selected?.error_code == null ? {} : { error_code: selected.error_code }),
    ...(row.client_message_id === null ? {} : { client_message_id: row.client_message_id }),
    versions: versions.map(toVersion),
    selected_version_id: row.selected_version_id,
  };
}
