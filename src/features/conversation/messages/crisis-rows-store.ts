import { type Crisis, CRISIS_WINDOW_MESSAGES } from '../moderation/crisis-help.ts';
import { MAX_POSITION } from './message-rows-store.ts';

/** Notes that a version shows that its person may need help. */
export function recordCrisis(sql: SqlStorage, versionId: string, crisis: Crisis): void {
  sql.exec('update versions set crisis = ? where id = ?', JSON.stringify(crisis), versionId);
}

/** Whether a message showed that its person may need help in any of its versions. */
export function hasShownCrisis(sql: SqlStorage, messageId: string): boolean {
  return (
    sql
      .exec('select 1 from versions where message_id = ? and crisis is not null limit 1', messageId)
      .toArray().length > 0
  );
}

/**
 * What the person's last messages show before a reply, the newest of them that shows anything; null where none does.
 * @param replyId null for the end of the story
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
