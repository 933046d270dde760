import { MAX_PINNED } from '../limits.ts';
import type { RefusalRule } from '../../safety/moderation.ts';
import type { MessageRecord } from '../files/chat-record.ts';
import type { Message, MessageStatus, MessageVersion } from '../contract.ts';
import { type Crisis, getRefusalHelp, getCrisisHelp } from '../moderation/crisis-help.ts';
import type { MessageSafety } from '../moderation/safety-contract.ts';

/** Reads rows of messages and versions and converts them. */

export type MessageRow = {
  position: number;
  id: string;
  role: 'user' | 'character';
  client_message_id: string | null;
  selected_version_id: string;
  created_at: number;
  name: string | null;
  pinned: number;
  trash_id: string | null;
  source: string | null;
  notice: number;
};

/** A row with the size of its message. */
export type SizedRow = MessageRow & { text_bytes: number; versions: number };

export type VersionRow = {
  id: string;
  message_id: string;
  content: string;
  model: string | null;
  status: MessageStatus;
  error_code: string | null;
  created_at: number;
  edited: number;
  template: string | null;
  crisis: string | null;
  rule: RefusalRule | null;
};

/** Positions before and after all messages; no message has them. */
export const MIN_POSITION = 0;
export const MAX_POSITION = Number.MAX_SAFE_INTEGER;

/** Finds the row of a message, also in the trash. */
export function findMessageRow(sql: SqlStorage, id: string): MessageRow | null {
  return sql.exec<MessageRow>('select * from messages where id = ?', id).toArray()[0] ?? null;
}

/** Bytes counted for the other fields of a version, an upper bound. */
const OVERHEAD_BYTES = 256;

/**
 * Returns the first rows that fit into one call together; a call to an object carries a bounded number of bytes.
 * @param maxBytes bytes of UTF-8, of which a text never has fewer than UTF-16 units
 * @param minRows rows that are returned even if they are too large; a single message always fits into a call
 */
export function selectWithinBytes(rows: readonly SizedRow[], maxBytes: number, minRows: 0 | 1): SizedRow[] {
  let bytes = 0;
  const beyond = rows.findIndex(
    (row, index) => (bytes += row.text_bytes + row.versions * OVERHEAD_BYTES) > maxBytes && index >= minRows,
  );
  return rows.slice(0, beyond === -1 ? rows.length : beyond);
}

/** The columns of a `SizedRow`. SQLite computes the sizes without reading the texts. */
export const SIZED_COLUMNS = `messages.*,
  coalesce(octet_length(source), 0)
    + (select sum(octet_length(content)) from versions where message_id = messages.id) as text_bytes,
  (select count(*) from versions where message_id = messages.id) as versions`;

/** Unpins all messages except the newest pins within the limit. @returns the ids of the unpinned messages */
export function removeSurplusPins(sql: SqlStorage): string[] {
  return sql
    .exec<{ id: string }>(
      `update messages set pinned = 0 where id in (
         select id from messages where pinned = 1 and trash_id is null order by position desc limit -1 offset ?
       ) returning id`,
      MAX_PINNED,
    )
    .toArray()
    .map(({ id }) => id);
}

/**
 * Reads the versions of neighbouring messages with one statement. The rows must be either all in the trash or all not.
 */
export function withVersions(
  sql: SqlStorage,
  rows: readonly MessageRow[],
): { row: MessageRow; versions: VersionRow[] }[] {
  const first = rows[0];
  const last = rows.at(-1);
  if (first === undefined || last === undefined) return [];
  const versions = new Map<string, VersionRow[]>();
  for (const row of sql.exec<VersionRow>(
    `select versions.* from messages join versions on versions.message_id = messages.id
     where messages.position between ? and ? and (messages.trash_id is null) = ? order by versions.rowid`,
    first.position,
    last.position,
    Number(first.trash_id === null),
  )) {
    const list = versions.get(row.message_id) ?? [];
    list.push(row);
    versions.set(row.message_id, list);
  }
  return rows.map((row) => ({ row, versions: versions.get(row.id) ?? [] }));
}

export const toVersion = (row: VersionRow): MessageVersion => ({
  id: row.id,
  content: row.content,
  model: row.model,
  created_at: new Date(row.created_at).toISOString(),
  edited: row.edited === 1,
});

/** The safety notice of a version, or null. */
function toSafety({ crisis, rule }: VersionRow): MessageSafety | null {
  const where = crisis === null ? null : (JSON.parse(crisis) as Crisis);
  if (rule !== null) return { kind: 'refused', rule, ...getRefusalHelp(rule, where) };
  return where === null ? null : getCrisisHelp(where);
}

/** Converts a message for the API. @param first whether it is the first message, which always has the AI notice */
export function toMessage(row: MessageRow, versions: VersionRow[], first: boolean): Message {
  const selected = versions.find((version) => version.id === row.selected_version_id);
  const safety = selected === undefined ? null : toSafety(selected);
  return {
    id: row.id,
    role: row.role,
    ...(row.name === null ? {} : { name: row.name }),
    content: selected?.content ?? '',
    created_at: new Date(row.created_at).toISOString(),
    edited: selected?.edited === 1,
    pinned: row.pinned === 1,
    status: selected?.status ?? 'failed',
    ...(selected?.error_code == null ? {} : { error_code: selected.error_code }),
    ...(row.client_message_id === null ? {} : { client_message_id: row.client_message_id }),
    ...(first || row.notice === 1 ? { notice: true as const } : {}),
    ...(safety === null ? {} : { safety }),
    versions: versions.map(toVersion),
    selected_version_id: row.selected_version_id,
  };
}

/** Converts a message with its finished versions; null when there are none. */
export function toRecord(row: MessageRow, versions: VersionRow[]): MessageRecord | null {
  const finished = versions.flatMap(({ status, ...version }) =>
    status === 'streaming' ? [] : [{ ...version, status }],
  );
  if (finished.length === 0) return null;
  const selected = finished.findIndex(({ id }) => id === row.selected_version_id);
  return {
    id: row.id,
    role: row.role,
    name: row.name,
    createdAt: row.created_at,
    pinned: row.pinned === 1,
    source: row.source === null ? null : (JSON.parse(row.source) as Record<string, unknown>),
    selected: selected === -1 ? finished.length - 1 : selected,
    versions: finished.map((version) => ({
      id: version.id,
      content: version.content,
      model: version.model,
      status: version.status,
      errorCode: version.error_code,
      edited: version.edited === 1,
      createdAt: version.created_at,
      ...(version.crisis === null ? {} : { crisis: JSON.parse(version.crisis) as Crisis }),
      ...(version.rule === null ? {} : { rule: version.rule }),
      ...(version.template === null ? {} : { template: version.template }),
    })),
  };
}
