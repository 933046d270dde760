import { sql } from 'drizzle-orm';
import { COMPETITION } from './limits.ts';
import { decodeCursor, encodeCursor } from '../../db/cursor.ts';
import type { Database } from '../../db/open.ts';
import { characters, users } from '../../db/schema/core.ts';
import { getWiderFingerprint } from '../account/network-fingerprint.ts';
import { countPeopleInWiderNetworks } from './competition.ts';
import { buildPersonKey } from '../account/person-statements.ts';
import { type Season, isParticipating } from './season-store.ts';

/** Progress of a counting round; stored in KV, because losing it only means that the round starts over. */
export interface CountingRound {
  /** The time as of which everyone is counted once the round is over. */
  startedAt: number;
  /** The last entry that was counted; null before the first. */
  cursor: string | null;
}

const getRoundKey = (seasonId: string): string => `competition:round:${seasonId}`;

/** Returns the current round, or a new one. */
async function readRound(kv: KVNamespace, seasonId: string, now: number): Promise<CountingRound> {
  const kept = await kv.get<Partial<CountingRound>>(getRoundKey(seasonId), 'json').catch(() => null);
  const isRound =
    typeof kept?.startedAt === 'number' &&
    kept.startedAt <= now &&
    decodeCursor(kept.cursor ?? undefined) !== null;
  return isRound ? (kept as CountingRound) : { startedAt: now, cursor: null };
}

export interface CountableEntry {
  id: string;
  createdAt: number;
  /** Chats that count, from which the number of conversations is estimated. */
  chats: number;
}

/** Returns as many entries as one statement can count: few if each has many conversations. */
function selectBatch(seen: readonly CountableEntry[]): readonly CountableEntry[] {
  const some = seen.slice(0, COMPETITION.entriesBatchSize);
  let conversations = 0;
  const end = some.findIndex(({ chats }) => (conversations += chats) > COMPETITION.conversationsBatchSize);
  return end === -1 ? some : some.slice(0, Math.max(1, end));
}

/** Returns the next entries after a position, as many as one statement can count. */
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
 * Counts the people of characters: people with an account, none of whose accounts is suspended or the creator's, with
 * enough answered messages with the character, up to the limits per network. A person from several networks counts in
 * one of them. Conversations started before the character took part, or after the season, do not count.
 */
export async function countEntryPeople(
  db: Database,
  { endsAt }: Pick<Season, 'endsAt'>,
  characterIds: readonly string[],
): Promise<Map<string, number>> {
  const rows = await db.all<{ id: string; network: string | null; people: number }>(
    // The index of a character's conversations is sorted by person; the cross joins fix the join order so that it is
    // used.
    sql`select id, network, count(*) as people from (
          select c.character_id as id, min(c.network) as network
          from json_each(${JSON.stringify(characterIds)}) as wanted cross join characters made
            cross join competition_entries entry cross join users maker cross join conversations c cross join users u
          where made.id = wanted.value and entry.character_id = made.id and maker.id = made.creator_id
            and c.character_id = made.id and c.created_at >= entry.eligible_from and c.created_at < ${endsAt} and u.id = c.owner_id
            and u.is_anonymous = 0 and u.is_system = 0 and ${buildPersonKey('u')} <> ${buildPersonKey('maker')}
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

/** A range of positions in counting order: `after` is exclusive, `to` inclusive; null is an open end. */
export interface EntryRange {
  after: string | null;
  to: string | null;
}

/** Whether an entry is in a range. */
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

/** The result of a run, to be stored together with `save`. */
export interface CountResult {
  people: Map<string, number>;
  /** The range that was counted: an entry in it without a count did not take part then. */
  range: EntryRange;
  startedAt: number;
  /** The time as of which everyone is counted; null until the round is over. */
  doneAt: number | null;
  /** Stores where the next run continues. */
  save(): Promise<void>;
}

/** Counts the people of the next entries; the next run continues after them. */
export async function countNextPeople(
  db: Database,
  kv: KVNamespace,
  { season, now }: { season: Season; now: number },
): Promise<CountResult> {
  const round = await readRound(kv, season.id, now);
  const { startedAt, cursor: after } = round;
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
    startedAt,
    doneAt: isOver ? startedAt : null,
    save: () => (isOver ? kv.delete(key) : kv.put(key, JSON.stringify(round))),
  };
}

/** Counts the people of entries that came after the final count, as many as one run can. */
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
