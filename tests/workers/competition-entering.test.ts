import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { BUSINESS_DEFAULTS } from '../../src/features/runtime-config/defaults.ts';
import { COMPETITION } from '../../src/features/competition/limits.ts';
import { seasonOf } from '../../src/features/competition/competition.ts';
import type { OwnEntries } from '../../src/features/competition/contract.ts';
import type { Season } from '../../src/features/competition/season-store.ts';
import {
  entry,
  HOUR_MS,
  newSeason,
  people,
  places,
  readers,
  runAt,
  standings,
} from '../support/competition.ts';
import { character, signedIn } from '../support/makers.ts';

/** Since when a character takes part, and what is counted for it. */

const run = (sql: string, ...values: unknown[]) =>
  env.DB.prepare(sql)
    .bind(...values)
    .run();
const set = (id: string, what: string) => run(`update characters set ${what} where id = ?`, id);
/** Seasons that are to come: what is changed now is changed before their end. */
const season = () => newSeason({ isToCome: true });
const peopleOf = async (one: Season, id: string) =>
  (await places(one)).find((place) => place.id === id)?.people;

describe('A character that was something else for most of the season', () => {
  test.each([
    ['for adults', 'nsfw_allowed = 1', 'nsfw_allowed = 0'],
    ['unlisted', "visibility = 'unlisted'", "visibility = 'public'"],
    ['private', "visibility = 'private'", "visibility = 'public'"],
  ])('and was %s enters with nobody, and counts who begins to talk from then on', async (_, was, is) => {
    const one = await season();
    const [late, honest] = [await entry(one), await entry(one)];
    await set(late, was);
    await readers(late, 40, Date.now() - 1000);
    await readers(honest, 2);
    await set(late, is);
    await runAt(one, 1);
    expect(await places(one)).toEqual([
      { id: honest, rank: 1, people: 2 },
      { id: late, rank: 2, people: 0 },
    ]);
    await readers(late, 3, Date.now() + 1);
    await runAt(one, 2);
    expect(await peopleOf(one, late)).toBe(3);
  });

  test('and went away for an hour with all its people comes back without them', async () => {
    const me = await signedIn();
    const one = await season();
    const id = await entry(one, { creatorId: me.id });
    await readers(id, 7, Date.now() - 1000);
    await runAt(one, 1);
    expect(await peopleOf(one, id)).toBe(7);
    const path = `/api/characters/${id}`;
    for (const visibility of ['unlisted', 'public'])
      expect((await me.call(path, { method: 'PATCH', json: { visibility } })).status).toBe(200);
    await runAt(one, 2);
    expect(await peopleOf(one, id)).toBe(0);
  });

  test('loses nobody by what its maker did not do, or what changes nothing of it', async () => {
    const me = await signedIn();
    const one = await season();
    const id = await entry(one, { creatorId: me.id });
    await readers(id, 7, Date.now() - 1000);
    await set(id, "moderation = 'hidden'");
    await set(id, "moderation = 'shown'");
    await set(id, "visibility = 'public', nsfw_allowed = 0");
    for (const method of ['DELETE', 'POST'])
      await me.call(`/api/characters/${id}${method === 'POST' ? '/restore' : ''}`, { method });
    const change = { oneliner: 'Another tagline', visibility: 'public' };
    expect((await me.call(`/api/characters/${id}`, { method: 'PATCH', json: change })).status).toBe(200);
    await runAt(one, 1);
    expect(await peopleOf(one, id)).toBe(7);
  });

  test('and turns clean when the season is over has nobody', async () => {
    const one = await newSeason();
    const id = await entry(one, { nsfwAllowed: true });
    await readers(id, 9, one.beginsAt + 1);
    await set(id, 'nsfw_allowed = 0');
    await runAt(one, HOUR_MS + 1);
    expect(await peopleOf(one, id)).toBe(0);
    await runAt(one, 3 * HOUR_MS);
    expect((await standings(one)).winners).toEqual([]);
  });
});

describe('A character whose texts are explicit', () => {
  const EXPLICIT = 'She has an orgasm.';

  test.each([
    ['name', `name = 'Blowjob'`],
    ['tagline', `oneliner = '${EXPLICIT}'`],
    ['traits', `character_traits = '${EXPLICIT}'`],
    ['first message', `first_message = '${EXPLICIT}'`],
    ['suggested replies', `suggested_replies = '["${EXPLICIT}"]'`],
    ['summary', `summary = '${EXPLICIT}'`],
  ])(
    'in its %s takes no part, though its box for adults is empty, and begins anew once it is mended',
    async (_, what) => {
      const one = await season();
      const [id, other] = [await entry(one), await entry(one)];
      await readers(id, 9, Date.now() - 1000);
      const before = await env.DB.prepare('select * from characters where id = ?').bind(id).first();
      await set(id, what);
      await runAt(one, 1);
      expect((await places(one)).map((place) => place.id)).toEqual([other]);
      const [column = ''] = what.split(' ');
      await run(`update characters set ${column} = ? where id = ?`, before?.[column], id);
      await runAt(one, 2);
      expect(await peopleOf(one, id)).toBe(0);
      await readers(id, 2, one.beginsAt + 3);
      await runAt(one, 4);
      expect(await peopleOf(one, id)).toBe(2);
    },
  );

  test('in another greeting or in its notes takes no part', async () => {
    const one = await season();
    const ids = [await entry(one), await entry(one), await entry(one)] as const;
    const extras = (id: string, greetings: string[], notes: Record<string, string> | null) =>
      run(
        'insert into character_extras (character_id, alternate_greetings, creator_notes) values (?, ?, ?)',
        ...[id, JSON.stringify(greetings), notes === null ? null : JSON.stringify(notes)],
      );
    await runAt(one, 1);
    expect(await places(one)).toHaveLength(3);
    await extras(ids[0], ['Hello', EXPLICIT], null);
    await extras(ids[1], [], { en: EXPLICIT });
    await extras(ids[2], ['Hello'], { en: 'A kiss under the stars.' });
    await runAt(one, 2);
    expect((await places(one)).map((place) => place.id)).toEqual([ids[2]]);
  });

  test('is out as soon as it is written, in with the next count when it is mended, and its maker reads why', async () => {
    const me = await signedIn();
    const named = seasonOf(BUSINESS_DEFAULTS);
    const one = await season();
    const [id, shown] = [
      await entry(one, { creatorId: me.id }),
      await character({ creatorId: me.id, createdAt: named.beginsAt + 60_000, name: 'Mine' }),
    ];
    await runAt(one, 1);
    const write = (which: string, first_message: string) =>
      me.ask(`/api/characters/${which}`, { method: 'PATCH', json: { first_message } });
    for (const which of [id, shown]) await write(which, EXPLICIT);
    expect(await places(one)).toEqual([]);
    const own = async () => (await me.ask<OwnEntries>('/api/competition/entries')).items;
    expect(await own()).toMatchObject([
      { character_id: shown, state: 'explicit', explicit_words: ['orgasm'], rank: null },
    ]);
    expect((await me.call(`/api/competition/entries/${id}`, { method: 'POST' })).status).toBe(204);
    expect(await places(one)).toEqual([]);
    for (const which of [id, shown]) await write(which, 'They kiss under the stars.');
    expect((await places(one)).map((place) => place.id)).toEqual([id]);
    expect(await own()).toMatchObject([{ character_id: shown, state: 'entered', explicit_words: [] }]);
  });

  test('of before anybody looked is looked at before anything is decided, however many there are', async () => {
    const one = await newSeason();
    const [maker] = (await people(1)) as [string];
    const count = COMPETITION.looksAtOnce * COMPETITION.looksPerRun + 3;
    await run(
      `insert into characters (id, creator_id, name, oneliner, character_traits, model_type, visibility, point_of_view,
         suggested_replies, avatar_key, created_at, updated_at)
       select ?1 || value, ?2, 'One of many', iif(value = ?4, ?5, ''), '', 'roleplay', 'public', 'normal', '[]', 'x.png',
         ?3 + value, 1
       from (with recursive n (value) as (select 1 union all select value + 1 from n where value < ?4) select value from n)`,
      ...[`${one.id}-`, maker, one.beginsAt, count, EXPLICIT],
    );
    await readers(`${one.id}-${count}`, 5);
    expect(await runAt(one, 3 * HOUR_MS)).toBe(false);
    for (let run = 0; run < 10 && !(await runAt(one, 4 * HOUR_MS + run)); run += 1) continue;
    const told = await standings(one);
    expect(told.season.status).toBe('decided');
    expect(told.winners).toEqual([]);
  });
});
