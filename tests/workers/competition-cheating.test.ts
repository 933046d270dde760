import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { COMPETITION } from '../../src/features/competition/limits.ts';
import { computeNetworkFingerprint } from '../../src/features/account/network-fingerprint.ts';
import type { Season } from '../../src/features/competition/season-store.ts';
import {
  addEntry,
  createSeason,
  createPeople,
  createReaders,
  runStandingsAt,
  insertConversations,
  listAllStandings,
} from '../support/competition.ts';

/** What people do to win, and how far it gets them; the bounds are published in docs/competition.md. */

const HONEST = [60, 41, 40, 39, 25, 24, 12, 7, 3, 1];

/** A season in which ten makers have honest readers, each from a home of their own, and one makes up theirs. */
async function world(): Promise<{ season: Season; cheat: string; maker: string }> {
  const season = await createSeason();
  const ids = [];
  for (const [index, count] of HONEST.entries()) {
    const id = await addEntry(season, { minute: 1 + index, name: `Honest ${index}` });
    await createReaders(id, count);
    ids.push(id);
  }
  const [maker] = (await createPeople(1)) as [string];
  const cheat = await addEntry(season, { creatorId: maker, minute: 20, name: 'Made up' });
  // Some who are really there.
  await createReaders(cheat, 10);
  return { season, cheat, maker };
}

interface Seen {
  rank: number;
  people: number;
  score: number;
  others: string[];
}

async function seen(season: Season, cheat: string, minute: number): Promise<Seen> {
  await runStandingsAt(season, minute * 60_000);
  const list = await listAllStandings(season);
  const one = list.find(({ character_id }) => character_id === cheat);
  return {
    ...{ rank: one?.rank ?? 0, people: one?.people ?? 0, score: one?.score ?? 0 },
    others: list.filter(({ character_id }) => character_id !== cheat).map(({ character_id }) => character_id),
  };
}

describe('Cheating', () => {
  test('with a farm of ten thousand guests moves nothing at all', async () => {
    const { season, cheat } = await world();
    const before = await seen(season, cheat, 1);
    expect(before).toMatchObject({ rank: 8, people: 10 });
    const farm = await createPeople(10_000, { guest: true });
    await insertConversations(
      farm.map((owner, index) => ({ owner, character: cheat, turns: 50, network: `net ${index}` })),
    );
    expect(await seen(season, cheat, 2)).toEqual(before);
  });

  test('with five hundred accounts on three networks adds nine people, and passes nobody who is farther ahead', async () => {
    const { season, cheat } = await world();
    const before = await seen(season, cheat, 1);
    const farm = await createPeople(500);
    await insertConversations(
      farm.map((owner, index) => ({ owner, character: cheat, turns: 200, network: `farm ${index % 3}` })),
    );
    const after = await seen(season, cheat, 2);
    const bound = 3 * COMPETITION.maxPeoplePerNetwork;
    expect(after.people).toBe(before.people + bound);
    const gain = 8 * Math.log2((1 + before.people + bound) / (1 + before.people));
    expect(after.score - before.score).toBeLessThanOrEqual(gain + 0.001);
    // Those alone are passed who were ahead by less than that.
    const passable = HONEST.filter((count) => count >= before.people && count <= before.people + bound);
    expect(before.rank - after.rank).toBeLessThanOrEqual(passable.length);
    expect(after.rank).toBe(7);
    // And among everybody else nothing has moved.
    expect(after.others).toEqual(before.others);
  });

  test('with a decoy that has ten times as many people as the best moves nobody else, whatever judges gave', async () => {
    const { season, cheat } = await world();
    const list = await (await seen(season, cheat, 1)).others;
    const [judge] = (await createPeople(1)) as [string];
    // Those with fewer people have the better marks, so that any other scale would turn some of them round.
    for (const [index, id] of list.entries())
      await env.DB.prepare('insert into competition_marks values (?, ?, ?, ?, 1)')
        .bind(season.id, id, judge, Math.min(100, index * 9))
        .run();
    const before = await seen(season, cheat, 2);
    const scores = (await listAllStandings(season)).map(({ character_id, score }) => [character_id, score]);
    await createReaders(cheat, 600);
    const after = await seen(season, cheat, 3);
    expect(after).toMatchObject({ rank: 1, people: 610, others: before.others });
    const own = (rows: unknown[][]) => rows.filter(([id]) => id !== cheat);
    expect(
      own((await listAllStandings(season)).map(({ character_id, score }) => [character_id, score])),
    ).toEqual(own(scores));
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
  ])('with a hundred accounts of one mailbox, told apart by %s, adds one person', async (_, addressOf) => {
    const { season, cheat } = await world();
    const before = await seen(season, cheat, 1);
    const mark = crypto.randomUUID().slice(0, 8);
    const farm = await createPeople(100, { addresses: (n) => `${mark}${addressOf(n)}` });
    // Each from a network of its own, and each with one answer alone: together they are one who really talked.
    await insertConversations(
      farm.map((owner, n) => ({ owner, character: cheat, turns: 1, network: `net ${mark} ${n}` })),
    );
    expect((await seen(season, cheat, 2)).people).toBe(before.people + 1);
  });

  test('is not what people of one mail service do: dots and names keep them apart', async () => {
    const { season, cheat } = await world();
    const before = await seen(season, cheat, 1);
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
    expect((await seen(season, cheat, 2)).people).toBe(before.people + addresses.length);
  });

  test('with other accounts of one’s own mailbox, or of somebody who was shut out, moves nothing', async () => {
    const season = await createSeason();
    const mark = crypto.randomUUID().slice(0, 8);
    const [maker, ...mine] = (await createPeople(6, {
      addresses: (n) => (n === 0 ? `${mark}@mail.test` : `${mark}+${n}@mail.test`),
    })) as [string, ...string[]];
    const [shut] = await createPeople(1, { suspended: true, addresses: () => `${mark}shut+1@mail.test` });
    const [again] = await createPeople(1, { addresses: () => `${mark}shut@mail.test` });
    const id = await addEntry(season, { creatorId: maker });
    await createReaders(id, 2);
    await insertConversations(
      [...mine, shut as string, again as string].map((owner) => ({
        ...{ owner, character: id, turns: 9, network: `net ${owner}` },
      })),
    );
    expect(await seen(season, id, 1)).toMatchObject({ people: 2 });
  });

  test.each([
    ['a rented /48 of IPv6, which has 65,536 networks', (n: number) => `2001:db8:7:${n.toString(16)}::1`],
    ['a rented /24 of IPv4', (n: number) => `203.0.113.${n % 256}`],
  ])('from %s adds twelve people', async (_, addressOf) => {
    const { season, cheat } = await world();
    const before = await seen(season, cheat, 1);
    const farm = await createPeople(300);
    const marks = await Promise.all(
      farm.map((_one, n) => computeNetworkFingerprint(addressOf(n), 'the secret')),
    );
    await insertConversations(
      farm.map((owner, n) => ({ owner, character: cheat, turns: 20, network: marks[n] as string })),
    );
    const after = await seen(season, cheat, 2);
    expect(after.people).toBe(before.people + COMPETITION.maxPeoplePerWiderNetwork);
    expect(after.others).toEqual(before.others);
  });

  test('is not what people are who come from many places: each of their homes counts', async () => {
    const { season, cheat } = await world();
    const before = await seen(season, cheat, 1);
    const crowd = await createPeople(40);
    const marks = await Promise.all(
      crowd.map((_one, n) => computeNetworkFingerprint(`2001:db8:${n + 16}::1`, 'the secret')),
    );
    await insertConversations(
      crowd.map((owner, n) => ({ owner, character: cheat, turns: 9, network: marks[n] as string })),
    );
    expect((await seen(season, cheat, 2)).people).toBe(before.people + crowd.length);
  });

  test('where nobody knows the networks adds no more than one network does', async () => {
    const { season, cheat } = await world();
    const before = await seen(season, cheat, 1);
    const farm = await createPeople(500);
    await insertConversations(farm.map((owner) => ({ owner, character: cheat, turns: 20, network: null })));
    const after = await seen(season, cheat, 2);
    expect(after.people).toBe(before.people + COMPETITION.maxPeoplePerNetwork);
    expect(after).toMatchObject({ rank: 7, others: before.others });
  });

  test('by talking to one’s own character moves nothing', async () => {
    const { season, cheat, maker } = await world();
    const before = await seen(season, cheat, 1);
    await insertConversations(
      Array.from({ length: 300 }, (_, index) => ({
        ...{ owner: maker, character: cheat, turns: 500, network: `net ${index}` },
      })),
    );
    expect(await seen(season, cheat, 2)).toEqual(before);
  });

  test('as one person with a thousand conversations, from as many networks, adds one person', async () => {
    const { season, cheat } = await world();
    const before = await seen(season, cheat, 1);
    const [fan] = (await createPeople(1)) as [string];
    await insertConversations(
      Array.from({ length: 1000 }, (_, index) => ({
        ...{ owner: fan, character: cheat, turns: 90, network: `net ${index}` },
      })),
    );
    expect(await seen(season, cheat, 2)).toEqual({ ...before, people: 11, score: expect.any(Number) });
  });

  test('with people who only said hello adds nobody', async () => {
    const { season, cheat } = await world();
    const before = await seen(season, cheat, 1);
    const crowd = await createPeople(800);
    await insertConversations(
      crowd.map((owner, index) => ({
        ...{ owner, character: cheat, turns: COMPETITION.minMessages - 1, network: `net ${index}` },
      })),
    );
    expect(await seen(season, cheat, 2)).toEqual(before);
  });

  test('with accounts that were shut adds nobody, and takes away whom they had added', async () => {
    const { season, cheat } = await world();
    const before = await seen(season, cheat, 1);
    const crowd = await createPeople(50, { suspended: true });
    await insertConversations(
      crowd.map((owner) => ({ owner, character: cheat, turns: 9, network: `net ${owner}` })),
    );
    expect(await seen(season, cheat, 2)).toEqual(before);
  });
});
