import { describe, expect, test } from 'vitest';
import type { FeedbackInbox } from '../../../../src/features/feedback/contract.ts';
import { signInAdmin } from '../../../support/referrals.ts';
import { createAccount, createEmail, Visitor } from '../../../support/factories.ts';

const sendFeedback = async (by: Visitor, json: object): Promise<string> =>
  (await by.ask<{ id: string }>('/api/feedback', { json, status: 201 })).id;
const listInbox = (by: Visitor, query = '') => by.ask<FeedbackInbox>(`/api/admin/feedback${query}`);
const markAs = (by: Visitor, id: string, read: boolean) =>
  by.call(`/api/admin/feedback/${id}`, { method: 'PATCH', json: { read } });

describe('Feedback inbox', () => {
  test('staff lists feedback with its senders, newest first and in pages', async () => {
    const [operator, me] = [await signInAdmin(), await createAccount()];
    const email = createEmail();
    const ids = [
      await sendFeedback(new Visitor(), { message: 'The first.' }),
      await sendFeedback(me, { message: '<b>The second.</b>', email }),
    ];
    const first = await listInbox(operator, '?limit=1');
    expect(first.items).toEqual([
      {
        id: ids[1],
        message: '<b>The second.</b>',
        email,
        language: 'en',
        sender: { id: me.id, name: expect.stringMatching(/^reader-/), is_member: false },
        created_at: expect.any(String),
        read_at: null,
      },
    ]);
    const second = await listInbox(operator, `?limit=1&cursor=${first.next_cursor}`);
    expect(second.items).toMatchObject([{ id: ids[0], email: null, sender: null }]);
  });

  test('feedback is marked as read once, and as unread again', async () => {
    const operator = await signInAdmin();
    const id = await sendFeedback(new Visitor(), { message: 'More lanterns.' });
    const read = (await (await markAs(operator, id, true)).json()) as { read_at: string };
    expect(Date.parse(read.read_at)).toBeLessThanOrEqual(Date.now());
    expect(await (await markAs(operator, id, true)).json()).toEqual({ id, read_at: read.read_at });
    expect((await listInbox(operator)).items[0]).toMatchObject({ id, read_at: read.read_at });
    expect(await (await markAs(operator, id, false)).json()).toEqual({ id, read_at: null });
    expect((await markAs(operator, 'nothing-here', true)).status).toBe(404);
  });

  test('only staff can read the inbox', async () => {
    const me = await createAccount();
    const id = await sendFeedback(me, { message: 'Mine.' });
    expect((await me.call('/api/admin/feedback')).status).toBe(404);
    expect((await markAs(me, id, true)).status).toBe(404);
  });
});
