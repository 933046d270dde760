import { DatabaseSync } from 'node:sqlite';
import { CONVERSATION_MIGRATIONS } from '../../src/features/conversation/conversation-migrations.ts';
import type { ChangeMemoryBody, MemoryView } from '../../src/features/conversation/memory/memory-contract.ts';
import { MemorySummarizer } from '../../src/features/conversation/memory/memory-summarizer.ts';
import { MemoryStore } from '../../src/features/conversation/memory/memory-store.ts';
import { getIdPosition } from '../../src/lib/ids.ts';
import { MessageStore } from '../../src/features/conversation/messages/message-store.ts';
import type { ChosenModel } from '../../src/features/model/choose-model.ts';
import type { ModelMessage, ModelPart } from '../../src/vendors/model.ts';
import { createSqlStorage } from './sql-storage.ts';

export const MODEL: ChosenModel = {
  id: 'deepseek',
  endpoint: { baseUrl: 'http://localhost', apiKey: null, model: 'test' },
  contextTokens: 4000,
  tokenizer: null,
  idleMs: 1000,
  serviceTier: null,
};

/** The id of the fixture's message with this number. @param position differs where erased messages were replaced */
export const m = (number: number, position = number): string =>
  `${String(number).padStart(10, '0')}${String(position).padStart(8, '0')}00000000`;
/** The id of its first version. */
export const v = (number: number, position = number): string => m(number, position).replace(/0$/, '1');

export interface StoredMessageRow {
  id: string;
  position: number;
  versionId: string;
  content: string;
  visible: boolean;
}

/** A model that notes the #marks of the messages it was shown. */
export const extractMarks = (messages: ModelMessage[]): string =>
  `They spoke of ${[...new Set((messages.at(-1)?.content ?? '').match(/#\w+/g))].join(' ')}.`;

/** The memory over a conversation's tables in Node. The model answers with `answer`, and its requests are recorded. */
export function createMemoryFixture(
  answer: (messages: ModelMessage[]) => string | { code: 'provider_error' | 'too_long' } | Promise<string>,
  mayBeKept: (notes: string) => boolean = () => true,
) {
  const database = new DatabaseSync(':memory:');
  for (const step of CONVERSATION_MIGRATIONS) database.exec(step);
  const sql = createSqlStorage(database);
  const memory = new MemoryStore(sql);
  const asked: ModelMessage[][] = [];
  let told = 0;
  const summarizer = new MemorySummarizer(memory, {
    atomically: (write) => write(),
    isAllowed: mayBeKept,
    getNames: () => ({ user: 'Anouk', char: 'Mira' }),
    onWritten: () => {
      told += 1;
    },
    streamCompletion: async function* (_, messages): AsyncGenerator<ModelPart> {
      asked.push(messages);
      const given = await answer(messages);
      if (typeof given === 'string') {
        yield { kind: 'text', text: given };
        yield { kind: 'finish', reason: 'stop' };
      } else yield { kind: 'failure', code: given.code, detail: '' };
    },
  });
  const messages = new MessageStore(sql, {
    count: () => {},
    notifyChanged: (ids) => memory.refresh(ids),
    getCharacterId: () => 'mira',
    getSearchPosition: () => 0,
  });
  let count = 0;
  const rows = (): StoredMessageRow[] =>
    sql
      .exec<{ id: string; position: number; versionId: string; content: string; trash_id: string | null }>(
        'select id, position, version_id as versionId, content, trash_id from messages order by position',
      )
      .toArray()
      .map(({ trash_id, ...row }) => ({ ...row, visible: trash_id === null }));

  return {
    memory,
    keeper: summarizer,
    asked,
    sql,
    rows,
    /** How often a background change was announced. */
    told: () => told,
    /** Changes the memory as the user does. @throws when it is refused */
    change(body: ChangeMemoryBody, now: number): MemoryView {
      const refusal = memory.applyChange(body, now);
      if (refusal !== null) throw new Error(`refused: ${refusal.code}`);
      return memory.getView();
    },
    visible: () => rows().filter((row) => row.visible),
    /** Adds a message at the end. @returns its id */
    say(content: string, role: 'user' | 'character' = 'user'): string {
      const added = messages.add({
        role,
        status: 'complete',
        content,
        model: null,
        clientMessageId: null,
        name: null,
        now: 0,
      });
      const position = getIdPosition(added.id);
      count += 1;
      const id = m(count, position);
      sql.exec(
        'update messages set id = ?, version_id = ? where position = ?',
        id,
        v(count, position),
        position,
      );
      memory.refresh([id]);
      return id;
    },
    /** Adds and selects another version of a message. */
    edit(id: string, content: string): void {
      messages.addVersion(id, { status: 'complete', content, model: null, now: 0 });
      memory.refresh([id]);
    },
    select(id: string, versionId: string): void {
      messages.selectVersion(id, versionId);
      memory.refresh([id]);
    },
    listVersions: (id: string): string[] => messages.listVersions(id).map((version) => version.id),
    /** Deletes a message and all after it. */
    deleteFrom(id: string): string[] {
      const all = rows();
      const from = all.find((row) => row.id === id)?.position ?? Infinity;
      const gone = all.filter((row) => row.visible && row.position >= from).map((row) => row.id);
      for (const one of gone) sql.exec("update messages set trash_id = 't' where id = ?", one);
      memory.refresh(gone);
      return gone;
    },
    /** Erases the trash. */
    erase(): void {
      const gone = rows()
        .filter((row) => !row.visible)
        .map(({ id }) => id);
      sql.exec(
        'delete from versions where position in (select position from messages where trash_id is not null)',
      );
      sql.exec('delete from messages where trash_id is not null');
      memory.refresh(gone);
      memory.forgetMessages(gone);
    },
    restore(): void {
      const back = rows().filter((row) => !row.visible);
      sql.exec('update messages set trash_id = null');
      memory.refresh(back.map(({ id }) => id));
    },
    /** Ends a turn whose context began at this message. */
    async turn(beforeId: string | null): Promise<void> {
      await summarizer.schedule({ beforeId, model: MODEL });
    },
  };
}
