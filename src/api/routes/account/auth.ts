import { type Context, Hono } from 'hono';
import { LOGIN_CODE } from '../../../features/account/limits.ts';
import { createGuest, signInByEmail } from '../../../features/account/account-store.ts';
import {
  type AuthStatus,
  authStatus,
  sendLoginCodeResponse,
  loginWithCodeResponse,
  loginWithCodeBody,
  sendLoginCodeBody,
} from '../../../features/account/contract.ts';
import { hashLoginCode, generateLoginCode } from '../../../features/account/login-code.ts';
import {
  deleteLoginCode,
  saveLoginCode,
  type NetworkFingerprints,
  computeNetworkFingerprints,
  verifyLoginCode,
} from '../../../features/account/login-code-store.ts';
import { computeSuspensionFingerprints } from '../../../features/account/suspension-fingerprint.ts';
import { getAiNoticeForm } from '../../../features/conversation/messages/ai-notice-form.ts';
import { sendMail } from '../../../vendors/mail.ts';
import { getClientIp, type ApiEnv } from '../../middleware/context.ts';
import { describeResponses } from '../../openapi/openapi-route.ts';
import { signInCaller, startSession } from '../../middleware/sign-in.ts';
import { claimGoogleLink } from '../../middleware/google-link.ts';
import { refuseSuspendedBrowser } from '../../middleware/suspension-marker.ts';
import { consumeGuestQuota } from '../../middleware/guest-quota.ts';
import { clearSessionCookie, endCallerSession } from '../../middleware/guards.ts';
import { getRequestLanguage } from '../../middleware/language.ts';
import { buildMail } from '../../../services/mail-texts.ts';
import { loadTexts } from '../../../locales/i18n.ts';
import { checkDailyCodeQuota } from '../../middleware/code-quota.ts';
import { Problem, computeSecondsUntil } from '../../middleware/problems.ts';
import { validateRequest } from '../../middleware/validate.ts';

/**
 * Returns the network fingerprints that limit login codes. With RATE_LIMITS off, as in local use, all clients count as
 * one network, so a code has five wrong tries in total.
 */
function getNetworkNames(c: Context<ApiEnv>, email: string): Promise<NetworkFingerprints> {
  const { authSecret, rateLimits } = c.get('settings');
  return computeNetworkFingerprints(email, rateLimits === 'on' ? getClientIp(c) : 'everywhere', authSecret);
}

export const auth = new Hono<ApiEnv>()
  .get('/status', describeResponses('Get the signed-in user, if any', { 200: authStatus }), async (c) => {
    // A missing or invalid session is no error. One that cannot be read is: clients would take it for a logout and remove
    // the user's drafts.
    const caller = await c.get('caller')();
    const status: AuthStatus = {
      is_authenticated: caller !== null,
      isAuthenticated: caller !== null,
      user: caller?.user ?? null,
      ...(caller === null
        ? {}
        : { ai_notice: getAiNoticeForm(c.get('settings').aiNotice, c.req.raw, Date.now()) }),
    };
    return c.json(status);
  })
  .post(
    '/send-login-code',
    describeResponses('Send a login code by e-mail', { 201: sendLoginCodeResponse }),
    validateRequest('json', sendLoginCodeBody),
    async (c) => {
      const { email } = c.req.valid('json');
      const { authSecret, mailFrom } = c.get('settings');
      const now = Date.now();
      const countCode = await checkDailyCodeQuota(c, now);
      const code = generateLoginCode();
      const codeHash = await hashLoginCode(email, code, authSecret);
      const network = await getNetworkNames(c, email);
      const stored = await saveLoginCode(c.get('db'), { email, codeHash, network, now });
      if (stored !== true)
        throw new Problem('code_recently_sent', {}, computeSecondsUntil(stored.retryAt, now));
      const language = getRequestLanguage(c);
      const { t } = await loadTexts(language);
      const sent = await sendMail(c.env.EMAIL, mailFrom, {
        to: email,
        ...buildMail('login_code', { code }, { language, t, wayOut: null }),
      });
      if (sent !== 'sent') {
        await deleteLoginCode(c.get('db'), { email, codeHash });
        throw new Problem('mail_failed');
      }
      c.executionCtx.waitUntil(countCode());
      return c.json({ sent: true as const, expires_in: LOGIN_CODE.lifetimeMs / 1000 }, 201);
    },
  )
  .post(
    '/login-with-code',
    describeResponses('Sign in with a code', { 201: loginWithCodeResponse }),
    validateRequest('json', loginWithCodeBody),
    async (c) => {
      const { email, code } = c.req.valid('json');
      const db = c.get('db');
      const now = Date.now();
      const { authSecret } = c.get('settings');
      const [codeHash, network] = await Promise.all([
        hashLoginCode(email, code, authSecret),
        getNetworkNames(c, email),
      ]);
      if (!(await verifyLoginCode(db, { email, codeHash, network, now }))) throw new Problem('invalid_code');
      const marks = await computeSuspensionFingerprints({ email, subjects: [] }, authSecret);
      const userId = await signInCaller(c, 'code', (known) =>
        signInByEmail(db, { ...known, email, fingerprints: marks }),
      );
      await claimGoogleLink(c, { email, userId, now });
      return c.json({ user_id: userId }, 201);
    },
  )
  .post(
    '/anonymous',
    describeResponses('Start a guest session', { 201: loginWithCodeResponse }),
    async (c) => {
      const caller = await c.get('caller')();
      if (caller?.user.suspended_at !== undefined && caller.user.role !== 'admin')
        throw new Problem('account_suspended');
      if (caller !== null) return c.json({ user_id: caller.user.id }, 201);
      await refuseSuspendedBrowser(c);
      const now = Date.now();
      await consumeGuestQuota(c, now);
      const userId = await createGuest(c.get('db'), now);
      await startSession(c, userId, 'guest');
      return c.json({ user_id: userId }, 201);
    },
  );

export const logout = new Hono<ApiEnv>().post(
  '/',
  describeResponses('Sign out', { 204: null }),
  async (c) => {
    await endCallerSession(c);
    clearSessionCookie(c);
    return c.body(null, 204);
  },
);
