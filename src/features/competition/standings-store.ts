import { and, asc, desc, eq, exists, gt, gte, isNull, lt, or, sql } from 'drizzle-orm';
import { buildCursorCondition, buildPage, decodeCursor } from '../../db/cursor.ts';
import {
  competitionEntries,
  competitionPrizes,
  competitionStandings,
  competitionWithdrawals,
  seasons,
} from '../../db/schema/competition.ts';
import type { Database } from '../../db/open.ts';
import { purgePagesStatement } from '../page-cache/page-purge-statements.ts';
import { characters, users } from '../../db/schema/core.ts';
import { getCharacterTag } from '../page-cache/page-tags.ts';
import { getPortraitUrl } from '../character/portrait.ts';
import { selectIsStaff } from '../character/staff-statements.ts';
import { sanitizeText } from '../../lib/sanitize-text.ts';
import { getEntryState, type Prize } from './competition.ts';
import type { OwnEntry, StandingView, WinnerView } from './contract.ts';
import { listExplicitWords } from './explicit-store.ts';
import { type RequestedSeason, listCharacterOpenSeasons, isParticipating } from './season-store.ts';

/** The standings that users see, and what creators do with their own entries. */

interface Page {
  cursor?: string | undefined;
  limit: number;
}

/** Returns a page of the standings: characters that take part now, in the order of the last ranking. */
export async function listStandings(
  db: Database,
  season: RequestedSeason,
  page: Page & { staffEmails?: readonly string[] },
): Promise<{ items: StandingView[]; next_cursor: string | null }> {
  if (season.id === null) return { items: [], next_cursor: null };
  const after = decodeCursor(page.cursor);
  const { rank, characterId } = competitionStandings;
  const rows = await db
    .select({
      standing: competitionStandings,
      name: characters.name,
      oneliner: characters.oneliner,
      avatarKey: characters.avatarKey,
      creatorId: users.id,
      username: users.username,
      nickname: users.nickname,
      isStaff: selectIsStaff(page.staffEmails ?? []),
    })
    .from(competitionStandings)
    .crossJoin(characters)
    .crossJoin(users)
    .where(
      and(
        eq(competitionStandings.seasonId, season.id),
        after === null ? undefined : sql`(${rank}, ${characterId}) > (${after.value}, ${after.id})`,
        eq(characters.id, characterId),
        eq(users.id, characters.creatorId),
        isParticipating(season),
      ),
    )
    .orderBy(asc(rank), asc(characterId))
    .limit(page.limit + 1);
  return buildPage(rows, page.limit, {
    place: ({ standing }) => ({ value: standing.rank, id: standing.characterId }),
    item: ({ standing, ...row }) => ({
      rank: standing.rank,
      character_id: standing.characterId,
      name: sanitizeText(row.name),
      oneliner: row.oneliner,
      avatar_url: getPortraitUrl(row.avatarKey),
      creator_id: row.creatorId,
      creator_name: sanitizeText(row.nickname ?? row.username),
      ...(row.isStaff === true ? { creator_is_staff: true as const } : {}),
      people: standing.people,
      popularity: standing.popularity,
      creativity: standing.creativity,
      score: standing.score,
      prizes: (standing.prize?.split(' ') ?? []) as Prize[],
    }),
  });
}

/**
 * Returns the winners; null until the season is decided. For a deleted user only the prize remains, and a character is
 * named, by its current name, only while everyone may see it.
 */
export async function listWinners(
  db: Database,
  season: RequestedSeason,
  staffEmails: readonly string[] = [],
): Promise<WinnerView[] | null> {
  if (season.id === null || season.status !== 'decided') return null;
  const rows = await db
    .select({
      prize: competitionPrizes.prize,
      place: competitionPrizes.place,
      // Uses the index of a creator's characters, of which few are from one season.
      characterName: sql<
        string | null
      >`(select ${characters.name} from ${characters} cross join ${competitionStandings}
        where ${characters.creatorId} = ${competitionPrizes.userId} and ${isParticipating(season)}
          and ${competitionStandings.seasonId} = ${season.id} and ${competitionStandings.characterId} = ${characters.id}
          and instr(' ' || ${competitionStandings.prize} || ' ', ' ' || ${competitionPrizes.prize} || ' ') > 0
        limit 1)`.as('character_name_now'),
      creatorId: users.id,
      username: users.username,
      nickname: users.nickname,
      isStaff: selectIsStaff(staffEmails),
    })
    .from(competitionPrizes)
    // Suspended users are not named.
    .leftJoin(users, and(eq(users.id, competitionPrizes.userId), isNull(users.suspendedAt)))
    .where(eq(competitionPrizes.seasonId, season.id))
    .orderBy(asc(competitionPrizes.prize), asc(competitionPrizes.place));
  return rows.map(({ prize, place, characterName, creatorId, username, nickname, isStaff }) => ({
    prize: prize as Prize,
    place,
    character_name: sanitizeText(characterName ?? ''),
    creator_id: creatorId,
    creator_name: username === null ? null : sanitizeText(nickname ?? username),
    ...(isStaff === true ? { creator_is_staff: true as const } : {}),
  }));
}

/** Returns the user's characters of a season, newest first, and why each of them does not take part. */
export async function listOwnEntries(
  db: Database,
  { creatorId, season, cursor, limit }: Page & { creatorId: string; season: RequestedSeason },
): Promise<{ items: OwnEntry[]; next_cursor: string | null }> {
  const seasonId = season.id ?? '';
  const rows = await db
    .select({
      id: characters.id,
      createdAt: characters.createdAt,
      name: characters.name,
      avatarKey: characters.avatarKey,
      visibility: characters.visibility,
      nsfwAllowed: characters.nsfwAllowed,
      moderation: characters.moderation,
      withdrawnAt: competitionWithdrawals.createdAt,
      suspendedAt: users.suspendedAt,
      isExplicit: competitionEntries.isExplicit,
      rank: competitionStandings.rank,
      people: competitionStandings.people,
      score: competitionStandings.score,
    })
    .from(characters)
    .innerJoin(users, eq(users.id, characters.creatorId))
    .innerJoin(competitionEntries, eq(competitionEntries.characterId, characters.id))
    .leftJoin(
      competitionWithdrawals,
      and(
        eq(competitionWithdrawals.seasonId, seasonId),
        eq(competitionWithdrawals.characterId, characters.id),
      ),
    )
    .leftJoin(
      competitionStandings,
      and(eq(competitionStandings.seasonId, seasonId), eq(competitionStandings.characterId, characters.id)),
    )
    .where(
      and(
        eq(characters.creatorId, creatorId),
        gte(characters.createdAt, season.beginsAt),
        lt(characters.createdAt, season.endsAt),
        isNull(characters.deletedAt),
        buildCursorCondition(decodeCursor(cursor), characters.createdAt, characters.id),
      ),
    )
    .orderBy(desc(characters.createdAt), desc(characters.id))
    .limit(limit + 1);
  const words = await listExplicitWords(
    db,
    rows.filter(({ isExplicit }) => isExplicit).map(({ id }) => id),
  );
  return buildPage(rows, limit, {
    place: ({ createdAt, id }) => ({ value: createdAt, id }),
    item: (row) => {
      const state = getEntryState({
        ...row,
        isWithdrawn: row.withdrawnAt !== null,
        isSuspended: row.suspendedAt !== null,
      });
      const isEntered = state === 'entered';
      return {
        character_id: row.id,
        name: sanitizeText(row.name),
        avatar_url: getPortraitUrl(row.avatarKey),
        state,
        explicit_words: state === 'explicit' ? (words.get(row.id) ?? []) : [],
        rank: isEntered ? row.rank : null,
        people: isEntered ? row.people : null,
        score: isEntered ? row.score : null,
      };
    },
  });
}

/**
 * Withdraws a character from the undecided seasons, or returns it to the running ones, where it starts from zero: a
 * character that is withdrawn when a season ends stays out.
 * @returns false when the user has no such character, or no season is open to it
 */
export async function setEntryWithdrawn(
  db: Database,
  input: { characterId: string; creatorId: string; isOut: boolean; now: number },
): Promise<boolean> {
  const { characterId, creatorId, isOut, now } = input;
  const own = and(eq(characters.creatorId, creatorId), isNull(characters.deletedAt));
  const open = await listCharacterOpenSeasons(
    db,
    characterId,
    isOut ? own : and(own, gt(seasons.endsAt, now)),
  );
  if (open.length === 0) return false;
  const rows = open.map(({ id }) => ({ seasonId: id, characterId, createdAt: now }));
  const left = and(
    eq(competitionWithdrawals.characterId, characterId),
    or(...open.map(({ id }) => eq(competitionWithdrawals.seasonId, id))),
  );
  const startsAgain = and(
    eq(competitionEntries.characterId, characterId),
    exists(
      db
        .select({ one: sql`1` })
        .from(competitionWithdrawals)
        .where(left),
    ),
  );
  await db.batch([
    ...(isOut
      ? ([db.insert(competitionWithdrawals).values(rows).onConflictDoNothing()] as const)
      : ([
          db.update(competitionEntries).set({ eligibleFrom: now }).where(startsAgain),
          db.delete(competitionWithdrawals).where(left),
        ] as const)),
    // The pages that show it, and the standings, where it may appear.
    purgePagesStatement(db, ['competition', getCharacterTag(characterId)], now),
  ]);
  return true;
}
