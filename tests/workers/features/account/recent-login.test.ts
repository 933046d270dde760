import { describe, expect, test } from 'vitest';
import { RECENT_LOGIN_MS } from '../../../../src/features/account/limits.ts';
import { ConfiguredVisitor } from '../../../support/configured-visitor.ts';
import { createAccount, signInGuest } from '../../../support/factories.ts';
import { createGoogleUser, signInWithToken } from '../../../support/google.ts';
import { ageLogins, expectRefusal, insertPasskey } from '../../../support/passkey-actions.ts';
import { createStaffUser } from '../../../support/staff.ts';

const PROTECTED = [
  ['GET', '/api/account/export?format=json'],
  ['POST', '/api/account/delete-request'],
  ['POST', '/api/account/delete-confirm'],
  ['POST', '/api/account/passkeys/options'],
  ['POST', '/api/account/passkeys'],
  ['DELETE', '/api/account/passkeys/x'],
] as const;

describe('Recent login', () => {
  test.each(PROTECTED)('%s %s needs a login of the last 15 minutes', async (method, path) => {
    const me = await createAccount();
    await ageLogins(me, RECENT_LOGIN_MS - 60_000);
    const request = { method, ...(method === 'POST' ? { json: {} } : {}) };
    expect(await (await me.call(path, request)).text()).not.toContain('recent_login_required');
    await ageLogins(me, 60_000);
    await expectRefusal(await me.call(path, request), 403, 'recent_login_required');
    expect((await me.call('/api/account')).status).toBe(200);
  });

  test('a refusal names the ways in which the account can log in', async () => {
    const googler = await signInWithToken(await createGoogleUser());
    await insertPasskey(googler.id);
    const reader = await createAccount();
    await insertPasskey(reader.id, { host: 'old.example' });
    const listMethods = async (visitor: typeof reader) => {
      await ageLogins(visitor);
      return visitor.ask('/api/account/export', { status: 403 });
    };
    expect(await listMethods(googler)).toMatchObject({ methods: ['passkey', 'code', 'google'] });
    expect(await listMethods(reader)).toMatchObject({ methods: ['code'] });
  });

  test('logging in again is enough, and the old session ends with it', async () => {
    const me = await createAccount();
    await ageLogins(me);
    const { cookie } = me;
    await expectRefusal(await me.call('/api/account/export'), 403, 'recent_login_required');
    await createAccount(me.email, me);
    const document = await me.ask<{ account: { sessions: object[] } }>('/api/account/export?format=json');
    expect(document.account.sessions).toMatchObject([{ logged_in_with: 'code' }]);
    me.cookie = cookie;
    expect((await me.call('/api/account')).status).toBe(401);
  });

  test('guests, who have nothing to log in with again, download their data at any time', async () => {
    const guest = await signInGuest();
    await ageLogins(guest);
    expect((await guest.call('/api/account/export?format=json')).status).toBe(200);
  });

  test('staff need a recent login to change something, not to read, and others find nothing', async () => {
    const staff = await createStaffUser();
    const other = await createAccount();
    for (const visitor of [staff, other]) await ageLogins(visitor);
    expect((await staff.call('/api/admin/featured')).status).toBe(200);
    const path = '/api/admin/characters/x/featured';
    const change = { method: 'PUT', json: { featured: true } };
    await expectRefusal(await staff.call(path, change), 403, 'recent_login_required');
    await expectRefusal(await other.call(path, change), 404, 'not_found');
    const returned = await createAccount(staff.email);
    const again = new ConfiguredVisitor({ ADMIN_EMAILS: staff.email }, returned);
    await expectRefusal(await again.call(path, change), 404, 'not_found');
  });
});
