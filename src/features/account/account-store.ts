import { and, eq } from 'drizzle-orm';
import type { Database } from '../../db/open.ts';
import { conversations, users } from '../../db/schema.ts';
import { newId } from '../../ids.ts';

/** Names that give nothing away of the person: the tail of an id is random. */
const nameFor = (kind: 'guest' | 'reader', id: string): string => `${kind}-${id.slice(-6)}`;

/** Makes a guest who may chat at once. */
export async function createGuest(db: Database, now: number): Promise<string> {
  const id = newId(now);
  await db.insert(users).values({
    id,
    username: nameFor('guest', id),
    isAnonymous: true,
    createdAt: now,
    updatedAt: now,
  });
  return id;
}

/**
 * The account of a verified address. A guest becomes the account when the address is new, and
 * otherwise hands over the conversations: nothing said as a guest is lost by signing in. The
 * guest's points stay behind, or guests could be made for their points alone.
 */
export async function signInByEmail(
  db: Database,
  input: { email: string; guestId: string | null; now: number },
): Promise<{ userId: string }> {
  const existing = await findByEmail(db, input.email);
  if (existing !== null) {
    if (input.guestId !== null) await joinGuest(db, input.guestId, existing);
    return { userId: existing };
  }
  if (input.guestId !== null) {
    const raised = await db
      .update(users)
      .set({
        email: input.email,
        isAnonymous: false,
        username: nameFor('reader', input.guestId),
        updatedAt: input.now,
      })
      .where(and(eq(users.id, input.guestId), eq(users.isAnonymous, true)))
      .returning({ id: users.id });
    if (raised.length > 0) return { userId: input.guestId };
  }
  const id = newId(input.now);
  await db.insert(users).values({
    id,
    username: nameFor('reader', id),
    email: input.email,
    isAnonymous: false,
    createdAt: input.now,
    updatedAt: input.now,
  });
  return { userId: id };
}

async function findByEmail(db: Database, email: string): Promise<string | null> {
  const row = await db.select({ id: users.id }).from(users).where(eq(users.email, email)).get();
  return row?.id ?? null;
}

async function joinGuest(db: Database, guestId: string, userId: string): Promise<void> {
  await db.batch([
    db.update(conversations).set({ ownerId: userId }).where(eq(conversations.ownerId, guestId)),
    db.delete(users).where(and(eq(users.id, guestId), eq(users.isAnonymous, true))),
  ]);
}
