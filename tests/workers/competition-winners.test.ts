import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { updateCompetition } from '../../src/jobs/update-standings.ts';
import { openDatabase } from '../../src/db/open.ts';
import type { Competition, Judging } from '../../src/features/competition/contract.ts';
import { findSeason, saveSeason } from '../../src/features/competition/season-store.ts';
import {
  addEntry,
  scoreEntry,
  HOUR_MS,
  createJudge,
  createSeason,
  listPlaces,
  createReaders,
  runStandingsAt,
  readStandings,
  listAllStandings,
} from '../support/competition.ts';
import { ConfiguredVisitor } from '../support/configured-visitor.ts';
import { deleteAccount } from '../support/account-deletion.ts';
import { addCharacter, signInGuest, createAccount, Visitor } from '../support/factories.ts';

const db = openDatabase(env.DB);

describe('Judging', () => {
  test('is for the operator’s own people: for everybody else there is nothing there', async () => {
    const season = await createSeason();
    const id = await addEntry(season);
    for (const [who, status] of [
      [new Visitor(), 401],
      [await signInGuest(), 404],
      [await createAccount(), 404],
    ] as const) {
      expect((await scoreEntry(who, id, 90)).status).toBe(status);
      expect((await who.call(`/api/admin/competition?season=${season.number}`)).status).toBe(status);
      const prize = `/api/admin/competition/prizes/${season.number}/gift_card/1`;
      expect((await who.call(prize, { method: 'POST' })).status).toBe(status);
    }
    const left = env.DB.prepare('select count(*) as count from competition_marks where character_id = ?');
    expect(await left.bind(id).first('count')).toBe(0);
  });

  test('is one mark of each judge, whose mean counts, and shows no numbers beside the character', async () => {
    const season = await createSeason();
    const [ana, ben] = [await createJudge(), await createJudge()];
    const [id, other, own] = [
      await addEntry(season, { minute: 1 }),
      await addEntry(season, { minute: 2 }),
      await addEntry(season, { minute: 3, creatorId: ana.id }),
    ];
    await createReaders(other, 4);
    expect((await scoreEntry(ana, id, 20)).status).toBe(200);
    expect(await (await scoreEntry(ana, id, 90)).json()).toEqual({
      ...{ character_id: id, mark: 90 },
      ...{ creativity: 90, marks: 1 },
    });
    expect(await (await scoreEntry(ben, id, 71)).json()).toMatchObject({ creativity: 80.5, marks: 2 });
    // Nobody judges what they made.
    expect((await scoreEntry(ana, own, 100)).status).toBe(404);
    expect((await scoreEntry(ben, own, 100)).status).toBe(200);
    for (const mark of [-1, 101, 1.5, '90', null]) {
      const answer = await scoreEntry(ben, id, mark as number);
      expect({ mark, status: answer.status }).toEqual({ mark, status: 400 });
    }
    const list = await ana.ask<Judging>(`/api/admin/competition?season=${season.number}&limit=2`);
    expect(list.items).toMatchObject([
      { character_id: id, mark: 90, marks: 2, is_own: false },
      { character_id: other, mark: null, marks: 0 },
    ]);
    expect(Object.keys(list.items[0] ?? {})).not.toContain('people');
    const rest = await ana.ask<Judging>(
      `/api/admin/competition?season=${season.number}&limit=2&cursor=${list.next_cursor}`,
    );
    expect(rest).toMatchObject({ items: [{ character_id: own, is_own: true, marks: 1 }], next_cursor: null });
    await runStandingsAt(season, 1);
    const shown = (await listAllStandings(season)).find(({ character_id }) => character_id === id);
    expect(shown).toMatchObject({ creativity: 80.5, score: 16.1 });
  });

  test('is of no character that the judge made with another address of the same mailbox', async () => {
    const season = await createSeason();
    const name = `judge-${season.number}`;
    const me = await createAccount(`${name}@loreloom.test`);
    const ana = new ConfiguredVisitor({ ADMIN_EMAILS: me.email }, me);
    const { id: creatorId } = await createAccount(`${name}+stories@loreloom.test`);
    const own = await addEntry(season, { creatorId });
    expect((await scoreEntry(ana, own, 100)).status).toBe(404);
    const list = await ana.ask<Judging>(`/api/admin/competition?season=${season.number}`);
    expect(list.items).toMatchObject([{ character_id: own, is_own: true, marks: 0 }]);
    expect((await scoreEntry(await createJudge(), own, 50)).status).toBe(200);
  });

  test('knows no character that takes no part', async () => {
    const me = await createJudge();
    const season = await createSeason();
    const ids = [
      'unknown',
      await addEntry(season, { visibility: 'private' }),
      await addEntry(season, { nsfwAllowed: true }),
      await addCharacter({ createdAt: season.beginsAt - 1 }),
    ];
    for (const id of ids) expect((await scoreEntry(me, id, 50)).status).toBe(404);
  });
});

describe('The end of a season', () => {
  test('counts no more people, lets judges go on, and fixes who won what on the day', async () => {
    const me = await createJudge();
    const season = await createSeason();
    const ids: string[] = [];
    for (let index = 0; index < 7; index += 1) {
      const id = await addEntry(season, { minute: 1 + index, name: `Number ${index}` });
      await createReaders(id, 10 - index);
      ids.push(id);
    }
    // Half an hour after the end: counted once more, and then for good.
    expect(await runStandingsAt(season, HOUR_MS + 1)).toBe(false);
    await createReaders(ids[6] as string, 50);
    await scoreEntry(me, ids[1] as string, 100);
    expect(await runStandingsAt(season, HOUR_MS + 2)).toBe(false);
    expect((await listPlaces(season)).slice(0, 2)).toEqual([
      { id: ids[1], rank: 1, people: 9 },
      { id: ids[0], rank: 2, people: 10 },
    ]);
    expect(await runStandingsAt(season, 2 * HOUR_MS)).toBe(true);
    const told = await readStandings(season);
    expect(told.season.status).toBe('decided');
    expect(told.winners?.map(({ prize, place, character_name: name }) => [prize, place, name])).toEqual([
      ['gift_card', 1, 'Number 0'],
      ['storyteller_month', 1, 'Number 1'],
      ['storyteller_month', 2, 'Number 0'],
      ['storyteller_month', 3, 'Number 2'],
      ['storyteller_month', 4, 'Number 3'],
      ['storyteller_month', 5, 'Number 4'],
    ]);
    expect(told.items[1]?.prizes).toEqual(['gift_card', 'storyteller_month']);
    // Nothing moves any more: no count, no mark, nobody leaves it.
    await createReaders(ids[6] as string, 99);
    expect((await scoreEntry(me, ids[6] as string, 100)).status).toBe(404);
    await runStandingsAt(season, 3 * HOUR_MS);
    expect(await readStandings(season)).toEqual(told);

    const path = `/api/admin/competition/prizes/${season.number}`;
    const once = await me.ask(`${path}/gift_card/1`, { method: 'POST' });
    expect(once).toMatchObject({ character_name: 'Number 0', given_at: expect.stringMatching(/Z$/) });
    expect(await me.ask(`${path}/gift_card/1`, { method: 'POST' })).toEqual(once);
    for (const wrong of ['gift_card/2', 'car/1', 'storyteller_month/x'])
      expect((await me.call(`${path}/${wrong}`, { method: 'POST' })).status).toBe(404);
    const { prizes } = await me.ask<Judging>(`/api/admin/competition?season=${season.number}`);
    expect(prizes.map(({ given_at }) => given_at !== null)).toEqual([true, ...Array(5).fill(false)]);
  });

  test('comes to no season twice: two runs at the same moment fix the winners once', async () => {
    const season = await createSeason();
    await createReaders(await addEntry(season), 1);
    await Promise.all([runStandingsAt(season, 3 * HOUR_MS), runStandingsAt(season, 3 * HOUR_MS)]);
    expect((await readStandings(season)).winners).toHaveLength(2);
  });

  test('names nobody who won and is gone, nor what they called their character', async () => {
    const me = await createAccount();
    const season = await createSeason();
    const mine = await addEntry(season, { creatorId: me.id, name: 'Wren of the winners' });
    await createReaders(mine, 2);
    await createReaders(await addEntry(season, { name: 'Second' }), 1);
    await runStandingsAt(season, 3 * HOUR_MS);
    expect((await readStandings(season)).winners?.[0]).toMatchObject({
      character_name: 'Wren of the winners',
      creator_id: me.id,
    });
    await deleteAccount(me);
    const told = await readStandings(season);
    expect(told.winners?.[0]).toEqual({
      ...{ prize: 'gift_card', place: 1, character_name: '' },
      ...{ creator_id: null, creator_name: null },
    });
    expect(told.items.map(({ name }) => name)).toEqual(['Second']);
    const kept = await env.DB.prepare(
      `select (select count(*) from competition_prizes where character_name = 'Wren of the winners')
         + (select count(*) from competition_standings where character_id = ?1) as count`,
    )
      .bind(mine)
      .first('count');
    expect(kept).toBe(0);
  });
});

describe('The season of the constants', () => {
  const named = { number: 9000 + Math.floor(Math.random() * 900), beginsAt: 10, endsAt: 20, winnersAt: 30 };
  const kept = async () => findSeason(db, { number: named.number, named: { ...named, number: 1 } });

  test('is written down once, follows the constants while it is open, and stays as it was decided', async () => {
    await saveSeason(db, named, 5);
    await saveSeason(db, { ...named, endsAt: 25 }, 6);
    expect(await kept()).toMatchObject({ endsAt: 25, status: 'open' });
    await env.DB.prepare("update seasons set status = 'decided' where number = ?").bind(named.number).run();
    await saveSeason(db, { ...named, endsAt: 28 }, 7);
    expect(await kept()).toMatchObject({ endsAt: 25, status: 'decided' });
    // Its days are those of the day when it was decided, also where the constants say otherwise.
    expect(await findSeason(db, { number: undefined, named })).toMatchObject({ endsAt: 25 });
  });

  test('is there after the cron came by, and a season of the past is decided with nobody in it', async () => {
    await updateCompetition(env, db, Date.now());
    const told = await new Visitor().ask<Competition>('/api/competition?season=2');
    expect(told.season).toMatchObject({
      number: 2,
      begins_at: '2025-08-25T00:00:00.000Z',
      status: 'decided',
    });
    expect(told.seasons).toContain(2);
  });
});
