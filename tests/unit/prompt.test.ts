import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  buildPrompt,
  type PromptMessage,
  MAX_REPLY_TOKENS,
} from '../../src/features/conversation/prompt/build-prompt.ts';
import { estimateTokens } from '../../src/features/model/estimate-tokens.ts';
import {
  createCharacterLine,
  MIRA,
  OPENING,
  buildSamplePrompt,
  createUserLine,
  findSection,
  toPromptMessages,
  linesArbitrary,
  getSectionText,
} from '../support/prompts.ts';

describe('What the model is sent', () => {
  test('never passes the model’s room, unless what must be answered does so by itself', () => {
    fc.assert(
      fc.property(linesArbitrary, fc.integer({ min: 1024, max: 12_000 }), (history, contextTokens) => {
        const all = [OPENING, ...history, createUserLine('the newest message')];
        const result = buildSamplePrompt({ history: all, contextTokens });
        const cost = result.messages.reduce((sum, message) => sum + estimateTokens(message.content), 0);
        expect(cost).toBeLessThanOrEqual(result.estimatedTokens);
        if (result.included > 1)
          expect(result.estimatedTokens).toBeLessThanOrEqual(contextTokens - MAX_REPLY_TOKENS);
      }),
    );
  });

  test('holds whole messages only: each of the newest in full, of the older ones nothing', () => {
    fc.assert(
      fc.property(linesArbitrary, fc.integer({ min: 1500, max: 12_000 }), (history, contextTokens) => {
        const all = [...history, createUserLine('the newest message')];
        const result = buildSamplePrompt({ history: all, contextTokens });
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
        linesArbitrary,
        fc.integer({ min: 0, max: 3000 }),
        fc.boolean(),
        (history, contextTokens, isContinued) => {
          const newest = createUserLine('my very newest words');
          const after = isContinued ? [createCharacterLine('and what was answered so far')] : [];
          const result = buildSamplePrompt({ history: [...history, newest, ...after], contextTokens });
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
      fc.property(linesArbitrary, fc.integer({ min: 1024, max: 12_000 }), (history, contextTokens) => {
        const result = buildSamplePrompt({
          history: [OPENING, ...history, createUserLine('the newest message')],
          contextTokens,
        });
        const times = result.messages.map(({ content }) => content.split('heliotrope').length - 1);
        expect(times.reduce((sum, count) => sum + count, 0)).toBe(1);
      }),
    );
  });

  test('tells the facts of the first message as soon as not all of the history fits, however short its lines are', () => {
    const long = Array.from({ length: 4000 }, (_, index) =>
      index % 2 === 0 ? createCharacterLine('Yes.') : createUserLine('Go on.'),
    );
    const result = buildSamplePrompt({ history: long });
    expect(result.included).toBeGreaterThan(400);
    expect(result.messages[0]?.content).toContain('The password is heliotrope');
  });

  test('reads no more of a long history than it uses', () => {
    let read = 0;
    const endless = function* (): Generator<PromptMessage> {
      for (;;) {
        read += 1;
        yield* toPromptMessages([
          { ...createUserLine(`Line ${read} of an endless evening`), id: `m${read}` },
        ]);
      }
    };
    const result = buildPrompt({
      character: MIRA,
      persona: null,
      memory: [],
      pinned: [],
      history: endless(),
      task: { kind: 'reply' },
      rating: 'general',
      model: 'some-model',
      contextTokens: 4000,
    });
    expect(read).toBeLessThanOrEqual(result.included + 20);
  });

  test('speaks in turns: no two messages of one side in a row, and the system first', () => {
    fc.assert(
      fc.property(linesArbitrary, fc.integer({ min: 1024, max: 12_000 }), (history, contextTokens) => {
        const roles = buildSamplePrompt({
          history: [...history, createUserLine('x')],
          contextTokens,
        }).messages.map(({ role }) => role);
        expect(roles[0]).toBe('system');
        expect(roles.lastIndexOf('system')).toBe(0);
        for (const [index, role] of roles.slice(1).entries()) expect(role).not.toBe(roles[index]);
      }),
    );
  });

  test('is the same for the same conversation', () => {
    const history = [OPENING, createUserLine('One'), createCharacterLine('Two'), createUserLine('Three')];
    expect(buildSamplePrompt({ history })).toEqual(buildSamplePrompt({ history: structuredClone(history) }));
  });

  test('leaves out replies that came without a word', () => {
    const result = buildSamplePrompt({
      history: [OPENING, createUserLine('One'), createCharacterLine(''), createUserLine('Two')],
    });
    expect(result.messages.slice(1)).toEqual([
      { role: 'assistant', content: expect.stringContaining('heliotrope') },
      { role: 'user', content: 'One\n\nTwo' },
    ]);
  });

  test('works before anybody has said anything', () => {
    // Somebody has to have spoken, or several providers refuse to answer.
    expect(buildSamplePrompt({ history: [] }).messages.map(({ role }) => role)).toEqual(['system', 'user']);
    expect(buildSamplePrompt({ history: [OPENING] }).messages.map(({ role }) => role)).toEqual([
      'system',
      'assistant',
    ]);
  });

  test.each([
    ['normal', 'You are Mira and speak and act only as Mira'],
    ['multiPeople', 'You play all the people of Mira'],
    ['rpg', 'narrator and game master'],
    ['reverse', 'is the one of whom the story tells'],
  ] as const)('says in which way the story is told: %s', (pointOfView, words) => {
    const [system] = buildSamplePrompt({ character: { ...MIRA, pointOfView } }).messages;
    expect(system?.content).toContain(`Mode: ${pointOfView}.`);
    expect(system?.content).toContain(words);
  });

  test('sets the bounds of the story and the honest answer about being an AI, in every mode', () => {
    for (const pointOfView of ['normal', 'multiPeople', 'rpg', 'reverse'] as const) {
      const text = buildSamplePrompt({ character: { ...MIRA, pointOfView } }).messages[0]?.content ?? '';
      expect(text).toContain('# Safety');
      expect(text).toMatch(/minors/);
      expect(text).toMatch(/say that you are an AI/);
      expect(text).toMatch(/crisis line/);
    }
  });

  test('leaves room for desire only where the character is for adults and I asked for that', () => {
    const system = (rating: 'general' | 'adult' | 'withheld') =>
      getSectionText(buildSamplePrompt({ rating }), 'safety');
    for (const rating of ['general', 'withheld'] as const) {
      expect(system(rating)).toContain('No sexual content');
      expect(system(rating)).not.toContain('Sexual content only');
    }
    expect(system('adult')).toContain('Sexual content only where the person leads there, and between adults');
    expect(system('adult')).not.toContain('No sexual content');
    for (const rating of ['general', 'adult', 'withheld'] as const) {
      expect(system(rating)).toMatch(/ever that involves minors or anyone who reads as a minor/);
      expect(system(rating)).toMatch(/no real person defamed[^]*crisis line[^]*you are an AI/);
    }
  });

  test('tells who I am in the story', () => {
    const result = buildSamplePrompt({
      persona: { name: 'Anouk', description: 'A smuggler whom {{char}} once saved.' },
    });
    const text = result.messages.map(({ content }) => content).join('\n');
    expect(text).toContain('Name: Anouk\nDescription: A smuggler whom Mira once saved.');
    expect(text).toContain('Mira distrusts Anouk.');
    expect(text).toContain('The password is heliotrope, Anouk.');
  });
});

describe('When somebody seems to need help', () => {
  test('whatever is asked for comes with what to do about that, after everything else, and else with nothing of it', () => {
    const tasks = [
      [{ kind: 'reply' }, /Leave the story where it is and do not play along/],
      [{ kind: 'continue', text: 'The door' }, /Leave the story where it is and do not play along/],
      [{ kind: 'draft' }, /Write nothing in which .* hurts or kills anybody, themself included/],
      [{ kind: 'suggestions' }, /Write nothing in which .* hurts or kills anybody, themself included/],
    ] as const;
    for (const [task, care] of tasks) {
      for (const crisis of ['suicide', 'self_harm', 'harm_to_others'] as const) {
        const told = getSectionText(buildSamplePrompt({ task, crisis }), 'safety');
        expect(told).toMatch(care);
        expect(told).toMatch(/Name no means, methods/);
        expect(told.search(care)).toBeGreaterThan(told.indexOf('# Safety'));
      }
      expect(getSectionText(buildSamplePrompt({ task }), 'safety')).not.toContain('# Now');
    }
  });
});

describe('When the model is asked for something else than a reply', () => {
  test('a reply that is to go on stands last of what was said, and the wish behind it', () => {
    const result = buildSamplePrompt({ task: { kind: 'continue', text: 'The door opened, and' } });
    expect(result.messages.slice(-2)).toEqual([
      { role: 'assistant', content: 'The door opened, and' },
      { role: 'user', content: expect.stringContaining('go on with your last message') },
    ]);
    expect(findSection(result, 'task')).toBeDefined();
  });

  test.each(['draft', 'suggestions'] as const)('it writes for me and not as the character: %s', (kind) => {
    const result = buildSamplePrompt({
      task: { kind },
      persona: { name: 'Anouk', description: 'A smuggler.' },
    });
    expect(result.messages[0]?.content).toContain('You help Anouk to write their own part');
    expect(result.messages[0]?.content).toContain('A smuggler.');
    expect(result.messages[0]?.content).not.toContain('Never speak, decide or act for Anouk');
    expect(result.messages[0]?.content).toContain('# Safety');
    expect(result.messages.at(-1)?.content).toMatch(/^Hello\n\n\[Out of the story: .*Anouk/);
    expect(result.replyTokens).toBeLessThan(MAX_REPLY_TOKENS);
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
