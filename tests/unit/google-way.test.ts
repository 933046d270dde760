import { describe, expect, test } from 'vitest';
import {
  signInWithGoogle,
  type GoogleDeps,
  type GoogleTokens,
} from '../../src/islands/sign-in/google-sign-in.ts';
import type { GoogleSignInConfig } from '../../src/islands/sign-in/sign-in-state.ts';

const GOOGLE: GoogleSignInConfig = {
  clientId: 'client-1',
  script: 'https://google.example/gsi/client',
  userInfo: 'https://google.example/userinfo',
  page: true,
};
type Asked = Parameters<GoogleTokens['initTokenClient']>[0];

/** Google's window, in which somebody does what the test says. */
const googleWhere = (act: (asked: Asked) => void): GoogleTokens => ({
  initTokenClient: (asked) => ({ requestAccessToken: () => act(asked) }),
});

/** A browser and a server; a press on Google's button is `come`. */
function browser(tokens: GoogleTokens | null, more: Partial<GoogleDeps & { wanted: () => boolean }> = {}) {
  const did: unknown[][] = [];
  const deps: GoogleDeps = {
    script: async (address) => {
      did.push(['script', address]);
      return tokens;
    },
    userInfo: async (address, token) => {
      did.push(['userInfo', address, token]);
      return { sub: 's1' };
    },
    signIn: async (token, userInfo) => {
      did.push(['enter', token, userInfo]);
      return { ok: true, data: { user_id: 'u1' } };
    },
    isOnline: () => true,
    redirectToGoogle: async (path) => void did.push(['leave', path]),
    ...more,
  };
  const wish = { next: '/account?a=1#b', wanted: more.wanted ?? (() => true) };
  return { did, come: (google = GOOGLE) => signInWithGoogle(google, wish, deps) };
}

const chooses = googleWhere(({ callback }) => callback({ access_token: 't1' }));
const blocked = googleWhere(({ error_callback }) => error_callback({ type: 'popup_failed_to_open' }));

describe('Google’s window', () => {
  test('asks for the e-mail and profile scopes for our client, and lets me choose who I am', async () => {
    let asked: Asked | undefined;
    await browser(
      googleWhere((options) => {
        asked = options;
        options.callback({ access_token: 't1' });
      }),
    ).come();
    expect(asked).toMatchObject({
      client_id: 'client-1',
      scope: 'email profile',
      prompt: 'select_account',
    });
  });

  test('gives a token that the server gets together with what Google told of me', async () => {
    const { did, come } = browser(chooses);
    expect(await come()).toEqual({ ok: true, data: { user_id: 'u1' } });
    expect(did).toEqual([
      ['script', 'https://google.example/gsi/client'],
      ['userInfo', 'https://google.example/userinfo', 't1'],
      ['enter', 't1', { sub: 's1' }],
    ]);
  });

  test.each([
    ['closed', googleWhere(({ error_callback }) => error_callback({ type: 'popup_closed' }))],
    ['left by «Cancel»', googleWhere(({ callback }) => callback({ error: 'access_denied' }))],
  ])('%s is no sign-in, and no trouble either', async (_, tokens) => {
    const { did, come } = browser(tokens);
    expect(await come()).toMatchObject({ ok: false, code: 'google_cancelled' });
    expect(did.map(([what]) => what)).toEqual(['script']);
  });
});

const ways: [string, GoogleTokens | null, string][] = [
  ['the window is blocked', blocked, 'google_popup_blocked'],
  ['Google’s script does not come', null, 'google_unavailable'],
  [
    'Google’s window ends in an error',
    googleWhere(({ callback }) => callback({ error: 'server_error' })),
    'google_unavailable',
  ],
  [
    'Google’s window fails in another way',
    googleWhere(({ error_callback }) => error_callback({ type: 'unknown' })),
    'google_unavailable',
  ],
  [
    'Google’s script is not what it was',
    googleWhere(() => {
      throw new Error('changed');
    }),
    'google_unavailable',
  ],
];
describe.each(ways)('Where %s', (_, tokens, code) => {
  test('I go by Google’s own page and come back to where I was going', async () => {
    const { did, come } = browser(tokens);
    expect(await come()).toMatchObject({ ok: false, code: 'google_cancelled' });
    expect(did.at(-1)).toEqual(['leave', '/api/auth/google?next=%2Faccount%3Fa%3D1%23b']);
  });

  test('and there is no such page, I am told', async () => {
    const { did, come } = browser(tokens);
    expect(await come({ ...GOOGLE, page: false })).toMatchObject({ ok: false, code });
    expect(did.map(([what]) => what)).toEqual(['script']);
  });

  test('and I am offline, I am told that, and the page stays', async () => {
    const { did, come } = browser(tokens, { isOnline: () => false });
    expect(await come()).toMatchObject({ ok: false, code: 'network' });
    expect(did.map(([what]) => what)).toEqual(['script']);
  });
});

describe('What I turned away from', () => {
  test.each([
    ['opens no window', 0, ['script']],
    ['asks nobody about its token', 1, ['script']],
    ['signs nobody in', 2, ['script', 'userInfo']],
  ])('%s', async (_, after, did) => {
    let times = 0;
    const way = browser(chooses, { wanted: () => times++ < after });
    expect(await way.come()).toMatchObject({ ok: false, code: 'google_cancelled' });
    expect(way.did.map(([what]) => what)).toEqual(did);
  });

  test('leads to no page of Google’s', async () => {
    let times = 0;
    const way = browser(blocked, { wanted: () => times++ < 1 });
    await way.come();
    expect(way.did.map(([what]) => what)).not.toContain('leave');
  });
});
