import { describe, expect, test } from 'vitest';
import { replaceMacros } from '../../../../src/features/conversation/macro-names.ts';
import type { PromptCharacter } from '../../../../src/features/conversation/prompt/prompt-sections.ts';
import {
  createCharacterLine,
  buildSamplePrompt,
  createPromptMemory,
  createUserLine,
  toPromptMessages,
} from '../../../support/prompts.ts';

describe('Macros for names', () => {
  const names = { user: 'Anouk', char: 'Mira' };

  test('{{user}} and {{char}} are replaced in every part of the prompt, in any case', () => {
    expect(replaceMacros('{{user}}, {{USER}} and {{Char}}{{char}}', names)).toBe('Anouk, Anouk and MiraMira');
    const everywhere: PromptCharacter = {
      name: 'Mira',
      oneliner: '{{char}} for {{user}}',
      characterTraits: '{{CHAR}}',
      firstMessage: '{{User}}',
      pointOfView: 'reverse',
    };
    const result = buildSamplePrompt({
      character: everywhere,
      persona: { name: 'Anouk', description: '{{user}} knows {{char}}' },
      memory: [createPromptMemory('{{USER}} lied to {{Char}}.')],
      pinned: toPromptMessages([{ ...createCharacterLine('Never, {{user}}.'), id: 'long-ago' }]),
      history: [createCharacterLine('{{user}}?'), createUserLine('I am {{user}}, you are {{char}}.')],
    });
    expect(result.messages[0]?.content).toContain('Anouk lied to Mira.');
    expect(result.messages[0]?.content).toContain('Mira: Never, Anouk.');
    expect(JSON.stringify(result)).not.toMatch(/\{\{/);
    expect(result.messages.at(-1)?.content).toBe('I am Anouk, you are Mira.');
  });
});
