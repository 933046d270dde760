import { getIdPosition, MAX_POSITION } from '../../../lib/ids.ts';
import type { RefusalRule } from '../../safety/moderation.ts';
import type { MessageStatus } from '../contract.ts';
import { type Crisis, CRISIS_WINDOW_MESSAGES } from '../moderation/crisis-help.ts';
import { SHARED_COLUMNS, type VersionRow } from './message-rows-store.ts';

/** SQL of versions: the selected one is in its message's row, the others have rows of their own. */

export interface NewVersion {
  status: MessageStatus;
  content: string;
  model: string | null;
  edited?: boolean;
  /** The text with its macros; absent when it has none. */
  template?: string;
  /** Set when the message shows that its author may need help. */
  crisis?: Crisis | null;
  /** The user's instructions for this version alone. */
  regenerateNote?: string | undefined;
  now: number;
}

export const toVersionValues = ({
  content,
  model,
  status,
  edited,
  template,
  crisis,
  regenerateNote,
}: NewVersion) =>
  [
    content,
    model,
    status,
    Number(edited ?? false),
    template ?? null,
    crisis == null ? null : JSON.stringify(crisis),
    regenerateNote ?? null,
  ] as const;

/** Copies the selected version of a message to the others. */
function shelveSelected(sql: SqlStorage, position: number): void {
  sql.exec(
    `insert into versions (position, id, number, created_at, ${SHARED_COLUMNS})
     select position, version_id, version_number, version_created_at, ${SHARED_COLUMNS} from messages where position = ?`,
    position,
  );
}

/** Adds a version to a message and selects it. @param id from `createVersionId` */
export function addVersion(sql: SqlStorage, messageId: string, id: string, version: NewVersion): void {
  const position = getIdPosition(messageId);
  shelveSelected(sql, position);
  sql.exec(
    `update messages set version_id = ?, version_created_at = ?,
       version_number = (select max(number) + 1 from versions where position = messages.position),
       content = ?, model = ?, status = ?, edited = ?, template = ?, crisis = ?, regenerate_note = ?,
       error_code = null, rule = null, length_reached = 0, thinking = null, rating = null
     where position = ?`,
    id,
    version.now,
    ...toVersionValues(version),
    position,
  );
}

/** Selects a version; text, status and error belong to the version. */
export function selectVersion(sql: SqlStorage, messageId: string, versionId: string): void {
  const position = getIdPosition(messageId);
  const [found] = sql
    .exec<VersionRow>('select * from versions where position = ? and id = ?', position, versionId)
    .toArray();
  if (found === undefined) return;
  shelveSelected(sql, position);
  sql.exec(
    `update messages set (version_id, version_number, version_created_at, ${SHARED_COLUMNS}) =
       (select id, number, created_at, ${SHARED_COLUMNS} from versions where position = ? and number = ?)
     where position = ?`,
    position,
    found.number,
    position,
  );
  sql.exec('delete from versions where position = ? and number = ?', position, found.number);
}

/** Changes a version, which is usually the selected one. */
export function updateVersion(
  sql: SqlStorage,
  versionId: string,
  set: string,
  ...values: (string | number | null)[]
): void {
  const position = getIdPosition(versionId);
  const isSelected = sql
    .exec(
      `update messages set ${set} where position = ? and version_id = ? returning 1`,
      ...values,
      position,
      versionId,
    )
    .toArray();
  if (isSelected.length === 0)
    sql.exec(`update versions set ${set} where position = ? and id = ?`, ...values, position, versionId);
}

/** Sets the thinking; an empty one keeps what was saved. */
export const SET_THINKING = "thinking = coalesce(nullif(?, ''), thinking)";

/** How the writing of a version ended. */
export interface VersionEnd {
  status: MessageStatus;
  errorCode: string | null;
  /** Null when it is unknown. */
  thinking: string | null;
  /** Whether the model reached its limit. */
  isCut: boolean;
  /** The safety rule that ended it. */
  rule?: RefusalRule | undefined;
  /** Set when helplines are shown with it. */
  help?: Crisis | null;
}

export function endVersion(sql: SqlStorage, versionId: string, content: string, end: VersionEnd): void {
  updateVersion(
    sql,
    versionId,
    `content = ?, ${SET_THINKING}, status = ?, error_code = ?, length_reached = ?, rule = ?, crisis = ?`,
    content,
    end.thinking ?? '',
    end.status,
    end.errorCode,
    Number(end.isCut),
    end.rule ?? null,
    end.help == null ? null : JSON.stringify(end.help),
  );
}

/** Removes a version that is not selected. */
export function removeVersion(sql: SqlStorage, versionId: string): void {
  sql.exec('delete from versions where position = ? and id = ?', getIdPosition(versionId), versionId);
}

/** Whether any version of a message showed that its author may need help. */
export function hasShownCrisis(sql: SqlStorage, messageId: string): boolean {
  const position = getIdPosition(messageId);
  return (
    sql
      .exec(
        `select 1 from messages where position = ? and crisis is not null
         union all select 1 from versions where position = ? and crisis is not null limit 1`,
        position,
        position,
      )
      .toArray().length > 0
  );
}

/**
 * Returns the crisis of the newest of the user's last messages before a reply that shows one; null when none does.
 * @param replyId null for the end of the conversation
 */
export function findCrisisBefore(sql: SqlStorage, replyId: string | null): Crisis | null {
  const [row] = sql
    .exec<{ crisis: string }>(
      `select crisis from (
         select crisis, position from messages where position < ? and role = 'user' and trash_id is null
         order by position desc limit ${CRISIS_WINDOW_MESSAGES}
       ) where crisis is not null order by position desc limit 1`,
      (replyId === null ? 0 : getIdPosition(replyId)) || MAX_POSITION + 1,
    )
    .toArray();
  return row === undefined ? null : (JSON.parse(row.crisis) as Crisis);
}
