import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { updateCompetition } from '../../../../src/jobs/update-standings.ts';
import { COMPETITION } from '../../../../src/features/competition/limits.ts';
import { openDatabase } from '../../../../src/db/open.ts';
import type { Judging } from '../../../../src/features/competition/contract.ts';
import { recordJudgeScore as giveMark } from '../../../../src/features/competition/judging-store.ts';
import { clearNetworks } from '../../../../src/features/competition/networks-store.ts';
import { ConversationClient } from '../../../support/conversation-client.ts';
import {
  addEntry,
  scoreEntry,
  HOUR_MS,
  createJudge,
  createSeason,
  createPeople,
  listPlaces,
  createReaders,
  runStandingsAt,
  readSeason,
  readStandings,
  insertConversations,
} from '../../../support/competition.ts';
import { addCharacter, createAccount } from '../../../support/factories.ts';

const db = openDatabase(env.DB);
const runSql = (sql: string, ...values: unknown[]) =>
  env.DB.prepare(sql)
    .bind(...values)
    .run();
const readWinners = async (season: { number: number }) => (await readStandings(season)).winners;

describe('Final count of a season', () => {
  test('the final count drops readers who were deleted while the entry was private', async () => {
    const me = await createAccount();
    const season = await createSeason();
    const ownEntry = await addEntry(season, { creatorId: me.id });
    const honest = await addEntry(season);
    const farm = await createReaders(ownEntry, 30);
    await createReaders(honest, 4);
    await runStandingsAt(season, 1);
    expect((await listPlaces(season))[0]).toEqual({ id: ownEntry, rank: 1, people: 30 });

    await runSql("update characters set visibility = 'private' where id = ?", ownEntry);
    await runSql('delete from users where id in (select value from json_each(?))', JSON.stringify(farm));
    expect(await runStandingsAt(season, HOUR_MS + 1)).toBe(false);
    await runSql("update characters set visibility = 'public' where id = ?", ownEntry);
    expect((await listPlaces(season)).map(({ id }) => id)).toEqual([honest]);
    await runStandingsAt(season, HOUR_MS + 2);
    expect(await listPlaces(season)).toEqual([
      { id: honest, rank: 1, people: 4 },
      { id: ownEntry, rank: 2, people: 0 },
    ]);
    expect(await runStandingsAt(season, 2 * HOUR_MS)).toBe(true);
    expect(new Set((await readWinners(season))?.map(({ creator_id: id }) => id)).has(me.id)).toBe(false);
  });

  test('an entry that moderation shows again is counted before the winners are decided', async () => {
    const season = await createSeason();
    const [hidden, other] = [await addEntry(season, { name: 'Shown again' }), await addEntry(season)];
    await createReaders(hidden, 5);
    await createReaders(other, 2);
    await runSql("update characters set moderation = 'hidden' where id = ?", hidden);
    await runStandingsAt(season, HOUR_MS + 1);
    await runSql("update characters set moderation = 'shown' where id = ?", hidden);
    expect(await runStandingsAt(season, 2 * HOUR_MS)).toBe(true);
    expect((await readWinners(season))?.[0]).toMatchObject({
      prize: 'gift_card',
      character_name: 'Shown again',
    });
    expect((await listPlaces(season))[0]).toEqual({ id: hidden, rank: 1, people: 5 });
  });

  test("a reader who starts after the season's end does not count", async () => {
    const season = await createSeason();
    const id = await addEntry(season);
    await createReaders(id, 2);
    const late = await createPeople(9);
    const talk = { character: id, turns: 50 };
    await insertConversations(late.map((owner) => ({ ...talk, owner, network: owner, at: season.endsAt })));
    await runStandingsAt(season, HOUR_MS + 1);
    expect(await listPlaces(season)).toEqual([{ id, rank: 1, people: 2 }]);
  });

  test('an imported chat counts by its import date, not by the date in the file', async () => {
    const season = await createSeason();
    const id = await addEntry(season);
    await createReaders(id, 2);
    const me = await createAccount();
    const body = new FormData();
    body.set('character_id', id);
    const lines = [
      { user_name: 'Ana', character_name: 'Mira', create_date: season.endsAt - 1000 },
      { name: 'Ana', is_user: true, mes: 'Hello.' },
    ];
    body.set('file', new File([lines.map((line) => JSON.stringify(line)).join('\n')], 'mira.jsonl'));
    const answer = await me.call('/api/conversations/import', { body });
    const { conversation } = await answer.json<{ conversation: { id: string; created_at: string } }>();
    // The conversation itself keeps the date from the file.
    expect(Date.parse(conversation.created_at)).toBe(season.endsAt - 1000);
    const chat = new ConversationClient(me, conversation.id);
    for (let count = 0; count < COMPETITION.minMessages; count += 1) await chat.send(`Line ${count}`);
    await runStandingsAt(season, HOUR_MS + 1);
    expect(await listPlaces(season)).toEqual([{ id, rank: 1, people: 2 }]);
  });

  test('an entry withdrawn before the end is not in the final standings and cannot return', async () => {
    const me = await createAccount();
    const season = await createSeason();
    const ownEntry = await addEntry(season, { creatorId: me.id });
    const path = `/api/competition/entries/${ownEntry}`;
    expect((await me.call(path, { method: 'DELETE' })).status).toBe(204);
    expect((await me.call(path, { method: 'POST' })).status).toBe(404);
    await runStandingsAt(season, HOUR_MS + 1);
    expect(await listPlaces(season)).toEqual([]);
  });
});

describe('Winners of a season', () => {
  test('staff and judges cannot win; the next entries do', async () => {
    const [operator, judged] = [await createJudge(), await createJudge()];
    const season = await createSeason();
    const [first, second, third] = [
      await addEntry(season, { creatorId: operator.id, name: 'First' }),
      await addEntry(season, { creatorId: judged.id, name: 'Second' }),
      await addEntry(season, { name: 'Third' }),
    ];
    await createReaders(first, 9);
    await createReaders(second, 5);
    await createReaders(third, 1);
    expect((await scoreEntry(judged, third, 10)).status).toBe(200);
    expect(await runStandingsAt(season, 3 * HOUR_MS, [operator.email])).toBe(true);
    expect((await readWinners(season))?.map(({ prize, character_name: name }) => [prize, name])).toEqual([
      ['gift_card', 'Third'],
      ['storyteller_month', 'Third'],
    ]);
    expect((await listPlaces(season)).map(({ id }) => id)).toEqual([first, second, third]);
  });

  test.each([
    ['private', "visibility = 'private'"],
    ['for adults', 'nsfw_allowed = 1'],
    ['hidden', "moderation = 'hidden'"],
    ['removed', "moderation = 'removed'"],
    ['deleted', 'deleted_at = 5'],
  ])('a winner is shown without the name of a character that is %s now', async (_, change) => {
    const season = await createSeason();
    const id = await addEntry(season, { name: 'Not to be read' });
    await createReaders(id, 2);
    await runStandingsAt(season, 3 * HOUR_MS);
    await runSql(`update characters set ${change} where id = ?`, id);
    const standings = await readStandings(season);
    expect(standings.winners?.map(({ character_name: name }) => name)).toEqual(['', '']);
    expect(standings.winners?.[0]?.creator_id).not.toBeNull();
    expect(JSON.stringify(standings)).not.toContain('Not to be read');
  });

  test('a winner is shown with the current name of the character', async () => {
    const season = await createSeason();
    const id = await addEntry(season, { name: 'A name that hurts' });
    await createReaders(id, 2);
    await runStandingsAt(season, 3 * HOUR_MS);
    await runSql("update characters set name = 'Unnamed' where id = ?", id);
    expect((await readWinners(season))?.[0]?.character_name).toBe('Unnamed');
  });
});

describe('Judging a season', () => {
  test('a mark that arrives while the season is decided is not stored', async () => {
    const season = await createSeason();
    const id = await addEntry(season);
    const judgeId = 'somebody who judges';
    const decideSeason = () => runSql("update seasons set status = 'decided' where id = ?", season.id);
    const binding = {
      prepare: (sql: string) => ({
        bind: (...values: unknown[]) => {
          const statement = env.DB.prepare(sql).bind(...values);
          const runLate = async () => {
            await decideSeason();
            return statement.run();
          };
          return /^\s*insert into "?judge_scores/i.test(sql)
            ? { run: runLate, all: runLate, raw: runLate }
            : statement;
        },
      }),
    };
    const slowDb = openDatabase(binding as unknown as D1Database);
    expect(await giveMark(slowDb, { characterId: id, judgeId, mark: 90, now: Date.now() })).toBeNull();
    const remaining = env.DB.prepare('select count(*) as count from judge_scores where character_id = ?');
    expect(await remaining.bind(id).first('count')).toBe(0);
  });

  test('judging starts with the oldest season that ended and links to the other seasons', async () => {
    await updateCompetition(env, db, Date.now());
    const season = await createSeason();
    const oldestEnded = await env.DB.prepare(
      "select min(number) as number from seasons where status = 'open' and ends_at <= ?",
    )
      .bind(Date.now())
      .first<number>('number');
    const me = await createJudge();
    const page = await me.ask<Judging>('/api/admin/competition');
    expect(page.season).toMatchObject({ number: oldestEnded, status: 'judging' });
    expect(page.seasons).toEqual(page.seasons.toSorted((a, b) => b - a));
    expect(page.seasons.length).toBeGreaterThan(1);
    const own = await me.ask<Judging>(`/api/admin/competition?season=${season.number}`);
    expect(own.season.number).toBe(season.number);
  });
});

describe('Network marks of conversations', () => {
  const readNetwork = (owner: string) =>
    env.DB.prepare('select network from conversations where owner_id = ?').bind(owner).first('network');
  async function clearAllNetworks() {
    while (!(await clearNetworks(db, env.KV, Date.now() + 3 * 24 * HOUR_MS))) continue;
  }

  test('the network of a conversation is kept while a season needs it and cleared afterwards', async () => {
    const season = await createSeason();
    const id = await addEntry(season);
    const [reader] = (await createReaders(id, 1)) as [string];
    const [other] = (await createPeople(1)) as [string];
    const oldCharacter = await addCharacter({ createdAt: season.beginsAt - 24 * HOUR_MS * 366 * 40 });
    await insertConversations([{ owner: other, character: oldCharacter, turns: 1, network: 'nobody asks' }]);
    await clearAllNetworks();
    await clearAllNetworks();
    expect(await readNetwork(reader)).toBe(`home-${reader}`);
    expect(await readNetwork(other)).toBeNull();
    expect(await runStandingsAt(season, 3 * HOUR_MS)).toBe(true);
    expect((await readSeason(season.id)).status).toBe('decided');
    await clearAllNetworks();
    await clearAllNetworks();
    expect(await readNetwork(reader)).toBeNull();
  });
});
