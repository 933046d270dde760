import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import {
  moderateStream,
  type ModeratedPart,
  type StreamModerator,
} from '../../../../../src/features/conversation/moderation/moderate-stream.ts';
import { MAX_SENTENCE, splitSentences } from '../../../../../src/features/safety/sentences.ts';
import type { ModelPart } from '../../../../../src/vendors/model.ts';

/** Sentences that the rules of these tests refuse. */
const BAD = /bad\s+word/;

/** A model that sends these parts, with a count of parts read and whether reading ended. */
function model(parts: readonly ModelPart[]) {
  const state = { asked: 0, left: false };
  async function* streamParts(): AsyncGenerator<ModelPart> {
    try {
      for (const part of parts) {
        state.asked += 1;
        yield part;
      }
    } finally {
      state.left = true;
    }
  }
  return { state, parts: streamParts() };
}

const text = (content: string): ModelPart => ({ kind: 'text', text: content });
const FINISH = { kind: 'finish', reason: 'stop' } as const;

/** Refuses sentences with bad words, and holds back a sentence once it contains a suspicious word. */
function createStrictModerator(): StreamModerator {
  let sentence = '';
  return {
    read(text) {
      sentence += text;
      return !sentence.includes('bad');
    },
    end() {
      const content = sentence;
      sentence = '';
      return BAD.test(content) ? 'minors' : null;
    },
    ask: null,
  };
}
const allow: StreamModerator = { read: () => true, end: () => null, ask: null };
/** Whether a reply contains a bad sentence, at which it must end. */
const isBad = (whole: string): boolean => splitSentences(whole).some((sentence) => BAD.test(sentence));

async function moderate(
  parts: readonly ModelPart[],
  moderator: StreamModerator,
  {
    begun = '',
    signal = new AbortController().signal,
    thinking = null,
  }: { begun?: string; signal?: AbortSignal; thinking?: StreamModerator | null } = {},
): Promise<{
  out: ModeratedPart[];
  sentText: string;
  end: ModeratedPart | undefined;
  state: { asked: number; left: boolean };
}> {
  const writer = model(parts);
  const out: ModeratedPart[] = [];
  for await (const part of moderateStream(writer.parts, moderator, {
    begun,
    signal,
    thinking: thinking && (() => thinking),
  }))
    out.push(part);
  const sentText = out.map((part) => (part.kind === 'text' ? part.text : '')).join('');
  return { out, sentText, end: out.at(-1), state: writer.state };
}

/** Splits a text at random places into parts as a model sends them. */
const pieces = (whole: string, cuts: readonly number[]): ModelPart[] => {
  const ends = [...new Set([...cuts.map((cut) => cut % (whole.length + 1)), whole.length])].toSorted(
    (a, b) => a - b,
  );
  return ends
    .map((end, index) => text(whole.slice(ends[index - 1] ?? 0, end)))
    .filter((part) => part.kind === 'text');
};

const anyReply = fc
  .array(
    fc.constantFrom(
      'bad ',
      'word',
      ' ',
      'good',
      '. ',
      '\n',
      'The rain. ',
      '«Ja!» ',
      '雨です。',
      'Age:\n',
      '3.5',
      '…',
      ';',
      '?"',
      ')',
      '।',
      'bad',
      'x'.repeat(90),
    ),
  )
  .map((some) => some.join(''));

describe('Reply checked by rules', () => {
  test('an accepted reply passes part by part and word for word', async () => {
    await fc.assert(
      fc.asyncProperty(anyReply, fc.array(fc.nat(2000)), async (whole, cuts) => {
        const parts = pieces(whole, cuts);
        const { out } = await moderate([{ kind: 'thinking', text: '' }, ...parts, FINISH], allow);
        expect(out).toEqual([
          { kind: 'thinking', text: '' },
          ...parts.filter((part) => part.kind !== 'text' || part.text !== ''),
          FINISH,
        ]);
      }),
    );
  });

  test('no part of a suspicious sentence that is refused is sent, wherever the model splits it', async () => {
    await fc.assert(
      fc.asyncProperty(anyReply, fc.array(fc.nat(2000)), async (whole, cuts) => {
        const parts = pieces(whole, cuts);
        const { sentText, end, state } = await moderate([...parts, FINISH], createStrictModerator());
        expect(whole.startsWith(sentText)).toBe(true);
        expect(isBad(sentText)).toBe(false);
        expect(end).toEqual(isBad(whole) ? { kind: 'refused', rule: 'minors' } : FINISH);
        if (!isBad(whole)) expect(sentText).toBe(whole);
        expect(state.left).toBe(true);
      }),
    );
  });

  test('a moderator reads each character once and each sentence as splitSentences splits it', async () => {
    await fc.assert(
      fc.asyncProperty(anyReply, fc.array(fc.nat(2000)), async (whole, cuts) => {
        const read: string[] = [''];
        const moderator: StreamModerator = {
          read: (content) => ((read[read.length - 1] += content), true),
          end: () => (read.push(''), null),
          ask: null,
        };
        await moderate([...pieces(whole, cuts), FINISH], moderator);
        expect(read.join('')).toBe(whole);
        expect(read.filter((sentence) => sentence !== '')).toEqual(splitSentences(whole));
      }),
    );
  });

  test('a continued reply is refused for a sentence that began in the earlier text', async () => {
    const { sentText, end } = await moderate([text('word'), FINISH], createStrictModerator(), {
      begun: 'A bad ',
    });
    expect([sentText, end]).toEqual(['', { kind: 'refused', rule: 'minors' }]);
  });

  test('each part is sent before the next one is requested', async () => {
    const writer = model([text('One '), text('two '), text('three.'), FINISH]);
    const progress: [string, number][] = [];
    for await (const part of moderateStream(writer.parts, allow, { signal: new AbortController().signal }))
      progress.push([part.kind === 'text' ? part.text : part.kind, writer.state.asked]);
    expect(progress).toEqual([
      ['One ', 1],
      ['two ', 2],
      ['three.', 3],
      ['finish', 4],
    ]);
  });

  test('a moderated reply ends as the model ended it', async () => {
    const failure = { kind: 'failure', code: 'cut_off', detail: 'no end' } as const;
    const { sentText, end } = await moderate([text('Half a sen'), failure], allow);
    expect([sentText, end]).toEqual(['Half a sen', failure]);
  });
});

describe('Reply checked by a model', () => {
  const createModelModerator = (refuses: (content: string) => boolean) =>
    ({
      ...allow,
      ask: vi.fn(async (content: string) => (refuses(content) ? ('violence' as const) : null)),
    }) satisfies StreamModerator;

  test('a reply is sent by sentences, each after it was moderated with the text before it', async () => {
    const moderator = createModelModerator(() => false);
    const { out } = await moderate(
      [text('The ra'), text('in falls. She'), text(' waits'), text('. '), text('Then'), FINISH],
      moderator,
    );
    expect(out).toEqual([text('The rain falls.'), text(' She waits.'), text(' Then'), FINISH]);
    expect(moderator.ask.mock.calls.map(([content]) => content)).toEqual([
      'The rain falls.',
      'The rain falls. She waits.',
      'The rain falls. She waits. Then',
    ]);
  });

  test('an accepted reply is sent word for word, wherever the model splits it and however it ends', async () => {
    const end = fc.constantFrom<ModelPart>(FINISH, { kind: 'failure', code: 'cut_off', detail: '' });
    await fc.assert(
      fc.asyncProperty(anyReply, fc.array(fc.nat(2000)), end, async (whole, cuts, last) => {
        const run = await moderate(
          [...pieces(whole, cuts), last],
          createModelModerator(() => false),
        );
        expect([run.sentText, run.end]).toEqual([whole, last]);
      }),
    );
  });

  test('no part of a refused sentence is sent, and the model is closed', async () => {
    const { sentText, end, state } = await moderate(
      [text('All is well. '), text('A bad word. '), text('More. '), text('And more.'), FINISH],
      createModelModerator((content) => BAD.test(content)),
    );
    expect([sentText, end]).toEqual(['All is well.', { kind: 'refused', rule: 'violence' }]);
    expect(state).toEqual({ asked: 2, left: true });
  });

  test('a text without sentence ends is moderated and sent in bounded pieces', async () => {
    const { out } = await moderate(
      [...Array.from({ length: 10 }, () => text('la '.repeat(50))), FINISH],
      createModelModerator(() => false),
    );
    const lengths = out.flatMap((part) => (part.kind === 'text' ? [part.text.length] : []));
    expect(Math.max(...lengths)).toBeLessThan(MAX_SENTENCE + 150);
    expect(lengths.length).toBeGreaterThan(2);
  });

  test('aborting a reply stops it at once, even during moderation', async () => {
    const stop = new AbortController();
    const moderator: StreamModerator = {
      ...allow,
      ask: () => {
        stop.abort();
        return new Promise(() => {});
      },
    };
    const { sentText, end, state } = await moderate(
      [text('A sentence. '), text('More.'), FINISH],
      moderator,
      {
        signal: stop.signal,
      },
    );
    expect([sentText, end]).toEqual(['', { kind: 'failure', code: 'aborted', detail: expect.any(String) }]);
    expect(state.left).toBe(true);
  });
});

const think = (content: string): ModelPart => ({ kind: 'thinking', text: content });
const joinThinking = (parts: readonly ModeratedPart[]) =>
  parts.map((part) => (part.kind === 'thinking' ? part.text : '')).join('');

describe('Thinking checked by rules', () => {
  test('thinking is passed on, each sentence once it is known to be allowed', async () => {
    const parts = [think('A good '), think('plan. '), think('It is bad'), text('Hello.'), FINISH];
    const { out } = await moderate(parts, createStrictModerator(), { thinking: createStrictModerator() });
    expect(out).toEqual([think('A good '), think('plan. '), think('It is bad'), text('Hello.'), FINISH]);
  });

  test('a sentence of the thinking that breaks a rule ends the reply, and is not shown', async () => {
    await fc.assert(
      fc.asyncProperty(anyReply, fc.array(fc.nat(2000)), async (whole, cuts) => {
        const parts = pieces(whole, cuts).map((part) => (part.kind === 'text' ? think(part.text) : part));
        const { out, end } = await moderate([...parts, text('Hello.'), FINISH], allow, {
          thinking: createStrictModerator(),
        });
        expect(isBad(joinThinking(out))).toBe(false);
        expect(end).toEqual(isBad(whole) ? { kind: 'refused', rule: 'minors' } : FINISH);
        expect(out.some((part) => part.kind === 'text')).toBe(!isBad(whole));
      }),
    );
  });

  test('thinking that repeats the prompt is dropped from there on, and the reply goes on', async () => {
    const leaking: StreamModerator = { read: () => true, end: () => 'prompt', ask: null };
    const parts = [think('The rules say. '), think('More.'), text('Hello.'), FINISH];
    const { out } = await moderate(parts, allow, { thinking: leaking });
    expect(out).toEqual([text('Hello.'), FINISH]);
  });

  test('at most 20,000 characters of thinking are passed on', async () => {
    const parts = [...Array.from({ length: 30 }, () => think('x'.repeat(999))), text('Hello.'), FINISH];
    const { out } = await moderate(parts, allow, { thinking: allow });
    expect(joinThinking(out)).toHaveLength(20_000);
  });

  test('without a moderator of its own, no thinking is passed on', async () => {
    const { out } = await moderate([think('A plan. '), text('Hello.'), FINISH], allow);
    expect(out).toEqual([text('Hello.'), FINISH]);
  });

  test('thinking waits for a moderation model like a reply', async () => {
    const thinking: StreamModerator = {
      ...allow,
      ask: async (content) => (content.includes('bad') ? 'minors' : null),
    };
    const { out } = await moderate([think('Good. '), think('bad. '), text('Hello.'), FINISH], allow, {
      thinking,
    });
    expect(out).toEqual([think('Good.'), { kind: 'refused', rule: 'minors' }]);
  });

  test('the open sentence of a text that was thinking is forgotten', async () => {
    const { out } = await moderate(
      [text('A bad'), { kind: 'retracted' }, think('A bad'), text('Hello.'), FINISH],
      createStrictModerator(),
      { thinking: createStrictModerator() },
    );
    expect(out).toEqual([{ kind: 'retracted' }, think('A bad'), text('Hello.'), FINISH]);
  });
});

test('a continued reply is never repeated, also where its last sentence was held back', async () => {
  for (const begun of ['It is bad', 'It is bad.', 'Good. It is bad'])
    for (const more of [' luck. More.', '. More.', ' More.'])
      expect((await moderate([text(more), FINISH], createStrictModerator(), { begun })).sentText).toBe(more);
});
