import { describe, expect, test } from 'vitest';
import { listContextMessages } from '../../../../../src/islands/chat/memory/context-messages.ts';
import { createMessage } from '../../../../support/chat-fixture.ts';

const createEntries = (...ids: string[]) =>
  ids.map((id, index) => ({ message_id: id, version_id: `${id}-v1`, tokens: index + 1 }));
const createLine = (id: string) => createMessage(id, { content: `Line ${id}` });

describe('Context messages', () => {
  test('context messages are listed from the newest back to the start of the loaded history', () => {
    const seen = listContextMessages(
      createEntries('a', 'b', 'c', 'd'),
      [createLine('c'), createLine('d')],
      false,
    );
    expect(seen.map(({ id, text, tokens }) => [id, text, tokens])).toEqual([
      ['d', 'Line d', 4],
      ['c', 'Line c', 3],
    ]);
    expect(listContextMessages(createEntries('a', 'b'), [], false)).toEqual([]);
  });

  test('context messages have the text that the model read and are marked if changed since', () => {
    const old = { id: 'a-v1', content: 'Before', model: null, created_at: '', edited: false };
    const changed = createMessage('a', {
      content: 'After',
      versions: [old, { ...old, id: 'a-v2', content: 'After' }],
      selected_version_id: 'a-v2',
    });
    expect(listContextMessages(createEntries('a', 'b'), [changed, createLine('b')], true)).toMatchObject([
      { id: 'b', isChanged: false },
      { id: 'a', text: 'Before', isChanged: true },
    ]);
  });

  test('a deleted context message is listed without a text', () => {
    const seen = listContextMessages(
      createEntries('a', 'b', 'c'),
      [createLine('restored'), createLine('b')],
      true,
    );
    expect(seen).toMatchObject([
      { id: 'c', message: null, text: '', isChanged: false },
      { id: 'b', message: { id: 'b' } },
      { id: 'a', message: null },
    ]);
  });
});
