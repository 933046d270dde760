import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  buildPrompt,
  estimateTokens,
  fillNames,
  type PromptCharacter,
  type PromptInput,
  type PromptMessage,
  REPLY_TOKENS,
} from '../../src/features/conversation/prompt.ts';

const MIRA: PromptCharacter = {
  name: 'Mira',
  oneliner: 'Keeper of the last lighthouse',
  characterTraits: 'Patient. {{char}} distrusts {{user}}.',
  firstMessage: 'The password is heliotrope, {{user}}.',
  pointOfView: 'normal',
};
const OPENING: PromptMessage = { role: 'character', content: MIRA.firstMessage };
const said = (content: string): PromptMessage => ({ role: 'user', content });
const answered = (content: string): PromptMessage => ({ role: 'character', content });

function prompt(input: Partial<PromptInput>) {
  return buildPrompt({
    character: MIRA,
    persona: null,
    history: [OPENING, said('Hello')],
    isWhole: true,
    contextTokens: 16_000,
    ...input,
  });
}

/** Words that tell messages apart wherever they land. */
const talk: fc.Arbitrary<PromptMessage[]> = fc
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

describe('What the model is sent', () => {
  test('never passes the model’s room, unless what must be answered does so by itself', () => {
    fc.assert(
      fc.property(talk, fc.integer({ min: 1024, max: 12_000 }), (history, contextTokens) => {
        const all = [OPENING, ...history, said('the newest message')];
        const result = prompt({ history: all, contextTokens });
        const cost = result.messages.reduce((sum, message) => sum + estimateTokens(message.content), 0);
        expect(cost).toBeLessThanOrEqual(result.estimatedTokens);
        if (result.included > 1)
          expect(result.estimatedTokens).toBeLessThanOrEqual(contextTokens - REPLY_TOKENS);
      }),
    );
  });

  test('holds whole messages only: each of the newest in full, of the older ones nothing', () => {
    fc.assert(
      fc.property(talk, fc.integer({ min: 1500, max: 12_000 }), (history, contextTokens) => {
        const all = [...history, said('the newest message')];
        const result = prompt({ history: all, contextTokens });
        const text = result.messages.map((message) => message.content).join('\n');
        const spoken = all.filter((message) => message.content.trim() !== '');
        for (const [index, message] of spoken.entries()) {
          const isIncluded = index >= spoken.length - result.included;
          expect(text.includes(message.content)).toBe(isIncluded);
          const mark = /#\d+#/.exec(message.content)?.[0];
          if (mark !== undefined) expect(text.includes(mark)).toBe(isIncluded);
        }
      }),
    );
  });

  test('always holds my newest message, however small the room', () => {
    fc.assert(
      fc.property(
        talk,
        fc.integer({ min: 0, max: 3000 }),
        fc.boolean(),
        (history, contextTokens, isContinued) => {
          const newest = said('my very newest words');
          const after = isContinued ? [answered('and what was answered so far')] : [];
          const result = prompt({ history: [...history, newest, ...after], contextTokens });
          expect(
            result.messages.some(({ role, content }) => role === 'user' && content.endsWith(newest.content)),
          ).toBe(true);
          if (isContinued) expect(result.messages.at(-1)).toMatchObject({ role: 'assistant' });
        },
      ),
    );
  });

  test('always holds the facts of the first message, as a message or told', () => {
    fc.assert(
      fc.property(talk, fc.integer({ min: 1024, max: 12_000 }), (history, contextTokens) => {
        const result = prompt({ history: [OPENING, ...history, said('the newest message')], contextTokens });
        const times = result.messages.map(({ content }) => content.split('heliotrope').length - 1);
        expect(times.reduce((sum, count) => sum + count, 0)).toBe(1);
      }),
    );
  });

  test('tells the facts of the first message when the history given does not reach back to it, however much room there is', () => {
    const long = Array.from({ length: 400 }, (_, index) =>
      index % 2 === 0 ? answered('Yes.') : said('Go on.'),
    );
    const result = prompt({ history: long, isWhole: false, contextTokens: 128_000 });
    expect(result.included).toBe(400);
    expect(result.messages[0]?.content).toContain('The password is heliotrope');
  });

  test('speaks in turns: no two messages of one side in a row, and the system first', () => {
    fc.assert(
      fc.property(talk, fc.integer({ min: 1024, max: 12_000 }), (history, contextTokens) => {
        const roles = prompt({ history: [...history, said('x')], contextTokens }).messages.map(
          ({ role }) => role,
        );
        expect(roles[0]).toBe('system');
        expect(roles.lastIndexOf('system')).toBe(0);
        for (const [index, role] of roles.slice(1).entries()) expect(role).not.toBe(roles[index]);
      }),
    );
  });

  test('is the same for the same conversation', () => {
    const history = [OPENING, said('One'), answered('Two'), said('Three')];
    expect(prompt({ history })).toEqual(prompt({ history: structuredClone(history) }));
  });

  test('leaves out replies that came without a word', () => {
    const result = prompt({ history: [OPENING, said('One'), answered(''), said('Two')] });
    expect(result.messages.slice(1)).toEqual([
      { role: 'assistant', content: expect.stringContaining('heliotrope') },
      { role: 'user', content: 'One\n\nTwo' },
    ]);
  });

  test('works before anybody has said anything', () => {
    // Somebody has to have spoken, or several providers refuse to answer.
    expect(prompt({ history: [] }).messages.map(({ role }) => role)).toEqual(['system', 'user']);
    expect(prompt({ history: [OPENING] }).messages.map(({ role }) => role)).toEqual(['system', 'assistant']);
  });

  test.each([
    ['normal', 'You are Mira and speak and act only as Mira'],
    ['multiPeople', 'You play all the people of Mira'],
    ['rpg', 'narrator and game master'],
    ['reverse', 'is the one of whom the story tells'],
  ] as const)('says in which way the story is told: %s', (pointOfView, words) => {
    const [system] = prompt({ character: { ...MIRA, pointOfView } }).messages;
    expect(system?.content).toContain(`Mode: ${pointOfView}.`);
    expect(system?.content).toContain(words);
  });

  test('sets the bounds of the story and the honest answer about being an AI, in every mode', () => {
    for (const pointOfView of ['normal', 'multiPeople', 'rpg', 'reverse'] as const) {
      const text = prompt({ character: { ...MIRA, pointOfView } }).messages[0]?.content ?? '';
      expect(text).toContain('# Safety');
      expect(text).toMatch(/minors/);
      expect(text).toMatch(/say that you are an AI/);
      expect(text).toMatch(/crisis line/);
    }
  });

  test('tells who I am in the story', () => {
    const result = prompt({
      persona: { name: 'Anouk', description: 'A smuggler whom {{char}} once saved.' },
    });
    const text = result.messages.map(({ content }) => content).join('\n');
    expect(text).toContain('Name: Anouk\nDescription: A smuggler whom Mira once saved.');
    expect(text).toContain('Mira distrusts Anouk.');
    expect(text).toContain('The password is heliotrope, Anouk.');
  });
});

describe('{{user}} and {{char}}', () => {
  const names = { user: 'Anouk', char: 'Mira' };

  test('are replaced wherever they stand, in any letters', () => {
    expect(fillNames('{{user}}, {{USER}} and {{Char}}{{char}}', names)).toBe('Anouk, Anouk and MiraMira');
    const everywhere: PromptCharacter = {
      name: 'Mira',
      oneliner: '{{char}} for {{user}}',
      characterTraits: '{{CHAR}}',
      firstMessage: '{{User}}',
      pointOfView: 'reverse',
    };
    const result = buildPrompt({
      character: everywhere,
      persona: { name: 'Anouk', description: '{{user}} knows {{char}}' },
      history: [answered('{{user}}?'), said('I am {{user}}, you are {{char}}.')],
      isWhole: true,
      contextTokens: 16_000,
    });
    expect(JSON.stringify(result)).not.toMatch(/\{\{/);
    expect(result.messages.at(-1)?.content).toBe('I am Anouk, you are Mira.');
  });

  test('are replaced once: names that look like them, or like patterns, stay as they are', () => {
    expect(fillNames('{{user}}', { user: '{{char}}', char: 'x' })).toBe('{{char}}');
    expect(fillNames('{{user}} {{char}}', { user: '$&', char: '$1' })).toBe('$& $1');
  });

  test('are the only ones: other braces are text', () => {
    const text = '{{random}} {user} {{ user }} {{users}} {{{char';
    expect(fillNames(text, names)).toBe(text);
  });

  test('leave every other text as it is', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }).filter((text) => !/\{\{(user|char)\}\}/i.test(text)),
        (text) => {
          expect(fillNames(text, names)).toBe(text);
        },
      ),
    );
  });
});

describe('The estimate of a text’s tokens', () => {
  test('grows with the text, and is never nothing', () => {
    expect(estimateTokens('')).toBeGreaterThan(0);
    fc.assert(
      fc.property(fc.lorem({ maxCount: 60 }), fc.lorem({ maxCount: 20 }), (text, more) => {
        expect(estimateTokens(`${text} ${more}`)).toBeGreaterThanOrEqual(estimateTokens(text));
      }),
    );
  });

  test('is of the right size for English, and not too low for Japanese', () => {
    const english = estimateTokens('The quick brown fox jumps over the lazy dog. '.repeat(20));
    expect(english).toBeGreaterThan(190);
    expect(english).toBeLessThan(320);
    expect(estimateTokens('吾輩は猫である。名前はまだ無い。'.repeat(20))).toBeGreaterThan(240);
  });
});
