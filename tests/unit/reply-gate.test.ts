import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import {
  moderateStream,
  type ModeratedPart,
  type StreamModerator,
} from '../../src/features/conversation/moderation/moderate-stream.ts';
import { MAX_SENTENCE, splitSentences } from '../../src/features/safety/sentences.ts';
import type { ModelPart } from '../../src/vendors/model.ts';

/** What the rules of these tests refuse. */
const BAD = /bad\s+word/;

/** A model that says these parts, and knows how far it was listened to and whether it was left. */
function model(parts: readonly ModelPart[]) {
  const state = { asked: 0, left: false };
  async function* says(): AsyncGenerator<ModelPart> {
    try {
      for (const part of parts) {
        state.asked += 1;
        yield part;
      }
    } finally {
      state.left = true;
    }
  }
  return { state, parts: says() };
}

const text = (said: string): ModelPart => ({ kind: 'text', text: said });
const FINISH = { kind: 'finish', reason: 'stop' } as const;

/** Refuses sentences with bad words, and has every sentence wait that has begun to be one. */
function strictJudge(): StreamModerator {
  let sentence = '';
  return {
    read(text) {
      sentence += text;
      return !sentence.includes('bad');
    },
    end() {
      const said = sentence;
      sentence = '';
      return BAD.test(said) ? 'minors' : null;
    },
    ask: null,
  };
}
const allow: StreamModerator = { read: () => true, end: () => null, ask: null };
/** Where a reply is that ends with its first bad sentence. */
const isBad = (whole: string): boolean => splitSentences(whole).some((sentence) => BAD.test(sentence));

async function through(
  parts: readonly ModelPart[],
  judge: StreamModerator,
  { begun = '', signal = new AbortController().signal } = {},
): Promise<{
  out: ModeratedPart[];
  told: string;
  end: ModeratedPart | undefined;
  state: { asked: number; left: boolean };
}> {
  const writer = model(parts);
  const out: ModeratedPart[] = [];
  for await (const part of moderateStream(writer.parts, judge, { begun, signal })) out.push(part);
  const told = out.map((part) => (part.kind === 'text' ? part.text : '')).join('');
  return { out, told, end: out.at(-1), state: writer.state };
}

/** Cuts a text at random places into what a model would send. */
const pieces = (whole: string, cuts: readonly number[]): ModelPart[] => {
  const ends = [...new Set([...cuts.map((cut) => cut % (whole.length + 1)), whole.length])].toSorted(
    (a, b) => a - b,
  );
  return ends
    .map((end, index) => text(whole.slice(ends[index - 1] ?? 0, end)))
    .filter((part) => part.kind === 'text');
};

const anyStory = fc
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
      'bad',
      'x'.repeat(90),
    ),
  )
  .map((some) => some.join(''));

describe('A reply that the rules alone check', () => {
  test('is shown part by part as it comes, word for word, when nothing is wrong with it', async () => {
    await fc.assert(
      fc.asyncProperty(anyStory, fc.array(fc.nat(2000)), async (whole, cuts) => {
        const parts = pieces(whole, cuts);
        const { out } = await through([{ kind: 'thinking' }, ...parts, FINISH], allow);
        expect(out).toEqual([
          { kind: 'thinking' },
          ...parts.filter((part) => part.kind !== 'text' || part.text !== ''),
          FINISH,
        ]);
      }),
    );
  });

  test('shows nothing of a refused sentence that was suspect, wherever the model cuts it', async () => {
    await fc.assert(
      fc.asyncProperty(anyStory, fc.array(fc.nat(2000)), async (whole, cuts) => {
        const parts = pieces(whole, cuts);
        const { told, end, state } = await through([...parts, FINISH], strictJudge());
        expect(whole.startsWith(told)).toBe(true);
        expect(isBad(told)).toBe(false);
        expect(end).toEqual(isBad(whole) ? { kind: 'refused', rule: 'minors' } : FINISH);
        if (!isBad(whole)) expect(told).toBe(whole);
        expect(state.left).toBe(true);
      }),
    );
  });

  test('gives a judge each character once and each sentence as splitSentences parts it', async () => {
    await fc.assert(
      fc.asyncProperty(anyStory, fc.array(fc.nat(2000)), async (whole, cuts) => {
        const read: string[] = [''];
        const judge: StreamModerator = {
          read: (said) => ((read[read.length - 1] += said), true),
          end: () => (read.push(''), null),
          ask: null,
        };
        await through([...pieces(whole, cuts), FINISH], judge);
        expect(read.join('')).toBe(whole);
        expect(read.filter((sentence) => sentence !== '')).toEqual(splitSentences(whole));
      }),
    );
  });

  test('is refused for a sentence that began in the text that it continues', async () => {
    const { told, end } = await through([text('word'), FINISH], strictJudge(), { begun: 'A bad ' });
    expect([told, end]).toEqual(['', { kind: 'refused', rule: 'minors' }]);
  });

  test('waits for nothing: each part is shown before the next one is asked for', async () => {
    const writer = model([text('One '), text('two '), text('three.'), FINISH]);
    const told: [string, number][] = [];
    for await (const part of moderateStream(writer.parts, allow, { signal: new AbortController().signal }))
      told.push([part.kind === 'text' ? part.text : part.kind, writer.state.asked]);
    expect(told).toEqual([
      ['One ', 1],
      ['two ', 2],
      ['three.', 3],
      ['finish', 4],
    ]);
  });

  test('ends as the model ended it', async () => {
    const failure = { kind: 'failure', code: 'cut_off', detail: 'no end' } as const;
    const { told, end } = await through([text('Half a sen'), failure], allow);
    expect([told, end]).toEqual(['Half a sen', failure]);
  });
});

describe('A reply, with a model that looks at it', () => {
  const asked = (refuses: (said: string) => boolean) =>
    ({
      ...allow,
      ask: vi.fn(async (said: string) => (refuses(said) ? ('violence' as const) : null)),
    }) satisfies StreamModerator;

  test('is told by sentences, each after it was looked at together with what stands before it', async () => {
    const judge = asked(() => false);
    const { out } = await through(
      [text('The ra'), text('in falls. She'), text(' waits'), text('. '), text('Then'), FINISH],
      judge,
    );
    expect(out).toEqual([text('The rain falls.'), text(' She waits.'), text(' Then'), FINISH]);
    expect(judge.ask.mock.calls.map(([said]) => said)).toEqual([
      'The rain falls.',
      'The rain falls. She waits.',
      'The rain falls. She waits. Then',
    ]);
  });

  test('is told word for word, wherever the model cuts it and whatever it ends with', async () => {
    const end = fc.constantFrom<ModelPart>(FINISH, { kind: 'failure', code: 'cut_off', detail: '' });
    await fc.assert(
      fc.asyncProperty(anyStory, fc.array(fc.nat(2000)), end, async (whole, cuts, last) => {
        const run = await through(
          [...pieces(whole, cuts), last],
          asked(() => false),
        );
        expect([run.told, run.end]).toEqual([whole, last]);
      }),
    );
  });

  test('is told of nothing that was refused, and the model is left', async () => {
    const { told, end, state } = await through(
      [text('All is well. '), text('A bad word. '), text('More. '), text('And more.'), FINISH],
      asked((said) => BAD.test(said)),
    );
    expect([told, end]).toEqual(['All is well.', { kind: 'refused', rule: 'violence' }]);
    expect(state).toEqual({ asked: 2, left: true });
  });

  test('never waits for the end of a sentence that has none', async () => {
    const { out } = await through(
      [...Array.from({ length: 10 }, () => text('la '.repeat(50))), FINISH],
      asked(() => false),
    );
    const lengths = out.flatMap((part) => (part.kind === 'text' ? [part.text.length] : []));
    expect(Math.max(...lengths)).toBeLessThan(MAX_SENTENCE + 150);
    expect(lengths.length).toBeGreaterThan(2);
  });

  test('is stopped at once by its reader, also while it is being looked at', async () => {
    const stop = new AbortController();
    const judge: StreamModerator = {
      ...allow,
      ask: () => {
        stop.abort();
        return new Promise(() => {});
      },
    };
    const { told, end, state } = await through([text('A sentence. '), text('More.'), FINISH], judge, {
      signal: stop.signal,
    });
    expect([told, end]).toEqual(['', { kind: 'failure', code: 'aborted', detail: expect.any(String) }]);
    expect(state.left).toBe(true);
  });
});
