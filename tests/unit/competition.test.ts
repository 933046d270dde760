import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { RUNTIME_CONFIG_DEFAULTS } from '../../src/features/runtime-config/defaults.ts';
import { COMPETITION } from '../../src/features/competition/limits.ts';
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
} from '../../src/features/competition/competition.ts';

const entry = (characterId: string, fields: Partial<CompetitionEntry> = {}): CompetitionEntry => ({
  characterId,
  creatorId: `maker of ${characterId}`,
  person: fields.creatorId ?? `maker of ${characterId}`,
  createdAt: 1,
  people: 0,
  marks: [],
  ...fields,
});
const ranks = (entries: readonly CompetitionEntry[]) =>
  rankEntries(entries).map(({ characterId, rank }) => [characterId, rank]);

describe('The season', () => {
  const season = getConfiguredSeason(RUNTIME_CONFIG_DEFAULTS);

  test('is the second one by itself, of whole days in UTC, with its last day', () => {
    expect(season).toEqual({
      number: 2,
      beginsAt: Date.UTC(2025, 7, 25),
      endsAt: Date.UTC(2025, 10, 26),
      winnersAt: Date.UTC(2025, 10, 30),
    });
  });

  test('tells its winners after its last moment, also where they are to be told on its last day', () => {
    const { endsAt, winnersAt } = getConfiguredSeason({
      ...RUNTIME_CONFIG_DEFAULTS,
      competition_winners_on: '2025-11-25',
    });
    expect(winnersAt).toBe(endsAt);
  });

  test('comes, runs, is judged, and is decided when somebody wrote that down', () => {
    const open = { ...season, status: 'open' as const };
    expect(getSeasonState(open, season.beginsAt - 1)).toBe('coming');
    expect(getSeasonState(open, season.beginsAt)).toBe('running');
    expect(getSeasonState(open, season.endsAt - 1)).toBe('running');
    expect(getSeasonState(open, season.endsAt)).toBe('judging');
    expect(getSeasonState(open, season.winnersAt + 1)).toBe('judging');
    expect(getSeasonState({ ...season, status: 'decided' }, season.winnersAt)).toBe('decided');
  });
});

describe('A score', () => {
  test('is four fifths ten points for each doubling of people, and one fifth the judges’ mean', () => {
    const [first, second, third] = rankEntries([
      entry('few', { people: 7, marks: [100, 80] }),
      entry('most', { people: 63 }),
      entry('none', { marks: [50] }),
    ]);
    expect(first).toMatchObject({ characterId: 'most', popularity: 60, creativity: 0, score: 48 });
    expect(second).toMatchObject({ characterId: 'few', popularity: 30, creativity: 90, score: 42 });
    expect(third).toMatchObject({ characterId: 'none', popularity: 0, creativity: 50, score: 10 });
  });

  test('has all of its popularity with as many people as are published, and with no fewer', () => {
    expect(computePopularity(COMPETITION.maxPeople)).toBe(100);
    expect(computePopularity(COMPETITION.maxPeople - 1)).toBeLessThan(100);
    expect(computePopularity(50_000)).toBe(100);
  });

  test('stays what it is when somebody with more people comes by who is there for nothing else', () => {
    const two = [entry('A', { people: 10, marks: [0] }), entry('B', { people: 8, marks: [60] })];
    const before = rankEntries(two);
    const after = rankEntries([...two, entry('decoy', { people: 24 })]);
    expect(before.map(({ characterId }) => characterId)).toEqual(['B', 'A']);
    expect(after.filter(({ characterId }) => characterId !== 'decoy').map(({ score }) => score)).toEqual(
      before.map(({ score }) => score),
    );
  });

  test('is nothing while nobody conversed with anybody and nobody judged', () => {
    expect(rankEntries([entry('a')])).toMatchObject([{ popularity: 0, creativity: 0, score: 0, rank: 1 }]);
    expect(rankEntries([])).toEqual([]);
  });

  test('that is equal goes to the more creative, then to what was made later, and is shared where all is equal', () => {
    expect(
      ranks([
        entry('popular', { people: 100 }),
        // 0.8 of 60, and 0.8 of 50 with 0.2 of 40: both 48.
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

  const makers = fc.constantFrom('ana', 'ben', 'cleo', 'dan', 'eve', 'fin', 'gus');
  const worldOf = (most: number) =>
    fc.uniqueArray(
      fc
        .record({
          characterId: fc.string({ minLength: 1, maxLength: 8 }),
          creatorId: makers,
          createdAt: fc.integer({ min: 1, max: 5 }),
          people: fc.integer({ min: 0, max: most }),
          marks: fc.array(fc.integer({ min: 0, max: 100 }), { maxLength: 4 }),
        })
        .map((one) => ({ ...one, person: one.creatorId })),
      { selector: ({ characterId }) => characterId, maxLength: 30 },
    );
  const world = worldOf(30);

  test('and place of two is their own: whoever comes, goes or has others made up for them moves no two past each other', () => {
    fc.assert(
      fc.property(worldOf(2000), worldOf(5000), fc.integer({ min: 2, max: 100 }), (here, come, times) => {
        const known = new Set(here.map(({ characterId }) => characterId));
        const others = come.filter(({ characterId }) => !known.has(characterId));
        const kept = here.filter((_, index) => index % 2 === 0);
        const keptIds = new Set(kept.map(({ characterId }) => characterId));
        const told = (entries: readonly CompetitionEntry[]) => {
          const list = rankEntries(entries).filter(({ characterId }) => keptIds.has(characterId));
          return list.map(({ characterId, score, rank }, index) => ({
            ...{ characterId, score },
            shared: rank === list[index - 1]?.rank,
          }));
        };
        const alone = told(kept);
        const inflated = here.map((one) =>
          keptIds.has(one.characterId) ? one : { ...one, people: one.people * times, marks: [100] },
        );
        for (const entries of [here, [...here, ...others], [...kept, ...others], inflated])
          expect(told(entries)).toEqual(alone);
      }),
    );
  });

  test('ranks the same whatever order entries come in, from 1, and more people never make it worse', () => {
    fc.assert(
      fc.property(world, fc.nat(), fc.integer({ min: 1, max: 20 }), (entries, which, more) => {
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

  test('wins one person each prize at most once, and nobody anything for a character that nobody met', () => {
    fc.assert(
      fc.property(world, (entries) => {
        const standings = rankEntries(entries);
        const winners = computeWinners(standings);
        for (const prize of ['gift_card', 'storyteller_month'] as const) {
          const won = winners.filter((one) => one.prize === prize);
          expect(new Set(won.map(({ creatorId }) => creatorId)).size).toBe(won.length);
          expect(won.map(({ place }) => place)).toEqual(won.map((_, index) => index + 1));
        }
        const met = standings.filter(({ people }) => people > 0);
        const makers = new Set(met.map(({ creatorId }) => creatorId)).size;
        const months = winners.filter(({ prize }) => prize === 'storyteller_month');
        expect(months.length).toBeGreaterThanOrEqual(Math.min(5, makers));
        for (const { characterId } of winners)
          expect(met.some((one) => one.characterId === characterId)).toBe(true);
        const card = winners.find(({ prize }) => prize === 'gift_card');
        const most = Math.max(0, ...met.map(({ people }) => people));
        expect(met.find(({ characterId }) => characterId === card?.characterId)?.people ?? 0).toBe(most);
      }),
    );
  });
});

describe('What is won', () => {
  test('is a card for the most popular, also where another has the best score, and months for five people', () => {
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

  test('is won by both where two share the last rank that wins, and the card by the better of two as popular', () => {
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

test('A network counts three people at most, however many networks and people there are', () => {
  expect(countPeople([])).toBe(0);
  expect(countPeople([1, 3, 4, 500])).toBe(1 + 3 + 3 + 3);
  fc.assert(
    fc.property(fc.array(fc.nat(10_000)), (networks) => {
      expect(countPeople(networks)).toBeLessThanOrEqual(3 * networks.length);
      expect(countPeople(networks)).toBeLessThanOrEqual(networks.reduce((sum, one) => sum + one, 0));
    }),
  );
});

test('A larger network counts twelve people at most, whatever lies in it, and never more than its networks do', () => {
  expect(countPeopleInWiderNetworks([])).toBe(0);
  expect(countPeopleInWiderNetworks([[1, 1], [3, 4, 500, 1, 9], Array(65_536).fill(3)])).toBe(2 + 12 + 12);
  fc.assert(
    fc.property(fc.array(fc.array(fc.nat(10_000))), (wider) => {
      expect(countPeopleInWiderNetworks(wider)).toBeLessThanOrEqual(12 * wider.length);
      expect(countPeopleInWiderNetworks(wider)).toBeLessThanOrEqual(countPeople(wider.flat()));
    }),
  );
});

test('One person with several accounts wins each prize once', () => {
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

test('Judges win nothing: who comes after them does', () => {
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

test('My character takes part by itself, or I read the one thing that keeps it out', () => {
  const mine = {
    visibility: 'public',
    nsfwAllowed: false,
    isExplicit: false,
    moderation: 'shown',
    isWithdrawn: false,
    isSuspended: false,
  };
  expect(getEntryState(mine)).toBe('entered');
  expect(getEntryState({ ...mine, isWithdrawn: true })).toBe('withdrawn');
  expect(getEntryState({ ...mine, visibility: 'unlisted', isWithdrawn: true })).toBe('not_public');
  expect(getEntryState({ ...mine, visibility: 'private' })).toBe('not_public');
  expect(getEntryState({ ...mine, nsfwAllowed: true })).toBe('adult');
  expect(getEntryState({ ...mine, isExplicit: true })).toBe('explicit');
  expect(getEntryState({ ...mine, moderation: 'hidden' })).toBe('moderated');
  expect(getEntryState({ ...mine, isSuspended: true })).toBe('suspended');
});
