import { describe, expect, test } from 'vitest';
import {
  signInWithGoogle,
  type GoogleDeps,
  type GoogleTokens,
} from '../../../../src/islands/sign-in/google-sign-in.ts';
import type { GoogleSignInConfig } from '../../../../src/islands/sign-in/sign-in-state.ts';

const GOOGLE: GoogleSignInConfig = {
  clientId: 'client-1',
  script: 'https://google.example/gsi/client',
  userInfo: 'https://google.example/userinfo',
  page: true,
};
type TokenOptions = Parameters<GoogleTokens['initTokenClient']>[0];

/** Google's window, in which this action happens. */
const createTokens = (act: (options: TokenOptions) => void): GoogleTokens => ({
  initTokenClient: (options) => ({ requestAccessToken: () => act(options) }),
});

/** A browser and a server; `pressButton` starts the sign-in. */
function createBrowser(
  tokens: GoogleTokens | null,
  more: Partial<GoogleDeps & { wanted: () => boolean }> = {},
) {
  const calls: unknown[][] = [];
  const deps: GoogleDeps = {
    script: async (address) => {
      calls.push(['script', address]);
      return tokens;
    },
    userInfo: async (address, token) => {
      calls.push(['userInfo', address, token]);
      return { sub: 's1' };
    },
    signIn: async (token, userInfo) => {
      calls.push(['enter', token, userInfo]);
      return { ok: true, data: { user_id: 'u1' } };
    },
    isOnline: () => true,
    redirectToGoogle: async (path) => void calls.push(['leave', path]),
    ...more,
  };
  const request = { next: '/account?a=1#b', wanted: more.wanted ?? (() => true) };
  return { calls, pressButton: (google = GOOGLE) => signInWithGoogle(google, request, deps) };
}

const chosen = createTokens(({ callback }) => callback({ access_token: 't1' }));
const blocked = createTokens(({ error_callback }) => error_callback({ type: 'popup_failed_to_open' }));

describe('Google sign-in window', () => {
  test('the window asks for the email and profile scopes and lets the user choose an account', async () => {
    let received: TokenOptions | undefined;
    await createBrowser(
      createTokens((options) => {
        received = options;
        options.callback({ access_token: 't1' });
      }),
    ).pressButton();
    expect(received).toMatchObject({
      client_id: 'client-1',
      scope: 'email profile',
      prompt: 'select_account',
    });
  });

  test('the server receives the token with what Google says about the user', async () => {
    const { calls, pressButton } = createBrowser(chosen);
    expect(await pressButton()).toEqual({ ok: true, data: { user_id: 'u1' } });
    expect(calls).toEqual([
      ['script', 'https://google.example/gsi/client'],
      ['userInfo', 'https://google.example/userinfo', 't1'],
      ['enter', 't1', { sub: 's1' }],
    ]);
  });

  test.each([
    ['closed', createTokens(({ error_callback }) => error_callback({ type: 'popup_closed' }))],
    ['left by «Cancel»', createTokens(({ callback }) => callback({ error: 'access_denied' }))],
  ])('a window %s is neither a sign-in nor an error', async (_, tokens) => {
    const { calls, pressButton } = createBrowser(tokens);
    expect(await pressButton()).toMatchObject({ ok: false, code: 'google_cancelled' });
    expect(calls.map(([what]) => what)).toEqual(['script']);
  });
});

const failures: [string, GoogleTokens | null, string][] = [
  ['the window is blocked', blocked, 'google_popup_blocked'],
  ['Google’s script does not come', null, 'google_unavailable'],
  [
    'Google’s window ends in an error',
    createTokens(({ callback }) => callback({ error: 'server_error' })),
    'google_unavailable',
  ],
  [
    'Google’s window fails in another way',
    createTokens(({ error_callback }) => error_callback({ type: 'unknown' })),
    'google_unavailable',
  ],
  [
    'Google’s script is not what it was',
    createTokens(() => {
      throw new Error('changed');
    }),
    'google_unavailable',
  ],
];
describe.each(failures)('Sign-in window fails: %s', (_, tokens, code) => {
  test('a failed window leads to the page of Google and back to the same place', async () => {
    const { calls, pressButton } = createBrowser(tokens);
    expect(await pressButton()).toMatchObject({ ok: false, code: 'google_cancelled' });
    expect(calls.at(-1)).toEqual(['leave', '/api/auth/google?next=%2Faccount%3Fa%3D1%23b']);
  });

  test('a failed window shows its error when there is no page of Google', async () => {
    const { calls, pressButton } = createBrowser(tokens);
    expect(await pressButton({ ...GOOGLE, page: false })).toMatchObject({ ok: false, code });
    expect(calls.map(([what]) => what)).toEqual(['script']);
  });

  test('a failed window shows the network error when the user is offline', async () => {
    const { calls, pressButton } = createBrowser(tokens, { isOnline: () => false });
    expect(await pressButton()).toMatchObject({ ok: false, code: 'network' });
    expect(calls.map(([what]) => what)).toEqual(['script']);
  });
});

describe('Cancelled sign-in', () => {
  test.each([
    ['opens no window', 0, ['script']],
    ['sends no request with its token', 1, ['script']],
    ['does not log the user in', 2, ['script', 'userInfo']],
  ])('a sign-in cancelled early %s', async (_, after, calls) => {
    let times = 0;
    const browser = createBrowser(chosen, { wanted: () => times++ < after });
    expect(await browser.pressButton()).toMatchObject({ ok: false, code: 'google_cancelled' });
    expect(browser.calls.map(([what]) => what)).toEqual(calls);
  });

  test('a cancelled sign-in does not lead to the page of Google', async () => {
    let times = 0;
    const browser = createBrowser(blocked, { wanted: () => times++ < 1 });
    await browser.pressButton();
    expect(browser.calls.map(([what]) => what)).not.toContain('leave');
  });
});
