/** The first message of a conversation and whether it is still the character's unchanged greeting. */
export interface Opening {
  messageId: string;
  versionId: string;
  role: 'user' | 'character';
  /** The selected text, with its macros if it has any. */
  written: string;
  /** False once it was edited or written by a model, or has another version. */
  untouched: boolean;
}

/** Reads the first message; null when there is none. */
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
