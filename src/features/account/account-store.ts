import { and, eq, isNotNull, sql } from 'drizzle-orm';
import { readClearedNames } from '../safety/cleared-name-statements.ts';
import type { Database } from '../../db/open.ts';
import { buildReapplySuspensionsStatements } from '../safety/retained-suspension-statements.ts';
import { isOwnPicture } from '../picture/own-picture-statements.ts';
import { purgeUserPagesStatement } from '../page-cache/page-purge-statements.ts';
import {
  characters,
  conversations,
  feedback,
  googleAccounts,
  personas,
  replyStyles,
  users,
} from '../../db/schema/core.ts';
import { createId } from '../../lib/ids.ts';
import type { AccountChange, OwnAccount } from './contract.ts';
import { insertGuestErasureStatement } from './deletion/erasure-queue-store.ts';
import { mergeGuestDecisionsStatements } from './merge-guest-store.ts';

/** The tail of an id is random, so a default username reveals nothing about the person. */
const buildDefaultUsername = (kind: 'guest' | 'reader', id: string): string => `${kind}-${id.slice(-6)}`;

/** Creates a guest, who can chat right away. */
export async function createGuest(db: Database, now: number): Promise<string> {
  const id = createId(now);
  await db.insert(users).values({
    id,
    username: buildDefaultUsername('guest', id),
    isAnonymous: true,
    lastSeenAt: now,
    createdAt: now,
    updatedAt: now,
  });
  return id;
}

/** Whether an account or guest with this id exists. */
export async function isExistingUser(db: Database, userId: string): Promise<boolean> {
  return (await db.select({ id: users.id }).from(users).where(eq(users.id, userId)).get()) !== undefined;
}

/** Whether a user is suspended or no longer exists. */
export async function isSuspendedOrGone(db: Database, userId: string): Promise<boolean> {
  const row = await db.select({ at: users.suspendedAt }).from(users).where(eq(users.id, userId)).get();
  return row === undefined || row.at !== null;
}

/** A sign-in, with the guest that this browser has used until now. */
interface SignInInput {
  email: string;
  guestId: string | null;
  /**
   * Fingerprints of the login identity; a suspension of a deleted account may be stored under them
   * (`suspension-fingerprint.ts`).
   */
  fingerprints: readonly string[];
  now: number;
}

/** `isGuestMerged`: the guest's conversations, personas and styles were moved to the account and the guest was deleted. */
export interface SignInResult {
  userId: string;
  isGuestMerged: boolean;
}

/**
 * Signs in the owner of a verified address. When the address is new, the guest becomes the account. Otherwise the
 * guest's conversations, personas and styles move to the existing account, so signing in loses nothing, and staff decisions
 * about the guest are kept. The guest's points are not moved, or guests could be created for their points alone. A
 * suspension that was retained from a deleted account is applied to the new account.
 */
export async function signInByEmail(db: Database, input: SignInInput): Promise<SignInResult> {
  const known = await findByEmail(db, input.email);
  if (known === null)
    await db.batch([...upsertAccountStatements(db, input), ...restoreSuspensionsStatements(db, input)]);
  return mergeGuestIfPresent(db, input, known ?? (await findByEmail(db, input.email)));
}

/**
 * Signs in by Google's `subject` and a verified address. An account that has signed in with this `subject` before is
 * used, even if its address differs now; otherwise the account of the address is used, and created when there is none.
 * The guest is handled as in `signInByEmail`.
 */
export async function signInByGoogle(
  db: Database,
  input: SignInInput & { subject: string },
): Promise<SignInResult> {
  const known = await findBySubject(db, input.subject);
  if (known === null) {
    const [raise, add] = upsertAccountStatements(db, input);
    // One batch, in which each statement does nothing if a concurrent sign-in was faster: two create one account.
    await db.batch([
      raise,
      add,
      db
        .insert(googleAccounts)
        .select(
          db
            .select({
              subject: sql<string>`${input.subject}`.as('subject'),
              userId: users.id,
              createdAt: sql<number>`${input.now}`.as('created_at'),
            })
            .from(users)
            .where(eq(users.email, input.email)),
        )
        .onConflictDoNothing(),
      ...restoreSuspensionsStatements(db, input),
    ]);
  }
  return mergeGuestIfPresent(db, input, known ?? (await findBySubject(db, input.subject)));
}

/**
 * Signs in to an account that exists, by one of its passkeys. The guest is handled as in `signInByEmail`.
 * @throws when the account was deleted a moment ago
 */
export async function signInByPasskey(
  db: Database,
  { userId, ...input }: Pick<SignInInput, 'guestId' | 'now'> & { userId: string },
): Promise<SignInResult> {
  return mergeGuestIfPresent(db, input, (await isExistingUser(db, userId)) ? userId : null);
}

/**
 * Turns the guest into the account of the address, or creates a new one; does nothing when the address has an account.
 */
function upsertAccountStatements(db: Database, { email, guestId, now }: SignInInput) {
  const id = createId(now);
  return [
    db
      .update(users)
      .set({
        email,
        isAnonymous: false,
        username: buildDefaultUsername('reader', guestId ?? id),
        registeredAt: now,
        updatedAt: now,
      })
      .where(
        and(
          eq(users.id, guestId ?? id),
          eq(users.isAnonymous, true),
          sql`not exists (select 1 from ${users} as other where other.email = ${email})`,
        ),
      ),
    db
      .insert(users)
      .values({
        id,
        username: buildDefaultUsername('reader', id),
        email,
        isAnonymous: false,
        lastSeenAt: now,
        registeredAt: now,
        createdAt: now,
        updatedAt: now,
      })
      .onConflictDoNothing({ target: users.email }),
  ] as const;
}

/** Applies retained suspensions to the account of an address. */
const restoreSuspensionsStatements = (db: Database, { email, fingerprints: marks, now }: SignInInput) =>
  buildReapplySuspensionsStatements(db, {
    account: sql`(select id from users where email = ${email})`,
    marks,
    now,
  });

/** Reads the address of an account; null for a guest or when there is no such account. */
export async function readEmail(db: Database, userId: string): Promise<string | null> {
  const row = await db.select({ email: users.email }).from(users).where(eq(users.id, userId)).get();
  return row?.email ?? null;
}

async function findByEmail(db: Database, email: string): Promise<string | null> {
  const row = await db.select({ id: users.id }).from(users).where(eq(users.email, email)).get();
  return row?.id ?? null;
}

/** Whether a Google account has signed in here before. */
export const isKnownGoogleAccount = async (db: Database, subject: string): Promise<boolean> =>
  (await findBySubject(db, subject)) !== null;

/** Lets a Google account sign in to a user; one that belongs to another user stays there. */
export async function addGoogleAccount(
  db: Database,
  input: { subject: string; userId: string; now: number },
): Promise<void> {
  const { now: createdAt, ...link } = input;
  await db
    .insert(googleAccounts)
    .values({ ...link, createdAt })
    .onConflictDoNothing();
}

async function findBySubject(db: Database, subject: string): Promise<string | null> {
  const row = await db
    .select({ userId: googleAccounts.userId })
    .from(googleAccounts)
    .where(eq(googleAccounts.subject, subject))
    .get();
  return row?.userId ?? null;
}

async function mergeGuestIfPresent(
  db: Database,
  { guestId, now }: Pick<SignInInput, 'guestId' | 'now'>,
  userId: string | null,
): Promise<SignInResult> {
  // The account existed a moment ago, so it can only be missing because it was just deleted.
  if (userId === null) throw new Error('the account went while somebody signed in to it');
  if (guestId === null || guestId === userId) return { userId, isGuestMerged: false };
  return { userId, isGuestMerged: await mergeGuest(db, { guestId, userId, now }) };
}

/** @returns false when the guest is no longer a guest: another tab turned it into an account, which keeps its data */
async function mergeGuest(
  db: Database,
  { guestId, userId, now }: { guestId: string; userId: string; now: number },
): Promise<boolean> {
  const isStillGuest = sql`exists (select 1 from ${users} as guest where guest.id = ${guestId} and guest.is_anonymous = 1)`;
  const results: readonly unknown[] = await db.batch([
    ...mergeGuestDecisionsStatements(db, { guestId, userId, stillGuest: isStillGuest, now }),
    // Both may have imported the same file.
    db
      .update(conversations)
      .set({ importKey: null })
      .where(
        and(
          eq(conversations.ownerId, guestId),
          isStillGuest,
          sql`exists (select 1 from ${conversations} as own where own.owner_id = ${userId} and own.import_key = ${conversations.importKey})`,
        ),
      ),
    // Chats of a creator with their own characters do not count.
    db
      .update(conversations)
      .set({ countedAt: null })
      .where(
        and(
          eq(conversations.ownerId, guestId),
          isStillGuest,
          isNotNull(conversations.countedAt),
          sql`exists (select 1 from ${characters} where ${characters.id} = ${conversations.characterId} and ${characters.creatorId} = ${userId})`,
        ),
      ),
    db
      .update(conversations)
      .set({ ownerId: userId })
      .where(and(eq(conversations.ownerId, guestId), isStillGuest)),
    // At most one persona is the default: the account's own default wins.
    db
      .update(personas)
      .set({ isDefault: false })
      .where(
        and(
          eq(personas.ownerId, guestId),
          isStillGuest,
          sql`exists (select 1 from ${personas} as own where own.owner_id = ${userId} and own.is_default = 1)`,
        ),
      ),
    db
      .update(personas)
      .set({ importKey: null })
      .where(
        and(
          eq(personas.ownerId, guestId),
          isStillGuest,
          sql`exists (select 1 from ${personas} as own where own.owner_id = ${userId} and own.import_key = ${personas.importKey})`,
        ),
      ),
    // Move all personas and styles, even beyond their limits, which only apply to new ones.
    db
      .update(personas)
      .set({ ownerId: userId })
      .where(and(eq(personas.ownerId, guestId), isStillGuest)),
    db
      .update(replyStyles)
      .set({ ownerId: userId })
      .where(and(eq(replyStyles.ownerId, guestId), isStillGuest)),
    // Feedback is deleted with its author, so move it to the account before the guest is deleted.
    db
      .update(feedback)
      .set({ userId })
      .where(and(eq(feedback.userId, guestId), isStillGuest)),
    insertGuestErasureStatement(db, { guestId, goes: isStillGuest, now }),
    db
      .delete(users)
      .where(and(eq(users.id, guestId), eq(users.isAnonymous, true)))
      .returning({ id: users.id }),
  ]);
  return (results.at(-1) as { id: string }[]).length > 0;
}

/** The account columns that the owner may change. */
const EDITABLE_COLUMNS = {
  username: users.username,
  nickname: users.nickname,
  avatarKey: users.avatarKey,
  email_notifications: users.emailNotifications,
  marketing_emails: users.marketingEmails,
  spicy_mode: users.spicyMode,
  age_confirmed: users.ageConfirmed,
  personal_suggestions: users.personalSuggestions,
};
type EditableAccount = Pick<
  OwnAccount,
  Exclude<keyof typeof EDITABLE_COLUMNS, 'avatarKey'> | 'avatar_id' | 'avatar_url'
>;

function addAvatarUrl<Row extends { avatarKey: string | null }>({ avatarKey, ...row }: Row) {
  return { ...row, avatar_id: avatarKey, avatar_url: avatarKey === null ? null : `/media/${avatarKey}` };
}

/** Returns the editable fields of an account; null when the account was deleted. */
export async function getEditableAccount(db: Database, userId: string): Promise<EditableAccount | null> {
  const row = await db.select(EDITABLE_COLUMNS).from(users).where(eq(users.id, userId)).get();
  return row === undefined ? null : addAvatarUrl(row);
}

/**
 * Why a change was refused: spicy mode without a confirmed age, a picture that is not the user's own upload, or a name
 * that staff cleared.
 */
export type AccountUpdateError = 'age_confirmation_required' | 'avatar_unknown' | 'name_cleared';

/**
 * Changes an account. Spicy mode needs a confirmed age and the picture must be the user's own upload. The write itself
 * checks both, so concurrent changes cannot produce a forbidden combination. Withdrawing the age confirmation turns
 * spicy mode off.
 * @returns the new state of the account, or why nothing was changed; null when the account was deleted
 */
export async function updateAccount(
  db: Database,
  input: { userId: string; change: AccountChange; now: number },
): Promise<EditableAccount | AccountUpdateError | null> {
  const { avatar_id: avatarKey, spicy_mode: spicyMode, age_confirmed: ageConfirmed, ...rest } = input.change;
  if (spicyMode === true && ageConfirmed === false) return 'age_confirmation_required';
  const needsAge = spicyMode === true && ageConfirmed === undefined;
  const named = rest.nickname != null || rest.username !== undefined;
  const cleared = named ? await readClearedNames(db, input.userId) : null;
  if (cleared !== null && [rest.nickname, rest.username].some(cleared.has)) return 'name_cleared';
  const change = db
    .update(users)
    .set({
      updatedAt: input.now,
      ...(rest.nickname === undefined ? {} : { nickname: rest.nickname }),
      ...(rest.username === undefined ? {} : { username: rest.username }),
      ...(rest.email_notifications === undefined ? {} : { emailNotifications: rest.email_notifications }),
      ...(rest.marketing_emails === undefined ? {} : { marketingEmails: rest.marketing_emails }),
      ...(rest.language === undefined ? {} : { language: rest.language }),
      ...(rest.personal_suggestions === undefined ? {} : { personalSuggestions: rest.personal_suggestions }),
      ...(avatarKey === undefined ? {} : { avatarKey }),
      ...(spicyMode === undefined ? {} : { spicyMode }),
      ...(ageConfirmed === undefined ? {} : { ageConfirmed }),
      ...(ageConfirmed === false ? { spicyMode: false } : {}),
    })
    .where(
      and(
        eq(users.id, input.userId),
        needsAge ? eq(users.ageConfirmed, true) : undefined,
        avatarKey == null ? undefined : isOwnPicture(input.userId, avatarKey),
        cleared?.unchanged,
      ),
    )
    .returning(EDITABLE_COLUMNS);
  const isSeen = [rest.nickname, rest.username, avatarKey].some((field) => field !== undefined);
  const [[changed]] = await db.batch([
    change,
    ...(isSeen ? [purgeUserPagesStatement(db, input.userId, input.now)] : []),
  ]);
  if (changed !== undefined) return addAvatarUrl(changed);
  const now = await getEditableAccount(db, input.userId);
  if (now === null) return null;
  // Staff cleared a name during this change: check again.
  if (cleared !== null && !(await db.get<{ still: number }>(sql`select ${cleared.unchanged} as still`)).still)
    return updateAccount(db, input);
  return needsAge && !now.age_confirmed ? 'age_confirmation_required' : 'avatar_unknown';
}
