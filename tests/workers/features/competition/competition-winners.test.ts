import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { updateCompetition } from '../../../../src/jobs/update-standings.ts';
import { openDatabase } from '../../../../src/db/open.ts';
import type { Competition, Judging } from '../../../../src/features/competition/contract.ts';
import { findSeason, saveSeason } from '../../../../src/features/competition/season-store.ts';
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
} from '../../../support/competition.ts';
import { ConfiguredVisitor } from '../../../support/configured-visitor.ts';
import { deleteAccount } from '../../../support/account-deletion.ts';
import { addCharacter, signInGuest, createAccount, Visitor } from '../../../support/factories.ts';

const db = openDatabase(env.DB);

describe('Judging', () => {
  test('only staff can judge: other users get 404 and unauthenticated callers 401', async () => {
    const season = await createSeason();
    const id = await addEntry(season);
    for (const [visitor, status] of [
      [new Visitor(), 401],
      [await signInGuest(), 404],
      [await createAccount(), 404],
    ] as const) {
      expect((await scoreEntry(visitor, id, 90)).status).toBe(status);
      expect((await visitor.call(`/api/admin/competition?season=${season.number}`)).status).toBe(status);
      const prize = `/api/admin/competition/prizes/${season.number}/gift_card/1`;
      expect((await visitor.call(prize, { method: 'POST' })).status).toBe(status);
    }
    const remaining = env.DB.prepare('select count(*) as count from judge_scores where character_id = ?');
    expect(await remaining.bind(id).first('count')).toBe(0);
  });

  test('each judge gives one mark per entry, the mean counts, and judges see no reader counts', async () => {
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
    // A judge cannot mark an own character.
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
    const standing = (await listAllStandings(season)).find(({ character_id }) => character_id === id);
    expect(standing).toMatchObject({ creativity: 80.5, score: 16.1 });
  });

  test('a judge cannot mark a character made from another address of the same mailbox', async () => {
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

  test('a character outside the competition cannot be marked', async () => {
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

describe('End of a season', () => {
  test('after the end no reader counts, judges can still mark, and the winners are fixed on the day', async () => {
    const me = await createJudge();
    const season = await createSeason();
    const ids: string[] = [];
    for (let index = 0; index < 7; index += 1) {
      const id = await addEntry(season, { minute: 1 + index, name: `Number ${index}` });
      await createReaders(id, 10 - index);
      ids.push(id);
    }
    // Half an hour after the end: the final count.
    expect(await runStandingsAt(season, HOUR_MS + 1)).toBe(false);
    await createReaders(ids[6] as string, 50);
    await scoreEntry(me, ids[1] as string, 100);
    expect(await runStandingsAt(season, HOUR_MS + 2)).toBe(false);
    expect((await listPlaces(season)).slice(0, 2)).toEqual([
      { id: ids[1], rank: 1, people: 9 },
      { id: ids[0], rank: 2, people: 10 },
    ]);
    expect(await runStandingsAt(season, 2 * HOUR_MS)).toBe(true);
    const standings = await readStandings(season);
    expect(standings.season.status).toBe('decided');
    expect(standings.winners?.map(({ prize, place, character_name: name }) => [prize, place, name])).toEqual([
      ['gift_card', 1, 'Number 0'],
      ['storyteller_month', 1, 'Number 1'],
      ['storyteller_month', 2, 'Number 0'],
      ['storyteller_month', 3, 'Number 2'],
      ['storyteller_month', 4, 'Number 3'],
      ['storyteller_month', 5, 'Number 4'],
    ]);
    expect(standings.items[1]?.prizes).toEqual(['gift_card', 'storyteller_month']);
    // After the decision, counts, marks and the standings do not change.
    await createReaders(ids[6] as string, 99);
    expect((await scoreEntry(me, ids[6] as string, 100)).status).toBe(404);
    await runStandingsAt(season, 3 * HOUR_MS);
    expect(await readStandings(season)).toEqual(standings);

    const path = `/api/admin/competition/prizes/${season.number}`;
    const once = await me.ask(`${path}/gift_card/1`, { method: 'POST' });
    expect(once).toMatchObject({ character_name: 'Number 0', given_at: expect.stringMatching(/Z$/) });
    expect(await me.ask(`${path}/gift_card/1`, { method: 'POST' })).toEqual(once);
    for (const wrong of ['gift_card/2', 'car/1', 'storyteller_month/x'])
      expect((await me.call(`${path}/${wrong}`, { method: 'POST' })).status).toBe(404);
    const { prizes } = await me.ask<Judging>(`/api/admin/competition?season=${season.number}`);
    expect(prizes.map(({ given_at }) => given_at !== null)).toEqual([true, ...Array(5).fill(false)]);
  });

  test('two simultaneous runs decide the winners once', async () => {
    const season = await createSeason();
    await createReaders(await addEntry(season), 1);
    await Promise.all([runStandingsAt(season, 3 * HOUR_MS), runStandingsAt(season, 3 * HOUR_MS)]);
    expect((await readStandings(season)).winners).toHaveLength(2);
  });

  test('the standings no longer name a winner who deleted the account', async () => {
    const me = await createAccount();
    const season = await createSeason();
    const ownEntry = await addEntry(season, { creatorId: me.id, name: 'Wren of the winners' });
    await createReaders(ownEntry, 2);
    await createReaders(await addEntry(season, { name: 'Second' }), 1);
    await runStandingsAt(season, 3 * HOUR_MS);
    expect((await readStandings(season)).winners?.[0]).toMatchObject({
      character_name: 'Wren of the winners',
      creator_id: me.id,
    });
    await deleteAccount(me);
    const standings = await readStandings(season);
    expect(standings.winners?.[0]).toEqual({
      ...{ prize: 'gift_card', place: 1, character_name: '' },
      ...{ creator_id: null, creator_name: null },
    });
    expect(standings.items.map(({ name }) => name)).toEqual(['Second']);
    const remaining = await env.DB.prepare(
      `select (select count(*) from competition_prizes where character_name = 'Wren of the winners')
         + (select count(*) from competition_standings where character_id = ?1) as count`,
    )
      .bind(ownEntry)
      .first('count');
    expect(remaining).toBe(0);
  });
});

describe('Configured season', () => {
  const configuredSeason = {
    number: 9000 + Math.floor(Math.random() * 900),
    beginsAt: 10,
    endsAt: 20,
    winnersAt: 30,
  };
  const readSavedSeason = async () =>
    findSeason(db, { number: configuredSeason.number, named: { ...configuredSeason, number: 1 } });

  test('the configured season is updated while it is open and stays unchanged once decided', async () => {
    await saveSeason(db, configuredSeason, 5);
    await saveSeason(db, { ...configuredSeason, endsAt: 25 }, 6);
    expect(await readSavedSeason()).toMatchObject({ endsAt: 25, status: 'open' });
    await env.DB.prepare("update seasons set status = 'decided' where number = ?")
      .bind(configuredSeason.number)
      .run();
    await saveSeason(db, { ...configuredSeason, endsAt: 28 }, 7);
    expect(await readSavedSeason()).toMatchObject({ endsAt: 25, status: 'decided' });
    // The stored dates win over the configuration once the season is decided.
    expect(await findSeason(db, { number: undefined, named: configuredSeason })).toMatchObject({
      endsAt: 25,
    });
  });

  test('the cron task creates past seasons and decides them without entries', async () => {
    await updateCompetition(env, db, Date.now());
    const competition = await new Visitor().ask<Competition>('/api/competition?season=2');
    expect(competition.season).toMatchObject({
      number: 2,
      begins_at: '2025-08-25T00:00:00.000Z',
      status: 'decided',
    });
    expect(competition.seasons).toContain(2);
  });
});
