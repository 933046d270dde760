import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { RUNTIME_CONFIG_DEFAULTS } from '../../../../src/features/runtime-config/defaults.ts';
import { COMPETITION } from '../../../../src/features/competition/limits.ts';
import {
  countPeopleInWiderNetworks,
  countPeople,
  type CompetitionEntry,
  getEntryState,
  computePopularity,
  getConfiguredSeason,
  rankEntries,
  getSeasonState,
  computeWinners,
} from '../../../../src/features/competition/competition.ts';

const entry = (characterId: string, fields: Partial<CompetitionEntry> = {}): CompetitionEntry => ({
  characterId,
  creatorId: `maker of ${characterId}`,
  person: fields.creatorId ?? `maker of ${characterId}`,
  createdAt: 1,
  people: 0,
  marks: [],
  ...fields,
});
const listRanks = (entries: readonly CompetitionEntry[]) =>
  rankEntries(entries).map(({ characterId, rank }) => [characterId, rank]);

describe('Season', () => {
  const season = getConfiguredSeason(RUNTIME_CONFIG_DEFAULTS);

  test('the default season is the second one, in whole UTC days up to its last day', () => {
    expect(season).toEqual({
      number: 2,
      beginsAt: Date.UTC(2025, 7, 25),
      endsAt: Date.UTC(2025, 10, 26),
      winnersAt: Date.UTC(2025, 10, 30),
    });
  });

  test('winners are announced after the end of the season, even when their date is its last day', () => {
    const { endsAt, winnersAt } = getConfiguredSeason({
      ...RUNTIME_CONFIG_DEFAULTS,
      competition_winners_on: '2025-11-25',
    });
    expect(winnersAt).toBe(endsAt);
  });

  test('a season is coming, running, judged, and decided once the decision is stored', () => {
    const open = { ...season, status: 'open' as const };
    expect(getSeasonState(open, season.beginsAt - 1)).toBe('coming');
    expect(getSeasonState(open, season.beginsAt)).toBe('running');
    expect(getSeasonState(open, season.endsAt - 1)).toBe('running');
    expect(getSeasonState(open, season.endsAt)).toBe('judging');
    expect(getSeasonState(open, season.winnersAt + 1)).toBe('judging');
    expect(getSeasonState({ ...season, status: 'decided' }, season.winnersAt)).toBe('decided');
  });
});

describe('Score', () => {
  test('a score is four fifths popularity, ten points per doubling of people, and one fifth the mean of judges', () => {
    const [first, second, third] = rankEntries([
      entry('few', { people: 7, marks: [100, 80] }),
      entry('most', { people: 63 }),
      entry('none', { marks: [50] }),
    ]);
    expect(first).toMatchObject({ characterId: 'most', popularity: 60, creativity: 0, score: 48 });
    expect(second).toMatchObject({ characterId: 'few', popularity: 30, creativity: 90, score: 42 });
    expect(third).toMatchObject({ characterId: 'none', popularity: 0, creativity: 50, score: 10 });
  });

  test('popularity reaches 100 at the published number of people', () => {
    expect(computePopularity(COMPETITION.maxPeople)).toBe(100);
    expect(computePopularity(COMPETITION.maxPeople - 1)).toBeLessThan(100);
    expect(computePopularity(50_000)).toBe(100);
  });

  test('an entry with more people does not change the scores of others', () => {
    const two = [entry('A', { people: 10, marks: [0] }), entry('B', { people: 8, marks: [60] })];
    const before = rankEntries(two);
    const after = rankEntries([...two, entry('decoy', { people: 24 })]);
    expect(before.map(({ characterId }) => characterId)).toEqual(['B', 'A']);
    expect(after.filter(({ characterId }) => characterId !== 'decoy').map(({ score }) => score)).toEqual(
      before.map(({ score }) => score),
    );
  });

  test('a score is zero without people and judges', () => {
    expect(rankEntries([entry('a')])).toMatchObject([{ popularity: 0, creativity: 0, score: 0, rank: 1 }]);
    expect(rankEntries([])).toEqual([]);
  });

  test('equal scores are ranked by creativity, then by later creation, and otherwise share a rank', () => {
    expect(
      listRanks([
        entry('popular', { people: 100 }),
        // Popularity 60 gives 48, and so do popularity 50 with creativity 40.
        entry('more people', { people: 63 }),
        entry('more creative', { people: 31, marks: [40] }),
        entry('early', { people: 10, createdAt: 5 }),
        entry('late', { people: 10, createdAt: 6 }),
        entry('late too', { people: 10, createdAt: 6 }),
        entry('last', { people: 9 }),
      ]),
    ).toEqual([
      ['popular', 1],
      ['more creative', 2],
      ['more people', 3],
      ['late', 4],
      ['late too', 4],
      ['early', 6],
      ['last', 7],
    ]);
  });

  const creators = fc.constantFrom('ana', 'ben', 'cleo', 'dan', 'eve', 'fin', 'gus');
  const createEntries = (most: number) =>
    fc.uniqueArray(
      fc
        .record({
          characterId: fc.string({ minLength: 1, maxLength: 8 }),
          creatorId: creators,
          createdAt: fc.integer({ min: 1, max: 5 }),
          people: fc.integer({ min: 0, max: most }),
          marks: fc.array(fc.integer({ min: 0, max: 100 }), { maxLength: 4 }),
        })
        .map((one) => ({ ...one, person: one.creatorId })),
      { selector: ({ characterId }) => characterId, maxLength: 30 },
    );
  const entryLists = createEntries(30);

  test('the score and order of two entries do not depend on the other entries', () => {
    fc.assert(
      fc.property(
        createEntries(2000),
        createEntries(5000),
        fc.integer({ min: 2, max: 100 }),
        (here, added, times) => {
          const known = new Set(here.map(({ characterId }) => characterId));
          const others = added.filter(({ characterId }) => !known.has(characterId));
          const compared = here.filter((_, index) => index % 2 === 0);
          const comparedIds = new Set(compared.map(({ characterId }) => characterId));
          const summarize = (entries: readonly CompetitionEntry[]) => {
            const list = rankEntries(entries).filter(({ characterId }) => comparedIds.has(characterId));
            return list.map(({ characterId, score, rank }, index) => ({
              ...{ characterId, score },
              shared: rank === list[index - 1]?.rank,
            }));
          };
          const alone = summarize(compared);
          const inflated = here.map((one) =>
            comparedIds.has(one.characterId) ? one : { ...one, people: one.people * times, marks: [100] },
          );
          for (const entries of [here, [...here, ...others], [...compared, ...others], inflated])
            expect(summarize(entries)).toEqual(alone);
        },
      ),
    );
  });

  test('ranking does not depend on the order of entries, and more people never lower a rank', () => {
    fc.assert(
      fc.property(entryLists, fc.nat(), fc.integer({ min: 1, max: 20 }), (entries, which, more) => {
        const standings = rankEntries(entries);
        expect(rankEntries(entries.toReversed())).toEqual(standings);
        for (const [index, { rank, score, popularity, creativity }] of standings.entries()) {
          const before = standings[index - 1];
          expect(rank === index + 1 || rank === before?.rank).toBe(true);
          expect(score).toBeLessThanOrEqual(before?.score ?? 100);
          for (const part of [score, popularity, creativity]) expect(part >= 0 && part <= 100).toBe(true);
        }
        if (entries.length === 0) return;
        const lucky = which % entries.length;
        const id = entries[lucky]?.characterId;
        const after = rankEntries(
          entries.map((one, index) => (index === lucky ? { ...one, people: one.people + more } : one)),
        );
        const rankIn = (list: typeof after) => list.find(({ characterId }) => characterId === id)?.rank ?? 0;
        expect(rankIn(after)).toBeLessThanOrEqual(rankIn(standings));
      }),
    );
  });

  test('a person wins each prize at most once, and only with a character that people talked to', () => {
    fc.assert(
      fc.property(entryLists, (entries) => {
        const standings = rankEntries(entries);
        const winners = computeWinners(standings);
        for (const prize of ['gift_card', 'storyteller_month'] as const) {
          const won = winners.filter((one) => one.prize === prize);
          expect(new Set(won.map(({ creatorId }) => creatorId)).size).toBe(won.length);
          expect(won.map(({ place }) => place)).toEqual(won.map((_, index) => index + 1));
        }
        const met = standings.filter(({ people }) => people > 0);
        const creators = new Set(met.map(({ creatorId }) => creatorId)).size;
        const months = winners.filter(({ prize }) => prize === 'storyteller_month');
        expect(months.length).toBeGreaterThanOrEqual(Math.min(5, creators));
        for (const { characterId } of winners)
          expect(met.some((one) => one.characterId === characterId)).toBe(true);
        const card = winners.find(({ prize }) => prize === 'gift_card');
        const most = Math.max(0, ...met.map(({ people }) => people));
        expect(met.find(({ characterId }) => characterId === card?.characterId)?.people ?? 0).toBe(most);
      }),
    );
  });
});

describe('Prizes', () => {
  test('the gift card goes to the most popular entry, and months go to the best five people', () => {
    const standings = rankEntries([
      entry('popular', { people: 40 }),
      entry('best', { people: 38, marks: [100], creatorId: 'ana' }),
      entry('best too', { people: 37, marks: [100], creatorId: 'ana' }),
      ...['c', 'd', 'e', 'f', 'g'].map((id, index) => entry(id, { people: 30 - index })),
    ]);
    expect(
      computeWinners(standings).map(({ prize, place, characterId }) => [prize, place, characterId]),
    ).toEqual([
      ['gift_card', 1, 'popular'],
      ['storyteller_month', 1, 'best'],
      ['storyteller_month', 2, 'popular'],
      ['storyteller_month', 3, 'c'],
      ['storyteller_month', 4, 'd'],
      ['storyteller_month', 5, 'e'],
    ]);
  });

  test('two entries that share the last winning rank both win, and creativity decides a tie for the card', () => {
    const same = { people: 10, createdAt: 7 };
    const standings = rankEntries([
      ...['a', 'b', 'c', 'd'].map((id, index) => entry(id, { people: 40 - index })),
      entry('e', same),
      entry('f', same),
      entry('z', { people: 40, marks: [1] }),
    ]);
    const won = computeWinners(standings);
    expect(won.filter(({ prize }) => prize === 'gift_card').map(({ characterId }) => characterId)).toEqual([
      'z',
    ]);
    expect(computeWinners(standings.filter(({ characterId }) => characterId !== 'z')).slice(1)).toMatchObject(
      [
        { characterId: 'a' },
        { characterId: 'b' },
        { characterId: 'c' },
        { characterId: 'd' },
        { characterId: 'e', place: 5 },
        { characterId: 'f', place: 6 },
      ],
    );
  });
});

test('a network counts for at most three people', () => {
  expect(countPeople([])).toBe(0);
  expect(countPeople([1, 3, 4, 500])).toBe(1 + 3 + 3 + 3);
  fc.assert(
    fc.property(fc.array(fc.nat(10_000)), (networks) => {
      expect(countPeople(networks)).toBeLessThanOrEqual(3 * networks.length);
      expect(countPeople(networks)).toBeLessThanOrEqual(networks.reduce((sum, one) => sum + one, 0));
    }),
  );
});

test('a larger network counts for at most twelve people and no more than its parts', () => {
  expect(countPeopleInWiderNetworks([])).toBe(0);
  expect(countPeopleInWiderNetworks([[1, 1], [3, 4, 500, 1, 9], Array(65_536).fill(3)])).toBe(2 + 12 + 12);
  fc.assert(
    fc.property(fc.array(fc.array(fc.nat(10_000))), (wider) => {
      expect(countPeopleInWiderNetworks(wider)).toBeLessThanOrEqual(12 * wider.length);
      expect(countPeopleInWiderNetworks(wider)).toBeLessThanOrEqual(countPeople(wider.flat()));
    }),
  );
});

test('a person with several accounts wins each prize once', () => {
  const standings = rankEntries([
    entry('first', { people: 9, creatorId: 'one account', person: 'me@loreloom.test' }),
    entry('second', { people: 8, creatorId: 'another', person: 'me@loreloom.test' }),
    entry('third', { people: 7 }),
  ]);
  expect(computeWinners(standings).map(({ prize, characterId }) => [prize, characterId])).toEqual([
    ['gift_card', 'first'],
    ['storyteller_month', 'first'],
    ['storyteller_month', 'third'],
  ]);
});

test('judges win nothing, and the entries after them move up', () => {
  const standings = rankEntries([
    entry('of a judge', { people: 9, creatorId: 'judge' }),
    entry('best', { people: 5 }),
    entry('next', { people: 4 }),
  ]);
  expect(
    computeWinners(standings, new Set(['judge'])).map(({ prize, characterId }) => [prize, characterId]),
  ).toEqual([
    ['gift_card', 'best'],
    ['storyteller_month', 'best'],
    ['storyteller_month', 'next'],
  ]);
});

test('a character takes part automatically, or shows the one reason why it does not', () => {
  const character = {
    visibility: 'public',
    nsfwAllowed: false,
    isExplicit: false,
    moderation: 'shown',
    isWithdrawn: false,
    isSuspended: false,
  };
  expect(getEntryState(character)).toBe('entered');
  expect(getEntryState({ ...character, isWithdrawn: true })).toBe('withdrawn');
  expect(getEntryState({ ...character, visibility: 'unlisted', isWithdrawn: true })).toBe('not_public');
  expect(getEntryState({ ...character, visibility: 'private' })).toBe('not_public');
  expect(getEntryState({ ...character, nsfwAllowed: true })).toBe('adult');
  expect(getEntryState({ ...character, isExplicit: true })).toBe('explicit');
  expect(getEntryState({ ...character, moderation: 'hidden' })).toBe('moderated');
  expect(getEntryState({ ...character, isSuspended: true })).toBe('suspended');
});
