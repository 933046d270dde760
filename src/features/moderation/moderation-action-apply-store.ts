import { and, eq, inArray, sql } from 'drizzle-orm';
import { buildClearedName } from '../safety/cleared-name-statements.ts';
import type { Database } from '../../db/open.ts';
import {
  purgeUserPagesStatement,
  purgeCharacterPagesStatement,
} from '../page-cache/page-purge-statements.ts';
import { REMOVED_CONTENT_STEP } from '../safety/removed-picture-statements.ts';
import { caseSteps, moderationActions } from '../../db/schema/safety.ts';
import { characters, users } from '../../db/schema/core.ts';
import { buildHiddenCharactersStatement } from '../safety/suspended-character-statements.ts';
import { createId } from '../../lib/ids.ts';
import { NO_PICTURE } from '../character/portrait.ts';
import type { ModerationAction, ModerationActionKind } from './moderation-action-contract.ts';
import { buildMoveAppealsStatement, buildRevocationStepsStatement } from './revocation-statements.ts';
import { findModerationAction, buildActiveActionCondition } from './moderation-action-store.ts';

// Applies moderation actions to characters and accounts. An action and its effects are one batch. Lists,
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
 * `forbidden`: it belongs to the system account or to staff; `nothing_to_remove`: nothing of this kind is left to remove.
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
          .select({ character: characters, isSystem: users.isSystem })
          .from(characters)
          .innerJoin(users, eq(users.id, characters.creatorId))
          .where(eq(characters.id, subjectId))
          .get();
  if (character !== undefined) return applyToCharacter(db, character, input);
  if (kind === 'character_hidden' || kind === 'character_removed') return { ok: false, code: 'not_found' };
  const account = await db.select().from(users).where(eq(users.id, subjectId)).get();
  if (account === undefined) return { ok: false, code: 'not_found' };
  if (account.isSystem || (account.email !== null && staffEmails.includes(account.email)))
    return { ok: false, code: 'forbidden' };
  return applyToAccount(db, account, input);
}

async function applyToCharacter(
  db: Database,
  { character, isSystem }: { character: Character; isSystem: boolean },
  input: NewModerationAction,
): Promise<ModerationActionResult> {
  const { id, name, avatarKey, creatorId } = character;
  const { now, kind } = input;
  const which = eq(characters.id, id);
  const about = { ownerId: creatorId, subjectName: name };
  switch (kind) {
    case 'picture_removed':
      // A character of the system account without a picture would look like the remains of a deleted account.
      if (isSystem) return { ok: false, code: 'forbidden' };
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
  and(
    eq(moderationActions.subjectId, subjectId),
    inArray(moderationActions.kind, [...kinds]),
    eq(moderationActions.revokedAt, now),
  );

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
          db
            .update(moderationActions)
            .set({ revokedAt: now })
            .where(buildActiveActionCondition(subjectId, replaced)),
        ]),
    db
      .insert(moderationActions)
      .values({ id, kind, subjectId, reason, reportId, adminId, createdAt: now, ...about }),
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
