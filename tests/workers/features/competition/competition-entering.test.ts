import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { RUNTIME_CONFIG_DEFAULTS } from '../../../../src/features/runtime-config/defaults.ts';
import { COMPETITION } from '../../../../src/features/competition/limits.ts';
import { getConfiguredSeason } from '../../../../src/features/competition/competition.ts';
import type { OwnEntries } from '../../../../src/features/competition/contract.ts';
import type { Season } from '../../../../src/features/competition/season-store.ts';
import {
  addEntry,
  HOUR_MS,
  createSeason,
  createPeople,
  listPlaces,
  createReaders,
  runStandingsAt,
  readStandings,
} from '../../../support/competition.ts';
import { addCharacter, createAccount } from '../../../support/factories.ts';

/** Tests since when a character takes part and which readers count for it. */

const runSql = (sql: string, ...values: unknown[]) =>
  env.DB.prepare(sql)
    .bind(...values)
    .run();
const setCharacter = (id: string, what: string) => runSql(`update characters set ${what} where id = ?`, id);
/** Creates a season whose end is in the future, so that changes made now happen before it. */
const createOpenSeason = () => createSeason({ isToCome: true });
const countPeople = async (one: Season, id: string) =>
  (await listPlaces(one)).find((place) => place.id === id)?.people;

describe('Characters that change during a season', () => {
  test.each([
    ['for adults', 'nsfw_allowed = 1', 'nsfw_allowed = 0'],
    ['unlisted', "visibility = 'unlisted'", "visibility = 'public'"],
    ['private', "visibility = 'private'", "visibility = 'public'"],
  ])(
    'a character that was %s enters without readers and counts those who start afterwards',
    async (_, was, is) => {
      const one = await createOpenSeason();
      const [changed, honest] = [await addEntry(one), await addEntry(one)];
      await setCharacter(changed, was);
      await createReaders(changed, 40, Date.now() - 1000);
      await createReaders(honest, 2);
      await setCharacter(changed, is);
      await runStandingsAt(one, 1);
      expect(await listPlaces(one)).toEqual([
        { id: honest, rank: 1, people: 2 },
        { id: changed, rank: 2, people: 0 },
      ]);
      await createReaders(changed, 3, Date.now() + 1);
      await runStandingsAt(one, 2);
      expect(await countPeople(one, changed)).toBe(3);
    },
  );

  test('a character that was unlisted for a while returns without its earlier readers', async () => {
    const me = await createAccount();
    const one = await createOpenSeason();
    const id = await addEntry(one, { creatorId: me.id });
    await createReaders(id, 7, Date.now() - 1000);
    await runStandingsAt(one, 1);
    expect(await countPeople(one, id)).toBe(7);
    const path = `/api/characters/${id}`;
    for (const visibility of ['unlisted', 'public'])
      expect((await me.call(path, { method: 'PATCH', json: { visibility } })).status).toBe(200);
    await runStandingsAt(one, 2);
    expect(await countPeople(one, id)).toBe(0);
  });

  test('moderation, trash and unrelated changes do not reset the readers', async () => {
    const me = await createAccount();
    const one = await createOpenSeason();
    const id = await addEntry(one, { creatorId: me.id });
    await createReaders(id, 7, Date.now() - 1000);
    await setCharacter(id, "moderation = 'hidden'");
    await setCharacter(id, "moderation = 'shown'");
    await setCharacter(id, "visibility = 'public', nsfw_allowed = 0");
    for (const method of ['DELETE', 'POST'])
      await me.call(`/api/characters/${id}${method === 'POST' ? '/restore' : ''}`, { method });
    const change = { oneliner: 'Another tagline', visibility: 'public' };
    expect((await me.call(`/api/characters/${id}`, { method: 'PATCH', json: change })).status).toBe(200);
    await runStandingsAt(one, 1);
    expect(await countPeople(one, id)).toBe(7);
  });

  test("an adult character that turns public after the season's end has no readers", async () => {
    const one = await createSeason();
    const id = await addEntry(one, { nsfwAllowed: true });
    await createReaders(id, 9, one.beginsAt + 1);
    await setCharacter(id, 'nsfw_allowed = 0');
    await runStandingsAt(one, HOUR_MS + 1);
    expect(await countPeople(one, id)).toBe(0);
    await runStandingsAt(one, 3 * HOUR_MS);
    expect((await readStandings(one)).winners).toEqual([]);
  });
});

describe('Characters with explicit texts', () => {
  const EXPLICIT = 'She has an orgasm.';

  test.each([
    ['name', `name = 'Blowjob'`],
    ['tagline', `oneliner = '${EXPLICIT}'`],
    ['traits', `character_traits = '${EXPLICIT}'`],
    ['first message', `first_message = '${EXPLICIT}'`],
    ['suggested replies', `suggested_replies = '["${EXPLICIT}"]'`],
    ['summary', `summary = '${EXPLICIT}'`],
  ])(
    'an explicit %s excludes a character, and after its correction the count starts over',
    async (_, what) => {
      const one = await createOpenSeason();
      const [id, other] = [await addEntry(one), await addEntry(one)];
      await createReaders(id, 9, Date.now() - 1000);
      const before = await env.DB.prepare('select * from characters where id = ?').bind(id).first();
      await setCharacter(id, what);
      await runStandingsAt(one, 1);
      expect((await listPlaces(one)).map((place) => place.id)).toEqual([other]);
      const [column = ''] = what.split(' ');
      await runSql(`update characters set ${column} = ? where id = ?`, before?.[column], id);
      await runStandingsAt(one, 2);
      expect(await countPeople(one, id)).toBe(0);
      await createReaders(id, 2, one.beginsAt + 3);
      await runStandingsAt(one, 4);
      expect(await countPeople(one, id)).toBe(2);
    },
  );

  test('an explicit alternate greeting or part of the definition excludes a character', async () => {
    const one = await createOpenSeason();
    const ids = [await addEntry(one), await addEntry(one), await addEntry(one)] as const;
    const addExtras = (id: string, greetings: string[], text: string | null) =>
      runSql(
        'insert into character_extras (character_id, alternate_greetings, definition) values (?, ?, ?)',
        ...[
          id,
          JSON.stringify(greetings),
          text === null ? null : JSON.stringify({ scenario: { text, shared: false } }),
        ],
      );
    await runStandingsAt(one, 1);
    expect(await listPlaces(one)).toHaveLength(3);
    await addExtras(ids[0], ['Hello', EXPLICIT], null);
    await addExtras(ids[1], [], EXPLICIT);
    await addExtras(ids[2], ['Hello'], 'A kiss under the stars.');
    await runStandingsAt(one, 2);
    expect((await listPlaces(one)).map((place) => place.id)).toEqual([ids[2]]);
  });

  test('an explicit text excludes an entry at once with the reason, and its correction admits it again', async () => {
    const me = await createAccount();
    const configuredSeason = getConfiguredSeason(RUNTIME_CONFIG_DEFAULTS);
    const one = await createOpenSeason();
    const [id, configuredEntry] = [
      await addEntry(one, { creatorId: me.id }),
      await addCharacter({ creatorId: me.id, createdAt: configuredSeason.beginsAt + 60_000, name: 'Mine' }),
    ];
    await runStandingsAt(one, 1);
    const writeGreeting = (characterId: string, first_message: string) =>
      me.ask(`/api/characters/${characterId}`, { method: 'PATCH', json: { first_message } });
    for (const characterId of [id, configuredEntry]) await writeGreeting(characterId, EXPLICIT);
    expect(await listPlaces(one)).toEqual([]);
    const listOwnEntries = async () => (await me.ask<OwnEntries>('/api/competition/entries')).items;
    expect(await listOwnEntries()).toMatchObject([
      { character_id: configuredEntry, state: 'explicit', explicit_words: ['orgasm'], rank: null },
    ]);
    expect((await me.call(`/api/competition/entries/${id}`, { method: 'POST' })).status).toBe(204);
    expect(await listPlaces(one)).toEqual([]);
    for (const characterId of [id, configuredEntry])
      await writeGreeting(characterId, 'They kiss under the stars.');
    expect((await listPlaces(one)).map((place) => place.id)).toEqual([id]);
    expect(await listOwnEntries()).toMatchObject([
      { character_id: configuredEntry, state: 'entered', explicit_words: [] },
    ]);
  });

  test('explicit entries from before the check are all found before the winners are decided', async () => {
    const one = await createSeason();
    const [maker] = (await createPeople(1)) as [string];
    const count = COMPETITION.checksBatchSize * COMPETITION.maxChecksPerRun + 3;
    await runSql(
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
    const standings = await readStandings(one);
    expect(standings.season.status).toBe('decided');
    expect(standings.winners).toEqual([]);
  });
});
