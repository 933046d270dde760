import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { updateCompetition } from '../../src/jobs/update-standings.ts';
import { COMPETITION } from '../../src/features/competition/limits.ts';
import { openDatabase } from '../../src/db/open.ts';
import type { Judging } from '../../src/features/competition/contract.ts';
import { recordJudgeScore as giveMark } from '../../src/features/competition/judging-store.ts';
import { clearNetworks } from '../../src/features/competition/networks-store.ts';
import { ConversationClient } from '../support/conversation-client.ts';
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
} from '../support/competition.ts';
import { addCharacter, createAccount } from '../support/factories.ts';

const db = openDatabase(env.DB);
const run = (sql: string, ...values: unknown[]) =>
  env.DB.prepare(sql)
    .bind(...values)
    .run();
const winners = async (season: { number: number }) => (await readStandings(season)).winners;

describe('The last count', () => {
  test('keeps no number for whoever was away then: a farm that is gone is gone when they come back', async () => {
    const me = await createAccount();
    const season = await createSeason();
    const mine = await addEntry(season, { creatorId: me.id });
    const honest = await addEntry(season);
    const farm = await createReaders(mine, 30);
    await createReaders(honest, 4);
    await runStandingsAt(season, 1);
    expect((await listPlaces(season))[0]).toEqual({ id: mine, rank: 1, people: 30 });

    await run("update characters set visibility = 'private' where id = ?", mine);
    await run('delete from users where id in (select value from json_each(?))', JSON.stringify(farm));
    expect(await runStandingsAt(season, HOUR_MS + 1)).toBe(false);
    await run("update characters set visibility = 'public' where id = ?", mine);
    expect((await listPlaces(season)).map(({ id }) => id)).toEqual([honest]);
    await runStandingsAt(season, HOUR_MS + 2);
    expect(await listPlaces(season)).toEqual([
      { id: honest, rank: 1, people: 4 },
      { id: mine, rank: 2, people: 0 },
    ]);
    expect(await runStandingsAt(season, 2 * HOUR_MS)).toBe(true);
    expect(new Set((await winners(season))?.map(({ creator_id: id }) => id)).has(me.id)).toBe(false);
  });

  test('is made up for whoever was hidden and is shown again, and the winners wait for it', async () => {
    const season = await createSeason();
    const [hidden, other] = [await addEntry(season, { name: 'Shown again' }), await addEntry(season)];
    await createReaders(hidden, 5);
    await createReaders(other, 2);
    await run("update characters set moderation = 'hidden' where id = ?", hidden);
    await runStandingsAt(season, HOUR_MS + 1);
    await run("update characters set moderation = 'shown' where id = ?", hidden);
    expect(await runStandingsAt(season, 2 * HOUR_MS)).toBe(true);
    expect((await winners(season))?.[0]).toMatchObject({ prize: 'gift_card', character_name: 'Shown again' });
    expect((await listPlaces(season))[0]).toEqual({ id: hidden, rank: 1, people: 5 });
  });

  test('has nobody in it who began to talk when the season was over', async () => {
    const season = await createSeason();
    const id = await addEntry(season);
    await createReaders(id, 2);
    const late = await createPeople(9);
    const talk = { character: id, turns: 50 };
    await insertConversations(late.map((owner) => ({ ...talk, owner, network: owner, at: season.endsAt })));
    await runStandingsAt(season, HOUR_MS + 1);
    expect(await listPlaces(season)).toEqual([{ id, rank: 1, people: 2 }]);
  });

  test('goes by when a chat was begun here, whatever date a chat that is brought has in it', async () => {
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
    // The story itself keeps its date.
    expect(Date.parse(conversation.created_at)).toBe(season.endsAt - 1000);
    const chat = new ConversationClient(me, conversation.id);
    for (let count = 0; count < COMPETITION.minMessages; count += 1) await chat.send(`Line ${count}`);
    await runStandingsAt(season, HOUR_MS + 1);
    expect(await listPlaces(season)).toEqual([{ id, rank: 1, people: 2 }]);
  });

  test('is for those who take part when the season ends: out by one’s own hand is out', async () => {
    const me = await createAccount();
    const season = await createSeason();
    const mine = await addEntry(season, { creatorId: me.id });
    const path = `/api/competition/entries/${mine}`;
    expect((await me.call(path, { method: 'DELETE' })).status).toBe(204);
    expect((await me.call(path, { method: 'POST' })).status).toBe(404);
    await runStandingsAt(season, HOUR_MS + 1);
    expect(await listPlaces(season)).toEqual([]);
  });
});

describe('The winners', () => {
  test('are none of the operator’s own people, nor of those who judged: the next ones win', async () => {
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
    expect((await winners(season))?.map(({ prize, character_name: name }) => [prize, name])).toEqual([
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
  ])('are named without the name of a character that is %s now', async (_, change) => {
    const season = await createSeason();
    const id = await addEntry(season, { name: 'Not to be read' });
    await createReaders(id, 2);
    await runStandingsAt(season, 3 * HOUR_MS);
    await run(`update characters set ${change} where id = ?`, id);
    const told = await readStandings(season);
    expect(told.winners?.map(({ character_name: name }) => name)).toEqual(['', '']);
    expect(told.winners?.[0]?.creator_id).not.toBeNull();
    expect(JSON.stringify(told)).not.toContain('Not to be read');
  });

  test('are named by the name that their character has now: one that was taken away stays away', async () => {
    const season = await createSeason();
    const id = await addEntry(season, { name: 'A name that hurts' });
    await createReaders(id, 2);
    await runStandingsAt(season, 3 * HOUR_MS);
    await run("update characters set name = 'Unnamed' where id = ?", id);
    expect((await winners(season))?.[0]?.character_name).toBe('Unnamed');
  });
});

describe('Judging a season', () => {
  test('ends with its decision, also for a mark that is on its way', async () => {
    const season = await createSeason();
    const id = await addEntry(season);
    const judgeId = 'somebody who judges';
    const decided = () => run("update seasons set status = 'decided' where id = ?", season.id);
    const binding = {
      prepare: (sql: string) => ({
        bind: (...values: unknown[]) => {
          const statement = env.DB.prepare(sql).bind(...values);
          const late = async () => {
            await decided();
            return statement.run();
          };
          return /^\s*insert into "?competition_marks/i.test(sql)
            ? { run: late, all: late, raw: late }
            : statement;
        },
      }),
    };
    const slow = openDatabase(binding as unknown as D1Database);
    expect(await giveMark(slow, { characterId: id, judgeId, mark: 90, now: Date.now() })).toBeNull();
    const left = env.DB.prepare('select count(*) as count from competition_marks where character_id = ?');
    expect(await left.bind(id).first('count')).toBe(0);
  });

  test('begins with the one that is over and waits for it, and leads to the others', async () => {
    await updateCompetition(env, db, Date.now());
    const season = await createSeason();
    const waiting = await env.DB.prepare(
      "select min(number) as number from seasons where status = 'open' and ends_at <= ?",
    )
      .bind(Date.now())
      .first<number>('number');
    const me = await createJudge();
    const page = await me.ask<Judging>('/api/admin/competition');
    expect(page.season).toMatchObject({ number: waiting, status: 'judging' });
    expect(page.seasons).toEqual(page.seasons.toSorted((a, b) => b - a));
    expect(page.seasons.length).toBeGreaterThan(1);
    const own = await me.ask<Judging>(`/api/admin/competition?season=${season.number}`);
    expect(own.season.number).toBe(season.number);
  });
});

describe('From where somebody began to talk', () => {
  const networkOf = (owner: string) =>
    env.DB.prepare('select network from conversations where owner_id = ?').bind(owner).first('network');
  async function untilTheEnd() {
    while (!(await clearNetworks(db, env.KV))) continue;
  }

  test('is known as long as a season needs it, and forgotten when that is decided', async () => {
    const season = await createSeason();
    const id = await addEntry(season);
    const [reader] = (await createReaders(id, 1)) as [string];
    const [other] = (await createPeople(1)) as [string];
    const elsewhere = await addCharacter({ createdAt: season.beginsAt - 24 * HOUR_MS * 366 * 40 });
    await insertConversations([{ owner: other, character: elsewhere, turns: 1, network: 'nobody asks' }]);
    await untilTheEnd();
    await untilTheEnd();
    expect(await networkOf(reader)).toBe(`home-${reader}`);
    expect(await networkOf(other)).toBeNull();
    expect(await runStandingsAt(season, 3 * HOUR_MS)).toBe(true);
    expect((await readSeason(season.id)).status).toBe('decided');
    await untilTheEnd();
    await untilTheEnd();
    expect(await networkOf(reader)).toBeNull();
  });
});
