import { describe, expect, it } from 'vitest';
import type { ConversationMeta } from '../../src/features/conversation/conversation-store.ts';
import { MAX_INDEXED_CHARS } from '../../src/features/search/search-words.ts';
import { toSearchableText } from '../../src/features/conversation/searchable-text.ts';

const story = (userName: string, persona: string | null = null) => ({
  userName,
  persona: persona === null ? null : { id: 'p1', name: persona, description: '' },
  character: { name: 'Ilse' } as ConversationMeta['character'],
});

describe('What is searched of a message', () => {
  it('has the names that are drawn', () => {
    expect(toSearchableText('{{char}} waves to {{USER}}.', story('Ana'))).toBe('Ilse waves to Ana.');
    expect(toSearchableText('{{char}} waves to {{user}}.', story('Ana', 'Zephyrine'))).toBe(
      'Ilse waves to Zephyrine.',
    );
  });

  it('is no longer than what is read, however many long names it holds', () => {
    const text = toSearchableText('{{user}} '.repeat(11_000), story('N'.repeat(200)));
    expect(text).toHaveLength(MAX_INDEXED_CHARS);
    expect(toSearchableText('lamp', story('Ana'))).toBe('lamp');
  });
});
