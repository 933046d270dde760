import { type Crisis, CRISIS_WINDOW_MESSAGES } from '../moderation/crisis-help.ts';
import { MAX_POSITION } from './message-rows-store.ts';

/** Stores that a version shows that its author may need help. */
export function recordCrisis(sql: SqlStorage, versionId: string, crisis: Crisis): void {
  sql.exec('update versions set crisis = ? where id = ?', JSON.stringify(crisis), versionId);
}

/** Whether any version of a message showed that its author may need help. */
export function hasShownCrisis(sql: SqlStorage, messageId: string): boolean {
  return (
    sql
      .exec('select 1 from versions where message_id = ? and crisis is not null limit 1', messageId)
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
         select versions.crisis, messages.position from messages
         join versions on versions.id = messages.selected_version_id
         where messages.position < coalesce((select position from messages where id = ?), ${MAX_POSITION})
           and messages.role = 'user' and messages.trash_id is null
         order by messages.position desc limit ${CRISIS_WINDOW_MESSAGES}
       ) where crisis is not null order by position desc limit 1`,
      replyId,
    )
    .toArray();
  return row === undefined ? null : (JSON.parse(row.crisis) as Crisis);
}
