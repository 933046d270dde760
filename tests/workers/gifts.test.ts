import { describe, expect, test } from 'vitest';
import { signInAdmin } from '../support/referrals.ts';
import { signInGuest, getPoints, createAccount, type Visitor } from '../support/factories.ts';

const give = (by: Visitor, json: object) => by.call('/api/admin/gifts', { json });
let made = 0;
const gift = (to: Visitor, points = 25) => {
  made += 1;
  return { gift_id: `gift-${made}-${to.id}`, user_id: to.id, points };
};

describe('A gift of the operator', () => {
  test('stays, comes after the current points, and the ledger tells of it', async () => {
    const [operator, me] = [await signInAdmin(), await createAccount()];
    const sent = gift(me);
    const answer = await give(operator, sent);
    expect(answer.status).toBe(201);
    expect(await answer.json()).toMatchObject({
      user_id: me.id,
      given: true,
      points: { current_points: 50, permanent_points: 25 },
    });
    const { items } = await me.ask<{ items: Record<string, unknown>[] }>('/api/points/ledger');
    expect(items[0]).toMatchObject({
      kind: 'gift',
      reason: 'A gift of the people who run this site',
      amount: 25,
      balance_after: 75,
      event_id: `gift:${sent.gift_id}`,
    });
  });

  test('sent twice, also at once, is one', async () => {
    const [operator, me] = [await signInAdmin(), await signInGuest()];
    const sent = gift(me, 7);
    await Promise.all([give(operator, sent), give(operator, sent)]);
    // Also with other points: whoever mistyped them gives the difference by another id.
    const again = await give(operator, { ...sent, points: 70 });
    expect(await again.json()).toMatchObject({ given: false, points: { permanent_points: 7 } });
    expect(await getPoints(me)).toMatchObject({ permanent_points: 7 });
  });

  test('goes to nobody who is not there, and is no less than a point', async () => {
    const [operator, me] = [await signInAdmin(), await signInGuest()];
    expect((await give(operator, { ...gift(me), user_id: 'nobody-there' })).status).toBe(404);
    for (const wrong of [0, -5, 1.5, 100_001])
      expect((await give(operator, gift(me, wrong))).status, String(wrong)).toBe(400);
    expect(await getPoints(me)).toMatchObject({ permanent_points: 0 });
  });

  test('is nobody else’s to give', async () => {
    const me = await createAccount();
    expect((await give(me, gift(me))).status).toBe(404);
    expect(await getPoints(me)).toMatchObject({ permanent_points: 0 });
  });
});
