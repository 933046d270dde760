import { type Context, Hono } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import { z } from 'zod';
import { GOOGLE_SIGN_IN } from '../../../features/account/limits.ts';
import { equalInConstantTime } from '../../../lib/constant-time.ts';
import { signInByGoogle } from '../../../features/account/account-store.ts';
import { emailAddress, googleEntered, googleTokenBody } from '../../../features/account/contract.ts';
import { ownPath } from '../../../features/account/safe-redirect.ts';
import { readUser } from '../../../features/account/session.ts';
import { suspensionMarks } from '../../../features/account/suspension-fingerprint.ts';
import { takeToken } from '../../../features/account/used-token-store.ts';
import {
  type GoogleAnswer,
  type GoogleFlow,
  googlePage,
  type GooglePerson,
  type GoogleRefusal,
  newGoogleFlow,
  personOfCode,
  personOfToken,
} from '../../../vendors/google.ts';
import type { ApiEnv } from '../../middleware/context.ts';
import { answers } from '../../openapi/openapi-route.ts';
import { admit } from '../../middleware/sign-in.ts';
import { cookieFor } from '../../middleware/guards.ts';
import { countAtDoor } from '../../middleware/rate-limits.ts';
import { logError, Problem, type ProblemCode } from '../../middleware/problems.ts';
import { valid } from '../../middleware/validate.ts';
import { log } from '../../../lib/log.ts';

const HOME = '/';
const CALLBACK = '/api/auth/google/callback';

/** A sign-in that went to Google's page and has not come back; the browser keeps it. */
const pendingFlow = z.object({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  next: z.string(),
  begunAt: z.number(),
});
type PendingFlow = GoogleFlow & z.infer<typeof pendingFlow>;
const pendingFlows = z.array(pendingFlow).max(GOOGLE_SIGN_IN.maxPending);

// People come here by a link or from Google's page: what makes no sense is left out, and told on a page of ours.
const text = z.string().max(4096).optional().catch(undefined);
const begin = z.object({ next: text });
const comeBack = z.object({ state: text, code: text, error: text });

/** The operator's settings for Google; to whoever set none, the routes do not exist. */
function googleOf(c: Context<ApiEnv>) {
  const { google } = c.get('settings');
  if (google === undefined) throw new Problem('not_found');
  return google;
}

/** The same for the way by Google's page, which asks for the secret. */
function googlePageOf(c: Context<ApiEnv>) {
  const google = googleOf(c);
  if (google.clientSecret === undefined) throw new Problem('not_found');
  return google;
}

const redirectUriOf = (c: Context<ApiEnv>): string => new URL(c.req.url).origin + CALLBACK;

function refused({ code, reason }: Omit<GoogleRefusal, 'ok'>): Problem {
  log('google_refused', { code, reason });
  return new Problem(code);
}

/** Who Google says somebody is, with the address as accounts have it; otherwise the refusal is thrown. */
function personOf<Answer extends GoogleAnswer>(answer: Answer): Extract<Answer, { ok: true }> {
  if (!answer.ok) throw refused(answer);
  const email = emailAddress.safeParse(answer.person.email);
  if (!email.success)
    throw refused({ code: 'invalid_google_token', reason: 'the address is none that we take' });
  return { ...answer, person: { ...answer.person, email: email.data } } as Extract<Answer, { ok: true }>;
}

async function enter(c: Context<ApiEnv>, person: GooglePerson): Promise<string> {
  const way = { email: person.email, subjects: [person.subject] };
  const marks = await suspensionMarks(way, c.get('settings').authSecret);
  return admit(c, (known) => signInByGoogle(c.get('db'), { ...known, ...person, marks }));
}

function readPending(c: Context<ApiEnv>): PendingFlow[] {
  try {
    const kept = getCookie(c, cookieFor(c, 'google').name) ?? '';
    const longAgo = Date.now() - GOOGLE_SIGN_IN.lifetimeMs;
    return pendingFlows.parse(JSON.parse(atob(kept))).filter(({ begunAt }) => begunAt > longAgo);
  } catch {
    return [];
  }
}

/** `Lax`, because Google's page sends people back from another site. */
function keepPending(c: Context<ApiEnv>, flows: readonly PendingFlow[]): void {
  const { name, secure } = cookieFor(c, 'google');
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
 * Takes the sign-in that an answer of Google's page belongs to; no answer is taken twice. One that belongs to none
 * leaves those of other tabs alone.
 */
function takePending(c: Context<ApiEnv>, state: string): PendingFlow | null {
  const flows = readPending(c);
  const own = flows.find((flow) => equalInConstantTime(flow.state, state)) ?? null;
  if (own !== null)
    keepPending(
      c,
      flows.filter((flow) => flow !== own),
    );
  return own;
}

/** Goes on to a page; where that is refused, to the one that tells why: who comes here is a person, not a program. */
async function goOn(c: Context<ApiEnv>, next: string, to: () => Promise<string>): Promise<Response> {
  let code: ProblemCode;
  try {
    await countAtDoor(c);
    return c.redirect(await to(), 302);
  } catch (error) {
    if (!(error instanceof Problem)) logError(error, c);
    code = error instanceof Problem ? error.code : 'server_error';
  }
  return c.redirect(`/login?${new URLSearchParams({ error: code, next })}`, 302);
}

export const google = new Hono<ApiEnv>()
  .get('/', answers('Go to Google’s page to sign in', { 302: null }), valid('query', begin), (c) => {
    const settings = googlePageOf(c);
    const wanted = ownPath(c.req.valid('query').next) ?? HOME;
    const next = wanted.length <= GOOGLE_SIGN_IN.maxNextChars ? wanted : HOME;
    return goOn(c, next, async () => {
      const flow = newGoogleFlow();
      const others = readPending(c).slice(1 - GOOGLE_SIGN_IN.maxPending);
      keepPending(c, [...others, { ...flow, next, begunAt: Date.now() }]);
      return googlePage(settings, redirectUriOf(c), flow).href;
    });
  })
  .get(
    '/callback',
    answers('Come back from Google’s page', { 302: null }),
    valid('query', comeBack),
    async (c) => {
      const settings = googlePageOf(c);
      const { state = '', code, error } = c.req.valid('query');
      const flow = takePending(c, state);
      const next = ownPath(flow?.next) ?? HOME;
      return goOn(c, next, async () => {
        if (flow === null) throw new Problem('google_sign_in_lost');
        if (code === undefined) {
          if (error === 'access_denied') throw new Problem('google_cancelled');
          throw refused({ code: 'invalid_google_token', reason: 'Google’s page gave no code' });
        }
        const redirectUri = redirectUriOf(c);
        const answer = await personOfCode(settings, { code, redirectUri, flow, now: Date.now() });
        const userId = await enter(c, personOf(answer).person);
        const user = await readUser(c.get('db'), userId, c.get('settings'));
        return user?.onboarding_completed === false ? withOnboarding(next) : next;
      });
    },
  )
  .post(
    '/callback',
    answers('Sign in with an access token of Google’s', { 200: googleEntered }),
    valid('json', googleTokenBody),
    async (c) => {
      const settings = googleOf(c);
      const { token } = c.req.valid('json');
      const db = c.get('db');
      const { person, expiresAt } = personOf(await personOfToken(settings, token, Date.now()));
      if (!(await takeToken(db, { token, expiresAt })))
        throw refused({ code: 'invalid_google_token', reason: 'the token was used before' });
      const userId = await enter(c, person);
      const user = await readUser(db, userId, c.get('settings'));
      if (user === null) throw new Problem('unauthenticated');
      return c.json({ user_id: userId, user });
    },
  );

/** After a page of Google's, nothing in the browser knows that somebody came in for the first time: the address does. */
function withOnboarding(path: string): string {
  const url = new URL(path, 'https://own.invalid');
  url.searchParams.set('onboarding', 'display');
  return url.pathname + url.search + url.hash;
}
