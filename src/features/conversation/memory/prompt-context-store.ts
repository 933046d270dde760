import { getIdPosition, selectIdPosition } from '../../../lib/ids.ts';
import { memoizeLru } from '../../../lib/memoize-lru.ts';
import type { ModelChoice } from '../../model/contract.ts';
import type { Tokenizer } from '../../model/token-weights.ts';
import { type MessageRanges, groupIntoRanges, hasAllMessages } from './message-ranges-store.ts';
import type { ContextRecord } from './memory-contract.ts';

/** The properties of a model that a prompt depends on. */
export interface PromptModel {
  id: string;
  contextTokens: number;
  /** Null or absent when it is unknown. */
  tokenizer?: Tokenizer | null;
}

/** Records are large, because each contains the full prompt; older replies are rarely inspected. */
const MAX_CONTEXT_RECORDS = 30;

/** The notes and pinned messages that a prompt was built from, by id. */
export interface PromptSourceIds {
  notes: readonly string[];
  pinned: readonly string[];
}

interface StoredContext extends Omit<ContextRecord, 'left_out'> {
  /** Absent in the oldest records. */
  left_out?: ContextRecord['left_out'];
  ground?: Record<'opening' | 'memory' | 'pinned', MessageRanges>;
}

/** SQL of the prompts of the newest replies. */
export class PromptContextStore {
  readonly #sql: SqlStorage;
  /** The record that was stored last. */
  #latest: { versionId: string; tokens: number } | null = null;
  /** Where the history of the newest reply's prompt starts, or will soon start; undefined when this object has built none. */
  nextStartId: string | null | undefined;
  /** The record of a reply in progress is stored later and has to lose these texts as well. */
  #isCharacterRedacted = false;
  /** How often messages were erased since this object began. */
  #purges = 0;
  /** The ranges of the sources of some notes, by a JSON list of their ids; most prompts have those of the one before. */
  readonly #findNoteRanges = memoizeLru(1, (noteIds) =>
    groupIntoRanges(
      this.#listPositions(
        `select ${selectIdPosition('sources.key')} as position from json_each(?) as ids
         join memory_entries on memory_entries.id = ids.value join json_each(memory_entries.sources) as sources`,
        noteIds,
      ),
    ),
  );

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /**
   * Returns a function that stores a version's prompt and deletes the oldest record. The source positions are taken now;
   * parts whose messages are erased before the function runs are stored without text, and so is a redacted character.
   */
  createSaver(versionId: string, record: ContextRecord, sourceIds: PromptSourceIds): (now: number) => void {
    const ground = {
      opening: groupIntoRanges(
        this.#listPositions('select position from messages where trash_id is null order by position limit 1'),
      ),
      memory: this.#findNoteRanges(JSON.stringify(sourceIds.notes)),
      pinned: groupIntoRanges(sourceIds.pinned.map(getIdPosition)),
    };
    const purges = this.#purges;
    return (now) => {
      const kept = this.#isCharacterRedacted
        ? removeCharacterTexts({ ...record, ground })
        : { ...record, ground };
      const { place } = this.#sql
        .exec<{ place: number }>(
          `select coalesce(
             (select place from contexts where version_id = ?),
             case when count(*) < ${MAX_CONTEXT_RECORDS} then coalesce(max(place), 0) + 1
               else (select place from contexts order by made_at limit 1) end
           ) as place from contexts`,
          versionId,
        )
        .one();
      this.#sql.exec(
        `insert into contexts (place, version_id, made_at, body) values (?, ?, ?, ?)
         on conflict (place) do update
           set version_id = excluded.version_id, made_at = excluded.made_at, body = excluded.body`,
        place,
        versionId,
        now,
        JSON.stringify(purges === this.#purges ? kept : this.#redactDeleted(kept, 'true')),
      );
      this.#latest = { versionId, tokens: record.estimated_tokens };
    };
  }

  /**
   * Returns the prompt that a version was written from; null when it is no longer stored. Parts that were derived from
   * deleted messages have no text.
   */
  get(versionId: string): ContextRecord | null {
    const row = this.#sql
      .exec<{ body: string }>(
        'select body from contexts where version_id = ? order by made_at desc limit 1',
        versionId,
      )
      .toArray()[0];
    if (row === undefined) return null;
    const { ground: _, ...record } = this.#redactDeleted(
      JSON.parse(row.body) as StoredContext,
      'trash_id is null',
    );
    return { ...record, left_out: record.left_out ?? [] };
  }

  #listPositions(query: string, ...bindings: string[]): number[] {
    return this.#sql
      .exec<{ position: number }>(query, ...bindings)
      .toArray()
      .map(({ position }) => position);
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

  /** The estimated prompt tokens of a version; 0 when not stored. */
  getPromptTokens(versionId: string): number {
    if (this.#latest?.versionId === versionId) return this.#latest.tokens;
    return (
      this.#sql
        .exec<{ tokens: number | null }>(
          "select json_extract(body, '$.estimated_tokens') as tokens from contexts where version_id = ?",
          versionId,
        )
        .toArray()[0]?.tokens ?? 0
    );
  }

  /** The model of the latest reply, and its context window then; null when there is none. */
  findLatestModel(): { id: ModelChoice; contextTokens: number } | null {
    return (
      this.#sql
        .exec<{ id: ModelChoice; contextTokens: number }>(
          `select json_extract(body, '$.model') as id, json_extract(body, '$.context_tokens') as contextTokens
           from contexts order by made_at desc limit 1`,
        )
        .toArray()[0] ?? null
    );
  }

  /** Removes the texts of the character and its lorebook from all records, also from those that are stored later. */
  redactCharacter(): void {
    this.#isCharacterRedacted = true;
    for (const { id, body } of this.#sql
      .exec<{ id: string; body: string }>('select version_id as id, body from contexts')
      .toArray()) {
      const record = JSON.parse(body) as StoredContext;
      this.#sql.exec(
        'update contexts set body = ? where version_id = ?',
        JSON.stringify(removeCharacterTexts(record)),
        id,
      );
    }
  }

  /** Deletes the records of erased versions, and removes texts that were derived from erased messages. */
  purgeDeleted(): void {
    this.#purges += 1;
    this.#sql.exec(
      `delete from contexts where not exists (
         select 1 from messages where position = ${selectIdPosition('contexts.version_id')}
           and version_id = contexts.version_id
       ) and not exists (
         select 1 from versions where position = ${selectIdPosition('contexts.version_id')} and id = contexts.version_id
       )`,
    );
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

/** Removes the texts of the character and its lorebook. */
function removeCharacterTexts(record: StoredContext): StoredContext {
  const sections = record.sections.map((section) =>
    section.kind === 'character'
      ? { ...section, text: '' }
      : section.kind === 'lore'
        ? { ...section, text: '', entries: [] }
        : section,
  );
  return { ...record, sections };
}
