import { describe, expect, it } from 'vitest';
import type { Meta } from '../../src/features/conversation/conversation-store.ts';
import { SEARCHED_CHARS } from '../../src/features/search/search-words.ts';
import { searchedText } from '../../src/features/conversation/searched-text.ts';

const story = (userName: string, persona: string | null = null) => ({
  userName,
  persona: persona === null ? null : { id: 'p1', name: persona, description: '' },
  character: { name: 'Ilse' } as Meta['character'],
});

describe('What is searched of a message', () => {
  it('has the names that are drawn', () => {
    expect(searchedText('{{char}} waves to {{USER}}.', story('Ana'))).toBe('Ilse waves to Ana.');
    expect(searchedText('{{char}} waves to {{user}}.', story('Ana', 'Zephyrine'))).toBe(
      'Ilse waves to Zephyrine.',
    );
  });

  it('is no longer than what is read, however many long names it holds', () => {
    const text = searchedText('{{user}} '.repeat(11_000), story('N'.repeat(200)));
    expect(text).toHaveLength(SEARCHED_CHARS);
    expect(searchedText('lamp', story('Ana'))).toBe('lamp');
  });
});
