import { MAX_PINNED } from '../limits.ts';
import type { RefusalRule } from '../../safety/moderation.ts';
import type { MessageRecord } from '../files/chat-record.ts';
import type { Message, MessageStatus, MessageVersion, ReplyRating } from '../contract.ts';
import { type Crisis, getRefusalHelp, getCrisisHelp } from '../moderation/crisis-help.ts';
import type { MessageSafety } from '../moderation/safety-contract.ts';
import { getIdPosition } from '../../../lib/ids.ts';

/** Reads rows of messages and versions and converts them. */

/** The columns of a version that `messages` (for the selected one) and `versions` (for the others) have in common. */
type VersionColumns = {
  content: string;
  model: string | null;
  status: MessageStatus;
  error_code: string | null;
  edited: number;
  template: string | null;
  crisis: string | null;
  rule: RefusalRule | null;
  length_reached: number;
  thinking: string | null;
  regenerate_note: string | null;
  rating: ReplyRating | null;
};

/** A message with its selected version. */
export type MessageRow = VersionColumns & {
  position: number;
  id: string;
  role: 'user' | 'character';
  client_message_id: string | null;
  created_at: number;
  name: string | null;
  pinned: number;
  trash_id: string | null;
  source: string | null;
  notice: number;
  version_id: string;
  /** The selected version's place among all versions of the message. */
  version_number: number;
  version_created_at: number;
  /** How many versions the message has. */
  versions: number;
};

/** A row with the size of its message. */
export type SizedRow = MessageRow & { text_bytes: number };

export type VersionRow = VersionColumns & {
  position: number;
  number: number;
  id: string;
  created_at: number;
};

/** No message has this position. */
export const MIN_POSITION = 0;

/** Columns of both tables, for statements that move a version between them. */
export const SHARED_COLUMNS =
  'content, model, status, error_code, edited, template, crisis, rule, length_reached, thinking, regenerate_note, rating';

/** The columns of a `MessageRow`. */
const MESSAGE_COLUMNS = `messages.*,
  (select count(*) + 1 from versions where versions.position = messages.position) as versions`;

/** Finds the row of a message, also in the trash, and the position of the first message that is not there. */
export function findMessageRow(
  sql: SqlStorage,
  id: string,
): (MessageRow & { first_position: number | null }) | null {
  const position = getIdPosition(id);
  if (position === MIN_POSITION) return null;
  const [row] = sql
    .exec<MessageRow & { first_position: number | null }>(
      `select ${MESSAGE_COLUMNS}, (select min(position) from messages where trash_id is null) as first_position
       from messages where position = ? and id = ?`,
      position,
      id,
    )
    .toArray();
  return row ?? null;
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
export const SIZED_COLUMNS = `${MESSAGE_COLUMNS},
  coalesce(octet_length(source), 0) + octet_length(content) + coalesce(octet_length(thinking), 0) +
  coalesce(octet_length(regenerate_note), 0) + coalesce(
    (select sum(octet_length(content) + coalesce(octet_length(thinking), 0) + coalesce(octet_length(regenerate_note), 0))
     from versions where versions.position = messages.position), 0) as text_bytes`;

/** Unpins all messages except the newest pins within the limit. @returns the ids of the unpinned messages */
export function removeSurplusPins(sql: SqlStorage): string[] {
  return sql
    .exec<{ id: string }>(
      `update messages set pinned = 0 where position in (
         select position from messages where pinned = 1 and trash_id is null order by position desc limit -1 offset ?
       ) returning id`,
      MAX_PINNED,
    )
    .toArray()
    .map(({ id }) => id);
}

/** The selected version of a message. */
export const toSelectedVersion = (row: MessageRow): VersionRow => ({
  ...row,
  id: row.version_id,
  number: row.version_number,
  created_at: row.version_created_at,
});

/** All versions of a message, oldest first. @param others those that are not selected */
const mergeVersions = (row: MessageRow, others: readonly VersionRow[]): VersionRow[] =>
  [...others, toSelectedVersion(row)].toSorted((one, other) => one.number - other.number);

/** Reads the versions of neighbouring messages, oldest first, with at most one statement. */
export function withVersions(
  sql: SqlStorage,
  rows: readonly MessageRow[],
): { row: MessageRow; versions: VersionRow[] }[] {
  const first = rows[0];
  const last = rows.at(-1);
  if (first === undefined || last === undefined) return [];
  if (rows.every(({ versions }) => versions === 1))
    return rows.map((row) => ({ row, versions: [toSelectedVersion(row)] }));
  const others = Map.groupBy(
    sql.exec<VersionRow>(
      'select * from versions where position between ? and ?',
      first.position,
      last.position,
    ),
    ({ position }) => position,
  );
  return rows.map((row) => ({ row, versions: mergeVersions(row, others.get(row.position) ?? []) }));
}

export const toVersion = (row: VersionRow): MessageVersion => ({
  id: row.id,
  content: row.content,
  model: row.model,
  created_at: new Date(row.created_at).toISOString(),
  edited: row.edited === 1,
  ...(row.regenerate_note === null ? {} : { regenerate_note: row.regenerate_note }),
  ...(row.rating === null ? {} : { rating: row.rating }),
});

/** The safety notice of a version, or null. */
function toSafety({ crisis, rule }: VersionColumns): MessageSafety | null {
  const where = crisis === null ? null : (JSON.parse(crisis) as Crisis);
  if (rule !== null) return { kind: 'refused', rule, ...getRefusalHelp(rule, where) };
  return where === null ? null : getCrisisHelp(where);
}

/** Converts a message for the API. @param first whether it is the first message, which always has the AI notice */
export function toMessage(row: MessageRow, versions: readonly VersionRow[], first: boolean): Message {
  const safety = toSafety(row);
  return {
    id: row.id,
    role: row.role,
    ...(row.name === null ? {} : { name: row.name }),
    content: row.content,
    created_at: new Date(row.created_at).toISOString(),
    edited: row.edited === 1,
    pinned: row.pinned === 1,
    status: row.status,
    ...(row.error_code === null ? {} : { error_code: row.error_code }),
    ...(row.length_reached === 1 ? { length_reached: true as const } : {}),
    ...(row.thinking === null ? {} : { has_thinking: true as const }),
    ...(row.client_message_id === null ? {} : { client_message_id: row.client_message_id }),
    ...(first || row.notice === 1 ? { notice: true as const } : {}),
    ...(safety === null ? {} : { safety }),
    versions: versions.map(toVersion),
    selected_version_id: row.version_id,
  };
}

/** Converts a message with its finished versions; null when there are none. */
export function toRecord(row: MessageRow, versions: readonly VersionRow[]): MessageRecord | null {
  const finished = versions.flatMap(({ status, ...version }) =>
    status === 'streaming' ? [] : [{ ...version, status }],
  );
  if (finished.length === 0) return null;
  const selected = finished.findIndex(({ id }) => id === row.version_id);
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
      ...(version.length_reached === 0 ? {} : { isCut: true as const }),
      ...(version.thinking === null ? {} : { thinking: version.thinking }),
      ...(version.regenerate_note === null ? {} : { regenerateNote: version.regenerate_note }),
      ...(version.rating === null ? {} : { rating: version.rating }),
      ...(version.template === null ? {} : { template: version.template }),
    })),
  };
}
