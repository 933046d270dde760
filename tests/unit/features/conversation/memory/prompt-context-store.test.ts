import { describe, expect, test } from 'vitest';
import { PromptContextStore } from '../../../../../src/features/conversation/memory/prompt-context-store.ts';
import type { ContextRecord } from '../../../../../src/features/conversation/memory/memory-contract.ts';
import { extractMarks, createMemoryFixture, m, v } from '../../../../support/memory-fixture.ts';

const RECORD: ContextRecord = {
  model: 'deepseek',
  context_tokens: 4000,
  reply_tokens: 800,
  estimated_tokens: 40,
  first_history_id: m(10),
  sections: [
    { kind: 'character', tokens: 10, text: 'Mira keeps the lighthouse.' },
    { kind: 'opening', tokens: 10, text: 'It began with #f0.' },
    { kind: 'memory', tokens: 10, text: 'They spoke of #f1.' },
    { kind: 'pinned', tokens: 10, text: 'Anouk: #f8 happened' },
    { kind: 'history', tokens: 0, messages: [] },
  ],
  left_out: [
    { kind: 'pin', id: m(9), excerpt: '#f8', tokens: 9, in_part: false },
    { kind: 'note', id: 'n', excerpt: '#f1', tokens: 9, in_part: false },
  ],
};

/** Twelve messages; the prompt of the last contained a note of the first eight and the pinned ninth. */
async function createFixture() {
  const fixture = createMemoryFixture(extractMarks);
  for (let index = 0; index < 12; index += 1) fixture.say(`#f${index} happened`);
  await fixture.turn(m(9));
  const contexts = new PromptContextStore(fixture.sql);
  const notes = fixture.memory.listLive().map(({ id }) => id);
  contexts.createSaver(v(12), RECORD, { notes, pinned: [m(9)] })(1);
  const setTrash = (ids: string[], trash: string | null) => {
    for (const id of ids) fixture.sql.exec('update messages set trash_id = ? where id = ?', trash, id);
  };
  const getSectionText = (kind: string) => {
    const section = contexts.get(v(12))?.sections.find((one) => one.kind === kind);
    return section !== undefined && 'text' in section ? section.text : null;
  };
  return { ...fixture, contexts, setTrash, getSectionText };
}

describe('Prompt context', () => {
  test('a stored context stays the same while its messages exist, whatever was written since', async () => {
    const { contexts, say, edit } = await createFixture();
    say('#more');
    edit(m(3), '#other');
    expect(contexts.get(v(12))).toEqual(RECORD);
    contexts.purgeDeleted();
    expect(contexts.get(v(12))).toEqual(RECORD);
  });

  test('a deleted pinned message is left out of the context until it is restored', async () => {
    const { contexts, setTrash, getSectionText } = await createFixture();
    setTrash([m(9), m(10)], 't');
    expect(getSectionText('pinned')).toBe('');
    expect(contexts.get(v(12))?.left_out).toEqual([RECORD.left_out[1]]);
    expect(getSectionText('memory')).toContain('#f1');
    setTrash([m(9), m(10)], null);
    expect(contexts.get(v(12))).toEqual(RECORD);
  });

  test('a note and the opening are left out when one of their messages is deleted', async () => {
    const { contexts, setTrash, getSectionText } = await createFixture();
    setTrash([m(8)], 't');
    expect(getSectionText('memory')).toBe('');
    expect(contexts.get(v(12))?.left_out).toEqual([RECORD.left_out[0]]);
    expect(getSectionText('opening')).toContain('#f0');
    setTrash([m(1)], 't');
    expect(getSectionText('opening')).toBe('');
    expect(getSectionText('character')).toContain('lighthouse');
  });

  test('a permanently deleted message leaves no text in stored contexts', async () => {
    const { contexts, setTrash, erase, sql } = await createFixture();
    setTrash([m(8), m(9)], 't');
    erase();
    contexts.purgeDeleted();
    const stored = JSON.stringify(sql.exec('select body from contexts').toArray());
    expect(stored).not.toMatch(/#f[18]/);
    expect(stored).toContain('lighthouse');
    expect(contexts.get(v(12))?.sections.map(({ kind }) => kind)).toEqual(
      RECORD.sections.map(({ kind }) => kind),
    );
  });

  test('a message deleted before the context was stored leaves no text in it', async () => {
    const { contexts, setTrash, erase, sql } = await createFixture();
    const save = contexts.createSaver(v(12), RECORD, { notes: [], pinned: [m(9)] });
    setTrash([m(9)], 't');
    erase();
    contexts.purgeDeleted();
    save(2);
    const stored = JSON.stringify(sql.exec('select body from contexts').toArray());
    expect(stored).not.toContain('#f8');
    expect(stored).toContain('lighthouse');
  });
});
