import { env } from 'cloudflare:workers';
import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { SUSPENSION_RETENTION_MS } from '../../src/features/safety/limits.ts';
import { removeExpiredSuspensions } from '../../src/features/safety/retained-suspension-statements.ts';
import { openDatabase } from '../../src/db/open.ts';
import { keptSuspensions, measures } from '../../src/db/schema/safety.ts';
import { computeSuspensionFingerprints } from '../../src/features/account/suspension-fingerprint.ts';
import type { OwnModerationActionList } from '../../src/features/moderation/moderation-action-contract.ts';
import { issueToken, createGoogleUser, signInWithToken } from '../support/google.ts';
import { deleteAccount } from '../support/account-deletion.ts';
import { createEmail, signInGuest, createAccount, Visitor } from '../support/factories.ts';
import { createCreator, applyModerationAction, createStaffUser } from '../support/staff.ts';

const db = openDatabase(env.DB);
const REASON = 'Spam, again and again.';

/** Has staff suspend somebody. */
const suspended = (operator: Visitor, id: string) =>
  applyModerationAction(operator, { kind: 'account_suspended', subject_id: id, reason: REASON });

/** Somebody who was suspended and has deleted the account; who may be passed. */
async function left(me?: Visitor) {
  const operator = await createStaffUser();
  const who = me ?? (await createAccount());
  const { id: suspension } = await suspended(operator, who.id);
  await deleteAccount(who);
  return { operator, email: who.email, id: who.id, suspension };
}

const keptOf = (suspension: string) =>
  db.select().from(keptSuspensions).where(eq(keptSuspensions.suspensionId, suspension));

/** That somebody stands where a suspended account stands. */
async function expectShut(me: Visitor): Promise<string> {
  const refused = await me.call('/api/chats');
  expect([refused.status, await refused.json()]).toMatchObject([403, { code: 'account_suspended' }]);
  expect(await me.ask('/api/auth/status')).toMatchObject({
    is_authenticated: true,
    user: { id: me.id, suspended_at: expect.stringMatching(/Z$/) },
  });
  expect(await me.ask('/api/account')).toMatchObject({ suspended_at: expect.stringMatching(/Z$/) });
  const { items } = await me.ask<OwnModerationActionList>('/api/me/measures');
  const held = items.filter(({ ended_at }) => ended_at === null);
  expect(held).toMatchObject([
    { kind: 'account_suspended', subject: 'account', subject_id: me.id, reason: REASON, appeal: null },
  ]);
  return held[0]?.id ?? '';
}

const expectOpen = async (me: Visitor) => expect((await me.call('/api/chats')).status).toBe(200);

/** Appeals, and has staff grant it. */
async function lifted(me: Visitor, measure: string, operator: Visitor): Promise<void> {
  const { id } = await me.ask<{ id: string }>('/api/appeals', {
    json: { measure_id: measure, message: 'It was my little brother.' },
    status: 201,
  });
  await operator.ask(`/api/admin/appeals/${id}`, {
    method: 'PATCH',
    json: { status: 'granted', answer: 'Keep your door shut.' },
  });
}

describe('When my account was suspended and I have deleted it', () => {
  test('I sign up with the same address and find the suspension, with its reason, its time and an appeal', async () => {
    const { email, id } = await left();
    const me = await createAccount(email.toUpperCase());
    expect(me.id).not.toBe(id);
    await expectShut(me);
    const [row] = await db.select().from(measures).where(eq(measures.subjectId, me.id));
    expect(row?.createdAt).toBeLessThan(Date.now() - 1);
    // Coming in once more, nothing is added to it.
    await createAccount(email, me);
    await expectShut(me);
  });

  test('an appeal that is granted opens the new account, and nothing of the suspension is kept', async () => {
    const { operator, email, suspension } = await left();
    const me = await createAccount(email);
    expect(await keptOf(suspension)).toHaveLength(1);
    await lifted(me, await expectShut(me), operator);
    await expectOpen(me);
    expect(await keptOf(suspension)).toEqual([]);
    await deleteAccount(me);
    await expectOpen(await createAccount(email));
  });

  test('deleting the new account as well changes nothing', async () => {
    const { operator, email, suspension } = await left();
    const second = await createAccount(email);
    await deleteAccount(second);
    const third = await createAccount(email);
    await lifted(third, await expectShut(third), operator);
    expect(await keptOf(suspension)).toEqual([]);
    await expectOpen(third);
  });

  test('as a guest who signs up, I am held from that moment on', async () => {
    const { email } = await left();
    const me = await signInGuest();
    await expectOpen(me);
    const { id } = me;
    await createAccount(email, me);
    expect(me.id).toBe(id);
    await expectShut(me);
  });

  test('I come with Google and another address, or by the old address, and find it each time', async () => {
    const googler = await createGoogleUser();
    const { operator, email, suspension } = await left(await signInWithToken(googler));
    expect(await keptOf(suspension)).toHaveLength(2);
    const elsewhere = await signInWithToken(await issueToken(googler, { email: createEmail() }));
    const measure = await expectShut(elsewhere);
    await expectShut(await createAccount(email));
    await lifted(elsewhere, measure, operator);
    await expectOpen(elsewhere);
    expect(await keptOf(suspension)).toEqual([]);
  });

  test('I come with Google and the same address, and find it once', async () => {
    const googler = await createGoogleUser();
    await left(await signInWithToken(googler));
    await expectShut(await signInWithToken(await issueToken(googler)));
  });

  test('the account that I come to with the same Google is held with what it shows, until that is taken back', async () => {
    const googler = await createGoogleUser();
    const { operator } = await left(await signInWithToken(googler));
    const { maker: other, id: character } = await createCreator();
    const seen = async () => (await new Visitor().call(`/api/characters/${character}`)).status;
    expect(await seen()).toBe(200);
    const me = await signInWithToken(await issueToken(googler, { email: other.email }));
    expect(me.id).toBe(other.id);
    const measure = await expectShut(me);
    expect(await seen()).toBe(404);
    await operator.ask(`/api/admin/measures/${measure}`, { method: 'DELETE' });
    await expectOpen(me);
    expect(await seen()).toBe(200);
  });

  test('somebody else with another address, or with another Google, is let in', async () => {
    await left(await signInWithToken(await createGoogleUser()));
    await expectOpen(await createAccount());
    await expectOpen(await signInWithToken(await createGoogleUser()));
  });

  test('after a year I begin anew, also before housekeeping has been there; and it forgets', async () => {
    const { email, suspension } = await left();
    const [kept] = await keptOf(suspension);
    expect((kept?.keptUntil ?? 0) - Date.now()).toBeGreaterThan(SUSPENSION_RETENTION_MS - 60_000);
    await removeExpiredSuspensions(db, (kept?.keptUntil ?? 0) - 1);
    expect(await keptOf(suspension)).toHaveLength(1);
    await db
      .update(keptSuspensions)
      .set({ keptUntil: Date.now() - 1 })
      .where(eq(keptSuspensions.suspensionId, suspension));
    await expectOpen(await createAccount(email));
    await removeExpiredSuspensions(db, Date.now());
    expect(await keptOf(suspension)).toEqual([]);
  });

  test('what is kept has no address and no name of me, and without the operator’s secret nobody finds me by it', async () => {
    const googler = await createGoogleUser();
    const { email, id, suspension } = await left(await signInWithToken(googler));
    const kept = await keptOf(suspension);
    const text = JSON.stringify(kept);
    for (const word of [email, email.split('@')[0] as string, googler.subject, id, id.slice(-6)])
      expect(text).not.toContain(word);
    const way = { email, subjects: [googler.subject] };
    const hashes = kept.map(({ hash }) => hash).toSorted();
    expect((await computeSuspensionFingerprints(way, env.AUTH_SECRET as string)).toSorted()).toEqual(hashes);
    const guessed = await computeSuspensionFingerprints(way, 'another secret of somebody');
    expect(hashes.filter((hash) => guessed.includes(hash))).toEqual([]);
  });
});

describe('Nothing is kept', () => {
  const count = async (email: string) => {
    const [hash = ''] = await computeSuspensionFingerprints(
      { email, subjects: [] },
      env.AUTH_SECRET as string,
    );
    return (await db.select().from(keptSuspensions).where(eq(keptSuspensions.hash, hash))).length;
  };

  test('of an account that was not suspended when it was deleted, or not any more', async () => {
    const [operator, me, other] = [await createStaffUser(), await createAccount(), await createAccount()];
    const { id } = await suspended(operator, me.id);
    await operator.ask(`/api/admin/measures/${id}`, { method: 'DELETE' });
    await me.ask('/api/account', { method: 'PATCH', json: { nickname: 'Rude' } });
    await applyModerationAction(operator, { kind: 'name_cleared', subject_id: me.id });
    for (const who of [me, other]) {
      await deleteAccount(who);
      expect(await count(who.email)).toBe(0);
      await expectOpen(await createAccount(who.email));
    }
  });

  test('of a suspension that staff replaced by another one, once that is taken back', async () => {
    const { operator, email, suspension } = await left();
    const me = await createAccount(email);
    await expectShut(me);
    const { id } = await suspended(operator, me.id);
    expect(await keptOf(suspension)).toHaveLength(1);
    await operator.ask(`/api/admin/measures/${id}`, { method: 'DELETE' });
    expect(await keptOf(suspension)).toEqual([]);
    await expectOpen(me);
  });
});
