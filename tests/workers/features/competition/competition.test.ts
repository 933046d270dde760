import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { RUNTIME_CONFIG_DEFAULTS } from '../../../../src/features/runtime-config/defaults.ts';
import { COMPETITION } from '../../../../src/features/competition/limits.ts';
import { openDatabase } from '../../../../src/db/open.ts';
import { ensureSystemUser } from '../../../../src/features/account/deletion/character-erasure-store.ts';
import { getConfiguredSeason } from '../../../../src/features/competition/competition.ts';
import type { Competition, OwnEntries } from '../../../../src/features/competition/contract.ts';
import { listEntriesToJudge } from '../../../../src/features/competition/judging-store.ts';
import { countEntryPeople } from '../../../../src/features/competition/people-count-store.ts';
import {
  listStandings,
  listOwnEntries,
  setEntryWithdrawn,
} from '../../../../src/features/competition/standings-store.ts';
import { findSeason } from '../../../../src/features/competition/season-store.ts';
import {
  addEntry,
  HOUR_MS,
  createSeason,
  createPeople,
  listPlaces,
  createReaders,
  runStandingsAt,
  readSeason,
  readStandings,
  computeStandings,
  insertConversations,
  type ConversationRow,
  listAllStandings,
} from '../../../support/competition.ts';
import { addCharacter, signInGuest, createAccount, Visitor } from '../../../support/factories.ts';
import { countRowsRead } from '../../../support/query-stats.ts';
import { createRandom } from '../../../support/random.ts';

const db = openDatabase(env.DB);
const setCharacter = (id: string, what: string) =>
  env.DB.prepare(`update characters set ${what} where id = ?`).bind(id).run();

describe('Competition standings', () => {
  test('the competition standings of random seasons equal those of a simple reference implementation', async () => {
    for (let seed = 0; seed < 6; seed += 1) {
      const season = await createSeason();
      const chance = createRandom(seed);
      const randomBelow = (below: number) => Math.floor(chance() * below);
      const [accounts, guests, suspended] = [
        await createPeople(30),
        await createPeople(10, { guest: true }),
        await createPeople(4, { suspended: true }),
      ];
      const ids: string[] = [];
      const rows: ConversationRow[] = [];
      for (let index = 0; index < 12; index += 1) {
        const creatorId = accounts[randomBelow(6)] as string;
        const id = await addEntry(season, {
          creatorId,
          minute: 1 + randomBelow(5),
          name: `World ${seed} ${index}`,
        });
        ids.push(id);
        const crowd = [...accounts, ...guests, ...suspended, creatorId].filter(() => randomBelow(3) > 0);
        for (const owner of crowd)
          for (let times = randomBelow(3); times >= 0; times -= 1)
            rows.push({
              ...{ owner, character: id, turns: randomBelow(7) },
              network: randomBelow(4) === 0 ? null : `net ${randomBelow(9)}`,
            });
      }
      await insertConversations(rows);
      const judges = await createPeople(3);
      for (const id of ids.filter(() => randomBelow(2) === 0))
        for (const one of judges)
          await env.DB.prepare('insert into judge_scores values (?, ?, ?, ?, 1)')
            .bind(season.id, id, one, randomBelow(101))
            .run();
      const exclusions = [
        "visibility = 'private'",
        "visibility = 'unlisted'",
        'nsfw_allowed = 1',
        'deleted_at = 1',
      ];
      await setCharacter(ids[seed] as string, exclusions[seed % exclusions.length] as string);
      await env.DB.prepare('insert into competition_withdrawals values (?, ?, 1)')
        .bind(season.id, ids[11])
        .run();

      expect(await runStandingsAt(season, HOUR_MS / 2)).toBe(false);
      const expected = await computeStandings(season);
      const list = await listAllStandings(season, 5);
      expect(list).toHaveLength(expected.length);
      for (const one of expected)
        expect(list.find(({ character_id }) => character_id === one.id)).toMatchObject({
          ...{ rank: one.rank, people: one.people },
          popularity: expect.closeTo(one.popularity, 3) as number,
          creativity: expect.closeTo(one.creativity, 3) as number,
          score: expect.closeTo(one.score, 3) as number,
        });
      expect(list.map(({ rank }) => rank)).toEqual(list.map(({ rank }) => rank).toSorted((a, b) => a - b));
    }
  });

  test('the competition standings exclude non-public, adult, hidden, untimely, house and suspended entries', async () => {
    const season = await createSeason();
    const [suspended] = (await createPeople(1, { suspended: true })) as [string];
    const house = await ensureSystemUser(db, Date.now());
    const included = await addEntry(season, { name: 'Fine' });
    for (const fields of [
      { visibility: 'unlisted' },
      { visibility: 'private' },
      { nsfwAllowed: true },
      { moderation: 'hidden' },
      { moderation: 'removed' },
      { deletedAt: 1 },
      { createdAt: season.beginsAt - 1 },
      { createdAt: season.endsAt },
      { creatorId: suspended },
      { creatorId: house },
    ] as Parameters<typeof addCharacter>[0][])
      await createReaders(await addEntry(season, { name: 'Not in it', ...fields }), 1);
    await runStandingsAt(season, 1);
    expect(await listPlaces(season)).toEqual([{ id: included, rank: 1, people: 0 }]);
  });

  test.each([
    ['private', "visibility = 'private'"],
    ['unlisted', "visibility = 'unlisted'"],
    ['for adults', 'nsfw_allowed = 1'],
    ['hidden by moderation', "moderation = 'hidden'"],
    ['deleted', 'deleted_at = 5'],
  ])(
    'an entry that becomes %s leaves the standings at once, and the next count closes the gap',
    async (_, change) => {
      const season = await createSeason();
      const [first, second] = [await addEntry(season), await addEntry(season)];
      await createReaders(first, 4);
      await createReaders(second, 1);
      await runStandingsAt(season, 1);
      expect(await listPlaces(season)).toMatchObject([{ id: first }, { id: second, rank: 2 }]);
      await setCharacter(first, change);
      expect(await listPlaces(season)).toEqual([{ id: second, rank: 2, people: 1 }]);
      await runStandingsAt(season, 2);
      expect((await readStandings(season)).items).toMatchObject([{ rank: 1, popularity: 10, score: 8 }]);
    },
  );

  test('the count of a season with many entries runs in batches and resumes where it stopped', async () => {
    const season = await createSeason();
    const [maker] = (await createPeople(1)) as [string];
    const count = COMPETITION.entriesBatchSize * COMPETITION.maxRoundsPerRun + 5;
    await env.DB.prepare(
      `insert into characters (id, creator_id, name, oneliner, character_traits, model_type, visibility, point_of_view,
         suggested_replies, avatar_key, created_at, updated_at)
       select ?1 || value, ?2, 'One of many', '', '', 'roleplay', 'public', 'normal', '[]', 'x.png', ?3 + value, 1
       from (with recursive n (value) as (select 1 union all select value + 1 from n where value < ?4) select value from n)`,
    )
      .bind(`${season.id}-`, maker, season.beginsAt, count)
      .run();
    const [first, last] = [`${season.id}-1`, `${season.id}-${count}`];
    await createReaders(first, 2);
    await createReaders(last, 3);
    await runStandingsAt(season, HOUR_MS / 2);
    expect((await readSeason(season.id)).standingsAt).toBeNull();
    expect((await listPlaces(season))[0]).toEqual({ id: first, rank: 1, people: 2 });
    // The standings carry the time at which the round began.
    await runStandingsAt(season, HOUR_MS / 2 + 60_000);
    expect((await readSeason(season.id)).standingsAt).toBe(season.beginsAt + HOUR_MS / 2);
    const list = await listPlaces(season);
    expect(list).toHaveLength(count);
    expect(list.slice(0, 2)).toEqual([
      { id: last, rank: 1, people: 3 },
      { id: first, rank: 2, people: 2 },
    ]);
  });

  test('showing and counting standings reads few rows, however many others take part', async () => {
    const season = await createSeason();
    const [maker] = (await createPeople(1)) as [string];
    const many = 2000;
    await env.DB.prepare(
      `insert into characters (id, creator_id, name, oneliner, character_traits, model_type, visibility, point_of_view,
         suggested_replies, avatar_key, created_at, updated_at)
       select ?1 || value, ?2, 'One of many', '', '', 'roleplay', 'public', 'normal', '[]', 'x.png', ?3 + value, 1
       from (with recursive n (value) as (select 1 union all select value + 1 from n where value < ?4) select value from n)`,
    )
      .bind(`${season.id}-`, maker, season.beginsAt, many)
      .run();
    const [first, other] = [`${season.id}-1`, `${season.id}-2`];
    const crowd = await createPeople(1000);
    const buildReader = (owner: string) => ({ owner, turns: 9, network: owner });
    await insertConversations([
      ...crowd.map((owner) => ({ ...buildReader(owner), character: other })),
      ...crowd.slice(0, 10).map((owner) => ({ ...buildReader(owner), character: first })),
    ]);
    for (let run = 0; run < 10; run += 1) await runStandingsAt(season, 1000 + run);
    const row = await readSeason(season.id);
    expect(row.standingsAt).not.toBeNull();
    const rowsToCount = await countRowsRead((observedDb) => countEntryPeople(observedDb, row, [first]));
    expect(rowsToCount).toBeLessThan(100);
    for (const cursor of [undefined, `1500.${first}`]) {
      const rowsToList = await countRowsRead((observedDb) =>
        listStandings(observedDb, row, { cursor, limit: 20 }),
      );
      expect(rowsToList).toBeLessThan(200);
    }
    const own = await countRowsRead((observedDb) =>
      listOwnEntries(observedDb, { creatorId: maker, season: row, limit: 20 }),
    );
    expect(own).toBeLessThan(200);
    const judgedRows = await countRowsRead((observedDb) =>
      listEntriesToJudge(observedDb, { season: row, judgeId: maker, limit: 20 }),
    );
    expect(judgedRows).toBeLessThan(200);
  });

  test('the competition standings contain the season, the prizes and the formula, and come in pages', async () => {
    const season = await createSeason();
    const ids = [];
    for (let index = 0; index < 3; index += 1) ids.push(await addEntry(season, { minute: 1 + index }));
    await runStandingsAt(season, 1);
    const page = await readStandings(season, '&limit=2');
    expect(page).toEqual({
      season: {
        number: season.number,
        begins_at: new Date(season.beginsAt).toISOString(),
        ends_at: new Date(season.endsAt).toISOString(),
        winners_at: new Date(season.winnersAt).toISOString(),
        status: 'judging',
      },
      prizes: [
        { prize: 'gift_card', places: 1, value_cents: 10_000 },
        { prize: 'storyteller_month', places: 5, value_cents: null },
      ],
      formula: {
        ...{ popularity_percent: 80, creativity_percent: 20 },
        ...{ points_per_doubling: 10, full_people: 1023 },
        ...{ messages_to_count: 5, people_per_network: 3, people_per_wider_network: 12 },
      },
      items: [ids[2], ids[1]].map((character_id, index) =>
        expect.objectContaining({ character_id, rank: 1 + index, prizes: [] }),
      ),
      next_cursor: expect.any(String),
      updated_at: new Date(season.beginsAt + 1).toISOString(),
      winners: null,
      seasons: expect.any(Array),
    });
    const rest = await readStandings(season, `&limit=2&cursor=${page.next_cursor}`);
    expect(rest).toMatchObject({ items: [{ character_id: ids[0], rank: 3 }], next_cursor: null });
  });

  test('an unknown season is not found, and the configured season is shown before its first count', async () => {
    const visitor = new Visitor();
    expect((await visitor.call('/api/competition?season=9999')).status).toBe(404);
    for (const query of ['season=0', 'season=two', 'limit=0', 'limit=101'])
      expect((await visitor.call(`/api/competition?${query}`)).status).toBe(400);
    const configuredSeason = getConfiguredSeason({ ...RUNTIME_CONFIG_DEFAULTS, competition_season: 9998 });
    expect(await findSeason(db, { number: undefined, named: configuredSeason })).toMatchObject({
      id: null,
      number: 9998,
    });
    const now = await visitor.ask<Competition>('/api/competition');
    expect(now.seasons).toContain(now.season.number);
  });
});

describe('Withdrawing from the competition', () => {
  test('a withdrawn character leaves at once and can return with a new count', async () => {
    const me = await createAccount();
    const season = await createSeason({ isToCome: true });
    const [ownEntry, other] = [await addEntry(season, { creatorId: me.id }), await addEntry(season)];
    await createReaders(ownEntry, 3);
    await runStandingsAt(season, 1);
    const path = `/api/competition/entries/${ownEntry}`;
    expect((await me.call(path, { method: 'DELETE' })).status).toBe(204);
    expect((await me.call(path, { method: 'DELETE' })).status).toBe(204);
    expect((await listPlaces(season)).map(({ id }) => id)).toEqual([other]);
    await runStandingsAt(season, 2);
    expect((await listPlaces(season)).map(({ id }) => id)).toEqual([other]);
    expect((await me.call(path, { method: 'POST' })).status).toBe(204);
    expect((await listPlaces(season)).map(({ id }) => id)).toContain(ownEntry);
    await createReaders(ownEntry, 2, Date.now() + 1);
    // Entering again does not restart the count.
    expect((await me.call(path, { method: 'POST' })).status).toBe(204);
    await runStandingsAt(season, 3);
    expect(await listPlaces(season)).toEqual([
      { id: ownEntry, rank: 1, people: 2 },
      { id: other, rank: 2, people: 0 },
    ]);
  });

  test('a withdrawal marks the pages that show the character for purging', async () => {
    const me = await createAccount();
    const ownEntry = await addEntry(await createSeason(), { creatorId: me.id });
    expect(
      await setEntryWithdrawn(db, { characterId: ownEntry, creatorId: me.id, isOut: true, now: 1 }),
    ).toBe(true);
    const { results } = await env.DB.prepare(
      "select tag from cache_purge_queue where tag in ('competition', 'character:' || ?) order by tag",
    )
      .bind(ownEntry)
      .all();
    expect(results).toEqual([{ tag: `character:${ownEntry}` }, { tag: 'competition' }]);
  });

  test('only the creator of a character can withdraw it', async () => {
    const season = await createSeason();
    const id = await addEntry(season);
    const old = await addCharacter({ createdAt: season.beginsAt - 1 });
    for (const method of ['POST', 'DELETE']) {
      const getStatus = async (visitor: Visitor, characterId: string) =>
        (await visitor.call(`/api/competition/entries/${characterId}`, { method })).status;
      expect(await getStatus(new Visitor(), id)).toBe(401);
      expect(await getStatus(await signInGuest(), id)).toBe(403);
      for (const characterId of [id, old, 'unknown'])
        expect(await getStatus(await createAccount(), characterId)).toBe(404);
    }
    const remaining = env.DB.prepare(
      'select count(*) as count from competition_withdrawals where character_id = ?',
    );
    expect(await remaining.bind(id).first('count')).toBe(0);
  });

  test('creators see for each own character whether it takes part or what excludes it', async () => {
    const me = await createAccount();
    const season = getConfiguredSeason(RUNTIME_CONFIG_DEFAULTS);
    const buildFields = (minute: number) => ({
      creatorId: me.id,
      createdAt: season.beginsAt + minute * 60_000,
    });
    await addCharacter({ ...buildFields(0), createdAt: season.beginsAt - 1, name: 'Of another time' });
    await addCharacter({ ...buildFields(1), visibility: 'private', name: 'Private' });
    await addCharacter({ ...buildFields(2), nsfwAllowed: true, name: 'Adult' });
    await addCharacter({ ...buildFields(3), name: 'In it' });
    await addCharacter({ ...buildFields(4), deletedAt: 1, name: 'In the trash' });
    const list = await me.ask<OwnEntries>('/api/competition/entries');
    expect(list.items).toMatchObject([
      { name: 'In it', state: 'entered' },
      { name: 'Adult', state: 'adult', rank: null, people: null, score: null },
      { name: 'Private', state: 'not_public' },
    ]);
    const { next_cursor } = await me.ask<OwnEntries>('/api/competition/entries?limit=2');
    const rest = await me.ask<OwnEntries>(`/api/competition/entries?limit=2&cursor=${next_cursor}`);
    expect(rest.items.map(({ name }) => name)).toEqual(['Private']);
    expect((await new Visitor().call('/api/competition/entries')).status).toBe(401);
    expect((await (await signInGuest()).call('/api/competition/entries')).status).toBe(403);
  });
});
