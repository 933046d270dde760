import { and, eq, inArray, isNull, type SQL, sql } from 'drizzle-orm';
import { buildClearedName } from '../safety/cleared-name-statements.ts';
import { buildDropRetainedSuspensionsStatement } from '../safety/retained-suspension-statements.ts';
import type { Database } from '../../db/open.ts';
import {
  purgeUserPagesStatement,
  purgeCharacterPagesStatement,
} from '../page-cache/page-purge-statements.ts';
import { isRemovedByStaff, REMOVED_CONTENT_STEP } from '../safety/removed-picture-statements.ts';
import { caseSteps, measures } from '../../db/schema/safety.ts';
import { characters, pictures, users } from '../../db/schema/core.ts';
import {
  buildHiddenBySuspensionCondition,
  buildHiddenCharactersStatement,
  buildNoSuspensionCondition,
  buildDeferredShowStatement,
} from '../safety/suspended-character-statements.ts';
import { createId } from '../../lib/ids.ts';
import { NO_PICTURE } from '../character/portrait.ts';
import type { ModerationAction, ModerationActionKind } from './moderation-action-contract.ts';
import {
  buildGrantAppealsStatements,
  buildMoveAppealsStatement,
  type Revocation,
  buildRevocationStepsStatement,
} from './moderation-action-revoke-store.ts';
import { findModerationAction, buildActiveActionCondition } from './moderation-action-store.ts';

/*
 * What staff does against a character or an account, and how it is taken back. A measure and what it does are one batch.
 * Lists, pages, cards, pictures and stories ask for a character's moderation with everything that they show: whatever
 * takes something out of them sets it. What a measure took away is noted as a step of its own, to be given back.
 */

export interface NewModerationAction {
  kind: ModerationActionKind;
  subjectId: string;
  /** Read by those concerned; empty where none was given. */
  reason: string;
  /** The report that it comes of. */
  reportId: string | null;
  adminId: string;
  now: number;
}

/** `forbidden`: the house's or staff's own; `nothing_to_take`: there is nothing of that kind left. */
export type ModerationActionResult =
  | { ok: true; measure: ModerationAction }
  | { ok: false; code: 'not_found' | 'forbidden' | 'nothing_to_take' };

type BatchStatements = Parameters<Database['batch']>[0];
type Character = typeof characters.$inferSelect;
type Account = typeof users.$inferSelect;

/** Of each of these a subject has one that holds: a new one takes its place. */
const EXCLUSIVE_KINDS: readonly (readonly ModerationActionKind[])[] = [
  ['character_hidden', 'character_removed'],
  ['account_suspended'],
];

/**
 * Takes a measure against a character, or an account where there is no such character.
 * @param input.staffEmails of those against whose accounts nothing is done
 */
export async function insertModerationAction(
  db: Database,
  { staffEmails, ...input }: NewModerationAction & { staffEmails: readonly string[] },
): Promise<ModerationActionResult> {
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
  if (character !== undefined) return applyToCharacter(db, character, input);
  if (kind === 'character_hidden' || kind === 'character_removed') return { ok: false, code: 'not_found' };
  const account = await db.select().from(users).where(eq(users.id, subjectId)).get();
  if (account === undefined) return { ok: false, code: 'not_found' };
  if (account.isHouse || (account.email !== null && staffEmails.includes(account.email)))
    return { ok: false, code: 'forbidden' };
  return applyToAccount(db, account, input);
}

async function applyToCharacter(
  db: Database,
  { character, ofHouse }: { character: Character; ofHouse: boolean },
  input: NewModerationAction,
): Promise<ModerationActionResult> {
  const { id, name, avatarKey, creatorId } = character;
  const { now, kind } = input;
  const which = eq(characters.id, id);
  const about = { ownerId: creatorId, subjectName: name };
  switch (kind) {
    case 'picture_removed':
      // One of the house's without a picture is taken for a name that is left of somebody.
      if (ofHouse) return { ok: false, code: 'forbidden' };
      if (avatarKey === NO_PICTURE) return { ok: false, code: 'nothing_to_take' };
      return writeAction(db, input, about, {
        taken: avatarKey,
        pages: () => [purgeCharacterPagesStatement(db, which, now)],
        acts: [
          db
            .update(characters)
            .set({ avatarKey: NO_PICTURE })
            .where(and(which, eq(characters.avatarKey, avatarKey))),
        ],
      });
    case 'name_cleared': {
      const cleared = buildClearedName('character', id);
      if (name === cleared) return { ok: false, code: 'nothing_to_take' };
      return writeAction(db, input, about, {
        taken: name,
        pages: () => [purgeCharacterPagesStatement(db, which, now)],
        acts: [
          db
            .update(characters)
            .set({ name: cleared })
            .where(and(which, eq(characters.name, name))),
        ],
      });
    }
    default:
      return writeAction(db, input, about, {
        taken: null,
        pages: () => [purgeCharacterPagesStatement(db, which, now)],
        acts: [
          db
            .update(characters)
            .set({ moderation: kind === 'character_removed' ? 'removed' : 'hidden' })
            .where(which),
        ],
      });
  }
}

async function applyToAccount(
  db: Database,
  account: Account,
  input: NewModerationAction,
): Promise<ModerationActionResult> {
  const { id, username, nickname, avatarKey } = account;
  const { now, kind } = input;
  const which = eq(users.id, id);
  const about = { ownerId: id, subjectName: nickname ?? username };
  const named = () => [purgeUserPagesStatement(db, id, now)];
  switch (kind) {
    case 'picture_removed':
      if (avatarKey === null) return { ok: false, code: 'nothing_to_take' };
      return writeAction(db, input, about, {
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
      const cleared = buildClearedName('reader', id);
      if (username === cleared && nickname === null) return { ok: false, code: 'nothing_to_take' };
      return writeAction(db, input, about, {
        taken: JSON.stringify({ username, nickname }),
        pages: named,
        acts: [db.update(users).set({ username: cleared, nickname: null }).where(which)],
      });
    }
    default: {
      const own = eq(characters.creatorId, id);
      return writeAction(db, input, about, {
        taken: null,
        pages: () => [...named(), purgeCharacterPagesStatement(db, own, now)],
        acts: [
          buildHiddenCharactersStatement(db, { stepId: createId(now), of: id, now }),
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
const buildEndedNowCondition = (subjectId: string, kinds: readonly ModerationActionKind[], now: number) =>
  and(eq(measures.subjectId, subjectId), inArray(measures.kind, [...kinds]), eq(measures.endedAt, now));

/** Writes a measure down with what it does. Pages are marked before and after: what leaves them, and what comes into them. */
async function writeAction(
  db: Database,
  { kind, subjectId, reason, reportId, adminId, now }: NewModerationAction,
  about: { ownerId: string; subjectName: string },
  { taken, pages, acts }: { taken: string | null; pages: () => unknown[]; acts: unknown[] },
): Promise<ModerationActionResult> {
  const id = createId(now);
  const replaced = EXCLUSIVE_KINDS.find((group) => group.includes(kind));
  const step = { adminId, createdAt: now };
  const writes = [
    ...(replaced === undefined
      ? []
      : [
          buildRevocationStepsStatement(db, buildActiveActionCondition(subjectId, replaced), {
            adminId,
            now,
          }),
          db.update(measures).set({ endedAt: now }).where(buildActiveActionCondition(subjectId, replaced)),
        ]),
    db.insert(measures).values({ id, kind, subjectId, reason, reportId, adminId, createdAt: now, ...about }),
    ...(replaced === undefined
      ? []
      : [buildMoveAppealsStatement(db, buildEndedNowCondition(subjectId, replaced, now), id)]),
    ...(taken === null
      ? []
      : [
          db
            .insert(caseSteps)
            .values({ ...step, id: createId(now), caseId: id, step: REMOVED_CONTENT_STEP, note: taken }),
        ]),
    ...(reportId === null
      ? []
      : [
          db
            .insert(caseSteps)
            .values({ ...step, id: createId(now), caseId: reportId, step: kind, note: reason }),
        ]),
    ...pages(),
    ...acts,
    ...pages(),
  ];
  await db.batch(writes as unknown as BatchStatements);
  return { ok: true, measure: (await findModerationAction(db, id)) as ModerationAction };
}

/** Whether the maker of a character is suspended: then it stays hidden, whatever else is taken back. */
const isCreatorSuspended = sql`exists (select 1 from ${users} as maker where maker.id = ${characters.creatorId} and maker.suspended_at is not null)`;

/** Nothing that holds against a character itself keeps it from being shown. */
const isNotRestricted = sql`not exists (select 1 from ${measures} as held where held.subject_id = ${characters.id}
  and held.kind in ('character_hidden', 'character_removed') and held.ended_at is null)`;

/**
 * Takes a measure back, and gives back what it took as far as nothing else stands there by now. What is open against it is
 * granted by that.
 * @param input.appealId what it is taken back for, which is decided by itself
 * @returns the measure; null when there is none. One that was taken back already stays as it is
 */
export async function endModerationAction(
  db: Database,
  { id, adminId, now, appealId = null }: { id: string; appealId?: string | null } & Revocation,
): Promise<ModerationAction | null> {
  const measure = await db.select().from(measures).where(eq(measures.id, id)).get();
  if (measure === undefined) return null;
  if (measure.endedAt !== null) return findModerationAction(db, id);
  const taken = await db
    .select({ note: caseSteps.note })
    .from(caseSteps)
    .where(and(eq(caseSteps.caseId, id), eq(caseSteps.step, REMOVED_CONTENT_STEP)))
    .get();
  const { pages, acts } = buildRestoration(db, measure, taken?.note ?? null, now);
  const holds = and(eq(measures.id, id), isNull(measures.endedAt));
  const writes = [
    buildRevocationStepsStatement(db, holds, { adminId, now }),
    ...buildGrantAppealsStatements(db, holds, { adminId, now }, appealId),
    db.update(measures).set({ endedAt: now }).where(holds),
    ...acts,
    ...pages,
  ];
  await db.batch(writes as unknown as BatchStatements);
  return findModerationAction(db, id);
}

/** What is written after a measure has ended. */
function buildRestoration(
  db: Database,
  { kind, subjectId, ownerId }: typeof measures.$inferSelect,
  taken: string | null,
  now: number,
): { pages: unknown[]; acts: readonly unknown[] } {
  const character = eq(characters.id, subjectId);
  const account = eq(users.id, subjectId);
  const pages = [
    purgeCharacterPagesStatement(db, character, now),
    purgeUserPagesStatement(db, subjectId, now),
  ];
  switch (kind) {
    case 'character_hidden':
    case 'character_removed':
      return { pages, acts: buildShowStatements(db, subjectId, now) };
    case 'account_suspended': {
      const own = eq(characters.creatorId, subjectId);
      return {
        pages: [...pages, purgeCharacterPagesStatement(db, own, now)],
        acts: [
          // A guest's suspension came along into an account: two may hold.
          db
            .update(users)
            .set({ suspendedAt: null })
            .where(and(account, buildNoSuspensionCondition(subjectId))),
          buildShowStatement(
            db,
            and(own, eq(characters.moderation, 'hidden'), buildHiddenBySuspensionCondition(subjectId)) as SQL,
          ),
          buildDropRetainedSuspensionsStatement(db, subjectId),
        ],
      };
    }
    case 'picture_removed': {
      // Where it was given up meanwhile, or another measure keeps it, there is nothing to give back.
      const there = sql`exists (select 1 from ${pictures} where ${pictures.key} = ${taken} and ${pictures.ownerId} = ${ownerId}
        and ${pictures.createdAt} > 0 and not ${isRemovedByStaff})`;
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
      return {
        pages,
        acts: taken === null ? [] : [buildRestoreNameStatement(db, { subjectId, ownerId, taken })],
      };
  }
}

/** Shows a character again, unless something else keeps it hidden; where that is a suspension, its end shows it. */
function buildShowStatements(db: Database, id: string, now: number) {
  return [
    buildDeferredShowStatement(db, { stepId: createId(now), characterId: id, when: isNotRestricted, now }),
    buildShowStatement(db, eq(characters.id, id)),
  ] as const;
}

/** Shows characters that nothing keeps hidden. */
function buildShowStatement(db: Database, which: SQL) {
  return db
    .update(characters)
    .set({ moderation: sql`case when ${isCreatorSuspended} then 'hidden' else 'shown' end` })
    .where(and(which, isNotRestricted));
}

/** Gives a name back that nobody changed since it was cleared. What concerns an account itself is its own. */
function buildRestoreNameStatement(
  db: Database,
  { subjectId: id, ownerId, taken }: { subjectId: string; ownerId: string; taken: string },
) {
  if (id !== ownerId)
    return db
      .update(characters)
      .set({ name: taken })
      .where(and(eq(characters.id, id), eq(characters.name, buildClearedName('character', id))));
  return db
    .update(users)
    .set(JSON.parse(taken) as Names)
    .where(and(eq(users.id, id), eq(users.username, buildClearedName('reader', id)), isNull(users.nickname)));
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
  { id, adminId, now }: { id: string } & Revocation,
): Promise<boolean> {
  const which = eq(characters.id, id);
  const holds = buildActiveActionCondition(id, ['character_hidden', 'character_removed']);
  const [found] = await db.batch([
    db.select({ id: characters.id }).from(characters).where(which),
    buildRevocationStepsStatement(db, holds, { adminId, now }),
    ...buildGrantAppealsStatements(db, holds, { adminId, now }),
    db.update(measures).set({ endedAt: now }).where(holds),
    ...buildShowStatements(db, id, now),
    purgeCharacterPagesStatement(db, which, now),
  ]);
  return found.length > 0;
}
