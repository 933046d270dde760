import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { PASSKEY } from '../../../../src/features/account/limits.ts';
import type { PasskeyList } from '../../../../src/features/account/passkey/passkey-contract.ts';
import { ConfiguredVisitor } from '../../../support/configured-visitor.ts';
import { createAccount, ORIGIN, signInGuest, startConversation } from '../../../support/factories.ts';
import { Browser } from '../../../support/google.ts';
import {
  addPasskey,
  expectRefusal,
  insertPasskey,
  logInWithPasskey,
  openAccount,
  startCeremony,
} from '../../../support/passkey-actions.ts';
import { SoftwarePasskey } from '../../../support/software-passkey.ts';

afterEach(() => vi.useRealTimers());

const listPasskeys = async (browser: Browser) =>
  (await browser.ask<PasskeyList>('/api/account/passkeys')).items;

/** Tries to add a passkey that makes these claims. */
async function tryToAdd(browser: Browser, claims: object): Promise<Response> {
  const device = await SoftwarePasskey.create();
  const honest = await startCeremony(browser, '/api/account/passkeys/options');
  const credential = await device.register({ ...honest, ...claims });
  return browser.call('/api/account/passkeys', { json: { name: 'Phone', credential } });
}

describe('Passkeys', () => {
  test('a user adds a named passkey, logs in with it without an address, renames it and removes it', async () => {
    const me = await openAccount();
    const { device, listed } = await addPasskey(me, ' Phone ');
    expect(await listPasskeys(me)).toEqual([
      {
        id: listed.id,
        name: 'Phone',
        host: new URL(ORIGIN).hostname,
        created_at: expect.stringMatching(/Z$/),
        last_used_at: null,
      },
    ]);
    const { response, browser } = await logInWithPasskey(device, me.id);
    expect({ status: response.status, body: await response.json() }).toEqual({
      status: 201,
      body: { user_id: me.id },
    });
    expect([...browser.jar.keys()]).toEqual(['__Host-session']);
    const [used] = await listPasskeys(browser);
    expect(used?.last_used_at).toMatch(/Z$/);
    const renamed = await browser.ask(`/api/account/passkeys/${listed.id}`, {
      method: 'PATCH',
      json: { name: 'Old phone' },
    });
    expect(renamed).toMatchObject({ id: listed.id, name: 'Old phone' });
    await browser.call(`/api/account/passkeys/${listed.id}`, { method: 'DELETE' });
    expect(await listPasskeys(browser)).toEqual([]);
    await expectRefusal((await logInWithPasskey(device, me.id)).response, 400, 'invalid_passkey');
  });

  test('the options ask for a passkey that works without a name, unlocked by the device, and name those there are', async () => {
    const me = await openAccount();
    const { device } = await addPasskey(me);
    expect(await me.ask('/api/account/passkeys/options', { method: 'POST' })).toMatchObject({
      rp: { id: new URL(ORIGIN).hostname },
      user: { name: me.email },
      attestation: 'none',
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      excludeCredentials: [{ id: device.id }],
    });
    const options = await new Browser().ask('/api/auth/passkey-options', { method: 'POST' });
    expect(options).toMatchObject({ rpId: new URL(ORIGIN).hostname, userVerification: 'required' });
    expect(options).not.toHaveProperty('allowCredentials');
  });

  test('a challenge works once, for adding and for logging in', async () => {
    const me = await openAccount();
    const { device, credential, listed } = await addPasskey(me);
    await me.call(`/api/account/passkeys/${listed.id}`, { method: 'DELETE' });
    const again = { name: 'Again', credential };
    await expectRefusal(await me.call('/api/account/passkeys', { json: again }), 400, 'invalid_passkey');
    const other = await addPasskey(me);
    const browser = new Browser();
    const used = await other.device.logIn(await startCeremony(browser, '/api/auth/passkey-options'), me.id);
    const cookies = new Map(browser.jar);
    const json = { credential: used };
    expect((await browser.call('/api/auth/login-with-passkey', { json })).status).toBe(201);
    const thief = new Browser();
    for (const [name, value] of cookies) thief.jar.set(name, value);
    await expectRefusal(await thief.call('/api/auth/login-with-passkey', { json }), 400, 'invalid_passkey');
    expect(device.id).not.toBe(other.device.id);
  });

  test('a challenge is only valid for five minutes and in the browser or session that asked for it', async () => {
    const me = await openAccount();
    const { device } = await addPasskey(me);
    const browser = new Browser();
    const claims = await startCeremony(browser, '/api/auth/passkey-options');
    const stolen = { claims };
    await expectRefusal((await logInWithPasskey(device, me.id, stolen)).response, 400, 'invalid_passkey');
    const elsewhere = (await createAccount(me.email, new Browser())) as Browser;
    const foreign = await startCeremony(elsewhere, '/api/account/passkeys/options');
    await expectRefusal(await tryToAdd(me, { challenge: foreign.challenge }), 400, 'invalid_passkey');
    // A challenge for logging in adds nothing.
    await expectRefusal(await tryToAdd(me, { challenge: claims.challenge }), 400, 'invalid_passkey');
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + PASSKEY.challengeLifetimeMs });
    const credential = await device.logIn(claims, me.id);
    const late = await browser.call('/api/auth/login-with-passkey', { json: { credential } });
    await expectRefusal(late, 400, 'invalid_passkey');
  });

  test.each([
    ['another origin', { origin: 'https://loreloom.example' }],
    ['another host', { host: 'loreloom.example' }],
    ['a challenge that nobody asked for', { challenge: 'AAAA' }],
    ['a user whom the device did not verify', { isVerified: false }],
  ])('a passkey with %s is refused, for adding and for logging in', async (_, claims) => {
    const me = await openAccount();
    await expectRefusal(await tryToAdd(me, claims), 400, 'invalid_passkey');
    const { device } = await addPasskey(me);
    await expectRefusal((await logInWithPasskey(device, me.id, { claims })).response, 400, 'invalid_passkey');
    expect((await logInWithPasskey(device, me.id)).response.status).toBe(201);
  });

  test("a passkey of one account cannot be added to another, used as another's, or changed by another", async () => {
    const [me, other] = [await openAccount(), await openAccount()];
    const { device, listed } = await addPasskey(me);
    const honest = await startCeremony(other, '/api/account/passkeys/options');
    const json = { name: 'Mine', credential: await device.register(honest) };
    await expectRefusal(await other.call('/api/account/passkeys', { json }), 400, 'invalid_passkey');
    await expectRefusal((await logInWithPasskey(device, other.id)).response, 400, 'invalid_passkey');
    const impostor = await SoftwarePasskey.create();
    const claims = await startCeremony(new Browser(), '/api/auth/passkey-options');
    const forged = { ...(await impostor.logIn(claims, me.id)), id: device.id, rawId: device.id };
    const attempt = await new Browser().call('/api/auth/login-with-passkey', {
      json: { credential: forged },
    });
    await expectRefusal(attempt, 400, 'invalid_passkey');
    const path = `/api/account/passkeys/${listed.id}`;
    expect((await other.call(path, { method: 'PATCH', json: { name: 'Mine' } })).status).toBe(404);
    expect((await other.call(path, { method: 'DELETE' })).status).toBe(404);
    expect(await listPasskeys(me)).toMatchObject([{ name: 'Phone' }]);
  });

  test('a counter that does not grow is refused, and a device that does not count is accepted again', async () => {
    const me = await openAccount();
    const { device } = await addPasskey(me, 'Security key', { signCount: 7 });
    const logIn = async (signCount: number) =>
      (await logInWithPasskey(device, me.id, { claims: { signCount } })).response;
    expect((await logIn(9)).status).toBe(201);
    for (const signCount of [9, 8, 0]) await expectRefusal(await logIn(signCount), 400, 'invalid_passkey');
    expect((await logIn(10)).status).toBe(201);
    const phone = await addPasskey(me);
    for (let login = 0; login < 2; login += 1)
      expect((await logInWithPasskey(phone.device, me.id)).response.status).toBe(201);
  });

  test('an account has at most 20 passkeys, also when two are added at once', async () => {
    const me = await openAccount();
    for (let count = 1; count < PASSKEY.maxPerAccount; count += 1) await insertPasskey(me.id);
    const answers = await Promise.all([tryToAdd(me, {}), tryToAdd(me, {})]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409]);
    await expectRefusal(await tryToAdd(me, {}), 409, 'passkey_limit');
    expect(await listPasskeys(me)).toHaveLength(20);
  });

  test('a passkey of another host is listed and logs in to nothing here', async () => {
    const me = await openAccount();
    const { device, listed } = await addPasskey(me);
    await env.DB.prepare('update passkeys set host = ? where id = ?').bind('old.example', listed.id).run();
    expect(await listPasskeys(me)).toMatchObject([{ host: 'old.example' }]);
    await expectRefusal((await logInWithPasskey(device, me.id)).response, 400, 'invalid_passkey');
  });

  test('a guest has no passkeys, and keeps the conversations when logging in with one', async () => {
    const me = await openAccount();
    const { device } = await addPasskey(me);
    const guest = await signInGuest();
    for (const call of [
      guest.call('/api/account/passkeys'),
      guest.call('/api/account/passkeys/options', { method: 'POST' }),
    ])
      await expectRefusal(await call, 403, 'account_required');
    const id = await startConversation(guest);
    const browser = new Browser();
    browser.jar.set('__Host-session', guest.cookie.split('=')[1] as string);
    expect((await logInWithPasskey(device, me.id, { browser })).response.status).toBe(201);
    expect((await me.call(`/api/conversations/${id}`)).status).toBe(200);
    expect((await guest.call('/api/points')).status).toBe(401);
  });
});

describe('ADMIN_PASSKEYS=required', () => {
  /** The same browser as an admin of a site that requires passkeys. */
  const asAdmin = (browser: Browser, adminEmails = browser.email) => {
    const admin = new ConfiguredVisitor({ ADMIN_EMAILS: adminEmails, ADMIN_PASSKEYS: 'required' }, browser);
    admin.cookie = `__Host-session=${browser.jar.get('__Host-session')}`;
    return admin;
  };

  test('the admin pages need a login with a passkey as soon as one admin has one', async () => {
    const me = await openAccount();
    const colleague = await openAccount();
    const emails = `${me.email},${colleague.email}`;
    expect((await asAdmin(me, emails).call('/api/admin/featured')).status).toBe(200);
    const { device } = await addPasskey(me);
    const refusal = await asAdmin(me, emails).call('/api/admin/featured');
    expect({ status: refusal.status, body: await refusal.json() }).toMatchObject({
      status: 403,
      body: { code: 'passkey_required', methods: ['passkey'] },
    });
    const other = await asAdmin(colleague, emails).call('/api/admin/featured');
    expect({ status: other.status, body: await other.json() }).toMatchObject({
      status: 403,
      body: { code: 'passkey_required', methods: [] },
    });
    const { browser } = await logInWithPasskey(device, me.id);
    browser.email = me.email;
    expect((await asAdmin(browser, emails).call('/api/admin/featured')).status).toBe(200);
    expect((await me.call('/api/admin/featured')).status).toBe(404);
  });

  test('the mailbox of an admin alone adds no second passkey and removes none', async () => {
    const me = await openAccount();
    const { listed } = await addPasskey(me);
    const admin = asAdmin(me);
    const adding = await admin.call('/api/account/passkeys/options', { method: 'POST' });
    await expectRefusal(adding, 403, 'passkey_required');
    const removing = await admin.call(`/api/account/passkeys/${listed.id}`, { method: 'DELETE' });
    await expectRefusal(removing, 403, 'passkey_required');
    expect((await admin.call('/api/account')).status).toBe(200);
  });
});
