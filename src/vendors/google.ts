import {
  CodeChallengeMethod,
  decodeIdToken,
  generateCodeVerifier,
  generateState,
  OAuth2Client,
} from 'arctic';
import { z } from 'zod';
import { timingSafeEqual } from '../lib/timing-safe-equal.ts';
import { readBoundedText, tryParseJson } from './bounded-response.ts';

/** The operator's Google settings (docs/google.md). */
export interface GoogleSettings {
  clientId: string;
  clientSecret?: string | undefined;
  /** Replaces the origin of every Google address, for tests; the paths stay. */
  apiBase?: string | undefined;
}

/**
 * A person at Google: the `sub` claim, which never changes, and a verified address. `isHosted`: Google hosts the address, so
 * its word that the person owns it holds today. For other addresses Google only knows that the person owned them once
 * (https://developers.google.com/identity/gsi/web/guides/verify-google-id-token).
 */
export interface GooglePerson {
  subject: string;
  email: string;
  isHosted: boolean;
}

export type GoogleRefusal = {
  ok: false;
  code: 'invalid_google_token' | 'email_unverified' | 'google_unavailable';
  /** For the log; contains no personal data. */
  reason: string;
};
export type GoogleAnswer = { ok: true; person: GooglePerson } | GoogleRefusal;
/** `expiresAt`: expiry of the token in milliseconds. */
export type GoogleTokenAnswer = { ok: true; person: GooglePerson; expiresAt: number } | GoogleRefusal;

const ENDPOINTS = {
  authorize: 'https://accounts.google.com/o/oauth2/v2/auth',
  token: 'https://oauth2.googleapis.com/token',
  tokenInfo: 'https://oauth2.googleapis.com/tokeninfo',
  userInfo: 'https://www.googleapis.com/oauth2/v3/userinfo',
} as const;

const CLIENT_SCRIPT = 'https://accounts.google.com/gsi/client';

/** Returns the addresses of Google's browser script and of the user info endpoint. */
export function getGoogleUrls({ apiBase }: Pick<GoogleSettings, 'apiBase'>): {
  script: string;
  userInfo: string;
} {
  return {
    script: applyApiBase(apiBase, CLIENT_SCRIPT),
    userInfo: applyApiBase(apiBase, ENDPOINTS.userInfo),
  };
}

/** Google uses both forms in its tokens. */
const ISSUERS = ['https://accounts.google.com', 'accounts.google.com'];

const SCOPES = ['openid', 'email', 'profile'];
const EMAIL_SCOPES = new Set(['email', 'https://www.googleapis.com/auth/userinfo.email']);

/** Short, because the user is waiting. */
const GOOGLE_TIMEOUT_MS = 5000;
/** Google's responses have two kilobytes at most. */
const MAX_ANSWER_BYTES = 64 * 1024;
/** Tolerated clock difference: a token may look expired this long before it is. */
const CLOCK_LEEWAY_MS = 60_000;

const subject = z.string().min(1).max(255);
/** Google sends booleans in some responses and strings in others. */
const isTrue = (value: unknown): boolean => value === true || value === 'true';
const seconds = z.union([
  z.number(),
  z
    .string()
    .regex(/^\d{1,10}$/)
    .transform(Number),
]);

const tokenInfo = z.object({
  aud: z.string(),
  azp: z.string().optional(),
  sub: subject.optional(),
  scope: z.string(),
  expires_in: seconds,
});

/** The domain of an organisation whose mail Google hosts. */
const hostedDomain = z.string().optional();

const userInfo = z.object({
  sub: subject,
  email: z.string(),
  email_verified: z.unknown(),
  hd: hostedDomain,
});

const idToken = z.object({
  iss: z.string(),
  aud: z.union([z.string(), z.tuple([z.string()]).transform(([audience]) => audience)]),
  azp: z.string().optional(),
  exp: z.number(),
  nonce: z.string(),
  sub: subject,
  email: z.string(),
  email_verified: z.unknown(),
  hd: hostedDomain,
});

const exchanged = z.object({ id_token: z.string() });

/** The secrets of a pending sign-in by redirect, 32 random bytes each. */
export interface GoogleFlow {
  state: string;
  nonce: string;
  verifier: string;
}

export function createGoogleFlow(): GoogleFlow {
  return { state: generateState(), nonce: generateState(), verifier: generateCodeVerifier() };
}

/** Builds the address of Google's sign-in page, which redirects back to `redirectUri`. */
export function buildGoogleAuthUrl(settings: GoogleSettings, redirectUri: string, flow: GoogleFlow): URL {
  const url = new OAuth2Client(settings.clientId, null, redirectUri).createAuthorizationURLWithPKCE(
    getEndpoint(settings, 'authorize'),
    flow.state,
    CodeChallengeMethod.S256,
    flow.verifier,
    SCOPES,
  );
  url.searchParams.set('nonce', flow.nonce);
  // On a shared device the user signed in to Google may be someone else.
  url.searchParams.set('prompt', 'select_account');
  return url;
}

/**
 * Fetches the person that an access token belongs to. The token must have been issued to our client id: a token issued to
 * another site identifies a person, but does not show that they want to sign in here.
 * @param now in milliseconds
 */
export async function fetchPersonByToken(
  settings: GoogleSettings,
  token: string,
  now: number,
  timeoutMs = GOOGLE_TIMEOUT_MS,
): Promise<GoogleTokenAnswer> {
  const tokenInfoUrl = `${getEndpoint(settings, 'tokenInfo')}?${new URLSearchParams({ access_token: token })}`;
  const info = await sendRequest(tokenInfoUrl, {}, timeoutMs);
  if (!info.ok) return info;
  const tokenDescription = tokenInfo.safeParse(info.body);
  if (!tokenDescription.success) return createInvalidRefusal('the token’s description is incomplete');
  const { aud, azp, sub, scope, expires_in: expiresInSeconds } = tokenDescription.data;
  if (aud !== settings.clientId || (azp ?? aud) !== settings.clientId)
    return createInvalidRefusal('the token is another client’s');
  if (expiresInSeconds <= 0) return createInvalidRefusal('the token is over');
  if (!scope.split(' ').some((name) => EMAIL_SCOPES.has(name)))
    return createInvalidRefusal('the token does not hold the e-mail scope');

  const owner = await sendRequest(
    getEndpoint(settings, 'userInfo'),
    { headers: { authorization: `Bearer ${token}` } },
    timeoutMs,
  );
  if (!owner.ok) return owner;
  const person = userInfo.safeParse(owner.body);
  if (!person.success) return createInvalidRefusal('the owner’s description is incomplete');
  if (sub !== undefined && sub !== person.data.sub) return createInvalidRefusal('token and owner differ');
  const answer = toVerifiedPerson(person.data);
  return answer.ok ? { ...answer, expiresAt: now + expiresInSeconds * 1000 } : answer;
}

/**
 * Exchanges the authorization code and reads the person from the id token.
 *
 * The token's signature is not verified, because the token comes directly from Google over TLS (OpenID Connect Core,
 * 3.1.3.7, 6).
 * @param now in milliseconds
 */
export async function fetchPersonByCode(
  settings: GoogleSettings,
  input: { code: string; redirectUri: string; flow: GoogleFlow; now: number },
  timeoutMs = GOOGLE_TIMEOUT_MS,
): Promise<GoogleAnswer> {
  // Not with arctic, which has no timeout and no limit on the response.
  const answer = await sendRequest(
    getEndpoint(settings, 'token'),
    {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        code: input.code,
        redirect_uri: input.redirectUri,
        client_id: settings.clientId,
        client_secret: settings.clientSecret ?? '',
        code_verifier: input.flow.verifier,
      }),
    },
    timeoutMs,
  );
  if (!answer.ok) return answer;
  const tokens = exchanged.safeParse(answer.body);
  if (!tokens.success) return createInvalidRefusal('there is no id token');
  const claims = idToken.safeParse(decodeClaims(tokens.data.id_token));
  if (!claims.success) return createInvalidRefusal('the id token is incomplete');
  const { iss, aud, azp, exp, nonce } = claims.data;
  if (![...ISSUERS, settings.apiBase].includes(iss))
    return createInvalidRefusal('the id token is another issuer’s');
  if (aud !== settings.clientId || (azp ?? aud) !== settings.clientId)
    return createInvalidRefusal('the id token is another client’s');
  if (exp * 1000 + CLOCK_LEEWAY_MS <= input.now) return createInvalidRefusal('the id token is over');
  if (!timingSafeEqual(nonce, input.flow.nonce))
    return createInvalidRefusal('the id token is another sign-in’s');
  return toVerifiedPerson(claims.data);
}

function decodeClaims(token: string): unknown {
  try {
    return decodeIdToken(token);
  } catch {
    return null;
  }
}

const GOOGLE_ADDRESS = /@(?:gmail|googlemail)\.com$/i;

function toVerifiedPerson(claims: {
  sub: string;
  email: string;
  email_verified?: unknown;
  hd?: string | undefined;
}): GoogleAnswer {
  if (!isTrue(claims.email_verified))
    return { ok: false, code: 'email_unverified', reason: 'the address is not verified' };
  const isHosted = (claims.hd ?? '') !== '' || GOOGLE_ADDRESS.test(claims.email);
  return { ok: true, person: { subject: claims.sub, email: claims.email, isHosted } };
}

function getEndpoint({ apiBase }: GoogleSettings, name: keyof typeof ENDPOINTS): string {
  return applyApiBase(apiBase, ENDPOINTS[name]);
}

/** Returns a Google address, with the origin replaced if a stand-in is configured. */
function applyApiBase(apiBase: string | undefined, address: string): string {
  return apiBase === undefined ? address : apiBase + new URL(address).pathname;
}

const createInvalidRefusal = (reason: string): GoogleRefusal => ({
  ok: false,
  code: 'invalid_google_token',
  reason,
});
const createUnavailableRefusal = (reason: string): GoogleRefusal => ({
  ok: false,
  code: 'google_unavailable',
  reason,
});

/** Errors about our own configuration, not about the token or code. */
const CONFIG_ERRORS = new Set(['invalid_client', 'unauthorized_client', 'redirect_uri_mismatch']);

async function sendRequest(
  url: string,
  init: RequestInit,
  timeoutMs: number,
): Promise<{ ok: true; body: unknown } | GoogleRefusal> {
  const { pathname } = new URL(url);
  let status: number;
  let text: string | null;
  try {
    const response = await fetch(url, {
      ...init,
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    });
    status = response.status;
    text = await readBoundedText(response, MAX_ANSWER_BYTES);
  } catch {
    return createUnavailableRefusal(`${pathname} did not answer`);
  }
  const body = text === null ? undefined : tryParseJson(text);
  if (status === 200) {
    return body === undefined ? createUnavailableRefusal(`${pathname} answered no JSON`) : { ok: true, body };
  }
  const named = z.object({ error: z.string().regex(/^[a-z_]{1,40}$/) }).safeParse(body);
  const reason = `${pathname} answered ${status} ${named.success ? named.data.error : ''}`.trim();
  const ours = named.success && CONFIG_ERRORS.has(named.data.error);
  return status >= 400 && status < 500 && status !== 429 && !ours
    ? createInvalidRefusal(reason)
    : createUnavailableRefusal(reason);
}
