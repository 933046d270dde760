import { describe, expect, test } from 'vitest';
import { listContextMessages } from '../../src/islands/chat/memory/context-messages.ts';
import { createMessage } from '../support/chat-fixture.ts';

const told = (...ids: string[]) =>
  ids.map((id, index) => ({ message_id: id, version_id: `${id}-v1`, tokens: index + 1 }));
const said = (id: string) => createMessage(id, { content: `Line ${id}` });

describe('The messages that a model saw', () => {
  test('are listed from the newest back, as far as the history is known', () => {
    const seen = listContextMessages(told('a', 'b', 'c', 'd'), [said('c'), said('d')], false);
    expect(seen.map(({ id, text, tokens }) => [id, text, tokens])).toEqual([
      ['d', 'Line d', 4],
      ['c', 'Line c', 3],
    ]);
    expect(listContextMessages(told('a', 'b'), [], false)).toEqual([]);
  });

  test('are told as the model read them; one that changed since says so', () => {
    const old = { id: 'a-v1', content: 'Before', model: null, created_at: '', edited: false };
    const changed = createMessage('a', {
      content: 'After',
      versions: [old, { ...old, id: 'a-v2', content: 'After' }],
      selected_version_id: 'a-v2',
    });
    expect(listContextMessages(told('a', 'b'), [changed, said('b')], true)).toMatchObject([
      { id: 'b', isChanged: false },
      { id: 'a', text: 'Before', isChanged: true },
    ]);
  });

  test('are named also where they are gone, and nothing else is', () => {
    const seen = listContextMessages(told('a', 'b', 'c'), [said('restored'), said('b')], true);
    expect(seen).toMatchObject([
      { id: 'c', message: null, text: '', isChanged: false },
      { id: 'b', message: { id: 'b' } },
      { id: 'a', message: null },
    ]);
  });
});
