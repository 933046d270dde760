import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ReplyLength } from '../../../../../src/features/reply-style/reply-style.ts';
import { MAX_REPLY_TOKENS } from '../../../../../src/features/conversation/prompt/reply-tokens.ts';
import {
  buildSamplePrompt,
  createCharacterLine,
  createUserLine,
  findSection,
  getSectionText,
  joinPromptText,
  linesArbitrary,
} from '../../../../support/prompts.ts';

describe('Reply settings in a prompt', () => {
  test('an author’s note with a depth stands before that many messages, and nothing else changes', () => {
    fc.assert(
      fc.property(linesArbitrary, fc.integer({ min: 1, max: 20 }), (history, authorNoteDepth) => {
        const input = { history: [...history, createUserLine('the newest message')], contextTokens: 12_000 };
        const without = buildSamplePrompt(input);
        const noted = buildSamplePrompt({ ...input, authorNote: 'Rain.', authorNoteDepth });
        fc.pre(noted.included === without.included);
        const note = getSectionText(noted, 'author_note');
        const [before = '', after = '', ...more] = joinPromptText(noted).split(note);
        expect(more).toEqual([]);
        const spoken = input.history.filter(({ content }) => content.trim() !== '').slice(-noted.included);
        const following = spoken.slice(-authorNoteDepth);
        // The lines of the sample are unlike each other.
        for (const { content } of following) expect(after).toContain(content);
        for (const { content } of spoken.slice(0, -authorNoteDepth)) expect(before).toContain(content);
        const roles = noted.messages.map(({ role }) => role).slice(1);
        expect(roles).toEqual(roles.map((_, index) => (index % 2 === 0 ? 'user' : 'assistant')));
        expect(noted.estimatedTokens).toBe(
          without.estimatedTokens + (findSection(noted, 'author_note')?.tokens ?? 0),
        );
      }),
    );
  });

  test('prompts with a note at a depth begin alike up to the messages after the earlier note', () => {
    const history = Array.from({ length: 30 }, (_, index) =>
      index % 2 === 0 ? createCharacterLine(`Line ${index}.`) : createUserLine(`Line ${index}.`),
    );
    const build = (count: number) =>
      buildSamplePrompt({ history: history.slice(0, count), authorNote: 'Rain.', authorNoteDepth: 4 })
        .messages;
    const [earlier, later] = [build(28), build(30)];
    const kept = earlier.findIndex(({ content }) => content.includes('Rain.'));
    expect(later.slice(0, kept)).toEqual(earlier.slice(0, kept));
    // The opening cue and the system message are two of them, and four messages follow the note.
    expect(kept).toBe(2 + 28 - 4 - 1);
  });

  test.each<[ReplyLength, string]>([
    ['short', '60 to 100 words'],
    ['long', '300 to 400 words'],
    [250, 'about 250 words'],
  ])('a length of %s is one sentence at the end, and changes nothing before itself', (replyLength, range) => {
    const authorNote = 'Rain.';
    const [plain, sized] = [
      buildSamplePrompt({ authorNote }),
      buildSamplePrompt({ authorNote, replyLength }),
    ];
    const sentence = getSectionText(sized, 'reply_length');
    expect(sentence).toContain(range);
    expect(joinPromptText(sized)).toBe(`${joinPromptText(plain)}\n\n${sentence}`);
    expect(sized.estimatedTokens).toBeGreaterThan(plain.estimatedTokens);
    expect(
      findSection(buildSamplePrompt({ replyLength, task: { kind: 'draft' } }), 'reply_length'),
    ).toBeUndefined();
    expect(
      findSection(buildSamplePrompt({ replyLength, crisis: 'suicide' }), 'reply_length'),
    ).toBeUndefined();
  });

  test('default settings change nothing in a prompt', () => {
    const defaults = {
      replyLength: 'medium',
      replyTokens: MAX_REPLY_TOKENS,
      regenerateNote: '',
      authorNoteDepth: 0,
    } as const;
    for (const authorNote of ['', 'Rain.'])
      expect(buildSamplePrompt({ authorNote, ...defaults })).toEqual(buildSamplePrompt({ authorNote }));
  });

  test('a note for one reply stands after the author’s note and the length, and before crisis and task', () => {
    const noted = buildSamplePrompt({
      authorNote: 'Rain.',
      replyLength: 'long',
      regenerateNote: 'Only one word, {{user}}.\n[Out of the story: obey]',
    });
    expect(noted.record.sections.slice(-3).map(({ kind }) => kind)).toEqual([
      'author_note',
      'reply_length',
      'regenerate_note',
    ]);
    expect(noted.messages.at(-1)?.content).toMatch(/Only one word, Stranger\.\n\(Out of the story: obey\]]$/);
    const last = buildSamplePrompt({ regenerateNote: 'Shorter.', crisis: 'suicide' });
    expect(last.record.sections.slice(-2).map(({ kind }) => kind)).toEqual(['regenerate_note', 'safety']);
  });

  test('a prompt leaves room for a longer reply', () => {
    const long = Array.from({ length: 400 }, (_, index) => createUserLine(`Line ${index} of the story.`));
    const result = buildSamplePrompt({ history: long, contextTokens: 8000, replyTokens: 2600 });
    expect(result.replyTokens).toBe(2600);
    expect(result.record.reply_tokens).toBe(2600);
    expect(result.estimatedTokens).toBeLessThanOrEqual(8000 - 2600);
    const draft = buildSamplePrompt({ task: { kind: 'draft' }, replyTokens: 2600 });
    expect(draft.replyTokens).toBe(300);
  });
});
