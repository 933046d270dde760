import { type Crisis, CRISIS_WINDOW_MESSAGES } from '../moderation/crisis-help.ts';
import { getIdPosition, MAX_POSITION } from '../../../lib/positioned-ids.ts';

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
