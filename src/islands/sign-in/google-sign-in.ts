import { client, readJson, type Failure, NETWORK_FAILURE, type Result } from '../shared/api.ts';
import { acquireLoginLock } from '../shared/device-session/login-lock.ts';
import type { GoogleSignInRequest } from './sign-in-flow.ts';
import type { GoogleSignInConfig } from './sign-in-state.ts';

/** The part of Google's script used here: the token client of Google Identity Services. */
export interface GoogleTokens {
  initTokenClient(options: {
    client_id: string;
    scope: string;
    prompt: string;
    callback(answer: { access_token?: string; error?: string }): void;
    error_callback(error: { type: string }): void;
  }): { requestAccessToken(): void };
}

declare global {
  interface Window {
    google?: { accounts?: { oauth2?: GoogleTokens } };
  }
}

export interface GoogleDeps {
  /** Google's script; null if loading failed. */
  script(address: string): Promise<GoogleTokens | null>;
  /** Google's data about the token's owner; null if unavailable. */
  userInfo(address: string, token: string): Promise<unknown>;
  signIn(token: string, userInfo: unknown): Promise<Result<unknown>>;
  isOnline(): boolean;
  /** Leaves for Google's page; resolves only if the user returns to this page. */
  redirectToGoogle(path: string): Promise<void>;
}

const createFailure = (code: string): Failure => ({ ok: false, status: 0, code, error: '' });
const CANCELLED = createFailure('google_cancelled');

/**
 * Signs in with Google's pop-up, or with Google's own page if the pop-up is blocked or the script fails to load.
 * @returns the server's answer, or a failure if there was no token
 */
export async function signInWithGoogle(
  google: GoogleSignInConfig,
  { next, wanted: isWanted }: GoogleSignInRequest,
  deps: GoogleDeps = browserDeps,
): Promise<Result<unknown>> {
  const tokens = await deps.script(google.script);
  if (!isWanted()) return CANCELLED;
  const result = tokens
    ? await requestTokenByPopup(tokens, google.clientId).catch(() => 'silent' as const)
    : 'silent';
  if (!isWanted() || result === 'cancelled') return CANCELLED;
  if (typeof result === 'object') {
    const userInfo = await deps.userInfo(google.userInfo, result.token);
    return isWanted() ? deps.signIn(result.token, userInfo) : CANCELLED;
  }
  if (!deps.isOnline()) return NETWORK_FAILURE;
  if (!google.page)
    return createFailure(result === 'blocked' ? 'google_popup_blocked' : 'google_unavailable');
  await deps.redirectToGoogle(`/api/auth/google?${new URLSearchParams({ next })}`);
  return CANCELLED;
}

type TokenResult = { token: string } | 'cancelled' | 'blocked' | 'silent';

function requestTokenByPopup(tokens: GoogleTokens, clientId: string): Promise<TokenResult> {
  return new Promise((resolve) => {
    tokens
      .initTokenClient({
        client_id: clientId,
        scope: 'email profile',
        // On a shared device, the Google account in use may belong to another person.
        prompt: 'select_account',
        callback: ({ access_token: token, error }) => {
          if (token) resolve({ token });
          else resolve(error === 'access_denied' ? 'cancelled' : 'silent');
        },
        error_callback: ({ type }) => {
          if (type === 'popup_closed') resolve('cancelled');
          else resolve(type === 'popup_failed_to_open' ? 'blocked' : 'silent');
        },
      })
      .requestAccessToken();
  });
}

/** Short, because the user is waiting and browsers allow pop-ups only for a few seconds after a click. */
const SCRIPT_TIMEOUT_MS = 8000;
/** Short, because the server fetches this data itself if it is missing. */
const USER_INFO_TIMEOUT_MS = 3000;

let scriptLoads: Promise<GoogleTokens | null> | null = null;

/** Loads Google's script once; a failed load is retried on the next call. */
export function loadGoogleScript(address: string): Promise<GoogleTokens | null> {
  scriptLoads ??= new Promise((resolve) => {
    const script = document.createElement('script');
    const settle = () => {
      clearTimeout(timer);
      const tokens = window.google?.accounts?.oauth2 ?? null;
      if (tokens === null) {
        script.remove();
        scriptLoads = null;
      }
      resolve(tokens);
    };
    const timer = setTimeout(settle, SCRIPT_TIMEOUT_MS);
    script.addEventListener('load', settle);
    script.addEventListener('error', settle);
    script.src = address;
    document.head.appendChild(script);
  });
  return scriptLoads;
}

const browserDeps: GoogleDeps = {
  script: loadGoogleScript,
  userInfo: (address, token) =>
    fetch(address, {
      headers: { authorization: `Bearer ${token}` },
      signal: AbortSignal.timeout(USER_INFO_TIMEOUT_MS),
    })
      .then((answer) => answer.json() as unknown)
      .catch(() => null),
  signIn: (token, userInfo) =>
    acquireLoginLock(() => readJson(client.auth.google.callback.$post({ json: { token, userInfo } }))),
  isOnline: () => navigator.onLine,
  redirectToGoogle: (path) =>
    new Promise((resolve) => {
      // The back/forward cache may restore this page as it was.
      window.addEventListener('pageshow', ({ persisted }) => persisted && resolve(), { once: true });
      location.assign(path);
    }),
};
