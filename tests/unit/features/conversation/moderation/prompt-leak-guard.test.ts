import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  extractLetters,
  type PromptFingerprint,
  getPromptFingerprint,
  PromptLeakDetector,
} from '../../../../../src/features/conversation/moderation/prompt-leak-guard.ts';
import type { PromptInput } from '../../../../../src/features/conversation/prompt/build-prompt.ts';
import {
  moderateStream,
  withPromptLeakGuard,
  type StreamModerator,
} from '../../../../../src/features/conversation/moderation/moderate-stream.ts';
import type { CrisisKind } from '../../../../../src/features/safety/decisions.ts';
import type { ModelPart } from '../../../../../src/vendors/model.ts';
import { INJECTIONS } from '../../../../support/injections.ts';
import {
  createCharacterLine,
  MIRA,
  NAMES,
  buildSamplePrompt,
  createUserLine,
} from '../../../../support/prompts.ts';

const allowAll: StreamModerator = { read: () => true, end: () => null, ask: null };
const judge = withPromptLeakGuard(allowAll, NAMES);

async function* streamInPieces(text: string, size: number): AsyncGenerator<ModelPart> {
  for (let from = 0; from < text.length; from += size)
    yield { kind: 'text', text: text.slice(from, from + size) };
  yield { kind: 'finish', reason: 'stop' };
}

/** The text that a reader receives, and how the stream ends. */
async function streamReply(
  text: string,
  { size = 4, begun = '', by = judge } = {},
): Promise<{ text: string; end: unknown }> {
  const out = { text: '', end: null as unknown };
  const { signal } = new AbortController();
  for await (const part of moderateStream(streamInPieces(text, size), by, { begun, signal })) {
    if (part.kind === 'text') out.text += part.text;
    else out.end = part.kind === 'refused' ? part.rule : part.kind;
  }
  return out;
}

const buildSystemPrompt = (input: Partial<Omit<PromptInput, 'history'>>, message = 'Hello') =>
  buildSamplePrompt({ ...input, history: [createCharacterLine('Yes?'), createUserLine(message)] }).messages[0]
    ?.content ?? '';

const PROMPTS = (['normal', 'multiPeople', 'rpg', 'reverse'] as const).flatMap((pointOfView) =>
  (['general', 'adult'] as const).map((rating) =>
    buildSystemPrompt({ character: { ...MIRA, pointOfView }, rating }),
  ),
);

/** The same words in other forms. */
const LOOKS: readonly [string, (text: string) => string][] = [
  ['unchanged', (text) => text],
  ['in capitals', (text) => text.toUpperCase()],
  ['in one line', (text) => text.replaceAll(/\s+/g, ' ')],
  ['letter by letter', (text) => [...text].join(' ')],
  ['in bold', (text) => text.replaceAll(/\w+/g, '**$&**')],
  ['as a quotation', (text) => text.replaceAll(/^/gm, '> ')],
  [
    'in full-width letters',
    (text) => text.replaceAll(/[a-z]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) + 0xfee0)),
  ],
  ['with invisible characters', (text) => [...text].join('\u200b')],
];

/** The length in letters of the longest piece of the prompt in the text. */
function measureLongestMatch(text: string, own: string): number {
  const letters = extractLetters(text);
  const source = extractLetters(own);
  let most = 0;
  for (let from = 0; from < letters.length; from += 1)
    while (from + most < letters.length && source.includes(letters.slice(from, from + most + 1))) most += 1;
  return most;
}

describe('Prompt leak guard', () => {
  test.each(LOOKS)('a reply that repeats its prompt is stopped after a few words: %s', async (_, look) => {
    for (const text of PROMPTS) {
      const own = text.slice(text.indexOf('# Point of view'));
      for (const size of [1, 7, 400, own.length]) {
        const { text: out, end } = await streamReply(look(own), { size });
        expect(end).toBe('prompt');
        // Eighty characters of the prompt contain more letters than this.
        expect(measureLongestMatch(out, own)).toBeLessThan(55);
      }
    }
  });

  test('a reply with the prompt is stopped within two lines despite filler words and digits for letters', async () => {
    const fillers = fc.constantFrom(
      'um',
      '(12)',
      'banana',
      'the',
      'lighthouse-keeper',
      'story',
      'と',
      '—',
      '7',
    );
    const digits: Record<string, string> = { a: '4', e: '3', i: '1', o: '0', s: '5', t: '7' };
    const whole = PROMPTS[1] ?? '';
    // The help that a character may give in a crisis is not guarded.
    const own = whole.slice(whole.indexOf('# Style'), whole.indexOf('If the person seems'));
    const words = own.split(/\s+/);
    await fc.assert(
      fc.asyncProperty(
        fc.nat(words.length - 60),
        fc.array(fillers, { minLength: 20, maxLength: 20 }),
        fc.subarray(Object.keys(digits)),
        fc.constantFrom(1, 4, 30),
        async (from, between, leet, size) => {
          const spoken = words.slice(from, from + 60).map((word, at) => {
            const spelt = word.replaceAll(/[a-z]/g, (sign) =>
              leet.includes(sign) ? (digits[sign] ?? sign) : sign,
            );
            return at % 2 === 1 ? `${spelt} ${between[(at >> 1) % between.length]}` : spelt;
          });
          const { text: out, end } = await streamReply(spoken.join(' '), { size });
          expect(end).toBe('prompt');
          // Two lines of 80 characters, counting only the words of the prompt.
          const ofPrompt = out.split(/\s+/).filter((_, at) => at % 3 !== 2);
          expect(ofPrompt.join(' ').length).toBeLessThan(160);
        },
      ),
    );
  });

  test('a reply with the prompt is stopped if it leaves out every fourth word', async () => {
    for (const text of PROMPTS) {
      const own = text.slice(text.indexOf('# Point of view')).split(/\s+/);
      const { text: out, end } = await streamReply(own.filter((_, at) => at % 4 !== 3).join(' '));
      expect(end).toBe('prompt');
      expect(out.length).toBeLessThan(200);
    }
  });

  test('a reply with the prompt is stopped in the middle of a line and after words of its own', async () => {
    for (const text of PROMPTS) {
      const lines = text.slice(text.indexOf('# Point of view')).split('\n');
      for (const line of lines.filter((one) => one.length > 140 && !/crisis line/.test(one))) {
        const { text: out, end } = await streamReply(`Of course! It says: ${line.slice(20)} Anything else?`);
        expect([line, end]).toEqual([line, 'prompt']);
        expect(measureLongestMatch(out, line)).toBeLessThan(55);
      }
    }
  });

  test('a reply with the prompt is stopped whatever injection caused it, in a message or a card', async () => {
    for (const injection of INJECTIONS) {
      const inMessage = buildSystemPrompt({}, injection);
      const inCard = buildSystemPrompt({ character: { ...MIRA, characterTraits: injection } });
      for (const text of [inMessage, inCard]) {
        const { text: out, end } = await streamReply(text);
        expect([injection, end]).toEqual([injection, 'prompt']);
        expect(measureLongestMatch(out, text.slice(text.indexOf('# Point of view')))).toBeLessThan(55);
      }
    }
  });

  test('a continued reply is stopped where it continues the prompt', async () => {
    const own = PROMPTS[0]?.slice(PROMPTS[0].indexOf('# Style')) ?? '';
    const { text: out, end } = await streamReply(own.slice(50), { begun: `It says: ${own.slice(0, 50)}` });
    expect(end).toBe('prompt');
    expect(out.length).toBeLessThan(60);
  });

  test('the crisis instructions are guarded, while the help in a crisis may be written', async () => {
    for (const kind of ['suicide', 'self_harm', 'harm_to_others'] satisfies CrisisKind[])
      for (const task of [{ kind: 'reply' }, { kind: 'draft' }] as const) {
        const instructions = buildSamplePrompt({ crisis: kind, task }).messages.at(-1)?.content ?? '';
        expect(instructions).toContain('[Out of the story, for now:');
        expect((await streamReply(instructions)).end).toBe('prompt');
      }
    const kind = [
      'I have read it and take it seriously, without judging and without long advice. I am an AI, and there are people who can help now.',
      'Please call the local emergency number or a crisis line, or go to somebody near you whom you trust. I ask you to call the local emergency number or a crisis line, or to go to somebody near.',
      'I ask you to contact local emergency services or a crisis line.',
    ].join(' ');
    expect(await streamReply(kind)).toEqual({ text: kind, end: 'finish' });
  });
});

/** The same algorithm in its simplest form, which checks every position of the prompt for every word. */
function findFirstLeak(own: PromptFingerprint, words: readonly string[]): number {
  const size = own.ends.length;
  let before = Array.from({ length: size }, () => 0);
  return words.findIndex((word) => {
    const spots = new Set(own.places.get(word));
    const now = Array.from({ length: size }, () => 0);
    for (let at = 1; at < size; at += 1) {
      if (own.ends[at] === 1) continue;
      const matched = spots.has(at) ? (before[at - 1] ?? 0) + word.length : 0;
      now[at] = Math.max(0, matched, (before[at] ?? 0) - 2.5, (now[at - 1] ?? 0) - 2.5);
    }
    before = now;
    return Math.max(...now) >= 54;
  });
}

test('the leak detector stops at the same word as a reference that checks every position', () => {
  const own = getPromptFingerprint(NAMES);
  const wordAt = new Map(
    [...own.places].flatMap(([word, places]) => places.map((at) => [at, word] as const)),
  );
  // Recited text continues with the next word, skips some, inserts others, or jumps.
  const step = fc.oneof(
    { weight: 12, arbitrary: fc.constant({ on: 1 }) },
    { weight: 2, arbitrary: fc.record({ on: fc.integer({ min: -1, max: 3 }) }) },
    {
      weight: 2,
      arbitrary: fc.constantFrom('banana', 'the', 'you', 'と').map((other) => ({ on: 0, other })),
    },
    { weight: 1, arbitrary: fc.record({ to: fc.nat(own.ends.length) }) },
  );
  const seen = new Set<boolean>();
  fc.assert(
    fc.property(fc.nat(own.ends.length), fc.array(step, { minLength: 10, maxLength: 50 }), (start, steps) => {
      let at = start;
      const words = steps.flatMap((one, index) => {
        at = 'to' in one ? one.to : at + one.on;
        const word = 'other' in one ? one.other : (wordAt.get(at) ?? 'so');
        // No four words in a row match the prompt, so their letters alone reveal nothing.
        return index % 3 === 2 ? [word, '学'] : [word];
      });
      const detector = new PromptLeakDetector(own);
      // A word is complete when the next one begins.
      const stopped = words.findIndex((word) => detector.isLeak(`${word} `));
      expect(stopped).toBe(findFirstLeak(own, words));
      seen.add(stopped !== -1);
    }),
    { numRuns: 200 },
  );
  expect(seen).toEqual(new Set([true, false]));
});

describe('Stories under the leak guard', () => {
  test("a story that resembles the prompt's wording is delivered to its end", async () => {
    const story = [
      'Stay in character, Mira thinks, and never speak for him. "Never decide for me," says the Stranger.',
      '*She writes what is seen between the lines, and speaks between quotation marks.* "You are Mira, a character in a story."',
      'No sexual content, the sign at the door says. She has two or three choices, and the actions have consequences.',
      'What happened so far: these things are true. They met, and the password is heliotrope.',
    ].join('\n');
    expect(await streamReply(story)).toEqual({ text: story, end: 'finish' });
  });

  test("a reply may repeat the creator's own text word for word", async () => {
    const traits = 'Patient, and never in a hurry; keeps the last lighthouse of the northern coast. '.repeat(
      5,
    );
    expect(await streamReply(traits)).toEqual({ text: traits, end: 'finish' });
  });

  test('checking a long reply takes less than five seconds', async () => {
    const detector = new PromptLeakDetector(getPromptFingerprint(NAMES));
    const long = 'The rain falls on the harbour, and nobody is about. '.repeat(400);
    const began = performance.now();
    for (let at = 0; at < long.length; at += 4) expect(detector.isLeak(long.slice(at, at + 4))).toBe(false);
    expect(performance.now() - began).toBeLessThan(5000);
  });
});

test('a run of the prompt is found wherever it begins and however it is cut', () => {
  const own = getPromptFingerprint(NAMES).letters.split('\n')[0]?.slice(0, 52) as string;
  for (let before = 0; before <= 60; before += 1)
    for (const size of [1, 5, 26, 27, 200]) {
      const detector = new PromptLeakDetector(getPromptFingerprint(NAMES));
      const text = `${'x'.repeat(before)}${own}`;
      const pieces = Array.from({ length: Math.ceil(text.length / size) }, (_, index) =>
        text.slice(index * size, (index + 1) * size),
      );
      // Nothing is found before the last letter of the run.
      expect(pieces.map((piece) => detector.isLeak(piece)).indexOf(true)).toBe(pieces.length - 1);
    }
});

test('a run of the prompt is found after a digit replaced a letter in it', () => {
  const own = getPromptFingerprint(NAMES).letters.split('\n')[0]?.slice(0, 60) as string;
  const detector = new PromptLeakDetector(getPromptFingerprint(NAMES));
  const text = `well, then: ${own.slice(0, 50)}${own.slice(50).replaceAll('o', '0').replaceAll('e', '3')}`;
  expect([...text].some((letter) => detector.isLeak(letter))).toBe(true);
});
