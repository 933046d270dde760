import { and, eq, sql } from 'drizzle-orm';
import { readClearedNames } from '../safety/cleared-name-statements.ts';
import type { Database } from '../../db/open.ts';
import { buildReapplySuspensionsStatements } from '../safety/retained-suspension-statements.ts';
import { isRemovedByStaff } from '../safety/removed-picture-statements.ts';
import { purgeUserPagesStatement } from '../page-cache/page-purge-statements.ts';
import { conversations, feedback, googleAccounts, personas, pictures, users } from '../../db/schema/core.ts';
import { createId } from '../../lib/ids.ts';
import type { AccountChange, OwnAccount } from './contract.ts';
import { insertGuestErasureStatement } from './deletion/erasure-queue-store.ts';
import { mergeGuestDecisionsStatements } from './merge-guest-store.ts';

/** Names that give nothing away of the person: the tail of an id is random. */
const buildDefaultUsername = (kind: 'guest' | 'reader', id: string): string => `${kind}-${id.slice(-6)}`;

/** Makes a guest who may chat at once. */
export async function createGuest(db: Database, now: number): Promise<string> {
  const id = createId(now);
  await db.insert(users).values({
    id,
    username: buildDefaultUsername('guest', id),
    isAnonymous: true,
    seenAt: now,
    createdAt: now,
    updatedAt: now,
  });
  return id;
}

/** Whether there is such an account or guest. */
export async function isExistingUser(db: Database, userId: string): Promise<boolean> {
  return (await db.select({ id: users.id }).from(users).where(eq(users.id, userId)).get()) !== undefined;
}

/** Who comes in, with the guest that their browser has been until now. */
interface SignInInput {
  email: string;
  guestId: string | null;
  /** Of what they come in by: under these a suspension may be kept of an account that is gone (`suspension-mark.ts`). */
  fingerprints: readonly string[];
  now: number;
}

/** `joined`: the guest's conversations and personas were handed over, and the guest is gone. */
export interface SignInResult {
  userId: string;
  isGuestMerged: boolean;
}

/**
 * The account of a verified address. A guest becomes the account when the address is new, and
 * otherwise hands over the conversations and personas: nothing made as a guest is lost by signing in, and what staff
 * decided about the guest holds. The guest's points stay behind, or guests could be made for their points alone.
 * A suspension that was kept of an account that is gone goes on with the one that is made.
 */
export async function signInByEmail(db: Database, input: SignInInput): Promise<SignInResult> {
  const known = await findByEmail(db, input.email);
  if (known === null)
    await db.batch([...upsertAccountStatements(db, input), ...restoreSuspensionsStatements(db, input)]);
  return mergeGuestIfPresent(db, input, known ?? (await findByEmail(db, input.email)));
}

/**
 * The account of somebody whom Google knows by `subject` and a verified address: the one that they came in to
 * before, whatever their address is now, and else the one of the address, which is made when there is none. A guest
 * fares as in `signInByEmail`.
 */
export async function signInByGoogle(
  db: Database,
  input: SignInInput & { subject: string },
): Promise<SignInResult> {
  const known = await findBySubject(db, input.subject);
  if (known === null) {
    const [raise, add] = upsertAccountStatements(db, input);
    // One batch, and each part of it harmless where somebody was quicker: of two at once, one account.
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

/** Makes the account of an address out of the guest, or a new one; nothing at all where there is one already. */
function upsertAccountStatements(db: Database, { email, guestId, now }: SignInInput) {
  const id = createId(now);
  return [
    db
      .update(users)
      .set({
        email,
        isAnonymous: false,
        username: buildDefaultUsername('reader', guestId ?? id),
        accountSince: now,
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
        seenAt: now,
        accountSince: now,
        createdAt: now,
        updatedAt: now,
      })
      .onConflictDoNothing({ target: users.email }),
  ] as const;
}

/** Has what was kept of suspensions go on with the account of an address. */
const restoreSuspensionsStatements = (db: Database, { email, fingerprints: marks, now }: SignInInput) =>
  buildReapplySuspensionsStatements(db, {
    account: sql`(select id from users where email = ${email})`,
    marks,
    now,
  });

async function findByEmail(db: Database, email: string): Promise<string | null> {
  const row = await db.select({ id: users.id }).from(users).where(eq(users.email, email)).get();
  return row?.id ?? null;
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
  { guestId, now }: SignInInput,
  userId: string | null,
): Promise<SignInResult> {
  // It was there a moment ago: only an account that is being deleted goes meanwhile.
  if (userId === null) throw new Error('the account went while somebody signed in to it');
  if (guestId === null || guestId === userId) return { userId, isGuestMerged: false };
  return { userId, isGuestMerged: await mergeGuest(db, { guestId, userId, now }) };
}

/** @returns false when the guest is none any more: another tab made an account of it, and that keeps what it has */
async function mergeGuest(
  db: Database,
  { guestId, userId, now }: { guestId: string; userId: string; now: number },
): Promise<boolean> {
  const isStillGuest = sql`exists (select 1 from ${users} as guest where guest.id = ${guestId} and guest.is_anonymous = 1)`;
  const results: readonly unknown[] = await db.batch([
    ...mergeGuestDecisionsStatements(db, { guestId, userId, stillGuest: isStillGuest, now }),
    db
      .update(conversations)
      .set({ ownerId: userId })
      .where(and(eq(conversations.ownerId, guestId), isStillGuest)),
    // At most one persona is the default: the account's own stays it.
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
    // All of them, also beyond what the plan holds: a limit is for new ones.
    db
      .update(personas)
      .set({ ownerId: userId })
      .where(and(eq(personas.ownerId, guestId), isStillGuest)),
    // What they told the operator goes with whoever told it, and not before.
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

/** What of an account its owner may change, as it is kept. */
const EDITABLE_COLUMNS = {
  username: users.username,
  nickname: users.nickname,
  avatarKey: users.avatarKey,
  email_notifications: users.emailNotifications,
  marketing_emails: users.marketingEmails,
  spicy_mode: users.spicyMode,
  age_confirmed: users.ageConfirmed,
};
type EditableAccount = Pick<
  OwnAccount,
  Exclude<keyof typeof EDITABLE_COLUMNS, 'avatarKey'> | 'avatar_id' | 'avatar_url'
>;

function addAvatarUrl<Row extends { avatarKey: string | null }>({ avatarKey, ...row }: Row) {
  return { ...row, avatar_id: avatarKey, avatar_url: avatarKey === null ? null : `/media/${avatarKey}` };
}

/** What an account holds of the things that its owner may change; null when it is gone. */
export async function getEditableAccount(db: Database, userId: string): Promise<EditableAccount | null> {
  const row = await db.select(EDITABLE_COLUMNS).from(users).where(eq(users.id, userId)).get();
  return row === undefined ? null : addAvatarUrl(row);
}

/** Why a change was not made: spicy mode without a confirmed age, a picture that is not one's own, a name that staff took away. */
export type AccountUpdateError = 'age_confirmation_required' | 'avatar_unknown' | 'name_cleared';

/**
 * Changes an account. Spicy mode needs a confirmed age and a picture must be one's own upload; both are asked in the
 * write itself: of two changes at once none can leave what neither may. Taking the confirmation back turns spicy mode
 * off.
 * @returns what the account holds now, or why nothing was changed; null when it is gone
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
  // One without a time is being taken away (picture-store.ts).
  const ownPicture = sql`exists (select 1 from ${pictures} where ${pictures.key} = ${avatarKey} and ${pictures.ownerId} = ${input.userId} and ${pictures.createdAt} > 0 and not ${isRemovedByStaff})`;
  const change = db
    .update(users)
    .set({
      updatedAt: input.now,
      ...(rest.nickname === undefined ? {} : { nickname: rest.nickname }),
      ...(rest.username === undefined ? {} : { username: rest.username }),
      ...(rest.email_notifications === undefined ? {} : { emailNotifications: rest.email_notifications }),
      ...(rest.marketing_emails === undefined ? {} : { marketingEmails: rest.marketing_emails }),
      ...(rest.language === undefined ? {} : { language: rest.language }),
      ...(avatarKey === undefined ? {} : { avatarKey }),
      ...(spicyMode === undefined ? {} : { spicyMode }),
      ...(ageConfirmed === undefined ? {} : { ageConfirmed }),
      ...(ageConfirmed === false ? { spicyMode: false } : {}),
    })
    .where(
      and(
        eq(users.id, input.userId),
        needsAge ? eq(users.ageConfirmed, true) : undefined,
        avatarKey == null ? undefined : ownPicture,
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
  // Cleared while it was being changed: looked at once more.
  if (cleared !== null && !(await db.get<{ still: number }>(sql`select ${cleared.unchanged} as still`)).still)
    return updateAccount(db, input);
  return needsAge && !now.age_confirmed ? 'age_confirmation_required' : 'avatar_unknown';
}
