import { env } from 'cloudflare:workers';
import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { SUSPENSION_KEPT_MS } from '../../src/features/safety/limits.ts';
import { removeKeptSuspensions } from '../../src/features/safety/retained-suspension-statements.ts';
import { openDatabase } from '../../src/db/open.ts';
import { keptSuspensions, measures } from '../../src/db/schema/safety.ts';
import { suspensionMarks } from '../../src/features/account/suspension-fingerprint.ts';
import type { OwnMeasureList } from '../../src/features/moderation/moderation-action-contract.ts';
import { another, atGoogle, enterWith } from '../support/google.ts';
import { leave } from '../support/leaving.ts';
import { freshEmail, guest, signedIn, Visitor } from '../support/makers.ts';
import { maker, measured, staff } from '../support/staff.ts';

const db = openDatabase(env.DB);
const REASON = 'Spam, again and again.';

/** Has staff suspend somebody. */
const suspended = (operator: Visitor, id: string) =>
  measured(operator, { kind: 'account_suspended', subject_id: id, reason: REASON });

/** Somebody who was suspended and has deleted the account; who may be passed. */
async function left(me?: Visitor) {
  const operator = await staff();
  const who = me ?? (await signedIn());
  const { id: suspension } = await suspended(operator, who.id);
  await leave(who);
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
  const { items } = await me.ask<OwnMeasureList>('/api/me/measures');
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
    const me = await signedIn(email.toUpperCase());
    expect(me.id).not.toBe(id);
    await expectShut(me);
    const [row] = await db.select().from(measures).where(eq(measures.subjectId, me.id));
    expect(row?.createdAt).toBeLessThan(Date.now() - 1);
    // Coming in once more, nothing is added to it.
    await signedIn(email, me);
    await expectShut(me);
  });

  test('an appeal that is granted opens the new account, and nothing of the suspension is kept', async () => {
    const { operator, email, suspension } = await left();
    const me = await signedIn(email);
    expect(await keptOf(suspension)).toHaveLength(1);
    await lifted(me, await expectShut(me), operator);
    await expectOpen(me);
    expect(await keptOf(suspension)).toEqual([]);
    await leave(me);
    await expectOpen(await signedIn(email));
  });

  test('deleting the new account as well changes nothing', async () => {
    const { operator, email, suspension } = await left();
    const second = await signedIn(email);
    await leave(second);
    const third = await signedIn(email);
    await lifted(third, await expectShut(third), operator);
    expect(await keptOf(suspension)).toEqual([]);
    await expectOpen(third);
  });

  test('as a guest who signs up, I am held from that moment on', async () => {
    const { email } = await left();
    const me = await guest();
    await expectOpen(me);
    const { id } = me;
    await signedIn(email, me);
    expect(me.id).toBe(id);
    await expectShut(me);
  });

  test('I come with Google and another address, or by the old address, and find it each time', async () => {
    const googler = await atGoogle();
    const { operator, email, suspension } = await left(await enterWith(googler));
    expect(await keptOf(suspension)).toHaveLength(2);
    const elsewhere = await enterWith(await another(googler, { email: freshEmail() }));
    const measure = await expectShut(elsewhere);
    await expectShut(await signedIn(email));
    await lifted(elsewhere, measure, operator);
    await expectOpen(elsewhere);
    expect(await keptOf(suspension)).toEqual([]);
  });

  test('I come with Google and the same address, and find it once', async () => {
    const googler = await atGoogle();
    await left(await enterWith(googler));
    await expectShut(await enterWith(await another(googler)));
  });

  test('the account that I come to with the same Google is held with what it shows, until that is taken back', async () => {
    const googler = await atGoogle();
    const { operator } = await left(await enterWith(googler));
    const { maker: other, id: character } = await maker();
    const seen = async () => (await new Visitor().call(`/api/characters/${character}`)).status;
    expect(await seen()).toBe(200);
    const me = await enterWith(await another(googler, { email: other.email }));
    expect(me.id).toBe(other.id);
    const measure = await expectShut(me);
    expect(await seen()).toBe(404);
    await operator.ask(`/api/admin/measures/${measure}`, { method: 'DELETE' });
    await expectOpen(me);
    expect(await seen()).toBe(200);
  });

  test('somebody else with another address, or with another Google, is let in', async () => {
    await left(await enterWith(await atGoogle()));
    await expectOpen(await signedIn());
    await expectOpen(await enterWith(await atGoogle()));
  });

  test('after a year I begin anew, also before housekeeping has been there; and it forgets', async () => {
    const { email, suspension } = await left();
    const [kept] = await keptOf(suspension);
    expect((kept?.keptUntil ?? 0) - Date.now()).toBeGreaterThan(SUSPENSION_KEPT_MS - 60_000);
    await removeKeptSuspensions(db, (kept?.keptUntil ?? 0) - 1);
    expect(await keptOf(suspension)).toHaveLength(1);
    await db
      .update(keptSuspensions)
      .set({ keptUntil: Date.now() - 1 })
      .where(eq(keptSuspensions.suspensionId, suspension));
    await expectOpen(await signedIn(email));
    await removeKeptSuspensions(db, Date.now());
    expect(await keptOf(suspension)).toEqual([]);
  });

  test('what is kept has no address and no name of me, and without the operator’s secret nobody finds me by it', async () => {
    const googler = await atGoogle();
    const { email, id, suspension } = await left(await enterWith(googler));
    const kept = await keptOf(suspension);
    const text = JSON.stringify(kept);
    for (const word of [email, email.split('@')[0] as string, googler.subject, id, id.slice(-6)])
      expect(text).not.toContain(word);
    const way = { email, subjects: [googler.subject] };
    const hashes = kept.map(({ hash }) => hash).toSorted();
    expect((await suspensionMarks(way, env.AUTH_SECRET as string)).toSorted()).toEqual(hashes);
    const guessed = await suspensionMarks(way, 'another secret of somebody');
    expect(hashes.filter((hash) => guessed.includes(hash))).toEqual([]);
  });
});

describe('Nothing is kept', () => {
  const count = async (email: string) => {
    const [hash = ''] = await suspensionMarks({ email, subjects: [] }, env.AUTH_SECRET as string);
    return (await db.select().from(keptSuspensions).where(eq(keptSuspensions.hash, hash))).length;
  };

  test('of an account that was not suspended when it was deleted, or not any more', async () => {
    const [operator, me, other] = [await staff(), await signedIn(), await signedIn()];
    const { id } = await suspended(operator, me.id);
    await operator.ask(`/api/admin/measures/${id}`, { method: 'DELETE' });
    await me.ask('/api/account', { method: 'PATCH', json: { nickname: 'Rude' } });
    await measured(operator, { kind: 'name_cleared', subject_id: me.id });
    for (const who of [me, other]) {
      await leave(who);
      expect(await count(who.email)).toBe(0);
      await expectOpen(await signedIn(who.email));
    }
  });

  test('of a suspension that staff replaced by another one, once that is taken back', async () => {
    const { operator, email, suspension } = await left();
    const me = await signedIn(email);
    await expectShut(me);
    const { id } = await suspended(operator, me.id);
    expect(await keptOf(suspension)).toHaveLength(1);
    await operator.ask(`/api/admin/measures/${id}`, { method: 'DELETE' });
    expect(await keptOf(suspension)).toEqual([]);
    await expectOpen(me);
  });
});
