import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { AGE_CHECK } from '../../../../src/features/account/limits.ts';
import { encryptAgeCheckRequest, signAgeCheckResult } from '../../../../src/features/account/age-check.ts';
import type { SessionUser } from '../../../../src/features/account/contract.ts';
import { ConfiguredVisitor } from '../../../support/configured-visitor.ts';
import { addCharacter, signInGuest, ORIGIN, createAccount, Visitor } from '../../../support/factories.ts';

const SECRET = 'shared-by-the-operator-and-the-checker';
const CHECKER = 'https://ages.example/check?site=7';
const VARIABLES = { AGE_CHECK: 'required', AGE_CHECK_URL: CHECKER, AGE_CHECK_SECRET: SECRET };

const visitRequiringCheck = (of?: Visitor, more: Record<string, string> = {}) =>
  new ConfiguredVisitor({ ...VARIABLES, ...more }, of);

const change = (me: Visitor, json: object, status = 200) =>
  me.ask<SessionUser & { code?: string }>('/api/account', { method: 'PATCH', json, status });
const readFlags = async (me: Visitor) => {
  const { spicy_mode, age_confirmed } = await me.ask<SessionUser>('/api/account');
  return [spicy_mode, age_confirmed];
};

/** Starts an age check and returns the request token and the checker's URL. */
async function request(me: Visitor, next?: string): Promise<{ token: string; url: URL }> {
  const { url } = await me.ask<{ url: string }>('/api/account/age-check/requests', {
    json: next === undefined ? {} : { next },
    status: 201,
  });
  return { token: new URL(url).searchParams.get('request') as string, url: new URL(url) };
}

type Outcome = 'adult' | 'not_adult';

/** Sends the result as the checker does: a cross-site POST without cookies. */
async function answer(
  token: string,
  outcome: Outcome = 'adult',
  changed: object = {},
): Promise<[number, string]> {
  const signature = await signAgeCheckResult(SECRET, { request: token, outcome });
  const json = { request: token, outcome, signature, ...changed };
  const response = await visitRequiringCheck().call('/api/account/age-check', { json });
  return [response.status, response.status === 204 ? '' : ((await response.json()) as { code: string }).code];
}

afterEach(() => void vi.useRealTimers());

describe('Age check', () => {
  test('self-declared age is not accepted where checks are required, not even from an earlier confirmation', async () => {
    const before = await createAccount();
    await change(before, { spicy_mode: true, age_confirmed: true });
    for (const me of [visitRequiringCheck(await createAccount()), visitRequiringCheck(before)]) {
      expect(await readFlags(me)).toEqual([false, false]);
      for (const json of [
        { spicy_mode: true },
        { age_confirmed: true },
        { spicy_mode: true, age_confirmed: true },
      ])
        expect(await change(me, json, 403)).toMatchObject({ code: 'age_check_required' });
      expect(await change(me, { nickname: 'Ada' })).toMatchObject({
        spicy_mode: false,
        age_confirmed: false,
      });
      expect(await change(me, { spicy_mode: false })).toMatchObject({ spicy_mode: false });
      const id = await addCharacter({ nsfwAllowed: true });
      expect((await me.call(`/api/characters/${id}`)).status).toBe(404);
    }
  });

  test('a user is sent to the age checker without identifying data and returns to the same page', async () => {
    const me = visitRequiringCheck(await createAccount());
    const { token, url } = await request(me, '/en/discover?tag=rpg');
    expect(url.origin + url.pathname).toBe('https://ages.example/check');
    expect(Object.fromEntries(url.searchParams)).toEqual({
      site: '7',
      request: token,
      return_to: `${ORIGIN}/en/discover?tag=rpg`,
      language: 'en',
    });
    expect(token).toMatch(/^[\w-]{80,200}$/);
    expect(token).not.toContain(me.id);
    expect((await request(me)).token).not.toBe(token);
    expect((await request(me, 'https://evil.example/')).url.searchParams.get('return_to')).toBe(`${ORIGIN}/`);
  });

  test('an adult can turn spicy mode on after the check, and a later check can revoke it', async () => {
    const me = visitRequiringCheck(await createAccount());
    expect(await answer((await request(me)).token)).toEqual([204, '']);
    expect(await readFlags(me)).toEqual([false, true]);
    expect(await change(me, { spicy_mode: true })).toMatchObject({ spicy_mode: true, age_confirmed: true });
    const id = await addCharacter({ nsfwAllowed: true });
    expect((await me.call(`/api/characters/${id}`)).status).toBe(200);
    const row = await env.DB.prepare('select age_checked_at as at from users where id = ?')
      .bind(me.id)
      .first();
    expect(Math.abs(Date.now() - Number(row?.['at']))).toBeLessThan(60_000);
    expect(await answer((await request(me)).token, 'not_adult')).toEqual([204, '']);
    expect(await readFlags(me)).toEqual([false, false]);
    expect(await change(me, { spicy_mode: true }, 403)).toMatchObject({ code: 'age_check_required' });
  });

  test('a user who is found to be younger stays without spicy mode', async () => {
    const me = visitRequiringCheck(await createAccount());
    expect(await answer((await request(me)).token, 'not_adult')).toEqual([204, '']);
    expect(await readFlags(me)).toEqual([false, false]);
  });

  test('an age check result counts once, and a second result is refused', async () => {
    const me = visitRequiringCheck(await createAccount());
    const { token } = await request(me);
    expect(await answer(token, 'not_adult')).toEqual([204, '']);
    expect(await answer(token, 'adult')).toEqual([409, 'age_check_used']);
    expect(await readFlags(me)).toEqual([false, false]);
    const at = await request(me);
    const both = await Promise.all([answer(at.token), answer(at.token)]);
    expect(both.map(([status]) => status).toSorted((a, b) => a - b)).toEqual([204, 409]);
  });

  test('a forged, changed, foreign or late result changes nothing', async () => {
    const me = visitRequiringCheck(await createAccount());
    const { token } = await request(me);
    const refused = [400, 'invalid_age_check'];
    expect(await answer(token, 'adult', { signature: '0'.repeat(64) })).toEqual(refused);
    expect(await answer(token, 'not_adult', { outcome: 'adult' })).toEqual(refused);
    const otherSecret = await signAgeCheckResult('x'.repeat(40), { request: token, outcome: 'adult' });
    expect(await answer(token, 'adult', { signature: otherSecret })).toEqual(refused);
    // The signature is valid, but another site issued the request.
    const elsewhere = { userId: me.id, expiresAt: Date.now() + 60_000 };
    expect(await answer(await encryptAgeCheckRequest('another-secret-of-a-site', elsewhere))).toEqual(
      refused,
    );
    const flipped = (token.startsWith('A') ? 'B' : 'A') + token.slice(1);
    expect(await answer(flipped)).toEqual(refused);
    expect(await answer('no-token-at-all')).toEqual(refused);
    vi.useFakeTimers({ now: Date.now() + AGE_CHECK.lifetimeMs + 1, toFake: ['Date'] });
    expect(await answer(token)).toEqual(refused);
    vi.useRealTimers();
    expect(await answer(token, 'adult', { signature: 'short' })).toEqual([400, 'invalid_input']);
    expect(await answer(token, 'adult', { age: 19 })).toEqual([400, 'invalid_input']);
    expect(await readFlags(me)).toEqual([false, false]);
    expect(await answer(token)).toEqual([204, '']);
  });

  test('an age check result for a deleted account is refused', async () => {
    const me = visitRequiringCheck(await createAccount());
    const { token } = await request(me);
    await env.DB.prepare('delete from users where id = ?').bind(me.id).run();
    expect(await answer(token)).toEqual([400, 'invalid_age_check']);
  });

  test('guests and unauthenticated callers cannot start an age check, and other sites cannot post a result', async () => {
    const getStatus = async (me: Visitor) =>
      (await me.call('/api/account/age-check/requests', { json: {} })).status;
    expect(await getStatus(visitRequiringCheck())).toBe(401);
    expect(await getStatus(visitRequiringCheck(await signInGuest()))).toBe(403);
    const headers = { origin: 'https://evil.example' };
    const json = { request: 'x', outcome: 'adult', signature: '0'.repeat(64) };
    expect((await visitRequiringCheck().call('/api/account/age-check', { json, headers })).status).toBe(403);
  });
});

test('the age check routes answer 404 where self-declaration is enough or spicy mode is off', async () => {
  const me = await createAccount();
  for (const visitor of [me, visitRequiringCheck(me, { SPICY_MODE: 'off' })]) {
    for (const path of ['/requests', '']) {
      const json = path === '' ? { request: 'x', outcome: 'adult', signature: '0'.repeat(64) } : {};
      expect((await visitor.call(`/api/account/age-check${path}`, { json })).status).toBe(404);
    }
  }
});
