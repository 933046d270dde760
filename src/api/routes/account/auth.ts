import { type Context, Hono } from 'hono';
import { LOGIN_CODE } from '../../../features/account/limits.ts';
import { createGuest, signInByEmail } from '../../../features/account/account-store.ts';
import {
  type AuthStatus,
  authStatus,
  codeSent,
  loggedIn,
  loginWithCodeBody,
  sendLoginCodeBody,
} from '../../../features/account/contract.ts';
import { hashLoginCode, newLoginCode } from '../../../features/account/login-code.ts';
import {
  dropLoginCode,
  keepLoginCode,
  type NetworkNames,
  networkNames,
  useLoginCode,
} from '../../../features/account/login-code-store.ts';
import { suspensionMarks } from '../../../features/account/suspension-fingerprint.ts';
import { sendMail } from '../../../vendors/mail.ts';
import { addressOf } from '../../middleware/client-ip.ts';
import type { ApiEnv } from '../../middleware/context.ts';
import { answers } from '../../openapi/openapi-route.ts';
import { admit, beginSession } from '../../middleware/sign-in.ts';
import { countGuest } from '../../middleware/guest-quota.ts';
import { clearSessionCookie, endCallerSession } from '../../middleware/guards.ts';
import { languageOf } from '../../middleware/language.ts';
import { mailFor } from '../../../services/mail-texts.ts';
import { networkToday } from '../../middleware/daily-ip-quota.ts';
import { Problem, secondsUntil } from '../../middleware/problems.ts';
import { valid } from '../../middleware/validate.ts';

/**
 * The network that a code is asked for and tried from. Where networks are not told apart, as on one's own machine, all are
 * one, and so a code has five wrong tries in all.
 */
function networkHere(c: Context<ApiEnv>, email: string): Promise<NetworkNames> {
  const { authSecret, rateLimits } = c.get('settings');
  return networkNames(email, rateLimits === 'on' ? addressOf(c) : 'everywhere', authSecret);
}

export const auth = new Hono<ApiEnv>()
  .get('/status', answers('Who is signed in', { 200: authStatus }), async (c) => {
    // The contract: never an error here, whatever is wrong with the session.
    const caller = await c
      .get('caller')()
      .catch(() => null);
    const status: AuthStatus = {
      is_authenticated: caller !== null,
      isAuthenticated: caller !== null,
      user: caller?.user ?? null,
    };
    return c.json(status);
  })
  .post(
    '/send-login-code',
    answers('Send a login code by mail', { 201: codeSent }),
    valid('json', sendLoginCodeBody),
    async (c) => {
      const { email } = c.req.valid('json');
      const { authSecret, mailFrom } = c.get('settings');
      const now = Date.now();
      const counted = await networkToday(c, 'codes', now);
      const code = newLoginCode();
      const codeHash = await hashLoginCode(email, code, authSecret);
      const network = await networkHere(c, email);
      const kept = await keepLoginCode(c.get('db'), { email, codeHash, network, now });
      if (kept !== true) throw new Problem('code_recently_sent', {}, secondsUntil(kept.retryAt, now));
      const sent = await sendMail(c.env.EMAIL, mailFrom, {
        to: email,
        ...mailFor('login_code', { code }, { language: languageOf(c), wayOut: null }),
      });
      if (sent !== 'sent') {
        await dropLoginCode(c.get('db'), { email, codeHash });
        throw new Problem('mail_failed');
      }
      c.executionCtx.waitUntil(counted());
      return c.json({ sent: true as const, expires_in: LOGIN_CODE.lifetimeMs / 1000 }, 201);
    },
  )
  .post(
    '/login-with-code',
    answers('Sign in with a code', { 201: loggedIn }),
    valid('json', loginWithCodeBody),
    async (c) => {
      const { email, code } = c.req.valid('json');
      const db = c.get('db');
      const now = Date.now();
      const { authSecret } = c.get('settings');
      const [codeHash, network] = await Promise.all([
        hashLoginCode(email, code, authSecret),
        networkHere(c, email),
      ]);
      if (!(await useLoginCode(db, { email, codeHash, network, now }))) throw new Problem('invalid_code');
      const marks = await suspensionMarks({ email, subjects: [] }, authSecret);
      const userId = await admit(c, (known) => signInByEmail(db, { ...known, email, marks }));
      return c.json({ user_id: userId }, 201);
    },
  )
  .post('/anonymous', answers('Begin as a guest', { 201: loggedIn }), async (c) => {
    const caller = await c.get('caller')();
    if (caller !== null) return c.json({ user_id: caller.user.id }, 201);
    const now = Date.now();
    await countGuest(c, now);
    const userId = await createGuest(c.get('db'), now);
    await beginSession(c, userId);
    return c.json({ user_id: userId }, 201);
  });

export const logout = new Hono<ApiEnv>().post('/', answers('Sign out', { 204: null }), async (c) => {
  await endCallerSession(c);
  clearSessionCookie(c);
  return c.body(null, 204);
});
