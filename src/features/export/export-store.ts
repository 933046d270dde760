// Over 400 lines because it is one list: the user's rows of each table, one part of the download after another.
import { and, asc, count, desc, eq, gt, isNull, or, sql } from 'drizzle-orm';
import { TRASH } from '../character/limits.ts';
import { commissions, payments, payouts, refunds, subscriptions } from '../../db/schema/billing.ts';
import {
  cards,
  characterExtras,
  characterVersions,
  favourites,
  likes,
  follows,
  hiddenItems,
} from '../../db/schema/character.ts';
import { freeTagsColumn } from '../character/free-tag-statements.ts';
import { REMOVED_CONTENT_STEP } from '../safety/removed-picture-statements.ts';
import { appeals, caseSteps, moderationActions, reports, staffAccessLog } from '../../db/schema/safety.ts';
import type { Database } from '../../db/open.ts';
import {
  characters,
  characterTags,
  conversations,
  deletionRequests,
  feedback,
  googleAccounts,
  loginCodes,
  mails,
  passkeys,
  personas,
  pictures,
  replyStyles,
  sessions,
  users,
} from '../../db/schema/core.ts';
import { parseRemovedContent } from '../moderation/removed-content.ts';
import { getCompetitionData } from './export-competition-store.ts';

/** Reads everything stored about one user in the shapes of the download, without session and link secrets. */

const toIso = (at: number): string => new Date(at).toISOString();
const toIsoOrNull = (at: number | null): string | null => (at === null ? null : toIso(at));

/** Removes tokens from a mail's variables. */
function redactSecrets(variables: Record<string, string | number>): Record<string, string | number> {
  return Object.fromEntries(Object.entries(variables).filter(([name]) => name !== 'token'));
}

/** Reads everything except characters and conversations, which can be many; null when there is no such account. */
export async function getAccountData(db: Database, userId: string) {
  const mine = db.select({ email: users.email }).from(users).where(eq(users.id, userId));
  const [owners, google, codes, keys, open, invitees, owed, deletion, waiting, told, masks, kept] =
    await db.batch([
      db.select().from(users).where(eq(users.id, userId)),
      db
        .select({ subject: googleAccounts.subject, createdAt: googleAccounts.createdAt })
        .from(googleAccounts)
        .where(eq(googleAccounts.userId, userId)),
      db
        .select({ sentAt: loginCodes.sentAt, expiresAt: loginCodes.expiresAt, tries: loginCodes.tries })
        .from(loginCodes)
        .where(eq(loginCodes.email, mine)),
      db.select().from(passkeys).where(eq(passkeys.userId, userId)).orderBy(asc(passkeys.createdAt)),
      db.select().from(sessions).where(eq(sessions.userId, userId)).orderBy(asc(sessions.createdAt)),
      db.select({ invitees: count() }).from(users).where(eq(users.invitedBy, userId)),
      db
        .select({
          amountCents: commissions.amountCents,
          currency: commissions.currency,
          status: commissions.status,
          payoutId: commissions.payoutId,
          clawbackPayoutId: commissions.clawbackPayoutId,
          createdAt: commissions.createdAt,
        })
        .from(commissions)
        .where(eq(commissions.inviterId, userId))
        .orderBy(asc(commissions.createdAt), asc(commissions.id)),
      db.select().from(deletionRequests).where(eq(deletionRequests.userId, userId)),
      db.select().from(mails).where(eq(mails.userId, userId)).orderBy(asc(mails.createdAt)),
      // Feedback without a session belongs to the account with its email address, as in account deletion.
      db
        .select()
        .from(feedback)
        .where(
          or(
            eq(feedback.userId, userId),
            and(isNull(feedback.userId), eq(sql`lower(${feedback.email})`, mine)),
          ),
        )
        .orderBy(asc(feedback.createdAt)),
      db.select().from(personas).where(eq(personas.ownerId, userId)).orderBy(asc(personas.id)),
      // A row without a time is being deleted.
      db
        .select()
        .from(pictures)
        .where(and(eq(pictures.ownerId, userId), gt(pictures.createdAt, 0)))
        .orderBy(asc(pictures.createdAt)),
    ]);
  const user = owners[0];
  if (user === undefined) return null;
  return {
    ...(await getSavedListsData(db, userId)),
    ...(await getModerationData(db, userId)),
    competition: await getCompetitionData(db, userId),
    subscriptions: await getMembershipData(db, userId),
    ...(await getPaymentData(db, userId)),
    cards: await getCardData(db, userId),
    profile: {
      id: user.id,
      username: user.username,
      nickname: user.nickname,
      email: user.email,
      avatar_id: user.avatarKey,
      plan: user.plan,
      plan_until: toIsoOrNull(user.planUntil),
      is_anonymous: user.isAnonymous,
      onboarding_completed: user.onboardingCompleted,
      spicy_mode: user.spicyMode,
      age_confirmed: user.ageConfirmed,
      age_checked_at: toIsoOrNull(user.ageCheckedAt),
      language: user.language,
      personal_suggestions: user.personalSuggestions,
      email_notifications: user.emailNotifications,
      marketing_emails: user.marketingEmails,
      marketing_sent_at: toIsoOrNull(user.marketingSentAt),
      last_seen_at: toIso(user.lastSeenAt),
      account_since: toIsoOrNull(user.registeredAt),
      created_at: toIso(user.createdAt),
      updated_at: toIso(user.updatedAt),
    },
    google: google.map(({ subject, createdAt }) => ({ subject, linked_at: toIso(createdAt) })),
    login_code: codes.map(({ sentAt, expiresAt, tries }) => ({
      sent_at: toIso(sentAt),
      expires_at: toIso(expiresAt),
      tries,
    })),
    /** Without the public keys, which mean nothing outside this site. */
    passkeys: keys.map(({ name, host, createdAt, lastUsedAt }) => ({
      name,
      host,
      created_at: toIso(createdAt),
      last_used_at: toIsoOrNull(lastUsedAt),
    })),
    sessions: open.map((session) => ({
      id: session.publicId,
      logged_in_with: session.provedBy,
      created_at: toIso(session.createdAt),
      last_seen_at: toIso(session.lastSeenAt),
      expires_at: toIso(session.expiresAt * 1000),
      user_agent: session.userAgent,
    })),
    invites: {
      code: user.inviteCode,
      invitee_count: invitees[0]?.invitees ?? 0,
      /** When this user accepted an invitation. The inviter is left out: that is the inviter's data. */
      invited_at: toIsoOrNull(user.invitedAt),
      commissions: owed.map((row) => ({
        amount_cents: row.amountCents,
        currency: row.currency,
        status: row.status,
        at: toIso(row.createdAt),
        payout: row.payoutId,
        taken_off: row.clawbackPayoutId,
      })),
    },
    deletion_request: deletion.map(({ requestedAt, expiresAt }) => ({
      requested_at: toIso(requestedAt),
      expires_at: toIso(expiresAt),
    })),
    mails_waiting: waiting.map(({ kind, address, language, createdAt, tries, variables }) => ({
      kind,
      address,
      language,
      details: redactSecrets(variables),
      created_at: toIso(createdAt),
      tries,
    })),
    feedback: told.map(({ message, email, language, createdAt }) => ({
      message,
      email,
      language,
      created_at: toIso(createdAt),
    })),
    personas: masks.map((persona) => ({
      id: persona.id,
      name: persona.name,
      description: persona.description,
      is_default: persona.isDefault,
      character_id: persona.characterId,
      avatar_id: persona.avatarKey,
      deleted_at: toIsoOrNull(persona.deletedAt),
      created_at: toIso(persona.createdAt),
      updated_at: toIso(persona.updatedAt),
    })),
    pictures: kept.map(({ key, bytes, createdAt }) => ({ id: key, bytes, created_at: toIso(createdAt) })),
  };
}
export type AccountData = NonNullable<Awaited<ReturnType<typeof getAccountData>>>;

/** Lists a page of the user's characters by id. @param after the last id seen; empty for the first page */
export async function listCharactersAfter(
  db: Database,
  input: { ownerId: string; after: string; limit: number },
) {
  const rows = await db
    .select({
      character: characters,
      extras: {
        // Keep a non-null column first: drizzle checks only the first column to see whether the left join matched.
        alternateGreetings: characterExtras.alternateGreetings,
        nickname: characterExtras.nickname,
        lorebook: characterExtras.lorebook,
        definition: characterExtras.definition,
        recommendedStyle: characterExtras.recommendedStyle,
      },
      original: { key: cards.objectKey },
      tags: sql<string>`(select json_group_array(${characterTags.tag}) from ${characterTags} where ${characterTags.characterId} = ${characters.id})`,
      freeTags: freeTagsColumn,
    })
    .from(characters)
    .leftJoin(characterExtras, eq(characterExtras.characterId, characters.id))
    .leftJoin(cards, eq(cards.characterId, characters.id))
    .where(and(eq(characters.creatorId, input.ownerId), gt(characters.id, input.after)))
    .orderBy(asc(characters.id))
    .limit(input.limit);
  return rows.map(({ character, extras, original, tags, freeTags }) => ({
    ...character,
    ...extras,
    /** R2 key of the imported card; null when the character was created here. */
    originalKey: original?.key ?? null,
    tags: JSON.parse(tags) as string[],
    freeTags: JSON.parse(freeTags) as string[],
  }));
}
export type ExportedCharacter = Awaited<ReturnType<typeof listCharactersAfter>>[number];

/**
 * Lists a page of the user's conversations by id, including those in the trash.
 * @param after the last id seen; empty for the first page
 */
export async function listConversationsAfter(
  db: Database,
  input: { ownerId: string; after: string; limit: number },
) {
  const rows = await db
    .select({
      id: conversations.id,
      /** The name used in the conversation. */
      characterName: sql<string>`coalesce(${conversations.characterName}, ${characters.name})`,
      createdAt: conversations.createdAt,
      deletedAt: conversations.deletedAt,
    })
    .from(conversations)
    .innerJoin(characters, eq(characters.id, conversations.characterId))
    .where(and(eq(conversations.ownerId, input.ownerId), gt(conversations.id, input.after)))
    .orderBy(asc(conversations.id))
    .limit(input.limit);
  return rows.map(({ deletedAt, ...row }) => ({
    ...row,
    /** When it is deleted for good; null outside the trash. */
    keptUntil: deletedAt === null ? null : deletedAt + TRASH.retentionMs,
  }));
}

/** Lists imported cards without a character, newest first. */
export async function listUnusedCards(
  db: Database,
  input: { ownerId: string; limit: number },
): Promise<{ id: string; key: string; createdAt: number }[]> {
  return db
    .select({ id: cards.id, key: cards.objectKey, createdAt: cards.createdAt })
    .from(cards)
    .where(and(eq(cards.ownerId, input.ownerId), isNull(cards.characterId), gt(cards.createdAt, 0)))
    .orderBy(desc(cards.createdAt))
    .limit(input.limit);
}

/** Lists the stored versions of a character, oldest first. */
export async function listCharacterVersions(db: Database, characterId: string) {
  const rows = await db
    .select({
      version: characterVersions.version,
      definition: characterVersions.definition,
      createdAt: characterVersions.createdAt,
    })
    .from(characterVersions)
    .where(eq(characterVersions.characterId, characterId))
    .orderBy(asc(characterVersions.version));
  return rows.map(({ version, definition, createdAt }) => ({
    version,
    created_at: toIso(createdAt),
    definition: JSON.parse(definition) as unknown,
  }));
}

/** The user's current and past subscriptions. */
async function getMembershipData(db: Database, userId: string) {
  const rows = await db
    .select()
    .from(subscriptions)
    .where(eq(subscriptions.userId, userId))
    .orderBy(asc(subscriptions.createdAt), asc(subscriptions.id));
  return rows.map(({ id, plan, status, ...row }) => ({
    id,
    plan,
    status,
    current_period_end: toIso(row.periodEnd),
    price_cents: row.priceCents,
    payer_hash: row.payerHash,
    is_failing: row.paymentFailed,
    is_refunded: row.isRefunded,
    begins_at: toIsoOrNull(row.startsAt),
    next_payment_at: toIsoOrNull(row.nextBillingAt),
    checked_at: toIso(row.reconciledAt),
    created_at: toIso(row.createdAt),
    updated_at: toIso(row.updatedAt),
  }));
}

/** The user's payments, their refunds, and payouts to the user. */
async function getPaymentData(db: Database, userId: string) {
  const [paid, back, out] = await db.batch([
    db
      .select()
      .from(payments)
      .where(eq(payments.userId, userId))
      .orderBy(asc(payments.paidAt), asc(payments.id)),
    db
      // Needs an alias: a batch maps columns by name.
      .select({ refund: refunds, paidCents: sql<number>`${payments.amountCents}`.as('paid_cents') })
      .from(refunds)
      .innerJoin(payments, eq(payments.id, refunds.paymentId))
      .where(eq(payments.userId, userId))
      .orderBy(asc(refunds.createdAt)),
    db.select().from(payouts).where(eq(payouts.userId, userId)).orderBy(asc(payouts.createdAt)),
  ]);
  return {
    payments: paid.map((row) => ({
      id: row.id,
      subscription: row.subscriptionId,
      amount_cents: row.amountCents,
      refunded_cents: row.refundedCents,
      currency: row.currency,
      status: row.status,
      at: toIso(row.paidAt),
      created_at: toIso(row.createdAt),
    })),
    refunds: back.map(({ refund, paidCents }) => ({
      id: refund.id,
      payment: refund.paymentId,
      amount_cents: refund.amountCents ?? paidCents,
      created_at: toIso(refund.createdAt),
    })),
    payouts: out.map(({ id, amountCents, currency, note, createdAt }) => ({
      id,
      amount_cents: amountCents,
      currency,
      note,
      at: toIso(createdAt),
    })),
  };
}

/** The user's imported cards; the archive holds their original files separately. */
async function getCardData(db: Database, userId: string) {
  const rows = await db
    .select({
      id: cards.id,
      characterId: cards.characterId,
      bytes: cards.bytes,
      createdAt: cards.createdAt,
    })
    .from(cards)
    // A row without a time is being deleted.
    .where(and(eq(cards.ownerId, userId), gt(cards.createdAt, 0)))
    .orderBy(asc(cards.createdAt));
  return rows.map(({ id, characterId, bytes, createdAt }) => ({
    id,
    character_id: characterId,
    bytes,
    created_at: toIso(createdAt),
  }));
}

/** The user's favourites, likes, followed creators, and hidden tags and creators. */
async function getSavedListsData(db: Database, userId: string) {
  const [kept, liked, followed, hidden, styles] = await Promise.all([
    db.select().from(favourites).where(eq(favourites.userId, userId)).orderBy(asc(favourites.createdAt)),
    db.select().from(likes).where(eq(likes.userId, userId)).orderBy(asc(likes.createdAt)),
    db.select().from(follows).where(eq(follows.userId, userId)).orderBy(asc(follows.createdAt)),
    db.select().from(hiddenItems).where(eq(hiddenItems.userId, userId)).orderBy(asc(hiddenItems.createdAt)),
    db.select().from(replyStyles).where(eq(replyStyles.ownerId, userId)).orderBy(asc(replyStyles.id)),
  ]);
  return {
    favourites: kept.map(({ characterId, createdAt }) => ({
      character_id: characterId,
      created_at: toIso(createdAt),
    })),
    likes: liked.map(({ characterId, createdAt }) => ({
      character_id: characterId,
      created_at: toIso(createdAt),
    })),
    follows: followed.map(({ creatorId, createdAt }) => ({
      creator_id: creatorId,
      created_at: toIso(createdAt),
    })),
    hidden: hidden.map(({ kind, target, createdAt }) => ({
      kind,
      what: target,
      created_at: toIso(createdAt),
    })),
    reply_styles: styles.map(({ id, name, style, createdAt, updatedAt }) => ({
      id,
      name,
      ...(JSON.parse(style) as Record<string, unknown>),
      created_at: toIso(createdAt),
      updated_at: toIso(updatedAt),
    })),
  };
}

/** The user's reports and appeals, moderation actions on their content, and the times staff viewed their private data. */
async function getModerationData(db: Database, userId: string) {
  const [told, decided, said, seen] = await Promise.all([
    db.select().from(reports).where(eq(reports.reporterId, userId)).orderBy(asc(reports.createdAt)),
    db
      .select({ measure: moderationActions, note: caseSteps.note })
      .from(moderationActions)
      .leftJoin(
        caseSteps,
        and(eq(caseSteps.caseId, moderationActions.id), eq(caseSteps.step, REMOVED_CONTENT_STEP)),
      )
      .where(eq(moderationActions.ownerId, userId))
      .orderBy(asc(moderationActions.createdAt)),
    db.select().from(appeals).where(eq(appeals.userId, userId)).orderBy(asc(appeals.createdAt)),
    db
      .select()
      .from(staffAccessLog)
      .where(eq(staffAccessLog.ownerId, userId))
      .orderBy(asc(staffAccessLog.createdAt)),
  ]);
  return {
    reports: told.map((report) => ({
      subject: report.subject,
      subject_id: report.subjectId,
      character_id: report.characterId,
      reason: report.reason,
      details: report.details,
      message: report.excerpt,
      status: report.status,
      answer: report.answer,
      created_at: toIso(report.createdAt),
      resolved_at: toIsoOrNull(report.resolvedAt),
    })),
    measures: decided.map(({ measure, note }) => ({
      kind: measure.kind,
      subject_id: measure.subjectId,
      subject_name: measure.subjectName,
      taken: parseRemovedContent(measure, note),
      reason: measure.reason,
      created_at: toIso(measure.createdAt),
      ended_at: toIsoOrNull(measure.revokedAt),
    })),
    appeals: said.map((appeal) => ({
      measure: appeal.measureId,
      place: appeal.place,
      rule: appeal.rule,
      refused_text: appeal.refusedText,
      message: appeal.message,
      status: appeal.status,
      answer: appeal.answer,
      created_at: toIso(appeal.createdAt),
      decided_at: toIsoOrNull(appeal.decidedAt),
    })),
    staff_views: seen.map(({ resourceType, resourceId, createdAt }) => ({
      what: resourceType,
      subject_id: resourceId,
      at: toIso(createdAt),
    })),
  };
}
