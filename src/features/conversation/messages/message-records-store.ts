import { CHAT_FILE } from '../limits.ts';
import type { MessageRecord, TrashedRecord, VersionRecord } from '../files/chat-record.ts';
import type { MessageEffects } from './message-store.ts';
import { getIdPosition, MAX_POSITION } from '../../../lib/ids.ts';
import {
  removeSurplusPins,
  MIN_POSITION,
  selectWithinBytes,
  type MessageRow,
  findMessageRow,
  SHARED_COLUMNS,
  SIZED_COLUMNS,
  type SizedRow,
  toRecord,
  withVersions,
} from './message-rows-store.ts';

/** SQL of whole messages with all their versions, for forks, exports and imports. */
export class MessageRecords {
  readonly #sql: SqlStorage;
  readonly #effects: MessageEffects;

  constructor(sql: SqlStorage, effects: MessageEffects) {
    this.#sql = sql;
    this.#effects = effects;
  }

  /**
   * Reads finished messages after one (null: from the first) up to and including another (null: to the end), oldest
   * first, as many as fit into one call (`CHAT_FILE`). A version in progress is left out, and so is a message without any
   * other version. Null when one of the two messages does not exist.
   * @param maxBytes bytes of text; a single message may exceed it
   */
  readPage(
    after: string | null,
    upTo: string | null,
    maxBytes: number = CHAT_FILE.pageChars,
  ): { records: MessageRecord[]; next: string | null } | null {
    const from = after === null ? null : this.#visible(after);
    const to = upTo === null ? null : this.#visible(upTo);
    if ((after !== null && from === null) || (upTo !== null && to === null)) return null;
    const rows = this.#sql
      .exec<SizedRow>(
        `select ${SIZED_COLUMNS} from messages where position > ? and position <= ? and trash_id is null
         order by position limit ?`,
        from?.position ?? MIN_POSITION,
        to?.position ?? MAX_POSITION,
        CHAT_FILE.pageMessages + 1,
      )
      .toArray();
    const taken = selectWithinBytes(rows.slice(0, CHAT_FILE.pageMessages), maxBytes, 1);
    return {
      records: withVersions(this.#sql, taken).flatMap(({ row, versions }) => toRecord(row, versions) ?? []),
      next: rows.length > taken.length ? (taken.at(-1)?.id ?? null) : null,
    };
  }

  /**
   * Measures what `readPage` returns up to and including a message, without reading the texts; null when the message does not
   * exist. @returns bytes of text, and the number of versions
   */
  measure(upTo: string): { bytes: number; versions: number } | null {
    const to = this.#visible(upTo);
    if (to === null) return null;
    return this.#sql
      .exec<{ bytes: number; versions: number }>(
        `select coalesce(sum(text_bytes), 0) as bytes, coalesce(sum(versions), 0) as versions
         from (select ${SIZED_COLUMNS} from messages where position <= ? and trash_id is null)`,
        to.position,
      )
      .one();
  }

  /** Reads one message with all its versions; null when it does not exist or has no finished version. */
  findRecord(id: string): MessageRecord | null {
    const row = this.#visible(id);
    const [found] = row === null ? [] : withVersions(this.#sql, [row]);
    return found === undefined ? null : toRecord(found.row, found.versions);
  }

  /**
   * Reads deleted messages that can still be restored, in conversation order.
   * @param after the position of the last message read; 0 to start
   * @param room bytes of text; a single message may exceed it
   */
  readTrashed(after: number, room: number): { records: TrashedRecord[]; next: number | null } {
    const rows = this.#sql
      .exec<SizedRow & { deleted_at: number; expires_at: number }>(
        `select ${SIZED_COLUMNS}, trash.deleted_at, trash.expires_at from messages
         join trash on trash.id = messages.trash_id where position > ? order by position limit ?`,
        after,
        CHAT_FILE.pageMessages + 1,
      )
      .toArray();
    const taken = selectWithinBytes(rows.slice(0, CHAT_FILE.pageMessages), room, 1);
    const times = new Map(rows.map((row) => [row.id, row]));
    return {
      records: withVersions(this.#sql, taken).flatMap(({ row, versions }) => {
        const record = toRecord(row, versions);
        const { deleted_at: deletedAt = 0, expires_at: expiresAt = 0 } = times.get(row.id) ?? {};
        return record === null ? [] : { ...record, deletedAt, expiresAt };
      }),
      next: rows.length > taken.length ? (taken.at(-1)?.position ?? null) : null,
    };
  }

  /** Appends whole messages with their versions. If this exceeds the pin limit, the newest pins stay. */
  append(records: readonly MessageRecord[]): void {
    for (const record of records) {
      const position = getIdPosition(record.id);
      const selected = record.versions[record.selected] ?? record.versions[0];
      if (selected === undefined || position === MIN_POSITION) continue;
      this.#sql.exec(
        `insert into messages (position, id, role, character_id, created_at, name, pinned, source, version_id,
           version_number, version_created_at, ${SHARED_COLUMNS})
         values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        position,
        record.id,
        record.role,
        record.role === 'character' ? this.#effects.getCharacterId() : null,
        record.createdAt,
        record.name,
        Number(record.pinned),
        record.source === null ? null : JSON.stringify(record.source),
        selected.id,
        record.versions.indexOf(selected) + 1,
        selected.createdAt,
        ...toSharedValues(selected),
      );
      for (const [index, version] of record.versions.entries())
        if (version !== selected)
          this.#sql.exec(
            `insert into versions (position, number, id, created_at, ${SHARED_COLUMNS})
             values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
            position,
            index + 1,
            version.id,
            version.createdAt,
            ...toSharedValues(version),
          );
    }
    this.#effects.count(records.length);
    if (records.some(({ pinned }) => pinned)) removeSurplusPins(this.#sql);
    this.#effects.notifyChanged(records.map(({ id }) => id));
  }

  #visible(id: string): MessageRow | null {
    const row = findMessageRow(this.#sql, id);
    return row === null || row.trash_id !== null ? null : row;
  }
}

/** The values of `SHARED_COLUMNS`. */
const toSharedValues = (version: VersionRecord) =>
  [
    version.content,
    version.model,
    version.status,
    version.errorCode,
    Number(version.edited),
    version.template ?? null,
    version.crisis === undefined ? null : JSON.stringify(version.crisis),
    version.rule ?? null,
    Number(version.isCut ?? false),
    version.thinking ?? null,
    version.regenerateNote ?? null,
    version.rating ?? null,
  ] as const;
