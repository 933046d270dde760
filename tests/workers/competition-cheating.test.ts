import { describe, expect, test } from 'vitest';
import { COMPETITION } from '../../src/config.ts';
import { networkMark } from '../../src/features/account/network-mark.ts';
import type { Season } from '../../src/features/competition/season-store.ts';
import { entry, newSeason, people, readers, runAt, talks, wholeList } from '../support/competition.ts';

/** What people do to win, and how far it gets them; the bounds are published in docs/competition.md. */

const HONEST = [60, 41, 40, 39, 25, 24, 12, 7, 3, 1];

/** A season in which ten makers have honest readers, each from a home of their own, and one makes up theirs. */
async function world(): Promise<{ season: Season; cheat: string; maker: string }> {
  const season = await newSeason();
  const ids = [];
  for (const [index, count] of HONEST.entries()) {
    const id = await entry(season, { minute: 1 + index, name: `Honest ${index}` });
    await readers(id, count);
    ids.push(id);
  }
  const [maker] = (await people(1)) as [string];
  const cheat = await entry(season, { creatorId: maker, minute: 20, name: 'Made up' });
  // Some who are really there.
  await readers(cheat, 10);
  return { season, cheat, maker };
}

interface Seen {
  rank: number;
  people: number;
  score: number;
  others: string[];
}

async function seen(season: Season, cheat: string, minute: number): Promise<Seen> {
  await runAt(season, minute * 60_000);
  const list = await wholeList(season);
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
    const farm = await people(10_000, { guest: true });
    await talks(
      farm.map((owner, index) => ({ owner, character: cheat, turns: 50, network: `net ${index}` })),
    );
    expect(await seen(season, cheat, 2)).toEqual(before);
  });

  test('with five hundred accounts on three networks adds nine people, and passes nobody who is farther ahead', async () => {
    const { season, cheat } = await world();
    const before = await seen(season, cheat, 1);
    const farm = await people(500);
    await talks(
      farm.map((owner, index) => ({ owner, character: cheat, turns: 200, network: `farm ${index % 3}` })),
    );
    const after = await seen(season, cheat, 2);
    const bound = 3 * COMPETITION.peoplePerNetwork;
    expect(after.people).toBe(before.people + bound);
    expect(after.score - before.score).toBeLessThanOrEqual((80 * bound) / Math.max(...HONEST) + 0.001);
    // Those alone are passed who were ahead by less than that.
    const passable = HONEST.filter((count) => count >= before.people && count <= before.people + bound);
    expect(before.rank - after.rank).toBeLessThanOrEqual(passable.length);
    expect(after.rank).toBe(7);
    // And among everybody else nothing has moved.
    expect(after.others).toEqual(before.others);
  });

  test.each([
    ['a rented /48 of IPv6, which has 65,536 networks', (n: number) => `2001:db8:7:${n.toString(16)}::1`],
    ['a rented /24 of IPv4', (n: number) => `203.0.113.${n % 256}`],
  ])('from %s adds twelve people', async (_, addressOf) => {
    const { season, cheat } = await world();
    const before = await seen(season, cheat, 1);
    const farm = await people(300);
    const marks = await Promise.all(farm.map((_one, n) => networkMark(addressOf(n), 'the secret')));
    await talks(
      farm.map((owner, n) => ({ owner, character: cheat, turns: 20, network: marks[n] as string })),
    );
    const after = await seen(season, cheat, 2);
    expect(after.people).toBe(before.people + COMPETITION.peoplePerWiderNetwork);
    expect(after.others).toEqual(before.others);
  });

  test('is not what people are who come from many places: each of their homes counts', async () => {
    const { season, cheat } = await world();
    const before = await seen(season, cheat, 1);
    const crowd = await people(40);
    const marks = await Promise.all(
      crowd.map((_one, n) => networkMark(`2001:db8:${n + 16}::1`, 'the secret')),
    );
    await talks(
      crowd.map((owner, n) => ({ owner, character: cheat, turns: 9, network: marks[n] as string })),
    );
    expect((await seen(season, cheat, 2)).people).toBe(before.people + crowd.length);
  });

  test('where nobody knows the networks adds no more than one network does', async () => {
    const { season, cheat } = await world();
    const before = await seen(season, cheat, 1);
    const farm = await people(500);
    await talks(farm.map((owner) => ({ owner, character: cheat, turns: 20, network: null })));
    const after = await seen(season, cheat, 2);
    expect(after.people).toBe(before.people + COMPETITION.peoplePerNetwork);
    expect(after).toMatchObject({ rank: 7, others: before.others });
  });

  test('by talking to one’s own character moves nothing', async () => {
    const { season, cheat, maker } = await world();
    const before = await seen(season, cheat, 1);
    await talks(
      Array.from({ length: 300 }, (_, index) => ({
        ...{ owner: maker, character: cheat, turns: 500, network: `net ${index}` },
      })),
    );
    expect(await seen(season, cheat, 2)).toEqual(before);
  });

  test('as one person with a thousand conversations, from as many networks, adds one person', async () => {
    const { season, cheat } = await world();
    const before = await seen(season, cheat, 1);
    const [fan] = (await people(1)) as [string];
    await talks(
      Array.from({ length: 1000 }, (_, index) => ({
        ...{ owner: fan, character: cheat, turns: 90, network: `net ${index}` },
      })),
    );
    expect(await seen(season, cheat, 2)).toEqual({ ...before, people: 11, score: expect.any(Number) });
  });

  test('with people who only said hello adds nobody', async () => {
    const { season, cheat } = await world();
    const before = await seen(season, cheat, 1);
    const crowd = await people(800);
    await talks(
      crowd.map((owner, index) => ({
        ...{ owner, character: cheat, turns: COMPETITION.messagesToCount - 1, network: `net ${index}` },
      })),
    );
    expect(await seen(season, cheat, 2)).toEqual(before);
  });

  test('with accounts that were shut adds nobody, and takes away whom they had added', async () => {
    const { season, cheat } = await world();
    const before = await seen(season, cheat, 1);
    const crowd = await people(50, { suspended: true });
    await talks(crowd.map((owner) => ({ owner, character: cheat, turns: 9, network: `net ${owner}` })));
    expect(await seen(season, cheat, 2)).toEqual(before);
  });
});
