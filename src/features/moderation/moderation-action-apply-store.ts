import { and, eq, inArray, isNull, type SQL, sql } from 'drizzle-orm';
import { clearedName } from '../safety/cleared-name-statements.ts';
import { keptToDrop } from '../safety/retained-suspension-statements.ts';
import type { Database } from '../../db/open.ts';
import { pagesNamingToMark, pagesOfToMark } from '../page-cache/page-purge-statements.ts';
import { removedByStaff, TAKEN_STEP } from '../safety/removed-picture-statements.ts';
import { caseSteps, measures } from '../../db/schema/safety.ts';
import { characters, pictures, users } from '../../db/schema/core.ts';
import {
  hiddenBySuspension,
  hiddenToNote,
  noneHolds,
  shownLaterToNote,
} from '../safety/suspended-character-statements.ts';
import { newId } from '../../lib/ids.ts';
import { NO_PICTURE } from '../character/portrait.ts';
import type { Measure, MeasureKind } from './moderation-action-contract.ts';
import { appealsToGrant, appealsToMove, type Ending, endsToNote } from './moderation-action-revoke-store.ts';
import { findMeasure, holding } from './moderation-action-store.ts';

/*
 * What staff does against a character or an account, and how it is taken back. A measure and what it does are one batch.
 * Lists, pages, cards, pictures and stories ask for a character's moderation with everything that they show: whatever
 * takes something out of them sets it. What a measure took away is noted as a step of its own, to be given back.
 */

export interface NewMeasure {
  kind: MeasureKind;
  subjectId: string;
  /** Read by those concerned; empty where none was given. */
  reason: string;
  /** The report that it comes of. */
  reportId: string | null;
  adminId: string;
  now: number;
}

/** `forbidden`: the house's or staff's own; `nothing_to_take`: there is nothing of that kind left. */
export type MeasureTaken =
  | { ok: true; measure: Measure }
  | { ok: false; code: 'not_found' | 'forbidden' | 'nothing_to_take' };

type Writes = Parameters<Database['batch']>[0];
type Character = typeof characters.$inferSelect;
type Account = typeof users.$inferSelect;

/** Of each of these a subject has one that holds: a new one takes its place. */
const GROUPS: readonly (readonly MeasureKind[])[] = [
  ['character_hidden', 'character_removed'],
  ['account_suspended'],
];

/**
 * Takes a measure against a character, or an account where there is no such character.
 * @param input.staffEmails of those against whose accounts nothing is done
 */
export async function takeMeasure(
  db: Database,
  { staffEmails, ...input }: NewMeasure & { staffEmails: readonly string[] },
): Promise<MeasureTaken> {
  const { kind, subjectId } = input;
  const character =
    kind === 'account_suspended'
      ? undefined
      : await db
          .select({ character: characters, ofHouse: users.isHouse })
          .from(characters)
          .innerJoin(users, eq(users.id, characters.creatorId))
          .where(eq(characters.id, subjectId))
          .get();
  if (character !== undefined) return againstCharacter(db, character, input);
  if (kind === 'character_hidden' || kind === 'character_removed') return { ok: false, code: 'not_found' };
  const account = await db.select().from(users).where(eq(users.id, subjectId)).get();
  if (account === undefined) return { ok: false, code: 'not_found' };
  if (account.isHouse || (account.email !== null && staffEmails.includes(account.email)))
    return { ok: false, code: 'forbidden' };
  return againstAccount(db, account, input);
}

async function againstCharacter(
  db: Database,
  { character, ofHouse }: { character: Character; ofHouse: boolean },
  input: NewMeasure,
): Promise<MeasureTaken> {
  const { id, name, avatarKey, creatorId } = character;
  const { now, kind } = input;
  const which = eq(characters.id, id);
  const about = { ownerId: creatorId, subjectName: name };
  switch (kind) {
    case 'picture_removed':
      // One of the house's without a picture is taken for a name that is left of somebody.
      if (ofHouse) return { ok: false, code: 'forbidden' };
      if (avatarKey === NO_PICTURE) return { ok: false, code: 'nothing_to_take' };
      return write(db, input, about, {
        taken: avatarKey,
        pages: () => [pagesOfToMark(db, which, now)],
        acts: [
          db
            .update(characters)
            .set({ avatarKey: NO_PICTURE })
            .where(and(which, eq(characters.avatarKey, avatarKey))),
        ],
      });
    case 'name_cleared': {
      const cleared = clearedName('character', id);
      if (name === cleared) return { ok: false, code: 'nothing_to_take' };
      return write(db, input, about, {
        taken: name,
        pages: () => [pagesOfToMark(db, which, now)],
        acts: [
          db
            .update(characters)
            .set({ name: cleared })
            .where(and(which, eq(characters.name, name))),
        ],
      });
    }
    default:
      return write(db, input, about, {
        taken: null,
        pages: () => [pagesOfToMark(db, which, now)],
        acts: [
          db
            .update(characters)
            .set({ moderation: kind === 'character_removed' ? 'removed' : 'hidden' })
            .where(which),
        ],
      });
  }
}

async function againstAccount(db: Database, account: Account, input: NewMeasure): Promise<MeasureTaken> {
  const { id, username, nickname, avatarKey } = account;
  const { now, kind } = input;
  const which = eq(users.id, id);
  const about = { ownerId: id, subjectName: nickname ?? username };
  const named = () => [pagesNamingToMark(db, id, now)];
  switch (kind) {
    case 'picture_removed':
      if (avatarKey === null) return { ok: false, code: 'nothing_to_take' };
      return write(db, input, about, {
        taken: avatarKey,
        pages: named,
        acts: [
          db
            .update(users)
            .set({ avatarKey: null })
            .where(and(which, eq(users.avatarKey, avatarKey))),
        ],
      });
    case 'name_cleared': {
      const cleared = clearedName('reader', id);
      if (username === cleared && nickname === null) return { ok: false, code: 'nothing_to_take' };
      return write(db, input, about, {
        taken: JSON.stringify({ username, nickname }),
        pages: named,
        acts: [db.update(users).set({ username: cleared, nickname: null }).where(which)],
      });
    }
    default: {
      const own = eq(characters.creatorId, id);
      return write(db, input, about, {
        taken: null,
        pages: () => [...named(), pagesOfToMark(db, own, now)],
        acts: [
          hiddenToNote(db, { stepId: newId(now), of: id, now }),
          db
            .update(users)
            .set({ suspendedAt: sql`coalesce(${users.suspendedAt}, ${now})` })
            .where(which),
          db
            .update(characters)
            .set({ moderation: 'hidden' })
            .where(and(own, eq(characters.moderation, 'shown'))),
        ],
      });
    }
  }
}

/** Measures of these kinds that ended in this moment. */
const endedNow = (subjectId: string, kinds: readonly MeasureKind[], now: number) =>
  and(eq(measures.subjectId, subjectId), inArray(measures.kind, [...kinds]), eq(measures.endedAt, now));

/** Writes a measure down with what it does. Pages are marked before and after: what leaves them, and what comes into them. */
async function write(
  db: Database,
  { kind, subjectId, reason, reportId, adminId, now }: NewMeasure,
  about: { ownerId: string; subjectName: string },
  { taken, pages, acts }: { taken: string | null; pages: () => unknown[]; acts: unknown[] },
): Promise<MeasureTaken> {
  const id = newId(now);
  const replaced = GROUPS.find((group) => group.includes(kind));
  const step = { adminId, createdAt: now };
  const writes = [
    ...(replaced === undefined
      ? []
      : [
          endsToNote(db, holding(subjectId, replaced), { adminId, now }),
          db.update(measures).set({ endedAt: now }).where(holding(subjectId, replaced)),
        ]),
    db.insert(measures).values({ id, kind, subjectId, reason, reportId, adminId, createdAt: now, ...about }),
    ...(replaced === undefined ? [] : [appealsToMove(db, endedNow(subjectId, replaced, now), id)]),
    ...(taken === null
      ? []
      : [
          db.insert(caseSteps).values({ ...step, id: newId(now), caseId: id, step: TAKEN_STEP, note: taken }),
        ]),
    ...(reportId === null
      ? []
      : [
          db
            .insert(caseSteps)
            .values({ ...step, id: newId(now), caseId: reportId, step: kind, note: reason }),
        ]),
    ...pages(),
    ...acts,
    ...pages(),
  ];
  await db.batch(writes as unknown as Writes);
  return { ok: true, measure: (await findMeasure(db, id)) as Measure };
}

/** Whether the maker of a character is suspended: then it stays hidden, whatever else is taken back. */
const makerSuspended = sql`exists (select 1 from ${users} as maker where maker.id = ${characters.creatorId} and maker.suspended_at is not null)`;

/** Nothing that holds against a character itself keeps it from being shown. */
const keptByNone = sql`not exists (select 1 from ${measures} as held where held.subject_id = ${characters.id}
  and held.kind in ('character_hidden', 'character_removed') and held.ended_at is null)`;

/**
 * Takes a measure back, and gives back what it took as far as nothing else stands there by now. What is open against it is
 * granted by that.
 * @param input.appealId what it is taken back for, which is decided by itself
 * @returns the measure; null when there is none. One that was taken back already stays as it is
 */
export async function endMeasure(
  db: Database,
  { id, adminId, now, appealId = null }: { id: string; appealId?: string | null } & Ending,
): Promise<Measure | null> {
  const measure = await db.select().from(measures).where(eq(measures.id, id)).get();
  if (measure === undefined) return null;
  if (measure.endedAt !== null) return findMeasure(db, id);
  const taken = await db
    .select({ note: caseSteps.note })
    .from(caseSteps)
    .where(and(eq(caseSteps.caseId, id), eq(caseSteps.step, TAKEN_STEP)))
    .get();
  const { pages, acts } = giveBack(db, measure, taken?.note ?? null, now);
  const holds = and(eq(measures.id, id), isNull(measures.endedAt));
  const writes = [
    endsToNote(db, holds, { adminId, now }),
    ...appealsToGrant(db, holds, { adminId, now }, appealId),
    db.update(measures).set({ endedAt: now }).where(holds),
    ...acts,
    ...pages,
  ];
  await db.batch(writes as unknown as Writes);
  return findMeasure(db, id);
}

/** What is written after a measure has ended. */
function giveBack(
  db: Database,
  { kind, subjectId, ownerId }: typeof measures.$inferSelect,
  taken: string | null,
  now: number,
): { pages: unknown[]; acts: readonly unknown[] } {
  const character = eq(characters.id, subjectId);
  const account = eq(users.id, subjectId);
  const pages = [pagesOfToMark(db, character, now), pagesNamingToMark(db, subjectId, now)];
  switch (kind) {
    case 'character_hidden':
    case 'character_removed':
      return { pages, acts: showAgain(db, subjectId, now) };
    case 'account_suspended': {
      const own = eq(characters.creatorId, subjectId);
      return {
        pages: [...pages, pagesOfToMark(db, own, now)],
        acts: [
          // A guest's suspension came along into an account: two may hold.
          db
            .update(users)
            .set({ suspendedAt: null })
            .where(and(account, noneHolds(subjectId))),
          show(db, and(own, eq(characters.moderation, 'hidden'), hiddenBySuspension(subjectId)) as SQL),
          keptToDrop(db, subjectId),
        ],
      };
    }
    case 'picture_removed': {
      // Where it was given up meanwhile, or another measure keeps it, there is nothing to give back.
      const there = sql`exists (select 1 from ${pictures} where ${pictures.key} = ${taken} and ${pictures.ownerId} = ${ownerId}
        and ${pictures.createdAt} > 0 and not ${removedByStaff})`;
      return {
        pages,
        acts: [
          db
            .update(characters)
            .set({ avatarKey: taken ?? NO_PICTURE })
            .where(and(character, eq(characters.avatarKey, NO_PICTURE), there)),
          db
            .update(users)
            .set({ avatarKey: taken })
            .where(and(account, isNull(users.avatarKey), there)),
        ],
      };
    }
    case 'name_cleared':
      return { pages, acts: taken === null ? [] : [namesBack(db, { subjectId, ownerId, taken })] };
  }
}

/** Shows a character again, unless something else keeps it hidden; where that is a suspension, its end shows it. */
function showAgain(db: Database, id: string, now: number) {
  return [
    shownLaterToNote(db, { stepId: newId(now), characterId: id, when: keptByNone, now }),
    show(db, eq(characters.id, id)),
  ] as const;
}

/** Shows characters that nothing keeps hidden. */
function show(db: Database, which: SQL) {
  return db
    .update(characters)
    .set({ moderation: sql`case when ${makerSuspended} then 'hidden' else 'shown' end` })
    .where(and(which, keptByNone));
}

/** Gives a name back that nobody changed since it was cleared. What concerns an account itself is its own. */
function namesBack(
  db: Database,
  { subjectId: id, ownerId, taken }: { subjectId: string; ownerId: string; taken: string },
) {
  if (id !== ownerId)
    return db
      .update(characters)
      .set({ name: taken })
      .where(and(eq(characters.id, id), eq(characters.name, clearedName('character', id))));
  return db
    .update(users)
    .set(JSON.parse(taken) as Names)
    .where(and(eq(users.id, id), eq(users.username, clearedName('reader', id)), isNull(users.nickname)));
}

interface Names {
  username: string;
  nickname: string | null;
}

/**
 * Takes back all that keeps a character from being shown. What is open against it is granted by that.
 * @returns whether there is such a character
 */
export async function showCharacter(
  db: Database,
  { id, adminId, now }: { id: string } & Ending,
): Promise<boolean> {
  const which = eq(characters.id, id);
  const holds = holding(id, ['character_hidden', 'character_removed']);
  const [found] = await db.batch([
    db.select({ id: characters.id }).from(characters).where(which),
    endsToNote(db, holds, { adminId, now }),
    ...appealsToGrant(db, holds, { adminId, now }),
    db.update(measures).set({ endedAt: now }).where(holds),
    ...showAgain(db, id, now),
    pagesOfToMark(db, which, now),
  ]);
  return found.length > 0;
}
