import { type Context, Hono } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import { z } from 'zod';
import { GOOGLE_SIGN_IN } from '../../../features/account/limits.ts';
import { timingSafeEqual } from '../../../lib/timing-safe-equal.ts';
import { isKnownGoogleAccount, signInByGoogle } from '../../../features/account/account-store.ts';
import { saveGoogleLink } from '../../middleware/google-link.ts';
import { emailAddress, googleLoginResponse, googleTokenBody } from '../../../features/account/contract.ts';
import { getSafeRedirectPath } from '../../../features/account/safe-redirect.ts';
import { readUser } from '../../../features/account/session/session.ts';
import { computeSuspensionFingerprints } from '../../../features/account/suspension-fingerprint.ts';
import { claimToken } from '../../../features/account/used-token-store.ts';
import {
  type GoogleAnswer,
  type GoogleFlow,
  buildGoogleAuthUrl,
  type GooglePerson,
  type GoogleRefusal,
  createGoogleFlow,
  fetchPersonByCode,
  fetchPersonByToken,
} from '../../../vendors/google.ts';
import type { ApiEnv } from '../../middleware/context.ts';
import { describeResponses } from '../../openapi/openapi-route.ts';
import { signInCaller } from '../../middleware/sign-in.ts';
import { resolveCookieName } from '../../middleware/guards.ts';
import { limitSignInCall } from '../../middleware/rate-limits.ts';
import { logError, Problem, type ProblemCode } from '../../middleware/problems.ts';
import { validateRequest } from '../../middleware/validate.ts';
import { log } from '../../../lib/log.ts';

const HOME = '/';
const CALLBACK = '/api/auth/google/callback';

/** A sign-in that is waiting at Google; stored in a cookie. */
const pendingFlow = z.object({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  next: z.string(),
  startedAt: z.number(),
});
type PendingFlow = GoogleFlow & z.infer<typeof pendingFlow>;
const pendingFlows = z.array(pendingFlow).max(GOOGLE_SIGN_IN.maxPending);

// Browsers come here by a link or from Google, so drop invalid parameters and show the error on a page of ours.
const optionalText = z.string().max(4096).optional().catch(undefined);
// Google adds fields of its own.
const startQuery = z.looseObject({ next: optionalText });
const callbackQuery = z.looseObject({ state: optionalText, code: optionalText, error: optionalText });

/** Returns the operator's Google settings. @throws Problem `not_found` when there are none */
function getGoogleSettings(c: Context<ApiEnv>) {
  const { google } = c.get('settings');
  if (google === undefined) throw new Problem('not_found');
  return google;
}

/** The same for sign-in by redirect, which needs the client secret. */
function getGooglePageSettings(c: Context<ApiEnv>) {
  const google = getGoogleSettings(c);
  if (google.clientSecret === undefined) throw new Problem('not_found');
  return google;
}

const getRedirectUri = (c: Context<ApiEnv>): string => new URL(c.req.url).origin + CALLBACK;

function toGoogleProblem({ code, reason }: Omit<GoogleRefusal, 'ok'>): Problem {
  log('google_refused', { code, reason });
  return new Problem(code);
}

/** Returns the person that Google reports, with a normalized address. @throws Problem with the code of a refusal */
function unwrapPerson<Answer extends GoogleAnswer>(answer: Answer): Extract<Answer, { ok: true }> {
  if (!answer.ok) throw toGoogleProblem(answer);
  const email = emailAddress.safeParse(answer.person.email);
  if (!email.success)
    throw toGoogleProblem({ code: 'invalid_google_token', reason: 'the address is none that we take' });
  return { ...answer, person: { ...answer.person, email: email.data } } as Extract<Answer, { ok: true }>;
}

/**
 * Signs a person in.
 * @throws Problem `email_code_required` at the first sign-in with an address that Google does not host; signing in with a
 *   code in the same browser then connects the Google account
 */
async function signInPerson(c: Context<ApiEnv>, { isHosted, ...person }: GooglePerson): Promise<string> {
  if (!isHosted && !(await isKnownGoogleAccount(c.get('db'), person.subject))) {
    await saveGoogleLink(c, person);
    throw new Problem('email_code_required');
  }
  const identity = { email: person.email, subjects: [person.subject] };
  const marks = await computeSuspensionFingerprints(identity, c.get('settings').authSecret);
  return signInCaller(c, 'google', (known) =>
    signInByGoogle(c.get('db'), { ...known, ...person, fingerprints: marks }),
  );
}

function readPendingFlows(c: Context<ApiEnv>): PendingFlow[] {
  try {
    const cookieValue = getCookie(c, resolveCookieName(c, 'google').name) ?? '';
    const oldestStart = Date.now() - GOOGLE_SIGN_IN.lifetimeMs;
    return pendingFlows
      .parse(JSON.parse(atob(cookieValue)))
      .filter(({ startedAt }) => startedAt > oldestStart);
  } catch {
    return [];
  }
}

/** `Lax`, because Google's page redirects back from another site. */
function savePendingFlows(c: Context<ApiEnv>, flows: readonly PendingFlow[]): void {
  const { name, secure } = resolveCookieName(c, 'google');
  if (flows.length === 0) return void deleteCookie(c, name, { path: '/', secure });
  setCookie(c, name, btoa(JSON.stringify(flows)), {
    httpOnly: true,
    sameSite: 'Lax',
    secure,
    path: '/',
    maxAge: GOOGLE_SIGN_IN.lifetimeMs / 1000,
  });
}

/**
 * Takes the pending sign-in that a response from Google belongs to, so that each is used once. A response without a match
 * leaves the sign-ins of other tabs untouched.
 */
function claimPendingFlow(c: Context<ApiEnv>, state: string): PendingFlow | null {
  const flows = readPendingFlows(c);
  const own = flows.find((flow) => timingSafeEqual(flow.state, state)) ?? null;
  if (own !== null)
    savePendingFlows(
      c,
      flows.filter((flow) => flow !== own),
    );
  return own;
}

/** Redirects to a page or, after an error, to the login page with its code, because the client is a browser. */
async function redirectWithErrors(
  c: Context<ApiEnv>,
  next: string,
  to: () => Promise<string>,
): Promise<Response> {
  let code: ProblemCode;
  try {
    await limitSignInCall(c);
    return c.redirect(await to(), 302);
  } catch (error) {
    if (!(error instanceof Problem)) logError(error, c);
    code = error instanceof Problem ? error.code : 'server_error';
  }
  return c.redirect(`/login?${new URLSearchParams({ error: code, next })}`, 302);
}

export const google = new Hono<ApiEnv>()
  .get(
    '/',
    describeResponses('Redirect to Google’s sign-in page', { 302: null }),
    validateRequest('query', startQuery),
    (c) => {
      const settings = getGooglePageSettings(c);
      const wanted = getSafeRedirectPath(c.req.valid('query').next) ?? HOME;
      const next = wanted.length <= GOOGLE_SIGN_IN.maxNextChars ? wanted : HOME;
      return redirectWithErrors(c, next, async () => {
        const flow = createGoogleFlow();
        const others = readPendingFlows(c).slice(1 - GOOGLE_SIGN_IN.maxPending);
        savePendingFlows(c, [...others, { ...flow, next, startedAt: Date.now() }]);
        return buildGoogleAuthUrl(settings, getRedirectUri(c), flow).href;
      });
    },
  )
  .get(
    '/callback',
    describeResponses('Complete the sign-in after Google’s redirect', { 302: null }),
    validateRequest('query', callbackQuery),
    async (c) => {
      const settings = getGooglePageSettings(c);
      const { state = '', code, error } = c.req.valid('query');
      const flow = claimPendingFlow(c, state);
      const next = getSafeRedirectPath(flow?.next) ?? HOME;
      return redirectWithErrors(c, next, async () => {
        if (flow === null) throw new Problem('oauth_state_expired');
        if (code === undefined) {
          if (error === 'access_denied') throw new Problem('google_cancelled');
          throw toGoogleProblem({ code: 'invalid_google_token', reason: 'Google’s page gave no code' });
        }
        const redirectUri = getRedirectUri(c);
        const answer = await fetchPersonByCode(settings, { code, redirectUri, flow, now: Date.now() });
        const userId = await signInPerson(c, unwrapPerson(answer).person);
        const user = await readUser(c.get('db'), userId, c.get('settings'));
        return user?.onboarding_completed === false ? addOnboardingParameter(next) : next;
      });
    },
  )
  .post(
    '/callback',
    describeResponses('Sign in with a Google access token', { 200: googleLoginResponse }),
    validateRequest('json', googleTokenBody),
    async (c) => {
      const settings = getGoogleSettings(c);
      const { token } = c.req.valid('json');
      const db = c.get('db');
      const { person, expiresAt } = unwrapPerson(await fetchPersonByToken(settings, token, Date.now()));
      if (!(await claimToken(db, { token, expiresAt })))
        throw toGoogleProblem({ code: 'invalid_google_token', reason: 'the token was used before' });
      const userId = await signInPerson(c, person);
      const user = await readUser(db, userId, c.get('settings'));
      if (user === null) throw new Problem('unauthenticated');
      return c.json({ user_id: userId, user });
    },
  );

/** After the redirect from Google, only the address can say that this is the user's first sign-in. */
function addOnboardingParameter(path: string): string {
  const url = new URL(path, 'https://own.invalid');
  url.searchParams.set('onboarding', 'display');
  return url.pathname + url.search + url.hash;
}
