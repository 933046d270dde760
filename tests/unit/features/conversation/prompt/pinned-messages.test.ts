import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { canFitUserContext } from '../../../../../src/features/conversation/prompt/build-prompt.ts';
import { MAX_REPLY_TOKENS } from '../../../../../src/features/conversation/prompt/reply-tokens.ts';
import { replaceMacros } from '../../../../../src/features/conversation/macro-names.ts';
import { estimateTokens } from '../../../../../src/features/model/estimate-tokens.ts';
import {
  createCharacterLine,
  memoriesArbitrary,
  MIRA,
  NAMES,
  OPENING,
  pinnedLinesArbitrary,
  buildSamplePrompt,
  createPromptMemory,
  createUserLine,
  findSection,
  toPromptMessages,
  linesArbitrary,
  joinPromptText,
  getSectionText,
} from '../../../../support/prompts.ts';

const NEWEST = createUserLine('the newest message');
const createLongLines = (count: number) =>
  Array.from({ length: count }, (_, index) =>
    (index % 2 ? createUserLine : createCharacterLine)('rain on the tin roof '.repeat(40)),
  );

describe('Pinned messages and user notes', () => {
  test('every pinned message and user note is in the prompt or listed as left out', () => {
    fc.assert(
      fc.property(
        memoriesArbitrary,
        pinnedLinesArbitrary,
        linesArbitrary,
        fc.integer({ min: 1024, max: 20_000 }),
        (memory, pins, history, contextTokens) => {
          const result = buildSamplePrompt({
            memory,
            pinned: toPromptMessages(pins),
            history: [OPENING, ...history, NEWEST],
            contextTokens,
          });
          const system = result.messages[0]?.content ?? '';
          const leftOut = new Map(result.record.left_out.map((one) => [one.id, one]));
          for (const { id, text, author } of memory.filter((one) => one.author === 'person'))
            expect({ author, told: system.includes(text.trim()) }).toEqual({
              author,
              told: !leftOut.has(id),
            });
          for (const { id, content } of toPromptMessages(pins))
            expect(system.includes(content.trim())).toBe(!leftOut.has(id));
          expect(leftOut.size).toBe(result.record.left_out.length);
        },
      ),
    );
  });

  test('pinned messages and notes take precedence over the history, but not over the newest message or the reply', () => {
    fc.assert(
      fc.property(
        memoriesArbitrary,
        pinnedLinesArbitrary,
        linesArbitrary,
        fc.integer({ min: 1024, max: 20_000 }),
        (memory, pins, history, contextTokens) => {
          const result = buildSamplePrompt({
            memory,
            pinned: toPromptMessages(pins),
            history: [OPENING, ...history, NEWEST],
            contextTokens,
          });
          if (result.record.left_out.length > 0) {
            const left = contextTokens - MAX_REPLY_TOKENS - result.estimatedTokens;
            const history = findSection(result, 'history')?.tokens ?? 0;
            const spare = left + history - estimateTokens(NEWEST.content);
            for (const { kind, tokens } of result.record.left_out)
              if (kind === 'pin') expect(tokens).toBeGreaterThan(spare - 60);
          }
          if (result.included > 1)
            expect(result.estimatedTokens).toBeLessThanOrEqual(contextTokens - MAX_REPLY_TOKENS);
          const cost = result.messages.reduce((sum, message) => sum + estimateTokens(message.content), 0);
          expect(cost).toBeLessThanOrEqual(result.estimatedTokens);
        },
      ),
    );
  });

  test('many pinned messages are included in full and shorten the history', () => {
    const pinned = toPromptMessages(
      Array.from({ length: 12 }, (_, index) => ({
        ...createUserLine(`pin ${index}: ${'and she swore it by the lamp '.repeat(30)}`),
        id: `p${index}`,
      })),
    );
    const result = buildSamplePrompt({
      pinned,
      memory: [createPromptMemory('My sister is called Wren.', 'person')],
      history: [OPENING, ...createLongLines(40), NEWEST],
      contextTokens: 6000,
    });
    for (const { content } of pinned) expect(getSectionText(result, 'pinned')).toContain(content.trim());
    expect(getSectionText(result, 'memory')).toContain('called Wren');
    expect(findSection(result, 'pinned')?.tokens).toBeGreaterThan(6000 / 3);
    expect(result.record.left_out).toEqual([]);
    expect(result.included).toBeLessThan(
      buildSamplePrompt({ history: createLongLines(40), contextTokens: 6000 }).included,
    );
  });

  test('a pinned message that does not fit is listed with its beginning and its tokens', () => {
    const long = `The vow of the tower: ${'never to light the lamp at noon, '.repeat(200)}`;
    const result = buildSamplePrompt({
      pinned: toPromptMessages([
        { ...createUserLine(long), id: 'vow' },
        { ...createUserLine('The key is under the mat.'), id: 'key' },
      ]),
      history: [OPENING, ...createLongLines(20), NEWEST],
      contextTokens: 2500,
    });
    expect(result.record.left_out).toEqual([
      {
        kind: 'pin',
        id: 'vow',
        excerpt: expect.stringMatching(/^The vow of the tower: .*…$/),
        tokens: expect.any(Number),
        in_part: false,
      },
    ]);
    expect(getSectionText(result, 'pinned')).toContain('The key is under the mat.');
    expect(result.messages.at(-1)?.content).toContain(NEWEST.content);
  });

  test('a user note that is too long is included in part and listed as such', () => {
    const lines = Array.from({ length: 400 }, (_, index) => `Fact ${index} about the lamp and the stairs.`);
    const result = buildSamplePrompt({
      memory: [createPromptMemory(lines.join('\n'), 'person', 'mine')],
      contextTokens: 4000,
    });
    expect(getSectionText(result, 'memory')).toContain('Fact 399 ');
    expect(getSectionText(result, 'memory')).not.toContain('Fact 0 ');
    expect(result.record.left_out).toMatchObject([
      { kind: 'note', id: 'mine', in_part: true, excerpt: expect.stringMatching(/^Fact 0 /) },
    ]);
  });

  test('pinned messages and notes fit only if they leave room for the conversation', () => {
    const pins = (count: number) =>
      toPromptMessages(
        Array.from({ length: count }, (_, index) => ({
          ...createUserLine(`pin ${index}: ${'by the lamp '.repeat(100)}`),
          id: `p${index}`,
        })),
      );
    const fits = (count: number, memory = [createPromptMemory('x', 'person')]) =>
      canFitUserContext({
        character: MIRA,
        persona: null,
        memory,
        pinned: pins(count),
        rating: 'general',
        model: 'some-model',
        contextTokens: 8000,
      });
    expect(fits(10)).toBe(true);
    expect(fits(20)).toBe(false);
    // The model's own notes give way, the user's notes do not.
    const much = 'she kept the promise. '.repeat(700);
    expect(fits(10, [createPromptMemory(much, 'model')])).toBe(true);
    expect(fits(10, [createPromptMemory(much, 'person')])).toBe(false);
  });
});

describe('Model notes in the prompt', () => {
  test("the model's notes take at most a fifth of the context", () => {
    fc.assert(
      fc.property(
        memoriesArbitrary,
        linesArbitrary,
        fc.integer({ min: 1024, max: 20_000 }),
        (rough, history, contextTokens) => {
          const memory = rough.map((entry) => ({ ...entry, author: 'model' as const }));
          const result = buildSamplePrompt({ memory, history: [OPENING, ...history, NEWEST], contextTokens });
          expect(findSection(result, 'memory')?.tokens ?? 0).toBeLessThanOrEqual(contextTokens / 5);
          expect(result.record.left_out).toEqual([]);
        },
      ),
    );
  });

  test("user notes and then the newest of the model's notes are kept when there are too many", () => {
    const long = 'and the sea rose over the wall again that night '.repeat(20);
    const result = buildSamplePrompt({
      memory: [
        createPromptMemory('Mine, and the oldest.', 'person'),
        createPromptMemory(`old ${long}`),
        createPromptMemory(`middle ${long}`),
        createPromptMemory(`new ${long}`),
      ],
      contextTokens: 3000,
    });
    expect(getSectionText(result, 'memory')).toContain('Mine, and the oldest.');
    expect(getSectionText(result, 'memory')).toContain('- new ');
    expect(getSectionText(result, 'memory')).not.toContain('- old ');
  });
});

describe('Pinned message', () => {
  test('a pinned message outside the context is added once, and one inside it is not repeated', () => {
    const pin = { ...createUserLine('My sister is called Wren.'), id: 'm1', versionId: 'v1' };
    const short = [OPENING, pin, createCharacterLine('I will remember.'), createUserLine('Who is Wren?')];
    expect(
      joinPromptText(buildSamplePrompt({ history: short, pinned: toPromptMessages([pin]) })).split(
        'called Wren',
      ).length,
    ).toBe(2);
    const long = [OPENING, pin, ...createLongLines(60), createUserLine('Who is Wren?')];
    const result = buildSamplePrompt({
      history: long,
      pinned: toPromptMessages([pin]),
      persona: { name: 'Anouk', description: '' },
      contextTokens: 4000,
    });
    expect(result.messages[0]?.content).toContain('Anouk: My sister is called Wren.');
    expect(joinPromptText(result).split('called Wren').length).toBe(2);
  });

  test('no pinned message is missing while all of them fit', () => {
    fc.assert(
      fc.property(
        linesArbitrary,
        fc.array(fc.nat(), { maxLength: 8 }),
        fc.integer({ min: 4000, max: 12_000 }),
        (history, chosen, contextTokens) => {
          const all = toPromptMessages([OPENING, ...history, createUserLine('the newest message')]).filter(
            ({ content }) => content.trim() !== '',
          );
          const short = all.filter(({ content }) => content.length < 200);
          const pinned = short.filter((_, index) => chosen.some((pick) => pick % short.length === index));
          const text = joinPromptText(buildSamplePrompt({ history: all, pinned, contextTokens }));
          for (const { content } of pinned) expect(text).toContain(replaceMacros(content, NAMES));
        },
      ),
    );
  });
});

describe('Prompt record', () => {
  test('the prompt record holds every text that was sent and the ids and versions of its messages', () => {
    fc.assert(
      fc.property(
        memoriesArbitrary,
        pinnedLinesArbitrary,
        linesArbitrary,
        fc.integer({ min: 1024, max: 12_000 }),
        (memory, pins, history, contextTokens) => {
          const all = toPromptMessages([OPENING, ...history, createUserLine('the newest message')]);
          const result = buildSamplePrompt({
            memory,
            pinned: toPromptMessages(pins),
            history: all,
            contextTokens,
          });
          const { sections } = result.record;
          const texts = sections.flatMap((section) => ('text' in section ? [section.text] : []));
          expect(result.messages[0]?.content).toBe(texts.join('\n\n'));
          const spoken = all.filter(({ content }) => content.trim() !== '').slice(-result.included);
          const seen = sections.flatMap((section) => ('messages' in section ? section.messages : []));
          expect(seen.map(({ message_id }) => message_id)).toEqual(spoken.map(({ id }) => id));
          expect(seen.map(({ version_id }) => version_id)).toEqual(spoken.map(({ versionId }) => versionId));
          expect(sections.reduce((sum, { tokens }) => sum + tokens, 0)).toBe(result.estimatedTokens);
          expect(result.record).toMatchObject({
            model: 'some-model',
            context_tokens: contextTokens,
            reply_tokens: MAX_REPLY_TOKENS,
          });
          const sawAll = spoken.length === all.filter(({ content }) => content.trim() !== '').length;
          expect(result.record.first_history_id).toBe(sawAll ? null : spoken[0]?.id);
        },
      ),
    );
  });
});
