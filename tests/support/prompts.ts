import fc from 'fast-check';
import {
  buildPrompt,
  type Prompt,
  type PromptInput,
  type PromptMessage,
} from '../../src/features/conversation/prompt/build-prompt.ts';
import type { PromptCharacter } from '../../src/features/conversation/prompt/prompt-sections.ts';
import type { PromptMemory } from '../../src/features/conversation/prompt/user-context.ts';

export type Line = Pick<PromptMessage, 'role' | 'content'> & Partial<PromptMessage>;

export const MIRA: PromptCharacter = {
  name: 'Mira',
  oneliner: 'Keeper of the last lighthouse',
  characterTraits: 'Patient. {{char}} distrusts {{user}}.',
  firstMessage: 'The password is heliotrope, {{user}}.',
  pointOfView: 'normal',
};
/** The names where none was given. */
export const NAMES = { user: 'Stranger', char: 'Mira' };
export const OPENING: Line = { role: 'character', content: MIRA.firstMessage };

export const createUserLine = (content: string): Line => ({ role: 'user', content });
export const createCharacterLine = (content: string): Line => ({ role: 'character', content });
export const createPromptMemory = (
  text: string,
  author: PromptMemory['author'] = 'model',
  id = text.slice(0, 12),
): PromptMemory => ({ id, text, author, firstSourceId: null });

/** Messages as the store returns them, with ids counting from the oldest, m0. */
export const toPromptMessages = (lines: readonly Line[]): PromptMessage[] =>
  lines.map((line, index) => ({ id: `m${index}`, versionId: `v${index}`, name: null, ...line }));

/** The prompt of a reply in Mira's conversation by default. @param history oldest first */
export function buildSamplePrompt({
  history = [OPENING, createUserLine('Hello')],
  ...input
}: Partial<Omit<PromptInput, 'history'>> & { history?: Line[] }): Prompt {
  return buildPrompt({
    character: MIRA,
    persona: null,
    memory: [],
    pinned: [],
    history: toPromptMessages(history).toReversed(),
    task: { kind: 'reply' },
    rating: 'general',
    model: 'some-model',
    contextTokens: 16_000,
    ...input,
  });
}

export const joinPromptText = (result: { messages: { content: string }[] }): string =>
  result.messages.map(({ content }) => content).join('\n');
export const findSection = (result: Prompt, kind: string) =>
  result.record.sections.find((section) => section.kind === kind);
/** The text of a section; empty where there is none. */
export function getSectionText(result: Prompt, kind: string): string {
  const section = findSection(result, kind);
  return section !== undefined && 'text' in section ? section.text : '';
}

/** Texts that identify their message anywhere. */
export const linesArbitrary: fc.Arbitrary<Line[]> = fc
  .array(
    fc.record({
      role: fc.constantFrom('user' as const, 'character' as const),
      words: fc.integer({ min: 0, max: 400 }),
    }),
    { maxLength: 30 },
  )
  .map((rough) =>
    rough.map(({ role, words }, index) => ({
      role,
      content: words === 0 ? ' ' : `#${index}# ${'the rain fell on '.repeat(words / 4)}§${index}§`,
    })),
  );

/** Pinned messages that left the context long ago. */
export const pinnedLinesArbitrary: fc.Arbitrary<Line[]> = fc
  .array(fc.integer({ min: 1, max: 300 }), { maxLength: 20 })
  .map((lengths) =>
    lengths.map((words, index) => ({
      ...createCharacterLine(`pin${index}: ${'never forget '.repeat(words)}`),
      id: `p${index}`,
    })),
  );

export const memoriesArbitrary: fc.Arbitrary<PromptMemory[]> = fc
  .array(fc.record({ words: fc.integer({ min: 1, max: 200 }), own: fc.boolean() }), { maxLength: 40 })
  .map((rough) =>
    rough.map(({ words, own }, index) =>
      createPromptMemory(
        `memo${index}: ${'she kept the key '.repeat(words)}`,
        own ? 'person' : 'model',
        `n${index}`,
      ),
    ),
  );
