import { describe, expect, test } from 'vitest';
import { createRecentLoginFetch } from '../../../../src/islands/sign-in/recent-login.ts';

/** A page whose server gives these answers and whose user logs in as `next`; null closes the dialog. */
function openPage(answers: Response[], next: string | null = 'ana') {
  const asked: unknown[] = [];
  const requests: unknown[] = [];
  let userId = 'ana';
  const call = createRecentLoginFetch({
    fetch: async (...request) => {
      requests.push(request);
      return answers.shift() as Response;
    },
    getUserId: () => userId,
    signIn: async (reason, methods) => {
      asked.push([reason, methods]);
      userId = next ?? userId;
      return next !== null;
    },
  });
  return { call, asked, requests };
}

const refuse = (code: string, more: object = {}) => Response.json({ code, ...more }, { status: 403 });
const REQUEST = ['/api/account/delete-confirm', { method: 'POST', body: '{"token":"t"}' }] as const;

describe('Calls that need a recent login', () => {
  test('the user is asked to log in again, and the same request is repeated', async () => {
    const page = openPage([
      refuse('recent_login_required', { methods: ['passkey', 'code'] }),
      Response.json({ deleted: true }),
    ]);
    expect(await (await page.call(...REQUEST)).json()).toEqual({ deleted: true });
    expect(page.asked).toEqual([['recent', ['passkey', 'code']]]);
    expect(page.requests).toEqual([REQUEST, REQUEST]);
  });

  test('an admin is asked for a passkey', async () => {
    const page = openPage([refuse('passkey_required', { methods: [] }), Response.json({})]);
    expect((await page.call('/api/admin/featured')).status).toBe(200);
    expect(page.asked).toEqual([['passkey', []]]);
  });

  test('a user who closes the dialog gets the refusal', async () => {
    const page = openPage([refuse('recent_login_required')], null);
    expect(await (await page.call(...REQUEST)).json()).toEqual({ code: 'recent_login_required' });
    expect(page.requests).toHaveLength(1);
  });

  test('nothing is done for another user who logs in', async () => {
    const page = openPage([refuse('recent_login_required')], 'bob');
    const answer = await page.call(...REQUEST);
    expect([answer.status, await answer.json()]).toEqual([401, { error: '', code: 'other_account' }]);
    expect(page.requests).toHaveLength(1);
  });

  test.each([
    ['another refusal', refuse('account_suspended')],
    ['a page of a proxy', new Response('<p>no</p>', { status: 403 })],
    ['success', Response.json({})],
  ])('%s is returned as it is', async (_, answer) => {
    const page = openPage([answer]);
    expect(await page.call(...REQUEST)).toBe(answer);
    expect(page.asked).toEqual([]);
    expect(answer.bodyUsed).toBe(false);
  });
});
