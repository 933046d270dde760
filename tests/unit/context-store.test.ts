import { describe, expect, test } from 'vitest';
import { PromptContextStore } from '../../src/features/conversation/memory/prompt-context-store.ts';
import type { ContextRecord } from '../../src/features/conversation/memory/memory-contract.ts';
import { extractMarks, createMemoryFixture } from '../support/memory-fixture.ts';

const RECORD: ContextRecord = {
  model: 'deepseek',
  context_tokens: 4000,
  reply_tokens: 800,
  estimated_tokens: 40,
  first_history_id: 'm10',
  sections: [
    { kind: 'character', tokens: 10, text: 'Mira keeps the lighthouse.' },
    { kind: 'opening', tokens: 10, text: 'It began with #f0.' },
    { kind: 'memory', tokens: 10, text: 'They spoke of #f1.' },
    { kind: 'pinned', tokens: 10, text: 'Anouk: #f8 happened' },
    { kind: 'history', tokens: 0, messages: [] },
  ],
  left_out: [
    { kind: 'pin', id: 'm9', excerpt: '#f8', tokens: 9, in_part: false },
    { kind: 'note', id: 'n', excerpt: '#f1', tokens: 9, in_part: false },
  ],
};

/** A talk of twelve messages whose last was written in sight of a note of the first eight, and of the ninth. */
async function world() {
  const made = createMemoryFixture(extractMarks);
  for (let index = 0; index < 12; index += 1) made.say(`#f${index} happened`);
  await made.turn('m9');
  const contexts = new PromptContextStore(made.sql);
  const notes = made.memory.listLive().map(({ id }) => id);
  contexts.createSaver('v12', RECORD, { notes, pinned: ['m9'] })(1);
  const put = (ids: string[], trash: string | null) => {
    for (const id of ids) made.sql.exec('update messages set trash_id = ? where id = ?', trash, id);
  };
  const textOf = (kind: string) => {
    const section = contexts.get('v12')?.sections.find((one) => one.kind === kind);
    return section !== undefined && 'text' in section ? section.text : null;
  };
  return { ...made, contexts, put, textOf };
}

describe('What the model saw, looked at again', () => {
  test('is what was kept while all of it is there, however much was written since', async () => {
    const { contexts, say, edit } = await world();
    say('#more');
    edit('m3', '#other');
    expect(contexts.get('v12')).toEqual(RECORD);
    contexts.purgeDeleted();
    expect(contexts.get('v12')).toEqual(RECORD);
  });

  test('tells no pinned message that is deleted, and tells it again when it was had back', async () => {
    const { contexts, put, textOf } = await world();
    put(['m9', 'm10'], 't');
    expect(textOf('pinned')).toBe('');
    expect(contexts.get('v12')?.left_out).toEqual([RECORD.left_out[1]]);
    expect(textOf('memory')).toContain('#f1');
    put(['m9', 'm10'], null);
    expect(contexts.get('v12')).toEqual(RECORD);
  });

  test('tells no note of a message that is deleted, and not how the story began when that is', async () => {
    const { contexts, put, textOf } = await world();
    put(['m8'], 't');
    expect(textOf('memory')).toBe('');
    expect(contexts.get('v12')?.left_out).toEqual([RECORD.left_out[0]]);
    expect(textOf('opening')).toContain('#f0');
    put(['m1'], 't');
    expect(textOf('opening')).toBe('');
    expect(textOf('character')).toContain('lighthouse');
  });

  test('keeps no word of a message that is gone for good', async () => {
    const { contexts, put, erase, sql } = await world();
    put(['m8', 'm9'], 't');
    erase();
    contexts.purgeDeleted();
    const kept = JSON.stringify(sql.exec('select body from contexts').toArray());
    expect(kept).not.toMatch(/#f[18]/);
    expect(kept).toContain('lighthouse');
    expect(contexts.get('v12')?.sections.map(({ kind }) => kind)).toEqual(
      RECORD.sections.map(({ kind }) => kind),
    );
  });

  test('keeps no word of what is gone for good before it was kept', async () => {
    const { contexts, put, erase, sql } = await world();
    const keep = contexts.createSaver('v12', RECORD, { notes: [], pinned: ['m9'] });
    put(['m9'], 't');
    erase();
    keep(2);
    const kept = JSON.stringify(sql.exec('select body from contexts').toArray());
    expect(kept).not.toContain('#f8');
    expect(kept).toContain('lighthouse');
  });
});
