import { and, eq, sql } from 'drizzle-orm';
import { clearedNamesOf } from '../safety/cleared-name-statements.ts';
import type { Database } from '../../db/open.ts';
import { keptToGoOn } from '../safety/retained-suspension-statements.ts';
import { removedByStaff } from '../safety/removed-picture-statements.ts';
import { pagesNamingToMark } from '../page-cache/page-purge-statements.ts';
import { conversations, feedback, googleAccounts, personas, pictures, users } from '../../db/schema/core.ts';
import { newId } from '../../lib/ids.ts';
import type { AccountChange, OwnAccount } from './contract.ts';
import { joinedGuestToErase } from './deletion/erasure-queue-store.ts';
import { decisionsToJoin } from './merge-guest-store.ts';

/** Names that give nothing away of the person: the tail of an id is random. */
const nameFor = (kind: 'guest' | 'reader', id: string): string => `${kind}-${id.slice(-6)}`;

/** Makes a guest who may chat at once. */
export async function createGuest(db: Database, now: number): Promise<string> {
  const id = newId(now);
  await db.insert(users).values({
    id,
    username: nameFor('guest', id),
    isAnonymous: true,
    seenAt: now,
    createdAt: now,
    updatedAt: now,
  });
  return id;
}

/** Whether there is such an account or guest. */
export async function isThere(db: Database, userId: string): Promise<boolean> {
  return (await db.select({ id: users.id }).from(users).where(eq(users.id, userId)).get()) !== undefined;
}

/** Who comes in, with the guest that their browser has been until now. */
interface Newcomer {
  email: string;
  guestId: string | null;
  /** Of what they come in by: under these a suspension may be kept of an account that is gone (`suspension-mark.ts`). */
  marks: readonly string[];
  now: number;
}

/** `joined`: the guest's conversations and personas were handed over, and the guest is gone. */
export interface SignedIn {
  userId: string;
  joined: boolean;
}

/**
 * The account of a verified address. A guest becomes the account when the address is new, and
 * otherwise hands over the conversations and personas: nothing made as a guest is lost by signing in, and what staff
 * decided about the guest holds. The guest's points stay behind, or guests could be made for their points alone.
 * A suspension that was kept of an account that is gone goes on with the one that is made.
 */
export async function signInByEmail(db: Database, input: Newcomer): Promise<SignedIn> {
  const known = await findByEmail(db, input.email);
  if (known === null) await db.batch([...accountFor(db, input), ...suspensionsFor(db, input)]);
  return withGuest(db, input, known ?? (await findByEmail(db, input.email)));
}

/**
 * The account of somebody whom Google knows by `subject` and a verified address: the one that they came in to
 * before, whatever their address is now, and else the one of the address, which is made when there is none. A guest
 * fares as in `signInByEmail`.
 */
export async function signInByGoogle(db: Database, input: Newcomer & { subject: string }): Promise<SignedIn> {
  const known = await findBySubject(db, input.subject);
  if (known === null) {
    const [raise, add] = accountFor(db, input);
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
      ...suspensionsFor(db, input),
    ]);
  }
  return withGuest(db, input, known ?? (await findBySubject(db, input.subject)));
}

/** Makes the account of an address out of the guest, or a new one; nothing at all where there is one already. */
function accountFor(db: Database, { email, guestId, now }: Newcomer) {
  const id = newId(now);
  return [
    db
      .update(users)
      .set({
        email,
        isAnonymous: false,
        username: nameFor('reader', guestId ?? id),
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
        username: nameFor('reader', id),
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
const suspensionsFor = (db: Database, { email, marks, now }: Newcomer) =>
  keptToGoOn(db, { account: sql`(select id from users where email = ${email})`, marks, now });

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

async function withGuest(db: Database, { guestId, now }: Newcomer, userId: string | null): Promise<SignedIn> {
  // It was there a moment ago: only an account that is being deleted goes meanwhile.
  if (userId === null) throw new Error('the account went while somebody signed in to it');
  if (guestId === null || guestId === userId) return { userId, joined: false };
  return { userId, joined: await joinGuest(db, { guestId, userId, now }) };
}

/** @returns false when the guest is none any more: another tab made an account of it, and that keeps what it has */
async function joinGuest(
  db: Database,
  { guestId, userId, now }: { guestId: string; userId: string; now: number },
): Promise<boolean> {
  const stillGuest = sql`exists (select 1 from ${users} as guest where guest.id = ${guestId} and guest.is_anonymous = 1)`;
  const results: readonly unknown[] = await db.batch([
    ...decisionsToJoin(db, { guestId, userId, stillGuest, now }),
    db
      .update(conversations)
      .set({ ownerId: userId })
      .where(and(eq(conversations.ownerId, guestId), stillGuest)),
    // At most one persona is the default: the account's own stays it.
    db
      .update(personas)
      .set({ isDefault: false })
      .where(
        and(
          eq(personas.ownerId, guestId),
          stillGuest,
          sql`exists (select 1 from ${personas} as own where own.owner_id = ${userId} and own.is_default = 1)`,
        ),
      ),
    // All of them, also beyond what the plan holds: a limit is for new ones.
    db
      .update(personas)
      .set({ ownerId: userId })
      .where(and(eq(personas.ownerId, guestId), stillGuest)),
    // What they told the operator goes with whoever told it, and not before.
    db
      .update(feedback)
      .set({ userId })
      .where(and(eq(feedback.userId, guestId), stillGuest)),
    joinedGuestToErase(db, { guestId, goes: stillGuest, now }),
    db
      .delete(users)
      .where(and(eq(users.id, guestId), eq(users.isAnonymous, true)))
      .returning({ id: users.id }),
  ]);
  return (results.at(-1) as { id: string }[]).length > 0;
}

/** What of an account its owner may change, as it is kept. */
const OWN_FIELDS = {
  username: users.username,
  nickname: users.nickname,
  avatarKey: users.avatarKey,
  email_notifications: users.emailNotifications,
  marketing_emails: users.marketingEmails,
  spicy_mode: users.spicyMode,
  age_confirmed: users.ageConfirmed,
};
type OwnFields = Pick<OwnAccount, Exclude<keyof typeof OWN_FIELDS, 'avatarKey'> | 'avatar_id' | 'avatar_url'>;

function withPicture<Row extends { avatarKey: string | null }>({ avatarKey, ...row }: Row) {
  return { ...row, avatar_id: avatarKey, avatar_url: avatarKey === null ? null : `/media/${avatarKey}` };
}

/** What an account holds of the things that its owner may change; null when it is gone. */
export async function ownFieldsOf(db: Database, userId: string): Promise<OwnFields | null> {
  const row = await db.select(OWN_FIELDS).from(users).where(eq(users.id, userId)).get();
  return row === undefined ? null : withPicture(row);
}

/** Why a change was not made: spicy mode without a confirmed age, a picture that is not one's own, a name that staff took away. */
export type AccountRefusal = 'age_confirmation_required' | 'avatar_unknown' | 'name_cleared';

/**
 * Changes an account. Spicy mode needs a confirmed age and a picture must be one's own upload; both are asked in the
 * write itself: of two changes at once none can leave what neither may. Taking the confirmation back turns spicy mode
 * off.
 * @returns what the account holds now, or why nothing was changed; null when it is gone
 */
export async function changeAccount(
  db: Database,
  input: { userId: string; change: AccountChange; now: number },
): Promise<OwnFields | AccountRefusal | null> {
  const { avatar_id: avatarKey, spicy_mode: spicyMode, age_confirmed: ageConfirmed, ...rest } = input.change;
  if (spicyMode === true && ageConfirmed === false) return 'age_confirmation_required';
  const needsAge = spicyMode === true && ageConfirmed === undefined;
  const named = rest.nickname != null || rest.username !== undefined;
  const cleared = named ? await clearedNamesOf(db, input.userId) : null;
  if (cleared !== null && [rest.nickname, rest.username].some(cleared.has)) return 'name_cleared';
  // One without a time is being taken away (picture-store.ts).
  const ownPicture = sql`exists (select 1 from ${pictures} where ${pictures.key} = ${avatarKey} and ${pictures.ownerId} = ${input.userId} and ${pictures.createdAt} > 0 and not ${removedByStaff})`;
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
        cleared?.still,
      ),
    )
    .returning(OWN_FIELDS);
  const isSeen = [rest.nickname, rest.username, avatarKey].some((field) => field !== undefined);
  const [[changed]] = await db.batch([
    change,
    ...(isSeen ? [pagesNamingToMark(db, input.userId, input.now)] : []),
  ]);
  if (changed !== undefined) return withPicture(changed);
  const now = await ownFieldsOf(db, input.userId);
  if (now === null) return null;
  // Cleared while it was being changed: looked at once more.
  if (cleared !== null && !(await db.get<{ still: number }>(sql`select ${cleared.still} as still`)).still)
    return changeAccount(db, input);
  return needsAge && !now.age_confirmed ? 'age_confirmation_required' : 'avatar_unknown';
}
