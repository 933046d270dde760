import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { keepCompetition } from '../../src/jobs/update-standings.ts';
import { COMPETITION } from '../../src/features/competition/limits.ts';
import { openDatabase } from '../../src/db/open.ts';
import type { Judging } from '../../src/features/competition/contract.ts';
import { judge as giveMark } from '../../src/features/competition/judging-store.ts';
import { forgetNetworks } from '../../src/features/competition/networks-store.ts';
import { Chat } from '../support/chat.ts';
import {
  entry,
  give,
  HOUR_MS,
  judge,
  newSeason,
  people,
  places,
  readers,
  runAt,
  seasonRow,
  standings,
  talks,
} from '../support/competition.ts';
import { character, signedIn } from '../support/makers.ts';

const db = openDatabase(env.DB);
const run = (sql: string, ...values: unknown[]) =>
  env.DB.prepare(sql)
    .bind(...values)
    .run();
const winners = async (season: { number: number }) => (await standings(season)).winners;

describe('The last count', () => {
  test('keeps no number for whoever was away then: a farm that is gone is gone when they come back', async () => {
    const me = await signedIn();
    const season = await newSeason();
    const mine = await entry(season, { creatorId: me.id });
    const honest = await entry(season);
    const farm = await readers(mine, 30);
    await readers(honest, 4);
    await runAt(season, 1);
    expect((await places(season))[0]).toEqual({ id: mine, rank: 1, people: 30 });

    await run("update characters set visibility = 'private' where id = ?", mine);
    await run('delete from users where id in (select value from json_each(?))', JSON.stringify(farm));
    expect(await runAt(season, HOUR_MS + 1)).toBe(false);
    await run("update characters set visibility = 'public' where id = ?", mine);
    expect((await places(season)).map(({ id }) => id)).toEqual([honest]);
    await runAt(season, HOUR_MS + 2);
    expect(await places(season)).toEqual([
      { id: honest, rank: 1, people: 4 },
      { id: mine, rank: 2, people: 0 },
    ]);
    expect(await runAt(season, 2 * HOUR_MS)).toBe(true);
    expect(new Set((await winners(season))?.map(({ creator_id: id }) => id)).has(me.id)).toBe(false);
  });

  test('is made up for whoever was hidden and is shown again, and the winners wait for it', async () => {
    const season = await newSeason();
    const [hidden, other] = [await entry(season, { name: 'Shown again' }), await entry(season)];
    await readers(hidden, 5);
    await readers(other, 2);
    await run("update characters set moderation = 'hidden' where id = ?", hidden);
    await runAt(season, HOUR_MS + 1);
    await run("update characters set moderation = 'shown' where id = ?", hidden);
    expect(await runAt(season, 2 * HOUR_MS)).toBe(true);
    expect((await winners(season))?.[0]).toMatchObject({ prize: 'gift_card', character_name: 'Shown again' });
    expect((await places(season))[0]).toEqual({ id: hidden, rank: 1, people: 5 });
  });

  test('has nobody in it who began to talk when the season was over', async () => {
    const season = await newSeason();
    const id = await entry(season);
    await readers(id, 2);
    const late = await people(9);
    const talk = { character: id, turns: 50 };
    await talks(late.map((owner) => ({ ...talk, owner, network: owner, at: season.endsAt })));
    await runAt(season, HOUR_MS + 1);
    expect(await places(season)).toEqual([{ id, rank: 1, people: 2 }]);
  });

  test('goes by when a chat was begun here, whatever date a chat that is brought has in it', async () => {
    const season = await newSeason();
    const id = await entry(season);
    await readers(id, 2);
    const me = await signedIn();
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
    const chat = new Chat(me, conversation.id);
    for (let count = 0; count < COMPETITION.messagesToCount; count += 1) await chat.send(`Line ${count}`);
    await runAt(season, HOUR_MS + 1);
    expect(await places(season)).toEqual([{ id, rank: 1, people: 2 }]);
  });

  test('is for those who take part when the season ends: out by one’s own hand is out', async () => {
    const me = await signedIn();
    const season = await newSeason();
    const mine = await entry(season, { creatorId: me.id });
    const path = `/api/competition/entries/${mine}`;
    expect((await me.call(path, { method: 'DELETE' })).status).toBe(204);
    expect((await me.call(path, { method: 'POST' })).status).toBe(404);
    await runAt(season, HOUR_MS + 1);
    expect(await places(season)).toEqual([]);
  });
});

describe('The winners', () => {
  test('are none of the operator’s own people, nor of those who judged: the next ones win', async () => {
    const [operator, judged] = [await judge(), await judge()];
    const season = await newSeason();
    const [first, second, third] = [
      await entry(season, { creatorId: operator.id, name: 'First' }),
      await entry(season, { creatorId: judged.id, name: 'Second' }),
      await entry(season, { name: 'Third' }),
    ];
    await readers(first, 9);
    await readers(second, 5);
    await readers(third, 1);
    expect((await give(judged, third, 10)).status).toBe(200);
    expect(await runAt(season, 3 * HOUR_MS, [operator.email])).toBe(true);
    expect((await winners(season))?.map(({ prize, character_name: name }) => [prize, name])).toEqual([
      ['gift_card', 'Third'],
      ['storyteller_month', 'Third'],
    ]);
    expect((await places(season)).map(({ id }) => id)).toEqual([first, second, third]);
  });

  test.each([
    ['private', "visibility = 'private'"],
    ['for adults', 'nsfw_allowed = 1'],
    ['hidden', "moderation = 'hidden'"],
    ['removed', "moderation = 'removed'"],
    ['deleted', 'deleted_at = 5'],
  ])('are named without the name of a character that is %s now', async (_, change) => {
    const season = await newSeason();
    const id = await entry(season, { name: 'Not to be read' });
    await readers(id, 2);
    await runAt(season, 3 * HOUR_MS);
    await run(`update characters set ${change} where id = ?`, id);
    const told = await standings(season);
    expect(told.winners?.map(({ character_name: name }) => name)).toEqual(['', '']);
    expect(told.winners?.[0]?.creator_id).not.toBeNull();
    expect(JSON.stringify(told)).not.toContain('Not to be read');
  });

  test('are named by the name that their character has now: one that was taken away stays away', async () => {
    const season = await newSeason();
    const id = await entry(season, { name: 'A name that hurts' });
    await readers(id, 2);
    await runAt(season, 3 * HOUR_MS);
    await run("update characters set name = 'Unnamed' where id = ?", id);
    expect((await winners(season))?.[0]?.character_name).toBe('Unnamed');
  });
});

describe('Judging a season', () => {
  test('ends with its decision, also for a mark that is on its way', async () => {
    const season = await newSeason();
    const id = await entry(season);
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
    await keepCompetition(env, db, Date.now());
    const season = await newSeason();
    const waiting = await env.DB.prepare(
      "select min(number) as number from seasons where status = 'open' and ends_at <= ?",
    )
      .bind(Date.now())
      .first<number>('number');
    const me = await judge();
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
    while (!(await forgetNetworks(db, env.KV))) continue;
  }

  test('is known as long as a season needs it, and forgotten when that is decided', async () => {
    const season = await newSeason();
    const id = await entry(season);
    const [reader] = (await readers(id, 1)) as [string];
    const [other] = (await people(1)) as [string];
    const elsewhere = await character({ createdAt: season.beginsAt - 24 * HOUR_MS * 366 * 40 });
    await talks([{ owner: other, character: elsewhere, turns: 1, network: 'nobody asks' }]);
    await untilTheEnd();
    await untilTheEnd();
    expect(await networkOf(reader)).toBe(`home-${reader}`);
    expect(await networkOf(other)).toBeNull();
    expect(await runAt(season, 3 * HOUR_MS)).toBe(true);
    expect((await seasonRow(season.id)).status).toBe('decided');
    await untilTheEnd();
    await untilTheEnd();
    expect(await networkOf(reader)).toBeNull();
  });
});
