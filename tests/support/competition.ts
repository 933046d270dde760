import { env } from 'cloudflare:workers';
import { openDatabase } from '../../src/db/open.ts';
import type { Competition, StandingView } from '../../src/features/competition/contract.ts';
import type { Season } from '../../src/features/competition/season-store.ts';
import { updateStandings } from '../../src/features/competition/standings-update-store.ts';
import { createId } from '../../src/lib/ids.ts';
import { ConfiguredVisitor } from './configured-visitor.ts';
import { addCharacter, createAccount, Visitor } from './factories.ts';

/** Seasons with users who conversed, in periods without other tests' characters. */

const db = openDatabase(env.DB);
export const HOUR_MS = 3_600_000;

/** Seasons last an hour and do not overlap; they lie in a past period of thirty years. */
const FIRST_SEASON_AT = Date.UTC(1975, 0, 1);
const SEASON_HOURS = 30 * 365 * 24;
/** Upcoming seasons, in the far future. */
const FIRST_UPCOMING_AT = Date.UTC(2075, 0, 1);
let lastNumber = 100 + Math.floor(Math.random() * 8000);

/** Creates a season by number; the caller sets the time. */
export async function createSeason({ isToCome = false } = {}): Promise<Season> {
  const beginsAt =
    (isToCome ? FIRST_UPCOMING_AT : FIRST_SEASON_AT) + Math.floor(Math.random() * SEASON_HOURS) * HOUR_MS;
  lastNumber += 1;
  const season: Season = {
    id: createId(Date.now()),
    number: lastNumber,
    beginsAt,
    endsAt: beginsAt + HOUR_MS,
    winnersAt: beginsAt + 2 * HOUR_MS,
    status: 'open',
    standingsAt: null,
  };
  await env.DB.prepare(
    'insert into seasons (id, number, begins_at, ends_at, winners_at) values (?, ?, ?, ?, ?)',
  )
    .bind(season.id, season.number, season.beginsAt, season.endsAt, season.winnersAt)
    .run();
  return season;
}

export const readSeason = async (id: string): Promise<Season> =>
  (await env.DB.prepare(
    `select id, number, begins_at as beginsAt, ends_at as endsAt, winners_at as winnersAt, status,
       standings_at as standingsAt from seasons where id = ?`,
  )
    .bind(id)
    .first<Season>()) as Season;

/** Runs cron for this season only, at a time after its start. */
export async function runStandingsAt(
  season: Season,
  at: number,
  adminEmails: readonly string[] = [],
): Promise<boolean> {
  const row = await readSeason(season.id);
  return updateStandings(db, env.KV, { season: row, now: season.beginsAt + at, adminEmails });
}

/** Adds an entry a moment after the previous one. */
export const addEntry = (
  season: Season,
  fields: Parameters<typeof addCharacter>[0] & { minute?: number } = {},
): Promise<string> => {
  const { minute = 1, ...rest } = fields;
  return addCharacter({ createdAt: season.beginsAt + minute * 60_000, ...rest });
};

export interface Person {
  id: string;
  guest?: boolean;
  suspended?: boolean;
}

/** Creates many accounts or guests without a session. @param kind.addresses of the accounts; guests have none */
export async function createPeople(
  count: number,
  kind: Omit<Person, 'id'> & { addresses?: (index: number) => string } = {},
): Promise<string[]> {
  const ids = Array.from({ length: count }, (_, index) => `${createId(Date.now())}${index.toString(36)}`);
  await env.DB.prepare(
    `insert into users (id, username, is_anonymous, suspended_at, created_at, updated_at, email)
     select value, 'reader-' || value, ?1, ?2, 1, 1, json_extract(?4, '$[' || key || ']') from json_each(?3)`,
  )
    .bind(
      kind.guest === true ? 1 : 0,
      kind.suspended === true ? 1 : null,
      JSON.stringify(ids),
      JSON.stringify(ids.map((_, index) => kind.addresses?.(index) ?? null)),
    )
    .run();
  return ids;
}

export interface ConversationRow {
  owner: string;
  character: string;
  turns: number;
  network: string | null;
  /** When the conversation began; long ago by default. */
  at?: number;
}

/** Inserts rows of conversations in one batch. */
export async function insertConversations(rows: readonly ConversationRow[]): Promise<void> {
  const told = rows.map((row, index) => ({ ...row, id: `${createId(Date.now())}${index.toString(36)}` }));
  for (let from = 0; from < told.length; from += 5000)
    await env.DB.prepare(
      `insert into conversations (id, owner_id, character_id, created_at, turns, network)
       select value ->> 'id', value ->> 'owner', value ->> 'character', coalesce(value ->> 'at', 1),
         value ->> 'turns', value ->> 'network' from json_each(?)`,
    )
      .bind(JSON.stringify(told.slice(from, from + 5000)))
      .run();
}

/** Creates readers on separate networks who conversed with a character. */
export async function createReaders(characterId: string, count: number, at?: number): Promise<string[]> {
  const ids = await createPeople(count);
  await insertConversations(
    ids.map((owner) => ({
      ...{ owner, character: characterId, turns: 5, network: `home-${owner}` },
      ...(at === undefined ? {} : { at }),
    })),
  );
  return ids;
}

export const readStandings = async (season: Pick<Season, 'number'>, query = ''): Promise<Competition> =>
  new Visitor().ask<Competition>(`/api/competition?season=${season.number}${query}`);

/** All pages of the standings. */
export async function listAllStandings(season: Pick<Season, 'number'>, limit = 100): Promise<StandingView[]> {
  const items: StandingView[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const page: Competition = await readStandings(season, `&limit=${limit}&cursor=${cursor}`);
    items.push(...page.items);
    cursor = page.next_cursor;
  }
  return items;
}

/** Ids with their counted readers and ranks. */
export const listPlaces = async (season: Pick<Season, 'number'>) =>
  (await listAllStandings(season)).map(({ character_id, rank, people: counted }) => ({
    id: character_id,
    rank,
    people: counted,
  }));

interface RawCharacter {
  id: string;
  creator_id: string;
  visibility: string;
  moderation: string;
  nsfw_allowed: number;
  deleted_at: number | null;
  created_at: number;
  maker_suspended: number | null;
  maker_house: number;
  eligible_from: number;
  is_explicit: number;
}

/** Computes the standings by the published formula, independently of the product, as the expected result. */
export async function computeStandings(season: Season) {
  const all = async <Row>(sql: string, ...values: unknown[]) =>
    (
      await env.DB.prepare(sql)
        .bind(...values)
        .all<Row>()
    ).results;
  const made = await all<RawCharacter>(
    `select c.*, u.suspended_at as maker_suspended, u.is_system as maker_house, e.eligible_from, e.is_explicit from characters c
     join users u on u.id = c.creator_id join competition_entries e on e.character_id = c.id where c.created_at between ? and ?`,
    season.beginsAt,
    season.endsAt - 1,
  );
  const out = await all<{ character_id: string }>(
    'select character_id from competition_withdrawals where season_id = ?',
    season.id,
  );
  const marks = await all<{ character_id: string; mark: number }>(
    'select character_id, score as mark from judge_scores where season_id = ?',
    season.id,
  );
  const entries = [];
  for (const one of made) {
    if (one.visibility !== 'public' || one.moderation !== 'shown' || one.nsfw_allowed !== 0) continue;
    if (one.is_explicit !== 0) continue;
    if (one.deleted_at !== null || one.maker_suspended !== null || one.maker_house !== 0) continue;
    if (out.some(({ character_id }) => character_id === one.id)) continue;
    const rows = await all<{ owner_id: string; turns: number; network: string | null }>(
      `select t.owner_id, t.turns, t.network from conversations t join users u on u.id = t.owner_id
       where t.character_id = ? and t.created_at >= ? and t.created_at < ? and u.is_anonymous = 0
         and u.suspended_at is null and u.is_system = 0`,
      one.id,
      one.eligible_from,
      season.endsAt,
    );
    const persons = new Map<string, { turns: number; networks: string[] }>();
    for (const { owner_id, turns, network } of rows) {
      if (owner_id === one.creator_id) continue;
      const person = persons.get(owner_id) ?? { turns: 0, networks: [] };
      person.turns += turns;
      if (network !== null) person.networks.push(network);
      persons.set(owner_id, person);
    }
    const households: Record<string, number> = {};
    for (const { turns, networks } of persons.values()) {
      if (turns < 5) continue;
      const home = networks.toSorted()[0] ?? 'nobody knows';
      households[home] = Math.min(3, (households[home] ?? 0) + 1);
    }
    const own = marks.filter(({ character_id }) => character_id === one.id).map(({ mark }) => mark);
    entries.push({
      id: one.id,
      made: one.created_at,
      people: Object.values(households).reduce((sum, count) => sum + count, 0),
      creativity: own.length === 0 ? 0 : own.reduce((sum, mark) => sum + mark, 0) / own.length,
    });
  }
  const scored = entries.map((one) => {
    // Ten points for each doubling of readers plus one, at most ten times.
    const popularity = Math.min(100, (10 * Math.log(1 + one.people)) / Math.log(2));
    return { ...one, popularity, score: 0.8 * popularity + 0.2 * one.creativity };
  });
  const near = (a: number, b: number) => Math.abs(a - b) < 0.001;
  // The rank is one more than the number of better entries.
  const isBefore = (a: (typeof scored)[number], b: (typeof scored)[number]): boolean =>
    !near(a.score, b.score)
      ? a.score > b.score
      : !near(a.creativity, b.creativity)
        ? a.creativity > b.creativity
        : a.people === b.people
          ? a.made > b.made
          : a.people > b.people;
  return scored.map((one) => ({
    ...one,
    rank: 1 + scored.filter((other) => isBefore(other, one)).length,
  }));
}

/** Creates a staff user. */
export async function createJudge(): Promise<Visitor> {
  const me = await createAccount();
  return new ConfiguredVisitor({ ADMIN_EMAILS: me.email }, me);
}
export const scoreEntry = (who: Visitor, id: string, mark: number) =>
  who.call(`/api/admin/competition/${id}/creativity`, { method: 'PUT', json: { mark } });
