import { and, asc, eq, inArray, lt, or, sql } from 'drizzle-orm';
import { insertWhere } from '../../../db/insert-where.ts';
import type { Database } from '../../../db/open.ts';
import { googleAccounts, passkeys, users } from '../../../db/schema/core.ts';
import { createId } from '../../../lib/ids.ts';
import { PASSKEY } from '../limits.ts';
import type { Passkey } from './passkey-contract.ts';
import type { StoredKey } from './webauthn.ts';

const COLUMNS = {
  id: passkeys.id,
  name: passkeys.name,
  host: passkeys.host,
  createdAt: passkeys.createdAt,
  lastUsedAt: passkeys.lastUsedAt,
};

/** What the owner sees of a passkey: nothing of its key. */
type PasskeyRow = Pick<typeof passkeys.$inferSelect, keyof typeof COLUMNS>;

const toPasskey = ({ id, name, host, createdAt, lastUsedAt }: PasskeyRow): Passkey => ({
  id,
  name,
  host,
  created_at: new Date(createdAt).toISOString(),
  last_used_at: lastUsedAt === null ? null : new Date(lastUsedAt).toISOString(),
});

const isOwnedBy = (userId: string, id: string) => and(eq(passkeys.userId, userId), eq(passkeys.id, id));

/** Lists a user's passkeys, the oldest first, also those of other hosts. */
export async function listPasskeys(db: Database, userId: string): Promise<Passkey[]> {
  const rows = await db
    .select(COLUMNS)
    .from(passkeys)
    .where(eq(passkeys.userId, userId))
    .orderBy(asc(passkeys.createdAt), asc(passkeys.id));
  return rows.map(toPasskey);
}

/** Lists the keys of a user on a host, by which browsers recognise the devices that have one. */
export async function listKeys(
  db: Database,
  { userId, host }: { userId: string; host: string },
): Promise<StoredKey[]> {
  const { credentialId, publicKey, transports } = passkeys;
  return db
    .select({ credentialId, publicKey, transports })
    .from(passkeys)
    .where(and(eq(passkeys.userId, userId), eq(passkeys.host, host)));
}

/** Finds a passkey of a host by the device's id of it. */
export async function findPasskey(
  db: Database,
  { credentialId, host }: { credentialId: string; host: string },
): Promise<(StoredKey & { id: string; userId: string }) | null> {
  const found = await db
    .select({
      id: passkeys.id,
      userId: passkeys.userId,
      credentialId: passkeys.credentialId,
      publicKey: passkeys.publicKey,
      transports: passkeys.transports,
    })
    .from(passkeys)
    .where(and(eq(passkeys.credentialId, credentialId), eq(passkeys.host, host)))
    .get();
  return found ?? null;
}

/**
 * Adds a passkey. The statement itself counts the others, so concurrent requests cannot exceed the limit.
 * @returns `passkey_limit` when the account has the most it may have, `known` when the key belongs to an account
 */
export async function addPasskey(
  db: Database,
  input: {
    userId: string;
    name: string;
    host: string;
    key: StoredKey & { signCount: number };
    now: number;
  },
): Promise<Passkey | 'passkey_limit' | 'known'> {
  const { userId, name, host, key, now } = input;
  const row = { id: createId(now), userId, name, host, ...key, createdAt: now };
  const others = sql`(select count(*) from ${passkeys} where ${passkeys.userId} = ${userId})`;
  const [added] = await insertWhere(db, passkeys, row, sql`${others} < ${PASSKEY.maxPerAccount}`)
    .onConflictDoNothing()
    .returning(COLUMNS);
  if (added !== undefined) return toPasskey(added);
  const known = await db
    .select({ id: passkeys.id })
    .from(passkeys)
    .where(eq(passkeys.credentialId, key.credentialId))
    .get();
  return known === undefined ? 'passkey_limit' : 'known';
}

/** Renames one of the user's passkeys. @returns null when the user has none with this id */
export async function renamePasskey(
  db: Database,
  { userId, id, name }: { userId: string; id: string; name: string },
): Promise<Passkey | null> {
  const [renamed] = await db.update(passkeys).set({ name }).where(isOwnedBy(userId, id)).returning(COLUMNS);
  return renamed === undefined ? null : toPasskey(renamed);
}

/** Removes one of the user's passkeys; it then logs in to nothing. @returns false when the user has none with this id */
export async function removePasskey(
  db: Database,
  { userId, id }: { userId: string; id: string },
): Promise<boolean> {
  const removed = await db.delete(passkeys).where(isOwnedBy(userId, id)).returning({ id: passkeys.id });
  return removed.length > 0;
}

/**
 * Records a login with a passkey. Devices that count their signatures count up; a counter that does not grow is a sign of a
 * copied key. Devices that do not count always send 0. One statement, so that of concurrent logins with the same counter
 * one succeeds.
 * @returns false when the counter did not grow, or the passkey was just removed
 */
export async function recordPasskeyUse(
  db: Database,
  { id, signCount, now }: { id: string; signCount: number; now: number },
): Promise<boolean> {
  const counts = or(lt(passkeys.signCount, signCount), and(eq(passkeys.signCount, 0), sql`${signCount} = 0`));
  const recorded = await db
    .update(passkeys)
    .set({ signCount, lastUsedAt: now })
    .where(and(eq(passkeys.id, id), counts))
    .returning({ id: passkeys.id });
  return recorded.length > 0;
}

/** Whether one of the admins has a passkey for a host. */
export async function isAdminWithPasskey(
  db: Database,
  { adminEmails, host }: { adminEmails: readonly string[]; host: string },
): Promise<boolean> {
  const found = await db
    .select({ id: passkeys.id })
    .from(passkeys)
    .innerJoin(users, eq(users.id, passkeys.userId))
    .where(and(inArray(users.email, [...adminEmails]), eq(passkeys.host, host)))
    .get();
  return found !== undefined;
}

/** Which ways of logging in an account has, besides a code by e-mail. */
export async function findLoginMethods(
  db: Database,
  { userId, host }: { userId: string; host: string },
): Promise<{ hasPasskey: boolean; hasGoogle: boolean }> {
  const passkey = db
    .select({ id: passkeys.id })
    .from(passkeys)
    .where(and(eq(passkeys.userId, userId), eq(passkeys.host, host)));
  const google = db
    .select({ id: googleAccounts.subject })
    .from(googleAccounts)
    .where(eq(googleAccounts.userId, userId));
  const found = await db.get<{ passkey: number; google: number }>(
    sql`select exists ${passkey} as passkey, exists ${google} as google`,
  );
  return { hasPasskey: found.passkey === 1, hasGoogle: found.google === 1 };
}
