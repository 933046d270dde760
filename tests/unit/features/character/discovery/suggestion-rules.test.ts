import fc from 'fast-check';
import { expect, test } from 'vitest';
import { getTagTerm, parseTagTerms } from '../../../../../src/features/character/discovery/list-filters.ts';
import {
  type Candidate,
  type ChosenCharacter,
  deriveTaste,
  listStrongest,
  NO_CHOICES,
  rankSuggestions,
} from '../../../../../src/features/character/discovery/suggestion-rules.ts';
import { FOR_YOU, TAGS } from '../../../../../src/features/character/limits.ts';

const createChoice = (fields: Partial<ChosenCharacter> = {}): ChosenCharacter => ({
  kind: 'liked',
  id: 'liked',
  name: 'Lumi',
  creatorId: 'ana',
  isSiteOwned: false,
  tags: ['noir'],
  language: 'en',
  ...fields,
});
const createCandidate = (id: string, fields: Partial<Candidate> = {}): Candidate => ({
  id,
  creatorId: `creator of ${id}`,
  isSiteOwned: false,
  tags: [],
  language: 'en',
  chatCount: 0,
  ...fields,
});
const tasteFor = (...characters: ChosenCharacter[]) => deriveTaste({ characters, creatorIds: [] }, 'en');
const rankIds = (found: readonly Candidate[], taste: ReturnType<typeof tasteFor>) =>
  rankSuggestions(found, taste, 24).map(({ id }) => id);

test('a character that shares a tag with a liked one comes before more popular ones, and names it as the reason', () => {
  const candidates = [
    createCandidate('popular', { tags: ['rpg'], chatCount: 900 }),
    createCandidate('similar', { tags: ['noir'], chatCount: 1 }),
  ];
  expect(rankSuggestions(candidates, tasteFor(createChoice()), 24)).toEqual([
    {
      id: 'similar',
      reason: { kind: 'tag', tag: 'noir', because: 'liked', character: { id: 'liked', name: 'Lumi' } },
    },
    { id: 'popular', reason: { kind: 'popular', language: 'en' } },
  ]);
});

test('a like and a favourite weigh more than a chat, and a character chosen twice counts once', () => {
  const chat = createChoice({ kind: 'chatted', id: 'chat', tags: ['horror'] });
  const taste = tasteFor(createChoice(), chat, createChoice({ kind: 'chatted' }));
  expect([taste.tags.get('noir')?.weight, taste.tags.get('horror')?.weight]).toEqual([
    (2 * 3) / 5,
    (2 * 2) / 5,
  ]);
  expect(listStrongest(taste.tags, 1)).toEqual(['noir']);
  expect(taste.tags.get('noir')?.because?.kind).toBe('liked');
});

test('a free tag weighs more than one of the five, and many tags make each count less', () => {
  const taste = tasteFor(createChoice({ tags: ['rpg', 'noir'] }));
  const candidates = [
    createCandidate('broad', { tags: ['rpg'] }),
    createCandidate('exact', { tags: ['noir'] }),
    createCandidate('stuffed', { tags: ['noir', ...Array.from({ length: 9 }, (_, tag) => `tag ${tag}`)] }),
  ];
  expect(rankIds(candidates, taste)).toEqual(['exact', 'broad', 'stuffed']);
});

test('a followed creator is a stronger reason than tags, and the creator of a liked character is one, too', () => {
  const choices = { characters: [createChoice({ tags: ['rpg'] })], creatorIds: ['ben'] };
  const found = [
    createCandidate('of ana', { creatorId: 'ana', tags: ['rpg'] }),
    createCandidate('of ben', { creatorId: 'ben', tags: ['rpg'], chatCount: 1 }),
  ];
  expect(rankSuggestions(found, deriveTaste(choices, 'en'), 24)).toEqual([
    { id: 'of ben', reason: { kind: 'creator', character: null } },
    { id: 'of ana', reason: { kind: 'creator', character: { id: 'liked', name: 'Lumi' } } },
  ]);
});

test('the site’s own account is no reason, and its characters are not limited to two', () => {
  const taste = tasteFor(createChoice({ creatorId: 'site', isSiteOwned: true, tags: [] }));
  const candidates = ['a', 'b', 'c', 'd'].map((id) =>
    createCandidate(id, { creatorId: id === 'd' ? 'ana' : 'site', isSiteOwned: id !== 'd' }),
  );
  const ranked = rankSuggestions(candidates, taste, 24);
  expect(ranked.map(({ reason }) => reason.kind)).toEqual(['popular', 'popular', 'popular', 'popular']);
});

test('languages of the page and of chosen characters come first, and only those are named', () => {
  const taste = deriveTaste({ characters: [createChoice({ language: 'de' })], creatorIds: [] }, 'hi');
  const candidates = [
    createCandidate('pl', { language: 'pl', chatCount: 900, tags: ['noir'] }),
    createCandidate('unknown', { language: null, chatCount: 800 }),
    createCandidate('de', { language: 'de', chatCount: 2 }),
    createCandidate('hi', { language: 'hi', chatCount: 1 }),
  ];
  const ranked = rankSuggestions(candidates, taste, 24);
  expect(ranked.map(({ id }) => id)).toEqual(['hi', 'de', 'pl', 'unknown']);
  expect(ranked.flatMap(({ reason }) => (reason.kind === 'popular' ? [reason.language] : []))).toEqual([
    'hi',
    'de',
    null,
  ]);
});

const tags = fc.uniqueArray(fc.constantFrom(...TAGS, 'noir', 'slow burn', 'horror'), { maxLength: 5 });
const language = fc.constantFrom('en', 'de', null);
const creatorId = fc.constantFrom('ana', 'ben', 'cem', 'site');
const choice = fc
  .record({
    kind: fc.constantFrom('liked', 'favourite', 'chatted'),
    id: fc.constantFrom(...'abcdefgh'),
    creatorId,
    tags,
    language,
  })
  .map((fields) =>
    createChoice({ ...(fields as Partial<ChosenCharacter>), isSiteOwned: fields.creatorId === 'site' }),
  );
const candidate = fc
  .record({ id: fc.constantFrom(...'abcdefghijklmnop'), creatorId, tags, language, chatCount: fc.nat(5) })
  .map(({ id, ...fields }) => createCandidate(id, { ...fields, isSiteOwned: fields.creatorId === 'site' }));
const candidates = fc.uniqueArray(candidate, { selector: ({ id }) => id, maxLength: 16 });
const choices = fc.record({
  characters: fc.array(choice, { maxLength: 8 }),
  creatorIds: fc.subarray(['ana', 'ben']),
});

test('suggestions are distinct candidates that were not chosen, at most two of a creator, in one order', () => {
  fc.assert(
    fc.property(choices, candidates, fc.integer({ min: 1, max: 16 }), (chosen, found, limit) => {
      const taste = deriveTaste(chosen, 'en');
      const ranked = rankSuggestions(found, taste, limit);
      expect(rankSuggestions([...found.toReversed(), ...found], taste, limit)).toEqual(ranked);
      expect(ranked.length).toBeLessThanOrEqual(limit);
      expect(new Set(ranked.map(({ id }) => id)).size).toBe(ranked.length);
      const picked = ranked.map(({ id }) => found.find((one) => one.id === id) as Candidate);
      for (const { id, creatorId: creator, isSiteOwned } of picked) {
        expect(chosen.characters.map((one) => one.id)).not.toContain(id);
        const count = picked.filter((one) => one.creatorId === creator).length;
        if (!isSiteOwned) expect(count).toBeLessThanOrEqual(FOR_YOU.maxPerCreator);
      }
    }),
  );
});

test('every reason is true: the tag is on both characters, the creator is followed or was chosen', () => {
  fc.assert(
    fc.property(choices, candidates, (chosen, found) => {
      for (const { id, reason } of rankSuggestions(found, deriveTaste(chosen, 'en'), 16)) {
        const { tags: own, creatorId: creator } = found.find((one) => one.id === id) as Candidate;
        if (reason.kind === 'popular') continue;
        if (reason.character === null) {
          expect(chosen.creatorIds).toContain(creator);
          continue;
        }
        const source = chosen.characters.filter((one) => one.id === reason.character?.id);
        if (reason.kind === 'creator') expect(source.map((one) => one.creatorId)).toContain(creator);
        else {
          expect(own).toContain(reason.tag);
          expect(source.some((one) => one.kind === reason.because && one.tags.includes(reason.tag))).toBe(
            true,
          );
        }
      }
    }),
  );
});

test('one more like never moves a character with its tags behind one without them', () => {
  fc.assert(
    fc.property(choices, tags, tags, fc.nat(5), (chosen, liked, others, chatCount) => {
      const near = createCandidate('near', { tags: liked, chatCount });
      const far = createCandidate('far', { tags: others.filter((tag) => !liked.includes(tag)) });
      const before = rankIds([near, far], deriveTaste(chosen, 'en'));
      fc.pre(before[0] === 'near');
      const like = createChoice({ id: 'new', tags: liked, creatorId: 'new' });
      const after = { ...chosen, characters: [like, ...chosen.characters] };
      expect(rankIds([near, far], deriveTaste(after, 'en'))[0]).toBe('near');
    }),
  );
});

test('without choices the order is that of popularity, in the language of the page first', () => {
  fc.assert(
    fc.property(candidates, (found) => {
      const ranked = rankIds(
        found.map((one) => ({ ...one, isSiteOwned: true })),
        deriveTaste(NO_CHOICES, 'en'),
      ).map((id) => found.find((one) => one.id === id) as Candidate);
      const keys = ranked.map((one) => Number(one.language === 'en') * 100 + one.chatCount);
      expect(keys).toEqual(keys.toSorted((one, other) => other - one));
    }),
  );
});

test('the words of tags and language in the index can be read back', () => {
  const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 30 });
  fc.assert(
    fc.property(tags, fc.array(text, { maxLength: 3 }), language, (known, free, code) => {
      const all = [
        ...known.filter((tag) => TAGS.some((name) => name === tag)),
        ...free.map((tag) => `~${tag}`),
      ];
      const terms = [
        ...all.map((tag) => getTagTerm(tag).slice(1, -1)),
        ...(code === null ? [] : [`#=${code}`]),
      ];
      // SQLite writes the bytes of free tags in capitals.
      const stored = terms.map((term) => (term.startsWith('##') ? term.toUpperCase() : term)).join(' ');
      expect(parseTagTerms(stored)).toEqual({ tags: all, language: code });
    }),
  );
});
