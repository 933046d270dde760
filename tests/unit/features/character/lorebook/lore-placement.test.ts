import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  createSearch,
  findActivations,
  indexLore,
} from '../../../../../src/features/character/lorebook/lore-activation.ts';
import {
  listConstantEntries,
  listPlacedEntries,
  type StoryMessage,
} from '../../../../../src/features/character/lorebook/lore-placement.ts';
import { readLorebook } from '../../../../../src/features/character/lorebook/lorebook.ts';

const fill = (text: string) => text;
const createIndex = (entries: object[], book: object = {}) =>
  indexLore(readLorebook({ ...book, entries: entries.map((entry) => ({ enabled: true, ...entry })) }), {
    fill,
    fillScanned: fill,
  });

/** A story whose sides take turns, the character first. */
const tell = (...texts: string[]): StoryMessage[] =>
  texts.map((text, place) => ({ id: `m${place}`, role: place % 2 === 0 ? 'character' : 'user', text }));

const placeTexts = (index: ReturnType<typeof createIndex>, story: StoryMessage[]) =>
  listPlacedEntries(index, story).map((entries) => entries.map(({ content }) => content));

describe('Places of lorebook entries', () => {
  const index = createIndex([
    { keys: ['harbour'], content: 'The harbour is closed.' },
    { keys: ['keeper'], content: 'The keeper is ill.' },
    { keys: [], constant: true, content: 'It always rains.' },
  ]);

  test('an entry appears once, after the message that mentions it', () => {
    const story = tell(
      'The harbour, then.',
      'Yes.',
      'To the harbour.',
      'Where is the keeper?',
      'Ill.',
      'Keeper?',
    );
    expect(placeTexts(index, story)).toEqual([
      ['The harbour is closed.'],
      [],
      [],
      ['The keeper is ill.'],
      [],
      [],
    ]);
  });

  test('a constant entry stands before the conversation', () => {
    expect(listConstantEntries(index).map(({ content }) => content)).toEqual(['It always rains.']);
    expect(placeTexts(index, tell('It always rains.', 'Yes.'))).toEqual([[], []]);
  });

  test('an entry with a second key appears where both are known, and never before an earlier prompt’s end', () => {
    const selective = createIndex([
      { keys: ['harbour'], secondary_keys: ['storm'], selective: true, content: 'Ships sink.' },
    ]);
    const story = tell('The harbour.', 'Yes.', 'Hm.', 'A storm comes.');
    expect(placeTexts(selective, story)).toEqual([[], [], [], ['Ships sink.']]);
  });

  test('an entry appears with the text that mentions it in another entry', () => {
    const recursive = createIndex(
      [
        { keys: ['harbour'], content: 'The keeper owns it.' },
        { keys: ['keeper'], content: 'The keeper is ill.' },
      ],
      { recursive_scanning: true },
    );
    expect(placeTexts(recursive, tell('Hello.', 'To the harbour.'))).toEqual([
      [],
      ['The keeper owns it.', 'The keeper is ill.'],
    ]);
  });

  test('a search without draws left finds only the entries that need none', () => {
    const rare = createIndex([
      { keys: ['harbour'], extensions: { probability: 99 }, content: 'Ships sink.' },
      { keys: ['harbour'], content: 'The harbour is closed.' },
    ]);
    const story = Array.from({ length: 4 }, (_, place) => ({ id: `m${place}`, text: 'The harbour.' }));
    const search = createSearch(rare);
    const listContents = () => [...findActivations(rare, story, search).keys()].map(({ content }) => content);
    expect(listContents()).toEqual(['Ships sink.', 'The harbour is closed.']);
    search.draws = 0;
    expect(listContents()).toEqual(['The harbour is closed.']);
  });

  test('what is placed stays where it is while the conversation goes on', () => {
    const words = ['harbour', 'keeper', 'storm', 'lamp', 'nothing'];
    const entry = fc.record({
      keys: fc.subarray(words.slice(0, 4), { minLength: 1 }),
      secondary_keys: fc.subarray(words.slice(0, 4)),
      selective: fc.boolean(),
      extensions: fc.record({
        selectiveLogic: fc.integer({ min: 0, max: 3 }),
        probability: fc.constantFrom(0, 50, 100),
        scan_depth: fc.integer({ min: 1, max: 4 }),
      }),
      content: fc.constantFrom(...words),
    });
    fc.assert(
      fc.property(
        fc.array(entry, { maxLength: 6 }),
        fc.boolean(),
        fc.array(fc.subarray(words), { minLength: 2, maxLength: 12 }),
        (entries, recursive, texts) => {
          const book = createIndex(entries, { recursive_scanning: recursive });
          const story = tell(...texts.map((text) => text.join(' ')));
          const whole = placeTexts(book, story.slice(0, story.length - (story.length % 2)));
          for (let length = 2; length < whole.length; length += 2)
            expect(placeTexts(book, story.slice(0, length))).toEqual(whole.slice(0, length));
        },
      ),
    );
  });
});
