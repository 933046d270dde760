import { and, eq, exists, inArray, isNotNull, lte, ne, notExists, type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/sqlite-core';
import { DEFAULT_LANGUAGE, type Language } from '../../../config/languages.ts';
import { GUESTS } from '../limits.ts';
import { commissions, paymentEvents, payments, refunds, subscriptions } from '../../../db/schema/billing.ts';
import { cards, hiddenThings } from '../../../db/schema/character.ts';
import { competitionPrizes } from '../../../db/schema/competition.ts';
import { anonymizePaymentsStatement } from '../../billing/anonymized-payment-statements.ts';
import { buildRetainSuspensionStatement } from '../../safety/retained-suspension-statements.ts';
import type { Database } from '../../../db/open.ts';
import { appeals, caseSteps, measures, reports } from '../../../db/schema/safety.ts';
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
import type { MailDetails } from '../../mail/contract.ts';
import { SYNTHETIC_USER_ID } from '../synthetic-user.ts';
import {
  deleteCharactersStatements,
  enableSearchSecureDelete,
  ensureSystemUser,
} from './character-erasure-store.ts';
import { matchDeletionRequest } from './deletion-store.ts';
import type { LoginIdentity } from '../suspension-fingerprint.ts';
import { insertDeletedAccountStatement, hashDeletedUserId } from '../used-token-store.ts';

/*
 * Whoever goes is out of this database in one batch, every part of which asks whether they may go still: of two at once
 * one does it, and a batch that fails has done nothing. What lies elsewhere is written down in `erasures` by the same
 * batch, and taken away from there.
 * A character that others chat with stays as a name (character-erasure-store.ts).
 */

/** What the last mail to an account tells; `language` is for whoever chose none. */
export interface FarewellMail {
  site: string;
  language: Language;
  /** What was paid for, and is not any more. */
  subscription: EndedSubscription | null;
}

/**
 * Why somebody goes, asked in the very batch.
 * `marks`: of what they come in by; a suspension that holds is kept under them (`suspension-mark.ts`)
 */
export type AccountErasure =
  | { why: 'confirmed'; tokenHash: string; farewell: FarewellMail; marks: readonly string[] }
  | { why: 'idle' };

/** What somebody comes in by. */
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
 * Takes somebody out of the database, with everything that is theirs there, and writes down what is still to be taken
 * away elsewhere. An account gets its last mail.
 * @returns the ids under which the rest is written down; null when they may not go, or are gone already: nothing was
 * changed then
 */
export async function startErasure(
  db: Database,
  { userId, leaving, now }: { userId: string; leaving: AccountErasure; now: number },
): Promise<string[] | null> {
  const goes = buildDeletableCondition(db, { userId, leaving, now });
  const email = sql`(select email from ${users} where ${users.id} = ${userId})`;
  const house = await ensureSystemUser(db, now);
  const hash = await hashDeletedUserId(userId);
  // Guests pay for nothing, and come in by nothing.
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
            begunAt: sql<number>`${now}`.as('begun_at'),
            tryAt: sql<number>`${now}`.as('try_at'),
            tries: sql<number>`0`.as('tries'),
          })
          .from(users)
          .where(and(eq(users.id, userId), goes)),
      )
      .onConflictDoNothing()
      .returning({ id: erasures.userId }),
    // Before their characters: a conversation points to one, also where it is one's own.
    db.delete(conversations).where(and(eq(conversations.ownerId, userId), goes)),
    ...deleteCharactersStatements(db, {
      which: and(eq(characters.creatorId, userId), goes) as SQL,
      keptBy: ne(conversations.ownerId, userId),
      house,
      now,
    }),
    purgeUserPagesStatement(db, userId, now),
    db.delete(hiddenThings).where(and(eq(hiddenThings.kind, 'creator'), eq(hiddenThings.what, userId), goes)),
    db.delete(loginCodes).where(and(eq(loginCodes.email, email), goes)),
    anonymizePaymentsStatement(db, { userId, hashes, goes, now }),
    ...deletePaymentsStatements(db, userId, goes),
    buildRetainSuspensionStatement(db, { userId, marks, goes, now }),
    ...deleteCasesStatements(db, userId, goes),
    db.delete(feedback).where(and(sql`lower(${feedback.email}) = ${email}`, goes)),
    // That somebody won stays, for the operator's books; who, and with what, does not.
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

/** By what somebody's payments are known once they are gone. */
async function getPaymentHashes(db: Database, userId: string): Promise<Record<string, string>> {
  const paid = await db.select({ id: payments.id }).from(payments).where(eq(payments.userId, userId));
  return Object.fromEntries(
    await Promise.all(
      paid.map(async ({ id }) => [id, await computeHash(buildPaymentHashInput(id))] as const),
    ),
  );
}

/** What of payments does not go with the account itself: these know no account. */
function deletePaymentsStatements(db: Database, userId: string, goes: SQL) {
  const [from, to] = getClaimKeyRange(userId);
  return [
    // Of what went back of a payment a moment ago, nobody will be able to say how much was paid.
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
    // What somebody is owed of a payment is kept, and so is, for a while, what was taken off that: it may be told again.
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

/** What of reports, measures and appeals does not go with the account itself: what others told of it, and what staff noted. */
function deleteCasesStatements(db: Database, userId: string, goes: SQL) {
  return [
    db.delete(caseSteps).where(
      and(
        sql`${caseSteps.caseId} in (select id from ${reports} where reporter_id = ${userId} union
          select id from ${reports} where owner_id = ${userId} union
          select id from ${measures} where owner_id = ${userId} union
          select id from ${appeals} where user_id = ${userId})`,
        goes,
      ),
    ),
    db.delete(reports).where(and(eq(reports.ownerId, userId), goes)),
  ] as const;
}

/** The last mail to an account, whoever its reader was. */
function goodbye(
  db: Database,
  { userId, leaving, goes, now }: { userId: string; leaving: AccountErasure; goes: SQL; now: number },
) {
  const { site, language, subscription }: FarewellMail =
    leaving.why === 'confirmed'
      ? leaving.farewell
      : { site: '', language: DEFAULT_LANGUAGE, subscription: null };
  const details: MailDetails<'deletion_done'> =
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
      details: sql<Record<string, string | number>>`${JSON.stringify(details)}`.as('details'),
      about: sql<string>`'account'`.as('about'),
      createdAt: sql<number>`${now}`.as('created_at'),
      tryAt: sql<number>`${now}`.as('try_at'),
      tries: sql<number>`0`.as('tries'),
    })
    .from(users)
    .where(and(eq(users.id, userId), isNotNull(users.email), goes));
}

/** A list of ids as the JSON that `erasures` holds. */
const selectIdsAsJson = (query: SQL): SQL<string[]> =>
  sql<string[]>`(select json_group_array(id) from (${query}))`;

/** Whether they may go, as each part of the batch asks it: the account itself goes last. */
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
      // Nobody is to pay for an account that is no more, also for one that they begin to pay for just now.
      notExists(
        db
          .select({ one: sql`1` })
          .from(subscriptions)
          .where(billed),
      ),
    ) as SQL;
  }
  // Under another name: around it, `users` may be somebody else.
  const guest = alias(users, 'guest');
  return exists(
    db
      .select({ one: sql`1` })
      .from(guest)
      .where(
        and(eq(guest.id, userId), eq(guest.isAnonymous, true), lte(guest.seenAt, now - GUESTS.maxIdleMs)),
      ),
  );
}

/** Guests who have not been seen for long, who stayed away longest first, some at a time. */
export async function listIdleGuests(
  db: Database,
  { now, limit }: { now: number; limit: number },
): Promise<string[]> {
  const rows = await db
    .select({ id: users.id })
    .from(users)
    // As the index has it: `users_guests_seen`.
    .where(
      and(
        sql`${users.isAnonymous} = 1`,
        lte(users.seenAt, now - GUESTS.maxIdleMs),
        ne(users.id, SYNTHETIC_USER_ID),
      ),
    )
    .orderBy(users.seenAt)
    .limit(limit);
  return rows.map(({ id }) => id);
}

/** Characters that stayed as a name for conversations of others, are in none any more, and in no erasure. */
export async function removeOrphanedCharacters(db: Database): Promise<void> {
  await db
    .delete(characters)
    .where(
      and(
        inArray(characters.creatorId, db.select({ id: users.id }).from(users).where(eq(users.isHouse, true))),
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
