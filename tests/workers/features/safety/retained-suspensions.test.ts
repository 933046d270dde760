import { env } from 'cloudflare:workers';
import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { SUSPENSION_RETENTION_MS } from '../../../../src/features/safety/limits.ts';
import { removeExpiredSuspensions } from '../../../../src/features/safety/retained-suspension-statements.ts';
import { openDatabase } from '../../../../src/db/open.ts';
import { retainedSuspensions, moderationActions } from '../../../../src/db/schema/safety.ts';
import { computeSuspensionFingerprints } from '../../../../src/features/account/suspension-fingerprint.ts';
import type { OwnModerationActionList } from '../../../../src/features/moderation/moderation-action-contract.ts';
import { issueToken, createGoogleUser, signInWithToken } from '../../../support/google.ts';
import { deleteAccount } from '../../../support/account-deletion.ts';
import { createEmail, signInGuest, createAccount, Visitor } from '../../../support/factories.ts';
import { createCreator, applyModerationAction, createStaffUser } from '../../../support/staff.ts';

const db = openDatabase(env.DB);
const REASON = 'Spam, again and again.';

/** Suspends a user as staff. */
const suspendUser = (operator: Visitor, id: string) =>
  applyModerationAction(operator, { kind: 'account_suspended', subject_id: id, reason: REASON });

/** Suspends a user, new unless passed, who then deletes the account. */
async function createDeletedSuspended(me?: Visitor) {
  const operator = await createStaffUser();
  const user = me ?? (await createAccount());
  const { id: suspension } = await suspendUser(operator, user.id);
  await deleteAccount(user);
  return { operator, email: user.email, id: user.id, suspension };
}

const listRetainedSuspensions = (suspension: string) =>
  db.select().from(retainedSuspensions).where(eq(retainedSuspensions.suspensionId, suspension));

/** Expects that the user is suspended and returns the id of the action. */
async function expectSuspended(me: Visitor): Promise<string> {
  const refused = await me.call('/api/chats');
  expect([refused.status, await refused.json()]).toMatchObject([403, { code: 'account_suspended' }]);
  expect(await me.ask('/api/auth/status')).toMatchObject({
    is_authenticated: true,
    user: { id: me.id, suspended_at: expect.stringMatching(/Z$/) },
  });
  expect(await me.ask('/api/account')).toMatchObject({ suspended_at: expect.stringMatching(/Z$/) });
  const { items } = await me.ask<OwnModerationActionList>('/api/me/measures');
  const active = items.filter(({ ended_at }) => ended_at === null);
  expect(active).toMatchObject([
    { kind: 'account_suspended', subject: 'account', subject_id: me.id, reason: REASON, appeal: null },
  ]);
  return active[0]?.id ?? '';
}

const expectOpen = async (me: Visitor) => expect((await me.call('/api/chats')).status).toBe(200);

/** Files an appeal and grants it. */
async function liftSuspension(me: Visitor, measure: string, operator: Visitor): Promise<void> {
  const { id } = await me.ask<{ id: string }>('/api/appeals', {
    json: { measure_id: measure, message: 'It was my little brother.' },
    status: 201,
  });
  await operator.ask(`/api/admin/appeals/${id}`, {
    method: 'PATCH',
    json: { status: 'granted', answer: 'Keep your door shut.' },
  });
}

describe('Suspension of a deleted account', () => {
  test('a new account with the same address is suspended with the old reason, time and right to appeal', async () => {
    const { email, id } = await createDeletedSuspended();
    const me = await createAccount(email.toUpperCase());
    expect(me.id).not.toBe(id);
    await expectSuspended(me);
    const [row] = await db.select().from(moderationActions).where(eq(moderationActions.subjectId, me.id));
    expect(row?.createdAt).toBeLessThan(Date.now() - 1);
    // Logging in again adds nothing.
    await createAccount(email, me);
    await expectSuspended(me);
  });

  test('granting an appeal of a new account ends the suspension for good', async () => {
    const { operator, email, suspension } = await createDeletedSuspended();
    const me = await createAccount(email);
    expect(await listRetainedSuspensions(suspension)).toHaveLength(1);
    await liftSuspension(me, await expectSuspended(me), operator);
    await expectOpen(me);
    expect(await listRetainedSuspensions(suspension)).toEqual([]);
    await deleteAccount(me);
    await expectOpen(await createAccount(email));
  });

  test('deleting a second suspended account does not end the suspension', async () => {
    const { operator, email, suspension } = await createDeletedSuspended();
    const second = await createAccount(email);
    await deleteAccount(second);
    const third = await createAccount(email);
    await liftSuspension(third, await expectSuspended(third), operator);
    expect(await listRetainedSuspensions(suspension)).toEqual([]);
    await expectOpen(third);
  });

  test('a guest who signs up with the address of a suspended user is suspended from then on', async () => {
    const { email } = await createDeletedSuspended();
    const me = await signInGuest();
    await expectOpen(me);
    const { id } = me;
    await createAccount(email, me);
    expect(me.id).toBe(id);
    await expectSuspended(me);
  });

  test('the suspension of a deleted account applies to the same Google user and address', async () => {
    const googler = await createGoogleUser();
    const { operator, email, suspension } = await createDeletedSuspended(await signInWithToken(googler));
    expect(await listRetainedSuspensions(suspension)).toHaveLength(2);
    const sameGoogleUser = await signInWithToken(await issueToken(googler, { email: createEmail() }));
    const measure = await expectSuspended(sameGoogleUser);
    await expectSuspended(await createAccount(email));
    await liftSuspension(sameGoogleUser, measure, operator);
    await expectOpen(sameGoogleUser);
    expect(await listRetainedSuspensions(suspension)).toEqual([]);
  });

  test('a new account with the same Google user and address is suspended once', async () => {
    const googler = await createGoogleUser();
    await createDeletedSuspended(await signInWithToken(googler));
    await expectSuspended(await signInWithToken(await issueToken(googler)));
  });

  test('an existing account that the Google user joins is suspended with its characters until it is lifted', async () => {
    const googler = await createGoogleUser();
    const { operator } = await createDeletedSuspended(await signInWithToken(googler));
    const { maker: other, id: character } = await createCreator();
    const readStatus = async () => (await new Visitor().call(`/api/characters/${character}`)).status;
    expect(await readStatus()).toBe(200);
    const me = await signInWithToken(await issueToken(googler, { email: other.email }));
    expect(me.id).toBe(other.id);
    const measure = await expectSuspended(me);
    expect(await readStatus()).toBe(404);
    await operator.ask(`/api/admin/measures/${measure}`, { method: 'DELETE' });
    await expectOpen(me);
    expect(await readStatus()).toBe(200);
  });

  test('other addresses and other Google users are not suspended', async () => {
    await createDeletedSuspended(await signInWithToken(await createGoogleUser()));
    await expectOpen(await createAccount());
    await expectOpen(await signInWithToken(await createGoogleUser()));
  });

  test('the suspension of a deleted account expires after a year, and the cleanup deletes its record', async () => {
    const { email, suspension } = await createDeletedSuspended();
    const [record] = await listRetainedSuspensions(suspension);
    expect((record?.retainedUntil ?? 0) - Date.now()).toBeGreaterThan(SUSPENSION_RETENTION_MS - 60_000);
    await removeExpiredSuspensions(db, (record?.retainedUntil ?? 0) - 1);
    expect(await listRetainedSuspensions(suspension)).toHaveLength(1);
    await db
      .update(retainedSuspensions)
      .set({ retainedUntil: Date.now() - 1 })
      .where(eq(retainedSuspensions.suspensionId, suspension));
    await expectOpen(await createAccount(email));
    await removeExpiredSuspensions(db, Date.now());
    expect(await listRetainedSuspensions(suspension)).toEqual([]);
  });

  test("a suspension record has no address or name, and its hashes depend on the operator's secret", async () => {
    const googler = await createGoogleUser();
    const { email, id, suspension } = await createDeletedSuspended(await signInWithToken(googler));
    const records = await listRetainedSuspensions(suspension);
    const text = JSON.stringify(records);
    for (const word of [email, email.split('@')[0] as string, googler.subject, id, id.slice(-6)])
      expect(text).not.toContain(word);
    const way = { email, subjects: [googler.subject] };
    const hashes = records.map(({ hash }) => hash).toSorted();
    expect((await computeSuspensionFingerprints(way, env.AUTH_SECRET as string)).toSorted()).toEqual(hashes);
    const otherHashes = await computeSuspensionFingerprints(way, 'another secret of somebody');
    expect(hashes.filter((hash) => otherHashes.includes(hash))).toEqual([]);
  });
});

describe('Accounts without a stored suspension', () => {
  const countRecords = async (email: string) => {
    const [hash = ''] = await computeSuspensionFingerprints(
      { email, subjects: [] },
      env.AUTH_SECRET as string,
    );
    return (await db.select().from(retainedSuspensions).where(eq(retainedSuspensions.hash, hash))).length;
  };

  test('an account that was not suspended when it was deleted leaves no record', async () => {
    const [operator, me, other] = [await createStaffUser(), await createAccount(), await createAccount()];
    const { id } = await suspendUser(operator, me.id);
    await operator.ask(`/api/admin/measures/${id}`, { method: 'DELETE' });
    await me.ask('/api/account', { method: 'PATCH', json: { nickname: 'Rude' } });
    await applyModerationAction(operator, { kind: 'name_cleared', subject_id: me.id });
    for (const user of [me, other]) {
      await deleteAccount(user);
      expect(await countRecords(user.email)).toBe(0);
      await expectOpen(await createAccount(user.email));
    }
  });

  test('a replaced suspension leaves no record once the new one ends', async () => {
    const { operator, email, suspension } = await createDeletedSuspended();
    const me = await createAccount(email);
    await expectSuspended(me);
    const { id } = await suspendUser(operator, me.id);
    expect(await listRetainedSuspensions(suspension)).toHaveLength(1);
    await operator.ask(`/api/admin/measures/${id}`, { method: 'DELETE' });
    expect(await listRetainedSuspensions(suspension)).toEqual([]);
    await expectOpen(me);
  });
});
