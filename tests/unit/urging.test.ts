import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { gated, type ReplyJudge } from '../../src/features/conversation/reply-gate.ts';
import { judgeOf } from '../../src/features/conversation/text-judge.ts';
import { ALONE } from '../../src/features/safety/beside.ts';
import { moderatorBy } from '../../src/features/safety/moderator.ts';
import { urgingIn } from '../../src/features/safety/urging.ts';
import type { ModelPart } from '../../src/vendors/model.ts';

const LANGUAGES = ['en', 'es', 'fr', 'de', 'it', 'pt', 'ru', 'ja', 'hi', 'pl', 'zh', 'id'] as const;

interface Sentences {
  /** Refused whoever reads it. */
  urged: string[];
  /** Refused where the person may need help. */
  nudge: string[];
  /** What is said to somebody in need, and is never refused. */
  kind: string[];
  /** What villains and outlaws say, where nobody needs help. */
  stories: string[];
}

const sentencesOf = (lang: string): Sentences =>
  JSON.parse(readFileSync(new URL(`../support/urging/${lang}.json`, import.meta.url), 'utf8')) as Sentences;

const judge = (crisisOpen: boolean): ReplyJudge =>
  judgeOf(
    moderatorBy(null),
    () => ({ context: '', minorTold: () => false, beside: () => ALONE }),
    async () => false,
  ).reply('general', null, crisisOpen);

/** What a reader is told of a reply that comes in small pieces, and how it ends. */
async function told(text: string, crisisOpen: boolean, size = 5): Promise<{ text: string; end: unknown }> {
  async function* parts(): AsyncGenerator<ModelPart> {
    for (let from = 0; from < text.length; from += size)
      yield { kind: 'text', text: text.slice(from, from + size) };
    yield { kind: 'finish', reason: 'stop' };
  }
  const out = { text: '', end: null as unknown };
  const { signal } = new AbortController();
  for await (const part of gated(parts(), judge(crisisOpen), { signal })) {
    if (part.kind === 'text') out.text += part.text;
    else out.end = part.kind === 'refused' ? part.rule : part.kind;
  }
  return out;
}

describe.each(LANGUAGES)('What a character says, in %s', (lang) => {
  const { urged, nudge, kind, stories } = sentencesOf(lang);

  test('is refused where it urges me to die or to hurt myself, whatever I wrote', async () => {
    for (const text of urged)
      for (const crisisOpen of [false, true])
        expect([text, (await told(`${text} `, crisisOpen)).end]).toEqual([text, 'urging']);
  });

  test('is refused where I may need help and it nudges me, and not a word of that sentence is told', async () => {
    for (const text of nudge) {
      expect([text, urgingIn(text, { open: true, whole: true })]).toEqual([text, true]);
      const { text: out, end } = await told(text, true);
      expect([text, end]).toEqual([text, 'urging']);
      expect(urgingIn(out, { open: true, whole: true })).toBe(false);
    }
  });

  test('is told to its end where it is kind to me, in need or not', async () => {
    for (const text of kind)
      for (const crisisOpen of [false, true])
        expect(await told(text, crisisOpen)).toEqual({ text, end: 'finish' });
    const all = kind.join('\n');
    expect(await told(all, true)).toEqual({ text: all, end: 'finish' });
  });

  test('may be a villain’s threat, a fight or a leap from a roof', async () => {
    for (const text of stories) expect(await told(text, false)).toEqual({ text, end: 'finish' });
    const all = stories.join('\n\n');
    expect(await told(all, false)).toEqual({ text: all, end: 'finish' });
  });
});

describe('Urging', () => {
  test('is found in a long reply, wherever the model cuts it, and what was denied stays denied', async () => {
    const long = 'The rain falls on the harbour, and nobody is about. '.repeat(30);
    for (const size of [1, 7, 40, 400, 4000])
      for (const crisisOpen of [false, true]) {
        expect((await told(`${long}Go and kill yourself. ${long}`, crisisOpen, size)).end).toBe('urging');
        const denied = `${long}Please do not kill yourself. ${long}`;
        expect(await told(denied, crisisOpen, size)).toEqual({ text: denied, end: 'finish' });
      }
  });

  test('is found however its letters look', () => {
    for (const text of [
      'K1LL YOURSELF',
      'k i l l yourself',
      'kiiill yourself',
      '**kill** yourself',
      'k*ll yourself',
    ])
      expect([text, urgingIn(text, { open: false, whole: true })]).toEqual([text, true]);
  });

  test('is looked for in no time', () => {
    const text = 'You should, nobody would: do it not. '.repeat(600);
    urgingIn(text, { open: true, whole: true });
    const began = performance.now();
    urgingIn(text, { open: true, whole: true });
    expect(performance.now() - began).toBeLessThan(1000);
  });
});
