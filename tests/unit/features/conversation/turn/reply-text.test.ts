import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { getReplySpeakers, trimReply } from '../../../../../src/features/conversation/turn/reply-text.ts';
import type { ModelPart } from '../../../../../src/vendors/model.ts';
import { splitAt } from '../../../../support/split-at.ts';

const NAMES = getReplySpeakers({ user: 'Ann Lee', char: 'Fern' }, false);

/** The text of a reply that arrives in these pieces. */
async function trim(
  pieces: readonly string[],
  {
    base = '',
    reason = 'stop',
    speakers = NAMES,
  }: { base?: string; reason?: 'stop' | 'length'; speakers?: typeof NAMES } = {},
) {
  async function* parts(): AsyncGenerator<ModelPart> {
    for (const text of pieces) yield { kind: 'text', text };
    yield { kind: 'finish', reason };
  }
  let text = '';
  const ends: ModelPart[] = [];
  for await (const part of trimReply(parts(), speakers, base)) {
    if (part.kind === 'text') text += part.text;
    else ends.push(part);
  }
  expect(ends).toHaveLength(1);
  return text;
}

describe('Text of a reply', () => {
  test.each([
    ['blanks around it', '\n\n  Welcome ashore.  \n\n', 'Welcome ashore.'],
    ["the assistant's name", 'Assistant: Welcome.', 'Welcome.'],
    ["the character's name", 'Fern: Welcome.', 'Welcome.'],
    ["the character's name in bold", '**Fern:** Welcome.', 'Welcome.'],
    ['another bold name', '**FERN**: Welcome.', 'Welcome.'],
    ['a line for the user', '*smiles* Welcome.\n\nUser: thanks!\n\nBot: No trouble.', '*smiles* Welcome.'],
    ["a line with the user's name", 'Welcome.\nAnn Lee: thanks!', 'Welcome.'],
    ['a bold line for the user', 'Welcome.\n  **Human:** thanks!', 'Welcome.'],
  ])('a reply loses %s', async (_, reply, text) => {
    expect(await trim([reply])).toBe(text);
  });

  test.each([
    'Welcome. User: that is a word here.',
    'Ferns: green plants.',
    'One\n\n two\n\nFern: three',
    'Users: two\nuser',
    '*Fern: smiles*',
    'Welcome.\nAnn Lee smiled.',
    'User: a reply that begins so stays',
  ])('a reply keeps the rest: %j', async (reply) => {
    expect(await trim([reply])).toBe(reply);
  });

  test('a reply of several people keeps its names', async () => {
    const speakers = getReplySpeakers({ user: 'Ann', char: 'Fern' }, true);
    expect(await trim(['Fern: Welcome.'], { speakers })).toBe('Fern: Welcome.');
  });

  test('a user with the name of the character ends no reply', async () => {
    const speakers = getReplySpeakers({ user: 'Fern', char: 'fern' }, false);
    expect(await trim(['Hello.\nFern: Yes.'], { speakers })).toBe('Hello.\nFern: Yes.');
  });

  test('a user without a name ends no reply', async () => {
    const speakers = getReplySpeakers({ user: '', char: 'Fern' }, false);
    expect(await trim(['Hello.\n: a line\n**: b'], { speakers })).toBe('Hello.\n: a line\n**: b');
  });

  test('blanks before the limit of the model stay, because a word follows', async () => {
    expect(await trim(['and then '], { reason: 'length' })).toBe('and then ');
    expect(await trim(['and then '], { reason: 'stop' })).toBe('and then');
  });

  test.each([
    ['She opened the', 'She opened the door.', 'She opened the door.'],
    ['He went to the super', 'to the supermarket.', 'He went to the supermarket.'],
    ['Super', 'market', 'Supermarket'],
    ['It rained.', 'Fern: Then it stopped.', 'It rained. Then it stopped.'],
    ['It rained.', '\n\nThen it stopped.', 'It rained.\n\nThen it stopped.'],
    ['The door', ' opened.', 'The door opened.'],
  ])('a continuation of %j with %j makes one text', async (base, addition, whole) => {
    expect(base + (await trim([addition], { base }))).toBe(whole);
    expect(base + (await trim([...addition], { base }))).toBe(whole);
  });

  test('the model is not read further after a line for the user', async () => {
    let isLeft = false;
    async function* parts(): AsyncGenerator<ModelPart> {
      try {
        yield { kind: 'text', text: 'Welcome.\nUser: ' };
        throw new Error('read further');
      } finally {
        isLeft = true;
      }
    }
    const out: ModelPart[] = [];
    for await (const part of trimReply(parts(), NAMES)) out.push(part);
    expect(out).toEqual([
      { kind: 'text', text: 'Welcome.' },
      { kind: 'finish', reason: 'stop' },
    ]);
    expect(isLeft).toBe(true);
  });

  test('a text that was retracted leaves nothing behind', async () => {
    async function* parts(): AsyncGenerator<ModelPart> {
      yield { kind: 'text', text: 'The plan \n' };
      yield { kind: 'retracted' };
      yield { kind: 'text', text: '\n\nFern: Hello.' };
      yield { kind: 'finish', reason: 'stop' };
    }
    const out: ModelPart[] = [];
    for await (const part of trimReply(parts(), NAMES)) out.push(part);
    expect(out.slice(1)).toEqual([
      { kind: 'retracted' },
      { kind: 'text', text: 'Hello.' },
      { kind: 'finish', reason: 'stop' },
    ]);
  });

  test('any splitting into pieces gives the same text', async () => {
    const words = fc.constantFrom(
      'User',
      'Fern',
      'Ann',
      ' Lee',
      ':',
      '**',
      '*',
      '\n',
      ' ',
      'Welcome',
      '.',
      'the end',
    );
    const bases = fc.constantFrom('', 'It was the end', 'Fern. the end the end');
    await fc.assert(
      fc.asyncProperty(
        fc.array(words, { maxLength: 14 }),
        fc.array(fc.nat({ max: 80 }), { maxLength: 20 }),
        bases,
        async (parts, places, base) => {
          const text = parts.join('');
          expect(await trim(splitAt(text, places), { base })).toBe(await trim([text], { base }));
        },
      ),
      { numRuns: 1000 },
    );
  });
});
