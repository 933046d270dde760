import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { RUNTIME_CONFIG_DEFAULTS } from '../../src/features/runtime-config/defaults.ts';
import { COMPETITION } from '../../src/features/competition/limits.ts';
import { getConfiguredSeason } from '../../src/features/competition/competition.ts';
import type { OwnEntries } from '../../src/features/competition/contract.ts';
import type { Season } from '../../src/features/competition/season-store.ts';
import {
  addEntry,
  HOUR_MS,
  createSeason,
  createPeople,
  listPlaces,
  createReaders,
  runStandingsAt,
  readStandings,
} from '../support/competition.ts';
import { addCharacter, createAccount } from '../support/factories.ts';

/** Since when a character takes part, and what is counted for it. */

const run = (sql: string, ...values: unknown[]) =>
  env.DB.prepare(sql)
    .bind(...values)
    .run();
const set = (id: string, what: string) => run(`update characters set ${what} where id = ?`, id);
/** Seasons that are to come: what is changed now is changed before their end. */
const season = () => createSeason({ isToCome: true });
const peopleOf = async (one: Season, id: string) =>
  (await listPlaces(one)).find((place) => place.id === id)?.people;

describe('A character that was something else for most of the season', () => {
  test.each([
    ['for adults', 'nsfw_allowed = 1', 'nsfw_allowed = 0'],
    ['unlisted', "visibility = 'unlisted'", "visibility = 'public'"],
    ['private', "visibility = 'private'", "visibility = 'public'"],
  ])('and was %s enters with nobody, and counts who begins to talk from then on', async (_, was, is) => {
    const one = await season();
    const [late, honest] = [await addEntry(one), await addEntry(one)];
    await set(late, was);
    await createReaders(late, 40, Date.now() - 1000);
    await createReaders(honest, 2);
    await set(late, is);
    await runStandingsAt(one, 1);
    expect(await listPlaces(one)).toEqual([
      { id: honest, rank: 1, people: 2 },
      { id: late, rank: 2, people: 0 },
    ]);
    await createReaders(late, 3, Date.now() + 1);
    await runStandingsAt(one, 2);
    expect(await peopleOf(one, late)).toBe(3);
  });

  test('and went away for an hour with all its people comes back without them', async () => {
    const me = await createAccount();
    const one = await season();
    const id = await addEntry(one, { creatorId: me.id });
    await createReaders(id, 7, Date.now() - 1000);
    await runStandingsAt(one, 1);
    expect(await peopleOf(one, id)).toBe(7);
    const path = `/api/characters/${id}`;
    for (const visibility of ['unlisted', 'public'])
      expect((await me.call(path, { method: 'PATCH', json: { visibility } })).status).toBe(200);
    await runStandingsAt(one, 2);
    expect(await peopleOf(one, id)).toBe(0);
  });

  test('loses nobody by what its maker did not do, or what changes nothing of it', async () => {
    const me = await createAccount();
    const one = await season();
    const id = await addEntry(one, { creatorId: me.id });
    await createReaders(id, 7, Date.now() - 1000);
    await set(id, "moderation = 'hidden'");
    await set(id, "moderation = 'shown'");
    await set(id, "visibility = 'public', nsfw_allowed = 0");
    for (const method of ['DELETE', 'POST'])
      await me.call(`/api/characters/${id}${method === 'POST' ? '/restore' : ''}`, { method });
    const change = { oneliner: 'Another tagline', visibility: 'public' };
    expect((await me.call(`/api/characters/${id}`, { method: 'PATCH', json: change })).status).toBe(200);
    await runStandingsAt(one, 1);
    expect(await peopleOf(one, id)).toBe(7);
  });

  test('and turns clean when the season is over has nobody', async () => {
    const one = await createSeason();
    const id = await addEntry(one, { nsfwAllowed: true });
    await createReaders(id, 9, one.beginsAt + 1);
    await set(id, 'nsfw_allowed = 0');
    await runStandingsAt(one, HOUR_MS + 1);
    expect(await peopleOf(one, id)).toBe(0);
    await runStandingsAt(one, 3 * HOUR_MS);
    expect((await readStandings(one)).winners).toEqual([]);
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
      const [id, other] = [await addEntry(one), await addEntry(one)];
      await createReaders(id, 9, Date.now() - 1000);
      const before = await env.DB.prepare('select * from characters where id = ?').bind(id).first();
      await set(id, what);
      await runStandingsAt(one, 1);
      expect((await listPlaces(one)).map((place) => place.id)).toEqual([other]);
      const [column = ''] = what.split(' ');
      await run(`update characters set ${column} = ? where id = ?`, before?.[column], id);
      await runStandingsAt(one, 2);
      expect(await peopleOf(one, id)).toBe(0);
      await createReaders(id, 2, one.beginsAt + 3);
      await runStandingsAt(one, 4);
      expect(await peopleOf(one, id)).toBe(2);
    },
  );

  test('in another greeting or in its notes takes no part', async () => {
    const one = await season();
    const ids = [await addEntry(one), await addEntry(one), await addEntry(one)] as const;
    const extras = (id: string, greetings: string[], notes: Record<string, string> | null) =>
      run(
        'insert into character_extras (character_id, alternate_greetings, creator_notes) values (?, ?, ?)',
        ...[id, JSON.stringify(greetings), notes === null ? null : JSON.stringify(notes)],
      );
    await runStandingsAt(one, 1);
    expect(await listPlaces(one)).toHaveLength(3);
    await extras(ids[0], ['Hello', EXPLICIT], null);
    await extras(ids[1], [], { en: EXPLICIT });
    await extras(ids[2], ['Hello'], { en: 'A kiss under the stars.' });
    await runStandingsAt(one, 2);
    expect((await listPlaces(one)).map((place) => place.id)).toEqual([ids[2]]);
  });

  test('is out as soon as it is written, in with the next count when it is mended, and its maker reads why', async () => {
    const me = await createAccount();
    const named = getConfiguredSeason(RUNTIME_CONFIG_DEFAULTS);
    const one = await season();
    const [id, shown] = [
      await addEntry(one, { creatorId: me.id }),
      await addCharacter({ creatorId: me.id, createdAt: named.beginsAt + 60_000, name: 'Mine' }),
    ];
    await runStandingsAt(one, 1);
    const write = (which: string, first_message: string) =>
      me.ask(`/api/characters/${which}`, { method: 'PATCH', json: { first_message } });
    for (const which of [id, shown]) await write(which, EXPLICIT);
    expect(await listPlaces(one)).toEqual([]);
    const own = async () => (await me.ask<OwnEntries>('/api/competition/entries')).items;
    expect(await own()).toMatchObject([
      { character_id: shown, state: 'explicit', explicit_words: ['orgasm'], rank: null },
    ]);
    expect((await me.call(`/api/competition/entries/${id}`, { method: 'POST' })).status).toBe(204);
    expect(await listPlaces(one)).toEqual([]);
    for (const which of [id, shown]) await write(which, 'They kiss under the stars.');
    expect((await listPlaces(one)).map((place) => place.id)).toEqual([id]);
    expect(await own()).toMatchObject([{ character_id: shown, state: 'entered', explicit_words: [] }]);
  });

  test('of before anybody looked is looked at before anything is decided, however many there are', async () => {
    const one = await createSeason();
    const [maker] = (await createPeople(1)) as [string];
    const count = COMPETITION.checksBatchSize * COMPETITION.maxChecksPerRun + 3;
    await run(
      `insert into characters (id, creator_id, name, oneliner, character_traits, model_type, visibility, point_of_view,
         suggested_replies, avatar_key, created_at, updated_at)
       select ?1 || value, ?2, 'One of many', iif(value = ?4, ?5, ''), '', 'roleplay', 'public', 'normal', '[]', 'x.png',
         ?3 + value, 1
       from (with recursive n (value) as (select 1 union all select value + 1 from n where value < ?4) select value from n)`,
      ...[`${one.id}-`, maker, one.beginsAt, count, EXPLICIT],
    );
    await createReaders(`${one.id}-${count}`, 5);
    expect(await runStandingsAt(one, 3 * HOUR_MS)).toBe(false);
    for (let run = 0; run < 10 && !(await runStandingsAt(one, 4 * HOUR_MS + run)); run += 1) continue;
    const told = await readStandings(one);
    expect(told.season.status).toBe('decided');
    expect(told.winners).toEqual([]);
  });
});
