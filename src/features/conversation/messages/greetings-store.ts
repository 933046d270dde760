/** The first message of a conversation and whether it is still the character's unchanged greeting. */
export interface Opening {
  messageId: string;
  versionId: string;
  role: 'user' | 'character';
  /** The selected text, with its macros if it has any. */
  written: string;
  /** When the message was created, in milliseconds since 1970. */
  createdAt: number;
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
      createdAt: number;
      untouched: number;
    }>(
      `select id as messageId, version_id as versionId, role, coalesce(template, content) as written,
         created_at as createdAt,
         model is null and edited = 0
           and not exists (select 1 from versions where versions.position = messages.position) as untouched
       from messages where trash_id is null order by position limit 1`,
    )
    .toArray()[0];
  return row === undefined ? null : { ...row, untouched: row.untouched === 1 };
}
