/** The first message of a conversation, with what tells whether it is still as the character came with it. */
export interface Opening {
  messageId: string;
  versionId: string;
  role: 'user' | 'character';
  /** The text that shows, macros and all where it came with some. */
  written: string;
  /** Whether it shows as it came: nobody has written over it, and no model. */
  untouched: boolean;
}

/** SQL of how a story began; null when nothing stands there. */
export function findOpening(sql: SqlStorage): Opening | null {
  const row = sql
    .exec<{
      messageId: string;
      versionId: string;
      role: 'user' | 'character';
      written: string;
      untouched: number;
    }>(
      `select messages.id as messageId, versions.id as versionId, messages.role,
         coalesce(versions.template, versions.content) as written,
         versions.model is null and versions.edited = 0
           and not exists (select 1 from versions as others where others.message_id = messages.id
             and others.id <> versions.id) as untouched
       from messages join versions on versions.id = messages.selected_version_id
       where messages.trash_id is null order by messages.position limit 1`,
    )
    .toArray()[0];
  return row === undefined ? null : { ...row, untouched: row.untouched === 1 };
}
