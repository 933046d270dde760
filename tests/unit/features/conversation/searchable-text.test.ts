import { describe, expect, it } from 'vitest';
import type { ConversationMeta } from '../../../../src/features/conversation/conversation-store.ts';
import { MAX_INDEXED_CHARS } from '../../../../src/features/search/search-words.ts';
import { toSearchableText } from '../../../../src/features/conversation/searchable-text.ts';

const createMeta = (userName: string, persona: string | null = null) => ({
  userName,
  persona: persona === null ? null : { id: 'p1', name: persona, description: '' },
  character: { name: 'Ilse' } as ConversationMeta['character'],
});

describe('Searchable text', () => {
  it('the searchable text of a message has the displayed names in place of macros', () => {
    expect(toSearchableText('{{char}} waves to {{USER}}.', 0, createMeta('Ana'))).toBe('Ilse waves to Ana.');
    expect(toSearchableText('{{char}} waves to {{user}}.', 0, createMeta('Ana', 'Zephyrine'))).toBe(
      'Ilse waves to Zephyrine.',
    );
  });

  it('the searchable text is limited in length, however many long names it contains', () => {
    const text = toSearchableText('{{user}} '.repeat(11_000), 0, createMeta('N'.repeat(200)));
    expect(text).toHaveLength(MAX_INDEXED_CHARS);
    expect(toSearchableText('lamp', 0, createMeta('Ana'))).toBe('lamp');
  });
});
