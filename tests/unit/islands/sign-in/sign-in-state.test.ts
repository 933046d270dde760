// Over 400 lines: one flow with its three steps and all its refusals, with one stand-in server.
import { atom } from 'nanostores';
import { describe, expect, test, vi } from 'vitest';
import { type AuthStatus, type SessionUser } from '../../../../src/features/account/contract.ts';
import type { Failure } from '../../../../src/islands/shared/api.ts';
import { createCodeFlow, isEmailSubmitDisabled } from '../../../../src/islands/sign-in/code-flow.ts';
import { createSignInFlow, type GoogleSignInRequest } from '../../../../src/islands/sign-in/sign-in-flow.ts';
import {
  CLOSED_SIGN_IN,
  type GoogleSignInConfig,
  openState as openedBy,
  type SignInOptions,
  type SignInState,
} from '../../../../src/islands/sign-in/sign-in-state.ts';
import { NEWCOMER } from '../../../support/session-users.ts';

const TEN_MINUTES_MS = 600_000;
const refusal = (status: number, code: string, more: Partial<Failure> = {}): Failure => ({
  ok: false,
  status,
  code,
  error: `server says ${code}`,
  ...more,
});
const NETWORK = refusal(0, 'network', { error: '' });
const LOGGED_IN = { is_authenticated: true, isAuthenticated: true, user: null } satisfies AuthStatus;
const LOGGED_OUT = { is_authenticated: false, isAuthenticated: false, user: null } satisfies AuthStatus;

/** The open sign-in dialog, with a server that answers as the test lays out. */
function openDialog(options: SignInOptions = {}, { withoutSteps = false } = {}) {
  let now = 0;
  let timers: { at: number; run: () => void }[] = [];
  const calls: unknown[][] = [];
  const answers: Record<string, unknown[]> = {};
  const navigations: string[] = [];
  const googleRequests: GoogleSignInRequest[] = [];
  let auth: AuthStatus = LOGGED_IN;
  let onboardingReloads = false;
  const $state = atom<SignInState>({ ...CLOSED_SIGN_IN, open: true, options });
  const answer = async (name: string, ...args: unknown[]) => {
    calls.push([name, ...args]);
    const next = answers[name]?.shift() ?? { ok: true, data: {} };
    return (typeof next === 'function' ? await next() : next) as never;
  };
  const modal = createSignInFlow(
    {
      api: { enterAnonymously: () => answer('anonymous') },
      refreshSession: async () => {
        calls.push(['refresh']);
        return auth;
      },
      google: (_, request) => {
        googleRequests.push(request);
        return answer('google', request.next);
      },
      passkey: () => answer('passkey'),
      preloadGoogle: ({ script }) => void calls.push(['expect', script]),
      loadEmailSteps: async () => !withoutSteps,
      runOnboarding: async ({ username }) => {
        calls.push(['onboard', username, $state.get().step, $state.get().outcome]);
        return { reload: onboardingReloads };
      },
      page: {
        getPath: () => '/character/c1?a=1',
        navigate: (path) => void navigations.push(path),
        replaceLocation: (path) => void navigations.push(`instead ${path}`),
        reload: () => void navigations.push('again'),
      },
    },
    $state,
  );
  const byCode = createCodeFlow(
    {
      api: {
        sendLoginCode: (email) => answer('send', email),
        loginWithCode: (email, code) => answer('login', email, code),
      },
      clock: {
        now: () => now,
        after: (ms, run) => {
          const timer = { at: now + ms, run };
          timers.push(timer);
          return () => {
            timers = timers.filter((other) => other !== timer);
          };
        },
      },
    },
    modal.steps,
    $state,
  );
  const journey = { ...modal, ...byCode };
  return {
    journey,
    calls,
    navigations,
    googleRequests,
    get state() {
      return $state.get();
    },
    will: (name: 'send' | 'login' | 'anonymous' | 'google' | 'passkey', ...next: unknown[]) =>
      void (answers[name] ??= []).push(...next),
    refuseSession: () => {
      auth = LOGGED_OUT;
    },
    isNew(user: SessionUser = NEWCOMER, reload = false) {
      auth = { ...LOGGED_IN, user };
      onboardingReloads = reload;
    },
    pass(ms: number) {
      now += ms;
      for (const { at, run } of timers) if (at <= now) run();
    },
    async atCode() {
      await journey.chooseEmail();
      journey.setEmail(' ana@example.org ');
      await journey.submitEmail({ google: true });
      return this;
    },
  };
}

describe('Requesting a login code', () => {
  test('requesting a code leads from the choice over the address to the code, and shows where it was sent', async () => {
    const modal = openDialog();
    expect(modal.state.step).toBe('choice');
    await modal.atCode();
    expect(modal.state).toMatchObject({ step: 'code', busy: false, sent: { email: 'ana@example.org' } });
    expect(modal.calls).toEqual([['send', 'ana@example.org']]);
  });

  test.each(['', '   '])('the submit button is disabled for «%s»', (email) => {
    for (const google of [true, false])
      expect(isEmailSubmitDisabled({ email, busy: false }, { google })).toBe(true);
  });

  test.each(['ana@gmail.com', 'ANA@GoogleMail.com', 'ana@gmail.'])(
    'the submit button is disabled for «%s» where Google is configured, and only there',
    (email) => {
      expect(isEmailSubmitDisabled({ email, busy: false }, { google: true })).toBe(true);
      expect(isEmailSubmitDisabled({ email, busy: false }, { google: false })).toBe(false);
    },
  );

  test('a Gmail address gets a code where Google is not configured, and none where it is', async () => {
    for (const google of [true, false]) {
      const modal = openDialog();
      await modal.journey.chooseEmail();
      modal.journey.setEmail('ana@gmail.com');
      await modal.journey.submitEmail({ google });
      expect(modal.calls).toEqual(google ? [] : [['send', 'ana@gmail.com']]);
    }
  });

  test('the submit button is disabled during a request and enabled for an ordinary address', () => {
    const email = 'ana@example.org';
    expect(isEmailSubmitDisabled({ email, busy: true }, { google: true })).toBe(true);
    expect(isEmailSubmitDisabled({ email, busy: false }, { google: true })).toBe(false);
  });

  test('an invalid address is reported and nothing is sent', async () => {
    const modal = openDialog();
    await modal.journey.chooseEmail();
    modal.journey.setEmail('ana at example');
    await modal.journey.submitEmail({ google: true });
    expect(modal.state.notice?.code).toBe('invalid_email');
    expect(modal.calls).toEqual([]);
  });

  test('a code that was sent recently is reported, and the dialog continues to the code', async () => {
    const modal = openDialog();
    modal.will('send', refusal(429, 'code_recently_sent', { retryAfter: 120 }));
    await modal.atCode();
    expect(modal.state).toMatchObject({
      step: 'code',
      notice: { tone: 'info', code: 'code_recently_sent' },
      sent: { resendAt: 120_000 },
    });
  });

  test.each([
    [NETWORK, 'send_code_failed', ''],
    [refusal(500, 'server_error'), 'server_error', 'server says server_error'],
    [refusal(429, 'too_many_requests'), 'too_many_requests', 'server says too_many_requests'],
    [
      refusal(400, 'invalid_input', { fields: { email: ['Please enter a valid email address'] } }),
      'invalid_email',
      'server says invalid_input',
    ],
  ])('a failed code request stays at the address and shows the reason', async (failure, code, error) => {
    const modal = openDialog();
    modal.will('send', failure);
    await modal.atCode();
    expect(modal.state).toMatchObject({ step: 'email', busy: false, notice: { tone: 'error', code, error } });
  });

  test('a new code can be requested only once the waiting time has passed', async () => {
    const modal = await openDialog().atCode();
    await modal.journey.requestNewCode();
    expect(modal.calls).toHaveLength(1);
    modal.pass(TEN_MINUTES_MS - 1);
    expect(modal.state.canResend).toBe(false);
    modal.pass(1);
    expect(modal.state.canResend).toBe(true);
    await modal.journey.requestNewCode();
    expect(modal.calls).toHaveLength(2);
    expect(modal.state.canResend).toBe(false);
  });
});

describe('Time of the next login code', () => {
  test('the waiting time is that of the latest code', async () => {
    const modal = openDialog();
    modal.will('send', refusal(429, 'code_recently_sent', { retryAfter: 120 }));
    await modal.atCode();
    modal.journey.back();
    await modal.journey.submitEmail({ google: true });
    modal.pass(120_000);
    expect(modal.state).toMatchObject({
      step: 'code',
      canResend: false,
      sent: { resendAt: TEN_MINUTES_MS },
    });
  });
});

describe('Several unused login codes', () => {
  const WAIT_S = 3600;
  const refused = refusal(429, 'too_many_unused_codes', { retryAfter: WAIT_S });
  const notice = { tone: 'info', code: 'too_many_unused_codes' };

  test('the dialog stays at the address and says when the next code can be requested', async () => {
    const modal = openDialog();
    modal.will('send', refused);
    await modal.atCode();
    expect(modal.state).toMatchObject({
      step: 'email',
      busy: false,
      sent: null,
      notice: { ...notice, waitUntil: WAIT_S * 1000 },
    });
    // The other ways to log in are one step back.
    modal.journey.back();
    expect(modal.state).toMatchObject({ step: 'choice', notice: null });
  });

  test('after a code that was not used, the button for a new one waits as long as the server says', async () => {
    const modal = await openDialog().atCode();
    modal.pass(TEN_MINUTES_MS);
    modal.will('send', refused);
    await modal.journey.requestNewCode();
    const waitUntil = TEN_MINUTES_MS + WAIT_S * 1000;
    expect(modal.state).toMatchObject({
      step: 'code',
      busy: false,
      canResend: false,
      sent: { email: 'ana@example.org', resendAt: waitUntil },
      notice: { ...notice, waitUntil },
    });
    modal.pass(WAIT_S * 1000);
    expect(modal.state.canResend).toBe(true);
  });
});

describe('Closed sign-in dialog', () => {
  test('closing the dialog resets it, and the timer of its code no longer changes it', async () => {
    const modal = await openDialog().atCode();
    modal.journey.close();
    modal.pass(TEN_MINUTES_MS);
    expect(modal.state).toEqual({ ...CLOSED_SIGN_IN, outcome: 'closed' });
  });
});

describe('First login', () => {
  test('the first login shows the onboarding before the dialog closes and leads to the target page', async () => {
    const modal = await openDialog({ next: '/account' }).atCode();
    modal.isNew();
    await modal.journey.submitCode('123456');
    expect(modal.calls.slice(2)).toEqual([['refresh'], ['onboard', 'reader-1', 'onboarding', null]]);
    expect(modal.state).toMatchObject({ open: false, outcome: 'signed-in', options: {} });
    expect(modal.navigations).toEqual(['/account']);
  });

  test('the first login reloads the page when the onboarding changed what it may show', async () => {
    const modal = await openDialog().atCode();
    modal.isNew(NEWCOMER, true);
    await modal.journey.submitCode('123456');
    expect(modal.navigations).toEqual(['again']);
  });

  test.each([
    ['as a guest', { is_anonymous: true }],
    ['after an onboarding that is over', { onboarding_completed: true }],
  ])('a login shows no onboarding %s', async (_, how) => {
    const modal = await openDialog().atCode();
    modal.isNew({ ...NEWCOMER, ...how });
    await modal.journey.submitCode('123456');
    expect(modal.calls.map(([name]) => name)).not.toContain('onboard');
    expect(modal.state).toMatchObject({ open: false, outcome: 'signed-in' });
  });
});

describe('Submitting a login code', () => {
  test('a correct code logs the user in, refreshes the session and closes the dialog', async () => {
    const modal = await openDialog().atCode();
    await modal.journey.submitCode('123456');
    expect(modal.calls.slice(1)).toEqual([['login', 'ana@example.org', '123456'], ['refresh']]);
    expect(modal.state).toMatchObject({ open: false, outcome: 'signed-in' });
    expect(modal.navigations).toEqual([]);
  });

  test.each([
    ['/account', ['/account']],
    ['/character/c1?a=1', []],
    ['https://elsewhere.example/', []],
    ['//elsewhere.example/', []],
    ['/\\elsewhere.example', []],
  ])('a login leads to «%s» only if that is another page of this site', async (next, navigations) => {
    const modal = await openDialog({ next }).atCode();
    await modal.journey.submitCode('123456');
    expect(modal.navigations).toEqual(navigations);
  });

  test('a wrong code is reported and clears the fields', async () => {
    const modal = await openDialog().atCode();
    modal.will('login', refusal(400, 'invalid_code'));
    await modal.journey.submitCode('123456');
    expect(modal.state).toMatchObject({
      step: 'code',
      refusals: 1,
      busy: false,
      notice: { code: 'invalid_code' },
    });
  });

  test('a network failure keeps the digits of the code', async () => {
    const modal = await openDialog().atCode();
    modal.will('login', NETWORK);
    await modal.journey.submitCode('123456');
    expect(modal.state).toMatchObject({ refusals: 0, notice: { code: 'network' } });
  });

  test('a code of fewer than six digits is not sent', async () => {
    const modal = await openDialog().atCode();
    await modal.journey.submitCode('12345');
    expect(modal.calls).toHaveLength(1);
  });

  test('a login in a browser that stores no session is reported as failed', async () => {
    const modal = await openDialog().atCode();
    modal.refuseSession();
    await modal.journey.submitCode('123456');
    expect(modal.state).toMatchObject({ open: true, notice: { code: 'sign_in_not_kept' } });
  });
});

const GOOGLE: GoogleSignInConfig = {
  clientId: 'c1',
  script: 'https://google.example/gsi/client',
  userInfo: 'https://google.example/userinfo',
  page: true,
};
const CANCELLED = refusal(0, 'google_cancelled', { error: '' });

describe('Google sign-in', () => {
  test('signing in with Google leads to the target page', async () => {
    const modal = openDialog({ next: '/account' });
    await modal.journey.continueWithGoogle(GOOGLE);
    expect(modal.calls).toEqual([['google', '/account'], ['refresh']]);
    expect(modal.state).toMatchObject({ open: false, outcome: 'signed-in' });
    expect(modal.navigations).toEqual(['/account']);
  });

  test('signing in with Google without a target returns to the current page', async () => {
    const modal = openDialog();
    await modal.journey.continueWithGoogle(GOOGLE);
    expect(modal.calls[0]).toEqual(['google', '/character/c1?a=1']);
  });

  test('the first sign-in with Google shows the onboarding', async () => {
    const modal = openDialog();
    modal.isNew();
    await modal.journey.continueWithGoogle(GOOGLE);
    expect(modal.calls.map(([name]) => name)).toContain('onboard');
  });

  test('a cancelled Google sign-in returns to the choice with an info notice', async () => {
    const modal = openDialog();
    modal.will('google', CANCELLED);
    await modal.journey.continueWithGoogle(GOOGLE);
    expect(modal.state).toMatchObject({
      open: true,
      step: 'choice',
      busy: false,
      atGoogle: false,
      notice: { tone: 'info', code: 'google_cancelled' },
    });
  });

  test.each([
    [NETWORK, 'network'],
    [refusal(400, 'invalid_google_token'), 'invalid_google_token'],
    [refusal(403, 'email_unverified'), 'email_unverified'],
    [refusal(429, 'too_many_requests'), 'too_many_requests'],
    [refusal(502, 'google_unavailable'), 'google_unavailable'],
    [refusal(0, 'google_popup_blocked'), 'google_popup_blocked'],
    [refusal(400, 'invalid_input'), 'invalid_google_token'],
    [refusal(404, 'not_found'), 'not_found'],
  ])('a refused Google sign-in shows the reason and enables every option again', async (failure, code) => {
    const modal = openDialog();
    modal.will('google', failure);
    await modal.journey.continueWithGoogle(GOOGLE);
    expect(modal.state).toMatchObject({ atGoogle: false, busy: false, notice: { tone: 'error', code } });
  });

  test('an open Google window leaves other options enabled, and choosing one discards its result', async () => {
    const modal = openDialog();
    let answer: (value: unknown) => void = () => {};
    modal.will('google', () => new Promise((resolve) => (answer = resolve)));
    const asking = modal.journey.continueWithGoogle(GOOGLE);
    expect(modal.state).toMatchObject({ atGoogle: true, busy: false });
    void modal.journey.continueWithGoogle(GOOGLE);
    expect(modal.googleRequests).toHaveLength(1);
    expect(modal.googleRequests[0]?.wanted()).toBe(true);
    const choosing = modal.journey.chooseEmail();
    expect(modal.googleRequests[0]?.wanted()).toBe(false);
    answer(CANCELLED);
    await Promise.all([asking, choosing]);
    expect(modal.state).toMatchObject({ step: 'email', atGoogle: false, notice: null });
  });

  test.each(['close', 'continueAsGuest'] as const)(
    'a Google sign-in is no longer wanted after «%s»',
    async (instead) => {
      const modal = openDialog();
      modal.will('google', () => new Promise(() => {}));
      void modal.journey.continueWithGoogle(GOOGLE);
      await modal.journey[instead]();
      expect(modal.googleRequests[0]?.wanted()).toBe(false);
      expect(modal.state).toMatchObject({ open: false, atGoogle: false });
    },
  );

  test('a Google sign-in that the server accepted counts, whatever the user chose meanwhile', async () => {
    const modal = openDialog();
    let answer: (value: unknown) => void = () => {};
    modal.will('google', () => new Promise((resolve) => (answer = resolve)));
    const asking = modal.journey.continueWithGoogle(GOOGLE);
    await modal.journey.chooseEmail();
    answer({ ok: true, data: {} });
    await asking;
    expect(modal.state).toMatchObject({ open: false, outcome: 'signed-in' });
  });
});

describe('Sign-in with a passkey', () => {
  test('a passkey logs the user in and leads to the target page', async () => {
    const modal = openDialog({ next: '/account' });
    await modal.journey.continueWithPasskey();
    expect(modal.calls).toEqual([['passkey'], ['refresh']]);
    expect(modal.navigations).toEqual(['/account']);
    expect(modal.state).toMatchObject({ open: false, outcome: 'signed-in' });
  });

  test('a cancelled passkey is an info notice, and a refused one an error', async () => {
    const modal = openDialog();
    modal.will('passkey', refusal(0, 'passkey_cancelled'), refusal(400, 'invalid_passkey'));
    await modal.journey.continueWithPasskey();
    expect(modal.state).toMatchObject({
      busy: false,
      step: 'choice',
      notice: { tone: 'info', code: 'passkey_cancelled' },
    });
    await modal.journey.continueWithPasskey();
    expect(modal.state.notice).toMatchObject({ tone: 'error', code: 'invalid_passkey' });
  });

  test('a user who logs in again finds the address of the account filled in', async () => {
    const modal = openDialog({ reason: 'recent', methods: ['code'], email: 'ana@example.org' });
    await modal.journey.chooseEmail();
    expect(modal.state).toMatchObject({ step: 'email', email: 'ana@example.org' });
  });
});

describe('Leaving the sign-in dialog', () => {
  test('going back returns one step and clears the notice', async () => {
    const modal = await openDialog().atCode();
    modal.will('login', refusal(400, 'invalid_code'));
    await modal.journey.submitCode('123456');
    modal.journey.back();
    expect(modal.state).toMatchObject({ step: 'email', notice: null, email: ' ana@example.org ' });
    modal.journey.back();
    expect(modal.state.step).toBe('choice');
  });

  test('a failure to load the e-mail steps is shown at the choice', async () => {
    const modal = openDialog({}, { withoutSteps: true });
    await modal.journey.chooseEmail();
    expect(modal.state).toMatchObject({ step: 'choice', busy: false, notice: { code: 'network' } });
  });

  test('an answer that arrives after going back does not move the dialog forward', async () => {
    const modal = openDialog();
    let answer: (value: unknown) => void = () => {};
    modal.will('send', () => new Promise((resolve) => (answer = resolve)));
    const sending = modal.atCode();
    await vi.waitFor(() => expect(modal.calls).toHaveLength(1));
    modal.journey.back();
    answer({ ok: true, data: {} });
    await sending;
    expect(modal.state).toMatchObject({ step: 'choice', busy: false });
  });

  test('closing resets the dialog and leads home from a page that requires a login', async () => {
    const modal = await openDialog({ onCancel: 'home' }).atCode();
    modal.journey.close();
    expect(modal.state).toEqual({ ...CLOSED_SIGN_IN, outcome: 'closed' });
    expect(modal.navigations).toEqual(['instead /']);
  });

  test('closing leads home if any of several requests requires it', () => {
    const first: SignInOptions = { reason: 'required', onCancel: 'stay' };
    const both = openedBy(openedBy(CLOSED_SIGN_IN, first), { onCancel: 'home', next: '/elsewhere' });
    expect(both).toEqual({
      ...CLOSED_SIGN_IN,
      open: true,
      options: { reason: 'required', onCancel: 'home' },
    });
    expect(openedBy(both, first)).toBe(both);
    const modal = openDialog(both.options);
    modal.journey.close();
    expect(modal.navigations).toEqual(['instead /']);
  });

  test('closing on any other page stays there', () => {
    const modal = openDialog();
    modal.journey.close();
    expect(modal.navigations).toEqual([]);
  });

  test('continuing as a guest logs the user in at once', async () => {
    const modal = openDialog({ next: '/user-persona' });
    await modal.journey.continueAsGuest();
    expect(modal.calls).toEqual([['anonymous'], ['refresh']]);
    expect(modal.state.outcome).toBe('signed-in');
    expect(modal.navigations).toEqual(['/user-persona']);
  });
});
