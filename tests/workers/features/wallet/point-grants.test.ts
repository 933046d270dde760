import { describe, expect, test } from 'vitest';
import { signInAdmin } from '../../../support/referrals.ts';
import { signInGuest, getPoints, createAccount, type Visitor } from '../../../support/factories.ts';

const sendGift = (by: Visitor, json: object) => by.call('/api/admin/gifts', { json });
let giftCount = 0;
const buildGift = (to: Visitor, points = 25) => {
  giftCount += 1;
  return { gift_id: `gift-${giftCount}-${to.id}`, user_id: to.id, points };
};

describe('Gifts by staff', () => {
  test('a gift adds permanent points and a ledger entry', async () => {
    const [operator, me] = [await signInAdmin(), await createAccount()];
    const sent = buildGift(me);
    const answer = await sendGift(operator, sent);
    expect(answer.status).toBe(201);
    expect(await answer.json()).toMatchObject({
      user_id: me.id,
      given: true,
      points: { current_points: 50, permanent_points: 25 },
    });
    const { items } = await me.ask<{ items: Record<string, unknown>[] }>('/api/points/ledger');
    expect(items[0]).toMatchObject({
      kind: 'gift',
      reason: 'A gift from the operator of this site',
      amount: 25,
      balance_after: 75,
      event_id: `gift:${sent.gift_id}`,
    });
  });

  test('the reason of a gift is in the points history, and the user can see that staff saw their points', async () => {
    const [operator, me] = [await signInAdmin(), await createAccount()];
    const reason = 'For the lost replies of Sunday';
    expect((await sendGift(operator, { ...buildGift(me), reason })).status).toBe(201);
    const { items } = await me.ask<{ items: Record<string, unknown>[] }>('/api/points/ledger');
    expect(items[0]).toMatchObject({ kind: 'gift', reason, amount: 25 });
    const views = await me.ask<{ items: Record<string, unknown>[] }>('/api/me/staff-views');
    expect(views.items).toMatchObject([{ what: 'account', subject_id: me.id }]);
    for (const wrong of ['', ' ', 'x'.repeat(201)])
      expect((await sendGift(operator, { ...buildGift(me), reason: wrong })).status).toBe(400);
  });

  test('a gift sent twice under one id, also at once, is given once', async () => {
    const [operator, me] = [await signInAdmin(), await signInGuest()];
    const sent = buildGift(me, 7);
    await Promise.all([sendGift(operator, sent), sendGift(operator, sent)]);
    // Also with other points: a correction needs another id.
    const repeated = await sendGift(operator, { ...sent, points: 70 });
    expect(await repeated.json()).toMatchObject({ given: false, points: { permanent_points: 7 } });
    expect(await getPoints(me)).toMatchObject({ permanent_points: 7 });
  });

  test('a gift needs an existing user and a whole number of points in the allowed range', async () => {
    const [operator, me] = [await signInAdmin(), await signInGuest()];
    expect((await sendGift(operator, { ...buildGift(me), user_id: 'nobody-there' })).status).toBe(404);
    for (const wrong of [0, -5, 1.5, 100_001])
      expect((await sendGift(operator, buildGift(me, wrong))).status, String(wrong)).toBe(400);
    expect(await getPoints(me)).toMatchObject({ permanent_points: 0 });
  });

  test('only staff can give points', async () => {
    const me = await createAccount();
    expect((await sendGift(me, buildGift(me))).status).toBe(404);
    expect(await getPoints(me)).toMatchObject({ permanent_points: 0 });
  });
});
