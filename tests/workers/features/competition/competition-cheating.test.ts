import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { COMPETITION } from '../../../../src/features/competition/limits.ts';
import { computeNetworkFingerprint } from '../../../../src/features/account/network-fingerprint.ts';
import type { Season } from '../../../../src/features/competition/season-store.ts';
import {
  addEntry,
  createSeason,
  createPeople,
  createReaders,
  runStandingsAt,
  insertConversations,
  listAllStandings,
} from '../../../support/competition.ts';

/** Ways to cheat and how much each one gains; docs/competition.md publishes the bounds. */

const HONEST = [60, 41, 40, 39, 25, 24, 12, 7, 3, 1];

/** Creates a season with ten honest entries, each with readers from different networks, and one cheating entry. */
async function createScenario(): Promise<{ season: Season; cheat: string; maker: string }> {
  const season = await createSeason();
  const ids = [];
  for (const [index, count] of HONEST.entries()) {
    const id = await addEntry(season, { minute: 1 + index, name: `Honest ${index}` });
    await createReaders(id, count);
    ids.push(id);
  }
  const [maker] = (await createPeople(1)) as [string];
  const cheat = await addEntry(season, { creatorId: maker, minute: 20, name: 'Made up' });
  // A few genuine readers.
  await createReaders(cheat, 10);
  return { season, cheat, maker };
}

interface CountedStandings {
  rank: number;
  people: number;
  score: number;
  others: string[];
}

async function countStandings(season: Season, cheat: string, minute: number): Promise<CountedStandings> {
  await runStandingsAt(season, minute * 60_000);
  const list = await listAllStandings(season);
  const one = list.find(({ character_id }) => character_id === cheat);
  return {
    ...{ rank: one?.rank ?? 0, people: one?.people ?? 0, score: one?.score ?? 0 },
    others: list.filter(({ character_id }) => character_id !== cheat).map(({ character_id }) => character_id),
  };
}

describe('Cheating in the competition', () => {
  test('a farm of ten thousand guests changes nothing', async () => {
    const { season, cheat } = await createScenario();
    const before = await countStandings(season, cheat, 1);
    expect(before).toMatchObject({ rank: 8, people: 10 });
    const farm = await createPeople(10_000, { guest: true });
    await insertConversations(
      farm.map((owner, index) => ({ owner, character: cheat, turns: 50, network: `net ${index}` })),
    );
    expect(await countStandings(season, cheat, 2)).toEqual(before);
  });

  test('five hundred accounts on three networks add nine people and pass only entries close ahead', async () => {
    const { season, cheat } = await createScenario();
    const before = await countStandings(season, cheat, 1);
    const farm = await createPeople(500);
    await insertConversations(
      farm.map((owner, index) => ({ owner, character: cheat, turns: 200, network: `farm ${index % 3}` })),
    );
    const after = await countStandings(season, cheat, 2);
    const bound = 3 * COMPETITION.maxPeoplePerNetwork;
    expect(after.people).toBe(before.people + bound);
    const gain = 8 * Math.log2((1 + before.people + bound) / (1 + before.people));
    expect(after.score - before.score).toBeLessThanOrEqual(gain + 0.001);
    // Only entries that were less than that far ahead can be passed.
    const passable = HONEST.filter((count) => count >= before.people && count <= before.people + bound);
    expect(before.rank - after.rank).toBeLessThanOrEqual(passable.length);
    expect(after.rank).toBe(7);
    // The order of the other entries does not change.
    expect(after.others).toEqual(before.others);
  });

  test('a decoy entry with ten times as many people changes no other score or place', async () => {
    const { season, cheat } = await createScenario();
    const list = await (await countStandings(season, cheat, 1)).others;
    const [judge] = (await createPeople(1)) as [string];
    // Entries with fewer people get the better marks, so another scale would change their order.
    for (const [index, id] of list.entries())
      await env.DB.prepare('insert into judge_scores values (?, ?, ?, ?, 1)')
        .bind(season.id, id, judge, Math.min(100, index * 9))
        .run();
    const before = await countStandings(season, cheat, 2);
    const scores = (await listAllStandings(season)).map(({ character_id, score }) => [character_id, score]);
    await createReaders(cheat, 600);
    const after = await countStandings(season, cheat, 3);
    expect(after).toMatchObject({ rank: 1, people: 610, others: before.others });
    const excludeCheat = (rows: unknown[][]) => rows.filter(([id]) => id !== cheat);
    expect(
      excludeCheat((await listAllStandings(season)).map(({ character_id, score }) => [character_id, score])),
    ).toEqual(excludeCheat(scores));
  });

  test.each([
    ['plus signs', (n: number) => `one.person+${n}@mail.test`],
    [
      'dots, where they mean nothing',
      (n: number) => `${[...'oneperson'].join(n % 2 === 0 ? '.' : '')}+${n}@gmail.com`,
    ],
    [
      'both names of one mail service',
      (n: number) => `a.person+${n}@${n % 2 === 0 ? 'gmail' : 'googlemail'}.com`,
    ],
  ])('a hundred accounts of one mailbox that differ by %s add one person', async (_, buildAddress) => {
    const { season, cheat } = await createScenario();
    const before = await countStandings(season, cheat, 1);
    const mark = crypto.randomUUID().slice(0, 8);
    const farm = await createPeople(100, { addresses: (n) => `${mark}${buildAddress(n)}` });
    // Each account has its own network and one turn; together they are one person who talked enough.
    await insertConversations(
      farm.map((owner, n) => ({ owner, character: cheat, turns: 1, network: `net ${mark} ${n}` })),
    );
    expect((await countStandings(season, cheat, 2)).people).toBe(before.people + 1);
  });

  test('users of one mail service count separately when their names differ', async () => {
    const { season, cheat } = await createScenario();
    const before = await countStandings(season, cheat, 1);
    const mark = crypto.randomUUID().slice(0, 8);
    const addresses = [
      `${mark}a.b@mail.test`,
      `${mark}ab@mail.test`,
      `${mark}ab@gmail.com`,
      `+${mark}@mail.test`,
      `+2${mark}@mail.test`,
    ];
    const crowd = await createPeople(addresses.length, { addresses: (n) => addresses[n] as string });
    await insertConversations(
      crowd.map((owner) => ({ owner, character: cheat, turns: 5, network: `net ${owner}` })),
    );
    expect((await countStandings(season, cheat, 2)).people).toBe(before.people + addresses.length);
  });

  test("accounts of the creator's own mailbox, or of a suspended user's mailbox, are not counted", async () => {
    const season = await createSeason();
    const mark = crypto.randomUUID().slice(0, 8);
    const [maker, ...mine] = (await createPeople(6, {
      addresses: (n) => (n === 0 ? `${mark}@mail.test` : `${mark}+${n}@mail.test`),
    })) as [string, ...string[]];
    const [suspended] = await createPeople(1, {
      suspended: true,
      addresses: () => `${mark}shut+1@mail.test`,
    });
    const [sameMailbox] = await createPeople(1, { addresses: () => `${mark}shut@mail.test` });
    const id = await addEntry(season, { creatorId: maker });
    await createReaders(id, 2);
    await insertConversations(
      [...mine, suspended as string, sameMailbox as string].map((owner) => ({
        ...{ owner, character: id, turns: 9, network: `net ${owner}` },
      })),
    );
    expect(await countStandings(season, id, 1)).toMatchObject({ people: 2 });
  });

  test.each([
    ['a rented /48 of IPv6, which has 65,536 networks', (n: number) => `2001:db8:7:${n.toString(16)}::1`],
    ['a rented /24 of IPv4', (n: number) => `203.0.113.${n % 256}`],
  ])('readers from %s add twelve people', async (_, buildAddress) => {
    const { season, cheat } = await createScenario();
    const before = await countStandings(season, cheat, 1);
    const farm = await createPeople(300);
    const marks = await Promise.all(
      farm.map((_one, n) => computeNetworkFingerprint(buildAddress(n), 'the secret')),
    );
    await insertConversations(
      farm.map((owner, n) => ({ owner, character: cheat, turns: 20, network: marks[n] as string })),
    );
    const after = await countStandings(season, cheat, 2);
    expect(after.people).toBe(before.people + COMPETITION.maxPeoplePerWiderNetwork);
    expect(after.others).toEqual(before.others);
  });

  test('readers from many different networks all count', async () => {
    const { season, cheat } = await createScenario();
    const before = await countStandings(season, cheat, 1);
    const crowd = await createPeople(40);
    const marks = await Promise.all(
      crowd.map((_one, n) => computeNetworkFingerprint(`2001:db8:${n + 16}::1`, 'the secret')),
    );
    await insertConversations(
      crowd.map((owner, n) => ({ owner, character: cheat, turns: 9, network: marks[n] as string })),
    );
    expect((await countStandings(season, cheat, 2)).people).toBe(before.people + crowd.length);
  });

  test('readers without a known network add no more than one network does', async () => {
    const { season, cheat } = await createScenario();
    const before = await countStandings(season, cheat, 1);
    const farm = await createPeople(500);
    await insertConversations(farm.map((owner) => ({ owner, character: cheat, turns: 20, network: null })));
    const after = await countStandings(season, cheat, 2);
    expect(after.people).toBe(before.people + COMPETITION.maxPeoplePerNetwork);
    expect(after).toMatchObject({ rank: 7, others: before.others });
  });

  test("a creator's conversations with their own character are not counted", async () => {
    const { season, cheat, maker } = await createScenario();
    const before = await countStandings(season, cheat, 1);
    await insertConversations(
      Array.from({ length: 300 }, (_, index) => ({
        ...{ owner: maker, character: cheat, turns: 500, network: `net ${index}` },
      })),
    );
    expect(await countStandings(season, cheat, 2)).toEqual(before);
  });

  test('one reader with a thousand conversations from as many networks adds one person', async () => {
    const { season, cheat } = await createScenario();
    const before = await countStandings(season, cheat, 1);
    const [fan] = (await createPeople(1)) as [string];
    await insertConversations(
      Array.from({ length: 1000 }, (_, index) => ({
        ...{ owner: fan, character: cheat, turns: 90, network: `net ${index}` },
      })),
    );
    expect(await countStandings(season, cheat, 2)).toEqual({
      ...before,
      people: 11,
      score: expect.any(Number),
    });
  });

  test('readers with fewer messages than the minimum are not counted', async () => {
    const { season, cheat } = await createScenario();
    const before = await countStandings(season, cheat, 1);
    const crowd = await createPeople(800);
    await insertConversations(
      crowd.map((owner, index) => ({
        ...{ owner, character: cheat, turns: COMPETITION.minMessages - 1, network: `net ${index}` },
      })),
    );
    expect(await countStandings(season, cheat, 2)).toEqual(before);
  });

  test('suspended accounts are not counted', async () => {
    const { season, cheat } = await createScenario();
    const before = await countStandings(season, cheat, 1);
    const crowd = await createPeople(50, { suspended: true });
    await insertConversations(
      crowd.map((owner) => ({ owner, character: cheat, turns: 9, network: `net ${owner}` })),
    );
    expect(await countStandings(season, cheat, 2)).toEqual(before);
  });
});
