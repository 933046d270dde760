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
import { hashLoginCode, generateLoginCode } from '../../../features/account/login-code/login-code.ts';
import { createMark } from '../../../features/account/login-code/known-browser.ts';
import {
  claimBrowserLink,
  saveLoginCode,
  verifyLoginCode,
  revokeBrowserLink,
  revokeLoginCode,
} from '../../../features/account/login-code/login-code-store.ts';
import { computeSuspensionFingerprints } from '../../../features/account/suspension-fingerprint.ts';
import { getAiNoticeForm } from '../../../features/conversation/messages/ai-notice-form.ts';
import type { MailVariables } from '../../../features/mail/contract.ts';
import { sendMail } from '../../../vendors/mail.ts';
import { listCodeRequesters, readCodeRequester } from '../../middleware/code-requester.ts';
import { getSiteUrl, type ApiEnv } from '../../middleware/context.ts';
import { describeResponses } from '../../openapi/openapi-route.ts';
import { signInCaller, startSession } from '../../middleware/sign-in.ts';
import { claimGoogleLink } from '../../middleware/google-link.ts';
import { refuseSuspendedBrowser } from '../../middleware/suspension-marker.ts';
import { consumeGuestQuota } from '../../middleware/guest-quota.ts';
import { clearSessionCookie, endCallerSession } from '../../middleware/guards.ts';
import { getRequestLanguage } from '../../middleware/language.ts';
import { buildMail } from '../../../services/mail-texts.ts';
import { loadTexts } from '../../../locales/i18n.ts';
import { claimNetworkQuota } from '../../middleware/network-quota.ts';
import { Problem, computeSecondsUntil } from '../../middleware/problems.ts';
import { validateRequest } from '../../middleware/validate.ts';

/** Sends a mail at once, in the language of the request. @returns whether it was sent */
async function sendMailNow<Kind extends 'login_code' | 'browser_link'>(
  c: Context<ApiEnv>,
  email: string,
  kind: Kind,
  variables: MailVariables<Kind>,
): Promise<boolean> {
  const language = getRequestLanguage(c);
  const { t } = await loadTexts(language);
  const mail = buildMail(kind, variables, { language, t, wayOut: null });
  return (await sendMail(c.env.EMAIL, c.get('settings').mailFrom, { to: email, ...mail })) === 'sent';
}

/**
 * Mails a link that makes the browser known, which strangers' requests do not delay; at most one an hour. So no one who
 * reads the mailbox is locked out, however many codes strangers request.
 */
async function sendBrowserLink(c: Context<ApiEnv>, email: string, now: number): Promise<void> {
  const db = c.get('db');
  if (!(await claimBrowserLink(db, { email, now }))) return;
  const uncount = await claimNetworkQuota(c, 'codes', now).catch(async (error: unknown) => {
    await revokeBrowserLink(db, email);
    throw error;
  });
  const mark = await createMark(email, c.get('settings').authSecret);
  if (!(await sendMailNow(c, email, 'browser_link', { site: getSiteUrl(c), mark })))
    await Promise.all([revokeBrowserLink(db, email), uncount()]);
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
      const { authSecret } = c.get('settings');
      const now = Date.now();
      const code = generateLoginCode();
      const by = await readCodeRequester(c, email);
      const saved = { email, codeHash: await hashLoginCode(email, code, authSecret), by };
      const stored = await saveLoginCode(c.get('db'), { ...saved, now });
      if (stored !== true) {
        if (stored.code === 'too_many_unused_codes') await sendBrowserLink(c, email, now);
        throw new Problem(stored.code, {}, computeSecondsUntil(stored.retryAt, now));
      }
      const uncount = await claimNetworkQuota(c, 'codes', now).catch(async (error: unknown) => {
        await revokeLoginCode(c.get('db'), saved);
        throw error;
      });
      if (!(await sendMailNow(c, email, 'login_code', { code }))) {
        await Promise.all([revokeLoginCode(c.get('db'), saved), uncount()]);
        throw new Problem('mail_failed');
      }
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
      const [codeHash, by] = await Promise.all([
        hashLoginCode(email, code, authSecret),
        listCodeRequesters(c, email),
      ]);
      if (!(await verifyLoginCode(db, { email, codeHash, by, now }))) throw new Problem('invalid_code');
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
