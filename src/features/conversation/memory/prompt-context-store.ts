import { type MessageRanges, findMessageRanges, hasAllMessages } from './message-ranges-store.ts';
import type { ContextRecord } from './memory-contract.ts';

/** As much of a model as a prompt needs to know. */
export interface PromptModel {
  id: string;
  contextTokens: number;
}

/** Older replies are rarely asked about, and each record holds what the model was told in full. */
const MAX_CONTEXT_RECORDS = 30;

/** What was told of the story beside its history: ids of notes and of pinned messages. */
export interface PromptSourceIds {
  notes: readonly string[];
  pinned: readonly string[];
}

interface StoredContext extends Omit<ContextRecord, 'left_out'> {
  /** The first records do not name what did not fit. */
  left_out?: ContextRecord['left_out'];
  ground?: Record<'opening' | 'memory' | 'pinned', MessageRanges>;
}

/** Where each part was taken from, in SQL of one column; each takes a list of ids. */
const POSITION_QUERIES = {
  opening: `select min(position) as position from messages, (select ?) where trash_id is null`,
  memory: `select distinct messages.position from json_each(?) as told
    join memory_sources on memory_sources.entry_id = told.value
    join messages on messages.id = memory_sources.message_id`,
  pinned: 'select messages.position from json_each(?) as told join messages on messages.id = told.value',
} as const;

/** SQL of what the model saw when it wrote a version, for the newest replies. */
export class PromptContextStore {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /**
   * What keeps what a version was written from, and lets the oldest record go. Where it was taken from is as it stands now;
   * what is deleted before it is kept is kept without its words.
   */
  createSaver(versionId: string, record: ContextRecord, told: PromptSourceIds): (now: number) => void {
    const ground = {
      opening: this.#findRanges('opening', []),
      memory: this.#findRanges('memory', told.notes),
      pinned: this.#findRanges('pinned', told.pinned),
    };
    return (now) => {
      this.#sql.exec(
        'insert or replace into contexts (version_id, made_at, body) values (?, ?, ?)',
        versionId,
        now,
        JSON.stringify(this.#redactDeleted({ ...record, ground }, 'true') satisfies StoredContext),
      );
      this.#sql.exec(
        'delete from contexts where made_at < (select made_at from contexts order by made_at desc limit 1 offset ?)',
        MAX_CONTEXT_RECORDS - 1,
      );
    };
  }

  /**
   * What the model saw when it wrote a version; null when that is not kept. What was told of messages that are deleted
   * is without its words.
   */
  get(versionId: string): ContextRecord | null {
    const row = this.#sql
      .exec<{ body: string }>('select body from contexts where version_id = ?', versionId)
      .toArray()[0];
    if (row === undefined) return null;
    const { ground: _, ...record } = this.#redactDeleted(
      JSON.parse(row.body) as StoredContext,
      'trash_id is null',
    );
    return { ...record, left_out: record.left_out ?? [] };
  }

  #findRanges(part: keyof typeof POSITION_QUERIES, ids: readonly string[]): MessageRanges {
    return findMessageRanges(this.#sql, POSITION_QUERIES[part], JSON.stringify(ids));
  }

  #redactDeleted(record: StoredContext, there: Parameters<typeof hasAllMessages>[2]): StoredContext {
    const deletedParts = new Set(
      Object.entries(record.ground ?? {})
        .filter(([, ground]) => !hasAllMessages(this.#sql, ground, there))
        .map(([part]) => part),
    );
    if (deletedParts.size === 0) return record;
    return {
      ...record,
      sections: record.sections.map((section) =>
        'text' in section && deletedParts.has(section.kind) ? { ...section, text: '' } : section,
      ),
      left_out: (record.left_out ?? []).filter(
        ({ kind }) => !deletedParts.has(kind === 'pin' ? 'pinned' : 'memory'),
      ),
    };
  }

  /** What a version's prompt was estimated to cost, in tokens; 0 when that is not kept. */
  getPromptTokens(versionId: string): number {
    return (
      this.#sql
        .exec<{ tokens: number | null }>(
          "select json_extract(body, '$.estimated_tokens') as tokens from contexts where version_id = ?",
          versionId,
        )
        .toArray()[0]?.tokens ?? 0
    );
  }

  /** The model that wrote last, and what it reads and writes together, in tokens; null when none did. */
  findLatestModel(): PromptModel | null {
    return (
      this.#sql
        .exec<{ id: string; contextTokens: number }>(
          `select json_extract(body, '$.model') as id, json_extract(body, '$.context_tokens') as contextTokens
           from contexts order by made_at desc limit 1`,
        )
        .toArray()[0] ?? null
    );
  }

  /** Lets go what was told of the character itself. */
  redactCharacter(): void {
    for (const { id, body } of this.#sql
      .exec<{ id: string; body: string }>('select version_id as id, body from contexts')
      .toArray()) {
      const record = JSON.parse(body) as StoredContext;
      const sections = record.sections.map((section) =>
        section.kind === 'character'
          ? { ...section, text: '' }
          : section.kind === 'lore'
            ? { ...section, text: '', entries: [] }
            : section,
      );
      this.#sql.exec(
        'update contexts set body = ? where version_id = ?',
        JSON.stringify({ ...record, sections }),
        id,
      );
    }
  }

  /** Lets go what was told for versions that are gone for good, and what was told of such messages. */
  purgeDeleted(): void {
    this.#sql.exec('delete from contexts where version_id not in (select id from versions)');
    for (const { id, body } of this.#sql
      .exec<{ id: string; body: string }>('select version_id as id, body from contexts')
      .toArray()) {
      const record = JSON.parse(body) as StoredContext;
      const redacted = this.#redactDeleted(record, 'true');
      if (redacted !== record)
        this.#sql.exec('update contexts set body = ? where version_id = ?', JSON.stringify(redacted), id);
    }
  }
}
