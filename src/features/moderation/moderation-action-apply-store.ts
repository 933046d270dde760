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

// Applies and revokes moderation actions on characters and accounts. An action and its effects are one batch. Lists,
// pages, cards, pictures and conversations check a character's moderation state before showing anything of it, so
// removing something means setting that state. Removed content is recorded as a case step, so that it can be restored.

export interface NewModerationAction {
  kind: ModerationActionKind;
  subjectId: string;
  /** Shown to the affected users; may be empty. */
  reason: string;
  /** The report that led to the action. */
  reportId: string | null;
  adminId: string;
  now: number;
}

/**
 * `forbidden`: it belongs to the house account or to staff; `nothing_to_remove`: nothing of this kind is left to remove.
 */
export type ModerationActionResult =
  | { ok: true; measure: ModerationAction }
  | { ok: false; code: 'not_found' | 'forbidden' | 'nothing_to_remove' };

type BatchStatements = Parameters<Database['batch']>[0];
type Character = typeof characters.$inferSelect;
type Account = typeof users.$inferSelect;

/** Kinds that exclude each other: a new action replaces the active one. */
const EXCLUSIVE_KINDS: readonly (readonly ModerationActionKind[])[] = [
  ['character_hidden', 'character_removed'],
  ['account_suspended'],
];

/**
 * Applies a moderation action to a character, or to an account if no character has this id.
 * @param input.staffEmails addresses of staff, whose accounts are exempt
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
      // A house character without a picture would look like the remains of a deleted account.
      if (ofHouse) return { ok: false, code: 'forbidden' };
      if (avatarKey === NO_PICTURE) return { ok: false, code: 'nothing_to_remove' };
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
      if (name === cleared) return { ok: false, code: 'nothing_to_remove' };
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
      if (avatarKey === null) return { ok: false, code: 'nothing_to_remove' };
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
      if (username === cleared && nickname === null) return { ok: false, code: 'nothing_to_remove' };
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

/** Actions of these kinds that ended at `now`. */
const buildEndedNowCondition = (subjectId: string, kinds: readonly ModerationActionKind[], now: number) =>
  and(eq(measures.subjectId, subjectId), inArray(measures.kind, [...kinds]), eq(measures.endedAt, now));

/** Writes an action with its effects. Pages are purged before and after, for what leaves them and what enters them. */
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

/** Whether the character's creator is suspended, which keeps it hidden whatever else is revoked. */
const isCreatorSuspended = sql`exists (select 1 from ${users} as maker where maker.id = ${characters.creatorId} and maker.suspended_at is not null)`;

/** Whether no action on the character itself keeps it hidden. */
const isNotRestricted = sql`not exists (select 1 from ${measures} as held where held.subject_id = ${characters.id}
  and held.kind in ('character_hidden', 'character_removed') and held.ended_at is null)`;

/**
 * Revokes a moderation action and restores what it removed, unless the owner has replaced it. Open appeals against the
 * action are granted.
 * @param input.appealId the appeal that caused the revocation, which is decided separately
 * @returns the action; null if it does not exist. An action that has already ended is unchanged
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

/** Builds the writes that restore the content of an ended action. */
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
          // Two suspensions can be active after a guest account was merged.
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
      // Nothing to restore if the picture was deleted in the meantime or another action still removes it.
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

/**
 * Shows a character again unless something else keeps it hidden; if that is a suspension, its end shows the character.
 */
function buildShowStatements(db: Database, id: string, now: number) {
  return [
    buildDeferredShowStatement(db, { stepId: createId(now), characterId: id, when: isNotRestricted, now }),
    buildShowStatement(db, eq(characters.id, id)),
  ] as const;
}

/** Shows characters that no action keeps hidden. */
function buildShowStatement(db: Database, which: SQL) {
  return db
    .update(characters)
    .set({ moderation: sql`case when ${isCreatorSuspended} then 'hidden' else 'shown' end` })
    .where(and(which, isNotRestricted));
}

/** Restores a cleared name that has not been changed since. When subject and owner are the same, it is an account. */
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
 * Revokes all actions that keep a character hidden, and grants the open appeals against them.
 * @returns whether the character exists
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
