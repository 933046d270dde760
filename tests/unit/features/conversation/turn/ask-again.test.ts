import { expect, test } from 'vitest';
import {
  askAgainIfTooLong,
  type Retryable,
} from '../../../../../src/features/conversation/turn/ask-again.ts';
import type { ModelPart } from '../../../../../src/vendors/model.ts';

const TOO_LONG: ModelPart = { kind: 'failure', code: 'too_long', detail: 'status 400', excess: 1.5 };
const TEXT: ModelPart = { kind: 'text', text: 'Hello' };
const FINISH: ModelPart = { kind: 'finish', reason: 'stop' };

type Named = { name: string };

/** Asks with prompts `first`, `second` and `third`, of which each is the shorter one of the last. */
async function ask(answers: Record<string, ModelPart[]>, prompts = ['first', 'second', 'third']) {
  const asked: string[] = [];
  const learned: (number | null)[] = [];
  let timesShortened = 0;
  const build = ([name, ...rest]: string[]): (Named & Retryable<Named>) | null =>
    name === undefined ? null : { name, shorten: (excess) => (learned.push(excess), build(rest)) };
  const answer = async function* ({ name }: Named): AsyncGenerator<ModelPart> {
    asked.push(name);
    yield* answers[name] ?? [];
  };
  const parts: ModelPart[] = [];
  const stream = askAgainIfTooLong(
    build(prompts) as Named & Retryable<Named>,
    answer,
    () => (timesShortened += 1),
  );
  for await (const part of stream) parts.push(part);
  return { asked, learned, parts, timesShortened };
}

test('a prompt that the provider accepts is sent once', async () => {
  expect(await ask({ first: [TEXT, FINISH] })).toEqual({
    asked: ['first'],
    learned: [],
    parts: [TEXT, FINISH],
    timesShortened: 0,
  });
});

test('a prompt that is refused for its length is sent once more with less', async () => {
  expect(await ask({ first: [TOO_LONG], second: [TEXT, FINISH] })).toEqual({
    asked: ['first', 'second'],
    learned: [1.5],
    parts: [TEXT, FINISH],
    timesShortened: 1,
  });
});

test('a second refusal ends the turn, and the next one begins with less', async () => {
  expect(await ask({ first: [TOO_LONG], second: [TOO_LONG], third: [TEXT, FINISH] })).toEqual({
    asked: ['first', 'second'],
    learned: [1.5, 1.5],
    parts: [TOO_LONG],
    timesShortened: 1,
  });
});

test('a prompt from which nothing can be left out is not sent again', async () => {
  expect(await ask({ first: [TOO_LONG] }, ['first'])).toEqual({
    asked: ['first'],
    learned: [1.5],
    parts: [TOO_LONG],
    timesShortened: 0,
  });
});

test.each([[TEXT], [{ kind: 'thinking', text: '' } as const]])(
  'a refusal after the reply has begun with %o does not ask again',
  async (begun) => {
    const { asked, parts } = await ask({ first: [begun, TOO_LONG], second: [TEXT, FINISH] });
    expect({ asked, parts }).toEqual({ asked: ['first'], parts: [begun, TOO_LONG] });
  },
);

test.each(['bad_request', 'aborted', 'provider_error', 'timed_out', 'unreachable'] as const)(
  'the failure %s does not ask again',
  async (code) => {
    const failure: ModelPart = { kind: 'failure', code, detail: '' };
    expect(await ask({ first: [failure] })).toMatchObject({ asked: ['first'], parts: [failure] });
  },
);
