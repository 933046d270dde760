import { Hono, type Context } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import { signInByPasskey } from '../../../features/account/account-store.ts';
import { loginWithCodeResponse } from '../../../features/account/contract.ts';
import { PASSKEY } from '../../../features/account/limits.ts';
import { type ChallengeScope, createChallenge } from '../../../features/account/passkey/passkey-challenge.ts';
import { loginOptions, loginWithPasskeyBody } from '../../../features/account/passkey/passkey-contract.ts';
import { findPasskey, recordPasskeyUse } from '../../../features/account/passkey/passkey-store.ts';
import {
  createLoginOptions,
  decodeUserHandle,
  verifyLogin,
} from '../../../features/account/passkey/webauthn.ts';
import { claimToken } from '../../../features/account/used-token-store.ts';
import { toHex } from '../../../lib/hash.ts';
import { log } from '../../../lib/log.ts';
import type { ApiEnv } from '../../middleware/context.ts';
import { resolveCookieName } from '../../middleware/guards.ts';
import { Problem } from '../../middleware/problems.ts';
import { getPasskeySite } from '../../middleware/proof.ts';
import { signInCaller } from '../../middleware/sign-in.ts';
import { validateRequest } from '../../middleware/validate.ts';
import { describeResponses } from '../../openapi/openapi-route.ts';

const COOKIE = 'passkey';
const BINDING_BYTES = 16;

/** The client gets no reason, which could tell whose passkeys are known here. */
function refuse(reason: string): never {
  log('passkey_refused', { reason });
  throw new Problem('invalid_passkey');
}

const toScope = (c: Context<ApiEnv>, binding: string): ChallengeScope => ({
  purpose: 'log_in',
  binding,
  secret: c.get('settings').authSecret,
});

/** Log-in with a passkey. No user name is asked for: the browser offers the passkeys that it has for this host. */
export const passkeyLogin = new Hono<ApiEnv>()
  .post(
    '/passkey-options',
    describeResponses('Start a login with a passkey', { 200: loginOptions }),
    async (c) => {
      const binding = toHex(crypto.getRandomValues(new Uint8Array(BINDING_BYTES)));
      const { name, secure } = resolveCookieName(c, COOKIE);
      setCookie(c, name, binding, {
        httpOnly: true,
        sameSite: 'Strict',
        secure,
        path: '/',
        maxAge: PASSKEY.challengeLifetimeMs / 1000,
      });
      const challenge = await createChallenge(toScope(c, binding), Date.now());
      return c.json(await createLoginOptions(getPasskeySite(c), challenge));
    },
  )
  .post(
    '/login-with-passkey',
    describeResponses('Sign in with a passkey', { 201: loginWithCodeResponse }),
    validateRequest('json', loginWithPasskeyBody),
    async (c) => {
      const { credential } = c.req.valid('json');
      const { name, secure } = resolveCookieName(c, COOKIE);
      const scope = toScope(c, getCookie(c, name) ?? '');
      deleteCookie(c, name, { path: '/', secure });
      const db = c.get('db');
      const now = Date.now();
      const site = getPasskeySite(c);
      const passkey = await findPasskey(db, { credentialId: credential.id, host: site.host });
      if (passkey === null) return refuse('unknown');
      const handle = credential.response.userHandle;
      if (handle != null && handle !== '' && decodeUserHandle(handle) !== passkey.userId)
        return refuse('another user');
      const verified = await verifyLogin(site, passkey, { credential, scope, now });
      if (verified === null) return refuse('not verified');
      const { signCount, challenge } = verified;
      if (!(await claimToken(db, challenge))) return refuse('challenge used before');
      if (!(await recordPasskeyUse(db, { id: passkey.id, signCount, now })))
        return refuse('counter did not grow');
      const userId = await signInCaller(c, 'passkey', (known) =>
        signInByPasskey(db, { ...known, userId: passkey.userId }),
      );
      return c.json({ user_id: userId }, 201);
    },
  );
