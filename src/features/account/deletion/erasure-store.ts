import { and, eq, exists, inArray, isNotNull, lte, ne, notExists, type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/sqlite-core';
import { DEFAULT_LANGUAGE, type Language } from '../../../config/languages.ts';
import { GUESTS } from '../limits.ts';
import { commissions, paymentEvents, payments, refunds, subscriptions } from '../../../db/schema/billing.ts';
import { cards, hiddenItems } from '../../../db/schema/character.ts';
import { competitionPrizes } from '../../../db/schema/competition.ts';
import { anonymizePaymentsStatement } from '../../billing/anonymized-payment-statements.ts';
import { buildRetainSuspensionStatement } from '../../safety/retained-suspension-statements.ts';
import type { Database } from '../../../db/open.ts';
import { appeals, caseSteps, moderationActions, reports } from '../../../db/schema/safety.ts';
import { purgeUserPagesStatement } from '../../page-cache/page-purge-statements.ts';
import {
  characters,
  conversations,
  deletionRequests,
  erasures,
  feedback,
  googleAccounts,
  loginCodes,
  mails,
  pictures,
  users,
} from '../../../db/schema/core.ts';
import { createId } from '../../../lib/ids.ts';
import type { EndedSubscription } from '../../billing/contract.ts';
import { getClaimKeyRange, buildPaymentHashInput } from '../../billing/event-keys.ts';
import { BILLABLE_STATUSES } from '../../billing/subscription-rules.ts';
import { NO_PICTURE } from '../../character/portrait.ts';
import { computeHash } from '../../../lib/hash.ts';
import type { MailVariables } from '../../mail/contract.ts';
import { SYNTHETIC_USER_ID } from '../synthetic-user.ts';
import {
  deleteCharactersStatements,
  enableSearchSecureDelete,
  ensureSystemUser,
  IS_SYSTEM_USER,
} from './character-erasure-store.ts';
import { matchDeletionRequest } from './deletion-store.ts';
import type { LoginIdentity } from '../suspension-fingerprint.ts';
import { insertDeletedAccountStatement, hashDeletedUserId } from '../used-token-store.ts';

/*
 * An account is deleted in one D1 batch. Each statement checks again that deletion is allowed, so concurrent requests
 * delete once and a failed batch changes nothing. The same batch records in `erasures` what must be erased outside the
 * database. A character that other users chat with keeps its row and name (character-erasure-store.ts).
 */

/** Content of the last mail to an account; `language` applies to users who chose none. */
export interface FarewellMail {
  site: string;
  language: Language;
  /** The paid subscription that has ended. */
  subscription: EndedSubscription | null;
}

/**
 * Why the user is deleted; the batch itself checks that it still holds. `marks`: fingerprints of the login identity,
 * under which an active suspension is retained (`suspension-fingerprint.ts`).
 */
export type AccountErasure =
  | { why: 'confirmed'; tokenHash: string; farewell: FarewellMail; marks: readonly string[] }
  | { why: 'idle' };

/** Returns the address and Google subjects that a user signs in with. */
export async function getLoginIdentity(db: Database, userId: string): Promise<LoginIdentity> {
  const [owners, google] = await db.batch([
    db.select({ email: users.email }).from(users).where(eq(users.id, userId)),
    db
      .select({ subject: googleAccounts.subject })
      .from(googleAccounts)
      .where(eq(googleAccounts.userId, userId)),
  ]);
  return { email: owners[0]?.email ?? null, subjects: google.map(({ subject }) => subject) };
}

/**
 * Deletes a user and everything of theirs in the database, and records what must be erased elsewhere. An account gets
 * its last mail.
 * @returns the ids of the recorded erasures; null when deletion is not allowed or the user was already deleted, in
 * which case nothing changed
 */
export async function startErasure(
  db: Database,
  { userId, leaving, now }: { userId: string; leaving: AccountErasure; now: number },
): Promise<string[] | null> {
  const goes = buildDeletableCondition(db, { userId, leaving, now });
  const email = sql`(select email from ${users} where ${users.id} = ${userId})`;
  const systemUserId = await ensureSystemUser(db, now);
  const hash = await hashDeletedUserId(userId);
  // Guests have no payments and no login identity.
  const isAccount = leaving.why === 'confirmed';
  const hashes = isAccount ? await getPaymentHashes(db, userId) : {};
  const marks = isAccount ? leaving.marks : [];
  await enableSearchSecureDelete(db);
  const results = await db.batch([
    db
      .insert(erasures)
      .select(
        db
          .select({
            userId: users.id,
            conversationIds: selectIdsAsJson(
              sql`select id from ${conversations} where owner_id = ${userId}`,
            ).as('conversation_ids'),
            pictureKeys: selectIdsAsJson(
              sql`select key as id from ${pictures} where owner_id = ${userId} union select object_key from ${cards} where owner_id = ${userId}`,
            ).as('picture_keys'),
            startedAt: sql<number>`${now}`.as('started_at'),
            retryAt: sql<number>`${now}`.as('retry_at'),
            tries: sql<number>`0`.as('tries'),
          })
          .from(users)
          .where(and(eq(users.id, userId), goes)),
      )
      .onConflictDoNothing()
      .returning({ id: erasures.userId }),
    // Before the characters: a conversation refers to its character, even if both belong to the same user.
    db.delete(conversations).where(and(eq(conversations.ownerId, userId), goes)),
    ...deleteCharactersStatements(db, {
      which: and(eq(characters.creatorId, userId), goes) as SQL,
      keptBy: ne(conversations.ownerId, userId),
      systemUserId,
      now,
    }),
    purgeUserPagesStatement(db, userId, now),
    db.delete(hiddenItems).where(and(eq(hiddenItems.kind, 'creator'), eq(hiddenItems.target, userId), goes)),
    db.delete(loginCodes).where(and(eq(loginCodes.email, email), goes)),
    anonymizePaymentsStatement(db, { userId, hashes, goes, now }),
    ...deletePaymentsStatements(db, userId, goes),
    buildRetainSuspensionStatement(db, { userId, marks, goes, now }),
    ...deleteCasesStatements(db, userId, goes),
    db.delete(feedback).where(and(sql`lower(${feedback.email}) = ${email}`, goes)),
    // The operator's accounts need the prize itself, but neither the winner nor the character.
    db
      .update(competitionPrizes)
      .set({ characterName: '' })
      .where(and(eq(competitionPrizes.userId, userId), goes)),
    db.delete(mails).where(and(eq(mails.userId, userId), goes)),
    db.insert(mails).select(goodbye(db, { userId, leaving, goes, now })).onConflictDoNothing(),
    insertDeletedAccountStatement(db, { userId, hash, goes, now }),
    db
      .delete(users)
      .where(and(eq(users.id, userId), goes))
      .returning({ id: users.id }),
  ]);
  const [person, , kept] = results;
  return (results.at(-1) as { id: string }[]).length === 0 ? null : [...person, ...kept].map(({ id }) => id);
}

/** Returns the hashes that identify a user's payments after their deletion, by payment id. */
async function getPaymentHashes(db: Database, userId: string): Promise<Record<string, string>> {
  const paid = await db.select({ id: payments.id }).from(payments).where(eq(payments.userId, userId));
  return Object.fromEntries(
    await Promise.all(
      paid.map(async ({ id }) => [id, await computeHash(buildPaymentHashInput(id))] as const),
    ),
  );
}

/** Payment data that does not reference the account and so is not deleted with it. */
function deletePaymentsStatements(db: Database, userId: string, goes: SQL) {
  const [from, to] = getClaimKeyRange(userId);
  return [
    // Reverse the commissions on fully refunded payments now: once the payments are deleted, their amounts are unknown.
    db
      .update(commissions)
      .set({ status: 'reversed' })
      .where(
        and(
          sql`${commissions.paymentId} in (select paid.id from ${payments} as paid where paid.user_id = ${userId}
            and (exists (select 1 from refunds as back where back.payment_id = paid.id and back.amount_cents is null)
              or (select sum(back.amount_cents) from refunds as back where back.payment_id = paid.id) >= paid.amount_cents))`,
          goes,
        ),
      ),
    // Keep refunds of payments that still have a commission: PayPal may report the same refund again.
    db.delete(refunds).where(
      and(
        sql`${refunds.paymentId} in (select paid.id from ${payments} as paid where paid.user_id = ${userId})`,
        sql`not exists (select 1 from ${commissions} as owed where owed.payment_id = ${refunds.paymentId}
            and owed.status <> 'reversed')`,
        goes,
      ),
    ),
    db.delete(paymentEvents).where(
      and(
        sql`(${paymentEvents.subscriptionId} in (select id from ${subscriptions} where user_id = ${userId})
            or (${paymentEvents.id} >= ${from} and ${paymentEvents.id} < ${to}))`,
        goes,
      ),
    ),
  ] as const;
}

/** Moderation data that is not deleted with the account: reports by others about it, and staff notes. */
function deleteCasesStatements(db: Database, userId: string, goes: SQL) {
  return [
    db.delete(caseSteps).where(
      and(
        sql`${caseSteps.caseId} in (select id from ${reports} where reporter_id = ${userId} union
          select id from ${reports} where owner_id = ${userId} union
          select id from ${moderationActions} where owner_id = ${userId} union
          select id from ${appeals} where user_id = ${userId})`,
        goes,
      ),
    ),
    db.delete(reports).where(and(eq(reports.ownerId, userId), goes)),
  ] as const;
}

/** The last mail to an account. */
function goodbye(
  db: Database,
  { userId, leaving, goes, now }: { userId: string; leaving: AccountErasure; goes: SQL; now: number },
) {
  const { site, language, subscription }: FarewellMail =
    leaving.why === 'confirmed'
      ? leaving.farewell
      : { site: '', language: DEFAULT_LANGUAGE, subscription: null };
  const variables: MailVariables<'deletion_done'> =
    subscription === null
      ? { site }
      : {
          site,
          subscription: subscription.id,
          status: subscription.status,
          paid_until: Date.parse(subscription.paid_until),
        };
  return db
    .select({
      id: sql<string>`${createId(now)}`.as('id'),
      userId: users.id,
      address: sql<string>`${users.email}`.as('address'),
      language: sql<string>`coalesce(${users.language}, ${language})`.as('language'),
      kind: sql<string>`'deletion_done'`.as('kind'),
      variables: sql<Record<string, string | number>>`${JSON.stringify(variables)}`.as('variables'),
      dedupeKey: sql<string>`'account'`.as('dedupe_key'),
      createdAt: sql<number>`${now}`.as('created_at'),
      retryAt: sql<number>`${now}`.as('retry_at'),
      tries: sql<number>`0`.as('tries'),
    })
    .from(users)
    .where(and(eq(users.id, userId), isNotNull(users.email), goes));
}

/** A list of ids as the JSON that `erasures` stores. */
const selectIdsAsJson = (query: SQL): SQL<string[]> =>
  sql<string[]>`(select json_group_array(id) from (${query}))`;

/**
 * Condition that the user may be deleted. Each statement of the batch evaluates it, so the account itself is deleted
 * last.
 */
function buildDeletableCondition(
  db: Database,
  { userId, leaving, now }: { userId: string; leaving: AccountErasure; now: number },
): SQL {
  if (leaving.why === 'confirmed') {
    const { tokenHash } = leaving;
    const billed = and(
      eq(subscriptions.userId, userId),
      inArray(subscriptions.status, [...BILLABLE_STATUSES]),
    );
    return and(
      exists(
        db
          .select({ one: sql`1` })
          .from(deletionRequests)
          .where(matchDeletionRequest({ userId, tokenHash, now })),
      ),
      // An account must not be deleted while it can be billed, not even by a subscription that has just started.
      notExists(
        db
          .select({ one: sql`1` })
          .from(subscriptions)
          .where(billed),
      ),
    ) as SQL;
  }
  // Aliased, because `users` may be a different row in the surrounding statement.
  const guest = alias(users, 'guest');
  return exists(
    db
      .select({ one: sql`1` })
      .from(guest)
      .where(
        and(eq(guest.id, userId), eq(guest.isAnonymous, true), lte(guest.lastSeenAt, now - GUESTS.maxIdleMs)),
      ),
  );
}

/** Returns guests who have been idle for too long, longest idle first. */
export async function listIdleGuests(
  db: Database,
  { now, limit }: { now: number; limit: number },
): Promise<string[]> {
  const rows = await db
    .select({ id: users.id })
    .from(users)
    // Written exactly like the condition of the partial index `users_guests_last_seen`.
    .where(
      and(
        sql`${users.isAnonymous} = 1`,
        lte(users.lastSeenAt, now - GUESTS.maxIdleMs),
        ne(users.id, SYNTHETIC_USER_ID),
      ),
    )
    .orderBy(users.lastSeenAt)
    .limit(limit);
  return rows.map(({ id }) => id);
}

/** Deletes characters that were kept for other users' conversations, once no conversation and no erasure needs them. */
export async function removeOrphanedCharacters(db: Database): Promise<void> {
  await db
    .delete(characters)
    .where(
      and(
        inArray(characters.creatorId, db.select({ id: users.id }).from(users).where(IS_SYSTEM_USER)),
        eq(characters.avatarKey, NO_PICTURE),
        notExists(
          db.select({ id: erasures.userId }).from(erasures).where(eq(erasures.userId, characters.id)),
        ),
        notExists(
          db
            .select({ id: conversations.id })
            .from(conversations)
            .where(eq(conversations.characterId, characters.id)),
        ),
      ),
    );
}
