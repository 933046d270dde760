import { sql } from 'drizzle-orm';
import { COMPETITION } from './limits.ts';
import { decodeCursor, encodeCursor } from '../../db/cursor.ts';
import type { Database } from '../../db/open.ts';
import { characters, users } from '../../db/schema/core.ts';
import { getWiderFingerprint } from '../account/network-fingerprint.ts';
import { countPeopleInWiderNetworks } from './competition.ts';
import { buildPersonKey } from './person-store.ts';
import { type Season, isParticipating } from './season-store.ts';

/** Where a round of counting is; kept in KV, because losing it costs no more than beginning the round anew. */
export interface CountingRound {
  /** As of when everybody is counted once the round is over. */
  begunAt: number;
  /** The last entry that was looked at; null before the first. */
  cursor: string | null;
}

const getRoundKey = (seasonId: string): string => `competition:round:${seasonId}`;

/** The round that is under way, or a new one. */
async function readRound(kv: KVNamespace, seasonId: string, now: number): Promise<CountingRound> {
  const kept = await kv.get<Partial<CountingRound>>(getRoundKey(seasonId), 'json').catch(() => null);
  const isRound =
    typeof kept?.begunAt === 'number' &&
    kept.begunAt <= now &&
    decodeCursor(kept.cursor ?? undefined) !== null;
  return isRound ? (kept as CountingRound) : { begunAt: now, cursor: null };
}

export interface CountableEntry {
  id: string;
  createdAt: number;
  /** About how many conversations it has. */
  chats: number;
}

/** As many of them as one statement counts: few where each has many conversations. */
function selectBatch(seen: readonly CountableEntry[]): readonly CountableEntry[] {
  const some = seen.slice(0, COMPETITION.entriesBatchSize);
  let conversations = 0;
  const end = some.findIndex(({ chats }) => (conversations += chats) > COMPETITION.conversationsBatchSize);
  return end === -1 ? some : some.slice(0, Math.max(1, end));
}

/** The next entries after a place, as many as one statement counts. */
async function listNextEntries(
  db: Database,
  season: Season,
  cursor: string | null,
): Promise<readonly CountableEntry[]> {
  const after = decodeCursor(cursor ?? undefined) ?? { value: 0, id: '' };
  const seen = await db.all<CountableEntry>(
    sql`select l.character_id as id, l.created_at as createdAt, ${characters.chatCount} as chats
        from character_listings l cross join ${characters} cross join ${users}
        where l.tag = '' and l.nsfw = 0 and l.created_at >= ${season.beginsAt} and l.created_at < ${season.endsAt}
          and (l.created_at, l.character_id) > (${after.value}, ${after.id})
          and ${characters.id} = l.character_id and ${users.id} = ${characters.creatorId} and ${isParticipating(season)}
        order by l.created_at, l.character_id limit ${COMPETITION.entriesBatchSize}`,
  );
  return selectBatch(seen);
}

/**
 * How many people count for each of some characters: with an account, none of theirs shut and none the maker's, with enough
 * answered messages with it, and of one network no more than a household. Whoever came from several networks is counted in
 * one of them. What was begun before it took part, or is begun when the season is over, counts nothing.
 */
export async function countEntryPeople(
  db: Database,
  { endsAt }: Pick<Season, 'endsAt'>,
  characterIds: readonly string[],
): Promise<Map<string, number>> {
  const rows = await db.all<{ id: string; network: string | null; people: number }>(
    // The index of a character's conversations has them by person; crossed in this order, it is gone along.
    sql`select id, network, count(*) as people from (
          select c.character_id as id, min(c.network) as network
          from json_each(${JSON.stringify(characterIds)}) as wanted cross join characters made
            cross join competition_entries entry cross join users maker cross join conversations c cross join users u
          where made.id = wanted.value and entry.character_id = made.id and maker.id = made.creator_id
            and c.character_id = made.id and c.created_at >= entry.since and c.created_at < ${endsAt} and u.id = c.owner_id
            and u.is_anonymous = 0 and u.is_house = 0 and ${buildPersonKey('u')} <> ${buildPersonKey('maker')}
          group by c.character_id, ${buildPersonKey('u')}
          having sum(c.turns) >= ${COMPETITION.minMessages} and max(u.suspended_at) is null
        ) group by id, network`,
  );
  const widers = new Map(characterIds.map((id) => [id, new Map<string | null, number[]>()]));
  for (const { id, network, people } of rows) {
    const ofOne = widers.get(id);
    const wider = network === null ? null : getWiderFingerprint(network);
    ofOne?.set(wider, [...(ofOne.get(wider) ?? []), people]);
  }
  return new Map(
    [...widers].map(([id, networks]) => [id, countPeopleInWiderNetworks([...networks.values()])]),
  );
}

/** Places in the order in which entries are counted: behind the one, as far as the other; null where there is no end. */
export interface EntryRange {
  after: string | null;
  to: string | null;
}

/** Whether an entry lies in a stretch. */
export function isInRange(
  { after, to }: EntryRange,
  { createdAt, id }: Pick<CountableEntry, 'createdAt' | 'id'>,
): boolean {
  const isBehind = (place: string | null): boolean | null => {
    const at = decodeCursor(place ?? undefined);
    return at === null ? null : createdAt > at.value || (createdAt === at.value && id > at.id);
  };
  return isBehind(after) !== false && isBehind(to) !== true;
}

/** What a run counted, and what is to be written down once that is kept. */
export interface CountResult {
  people: Map<string, number>;
  /** Where it looked: who is in there and was not counted took no part then. */
  range: EntryRange;
  begunAt: number;
  /** As of when everybody is counted; null while the round goes on. */
  doneAt: number | null;
  /** Notes where the next run goes on. */
  save(): Promise<void>;
}

/** Counts the people of some entries, and goes on with the next ones the next time. */
export async function countNextPeople(
  db: Database,
  kv: KVNamespace,
  { season, now }: { season: Season; now: number },
): Promise<CountResult> {
  const round = await readRound(kv, season.id, now);
  const { begunAt, cursor: after } = round;
  const people = new Map<string, number>();
  let isOver = false;
  for (let count = 0; count < COMPETITION.maxRoundsPerRun && !isOver; count += 1) {
    const entries = await listNextEntries(db, season, round.cursor);
    const last = entries.at(-1);
    if (last === undefined) isOver = true;
    else {
      for (const [id, counted] of await countEntryPeople(
        db,
        season,
        entries.map(({ id }) => id),
      ))
        people.set(id, counted);
      round.cursor = encodeCursor({ value: last.createdAt, id: last.id });
    }
  }
  const key = getRoundKey(season.id);
  return {
    people,
    range: { after, to: isOver ? null : round.cursor },
    begunAt,
    doneAt: isOver ? begunAt : null,
    save: () => (isOver ? kv.delete(key) : kv.put(key, JSON.stringify(round))),
  };
}

/** Counts the people of some who came when everybody else was counted, as many as a run may. */
export async function countLatePeople(
  db: Database,
  season: Season,
  late: readonly CountableEntry[],
): Promise<Map<string, number>> {
  const people = new Map<string, number>();
  let left = late;
  for (let count = 0; count < COMPETITION.maxRoundsPerRun && left.length > 0; count += 1) {
    const some = selectBatch(left);
    const ids = some.map(({ id }) => id);
    for (const [id, counted] of await countEntryPeople(db, season, ids)) people.set(id, counted);
    left = left.slice(some.length);
  }
  return people;
}
