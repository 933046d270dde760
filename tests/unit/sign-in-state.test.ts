// Over 400 lines: one journey with its three steps and all its refusals, told over one stand-in server.
import { atom } from 'nanostores';
import { describe, expect, test, vi } from 'vitest';
import { type AuthStatus, type SessionUser } from '../../src/features/account/contract.ts';
import type { Failure } from '../../src/islands/shared/api.ts';
import { createCodeFlow, isEmailSubmitDisabled } from '../../src/islands/sign-in/code-flow.ts';
import { createSignInFlow, type GoogleSignInRequest } from '../../src/islands/sign-in/sign-in-flow.ts';
import {
  CLOSED_SIGN_IN,
  type GoogleSignInConfig,
  openState as openedBy,
  type SignInOptions,
  type SignInState,
} from '../../src/islands/sign-in/sign-in-state.ts';
import { NEWCOMER } from '../support/session-users.ts';

const TEN_MINUTES_MS = 600_000;
const refusal = (status: number, code: string, more: Partial<Failure> = {}): Failure => ({
  ok: false,
  status,
  code,
  error: `server says ${code}`,
  ...more,
});
const NETWORK = refusal(0, 'network', { error: '' });
const HERE = { is_authenticated: true, isAuthenticated: true, user: null } satisfies AuthStatus;
const NOBODY = { is_authenticated: false, isAuthenticated: false, user: null } satisfies AuthStatus;

/** The modal, open, with a server that answers what the test lays out. */
function opened(options: SignInOptions = {}, { withoutSteps = false } = {}) {
  let now = 0;
  let timers: { at: number; run: () => void }[] = [];
  const calls: unknown[][] = [];
  const answers: Record<string, unknown[]> = {};
  const went: string[] = [];
  const wishes: GoogleSignInRequest[] = [];
  let auth: AuthStatus = HERE;
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
      google: (_, wish) => {
        wishes.push(wish);
        return answer('google', wish.next);
      },
      preloadGoogle: ({ script }) => void calls.push(['expect', script]),
      loadEmailSteps: async () => !withoutSteps,
      runOnboarding: async ({ username }) => {
        calls.push(['onboard', username, $state.get().step, $state.get().outcome]);
        return { reload: onboardingReloads };
      },
      page: {
        getPath: () => '/character/c1?a=1',
        navigate: (path) => void went.push(path),
        replaceLocation: (path) => void went.push(`instead ${path}`),
        reload: () => void went.push('again'),
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
    went,
    wishes,
    get state() {
      return $state.get();
    },
    will: (name: 'send' | 'login' | 'anonymous' | 'google', ...next: unknown[]) =>
      void (answers[name] ??= []).push(...next),
    notKept: () => {
      auth = NOBODY;
    },
    isNew(user: SessionUser = NEWCOMER, reload = false) {
      auth = { ...HERE, user };
      onboardingReloads = reload;
    },
    pass(ms: number) {
      now += ms;
      for (const { at, run } of timers) if (at <= now) run();
    },
    async atCode() {
      await journey.chooseEmail();
      journey.setEmail(' ana@example.org ');
      await journey.submitEmail();
      return this;
    },
  };
}

describe('asking for a code', () => {
  test('goes from the choice to my address to the code, and says where it went', async () => {
    const modal = opened();
    expect(modal.state.step).toBe('choice');
    await modal.atCode();
    expect(modal.state).toMatchObject({ step: 'code', busy: false, sent: { email: 'ana@example.org' } });
    expect(modal.calls).toEqual([['send', 'ana@example.org']]);
  });

  test.each(['', '   ', 'ana@gmail.com', 'ANA@GoogleMail.com', 'ana@gmail.'])('rests for «%s»', (email) => {
    expect(isEmailSubmitDisabled({ email, busy: false })).toBe(true);
  });

  test('rests while a call is under way, and not for an ordinary address', () => {
    expect(isEmailSubmitDisabled({ email: 'ana@example.org', busy: true })).toBe(true);
    expect(isEmailSubmitDisabled({ email: 'ana@example.org', busy: false })).toBe(false);
  });

  test('with something that is no address says so and sends nothing', async () => {
    const modal = opened();
    await modal.journey.chooseEmail();
    modal.journey.setEmail('ana at example');
    await modal.journey.submitEmail();
    expect(modal.state.notice?.code).toBe('invalid_email');
    expect(modal.calls).toEqual([]);
  });

  test('while an earlier code is still good tells me so and goes on to the code', async () => {
    const modal = opened();
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
  ])('that fails stays at my address and says why', async (failure, code, error) => {
    const modal = opened();
    modal.will('send', failure);
    await modal.atCode();
    expect(modal.state).toMatchObject({ step: 'email', busy: false, notice: { tone: 'error', code, error } });
  });

  test('a second time is possible when the time has come, not before', async () => {
    const modal = await opened().atCode();
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

describe('the time from which a new code may be asked for', () => {
  test('is that of the latest code', async () => {
    const modal = opened();
    modal.will('send', refusal(429, 'code_recently_sent', { retryAfter: 120 }));
    await modal.atCode();
    modal.journey.back();
    await modal.journey.submitEmail();
    modal.pass(120_000);
    expect(modal.state).toMatchObject({
      step: 'code',
      canResend: false,
      sent: { resendAt: TEN_MINUTES_MS },
    });
  });
});

describe('a modal that was closed while a code was under way', () => {
  test('begins anew, and the time of that code changes nothing in it', async () => {
    const modal = await opened().atCode();
    modal.journey.close();
    modal.pass(TEN_MINUTES_MS);
    expect(modal.state).toEqual({ ...CLOSED_SIGN_IN, outcome: 'closed' });
  });
});

describe('my first login', () => {
  test('shows the onboarding, and only then closes and goes on to where I was going', async () => {
    const modal = await opened({ next: '/account' }).atCode();
    modal.isNew();
    await modal.journey.submitCode('123456');
    expect(modal.calls.slice(2)).toEqual([['refresh'], ['onboard', 'reader-1', 'onboarding', null]]);
    expect(modal.state).toMatchObject({ open: false, outcome: 'signed-in', options: {} });
    expect(modal.went).toEqual(['/account']);
  });

  test('loads the page again when the onboarding changed what it may show, and leads nowhere else', async () => {
    const modal = await opened().atCode();
    modal.isNew(NEWCOMER, true);
    await modal.journey.submitCode('123456');
    expect(modal.went).toEqual(['again']);
  });

  test.each([
    ['as a guest', { is_anonymous: true }],
    ['after an onboarding that is over', { onboarding_completed: true }],
  ])('has no onboarding %s', async (_, how) => {
    const modal = await opened().atCode();
    modal.isNew({ ...NEWCOMER, ...how });
    await modal.journey.submitCode('123456');
    expect(modal.calls.map(([name]) => name)).not.toContain('onboard');
    expect(modal.state).toMatchObject({ open: false, outcome: 'signed-in' });
  });
});

describe('entering the code', () => {
  test('signs me in, asks who I am, and closes', async () => {
    const modal = await opened().atCode();
    await modal.journey.submitCode('123456');
    expect(modal.calls.slice(1)).toEqual([['login', 'ana@example.org', '123456'], ['refresh']]);
    expect(modal.state).toMatchObject({ open: false, outcome: 'signed-in' });
    expect(modal.went).toEqual([]);
  });

  test.each([
    ['/account', ['/account']],
    ['/character/c1?a=1', []],
    ['https://elsewhere.example/', []],
    ['//elsewhere.example/', []],
    ['/\\elsewhere.example', []],
  ])('goes on to «%s» only when that is another page of this site', async (next, went) => {
    const modal = await opened({ next }).atCode();
    await modal.journey.submitCode('123456');
    expect(modal.went).toEqual(went);
  });

  test('that is wrong says so and empties the boxes', async () => {
    const modal = await opened().atCode();
    modal.will('login', refusal(400, 'invalid_code'));
    await modal.journey.submitCode('123456');
    expect(modal.state).toMatchObject({
      step: 'code',
      refusals: 1,
      busy: false,
      notice: { code: 'invalid_code' },
    });
  });

  test('without a network keeps the boxes as they are', async () => {
    const modal = await opened().atCode();
    modal.will('login', NETWORK);
    await modal.journey.submitCode('123456');
    expect(modal.state).toMatchObject({ refusals: 0, notice: { code: 'network' } });
  });

  test('of fewer than six digits sends nothing', async () => {
    const modal = await opened().atCode();
    await modal.journey.submitCode('12345');
    expect(modal.calls).toHaveLength(1);
  });

  test('in a browser that keeps no session says so instead of pretending', async () => {
    const modal = await opened().atCode();
    modal.notKept();
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

describe('going on with Google', () => {
  test('signs me in and goes on to where I was going', async () => {
    const modal = opened({ next: '/account' });
    await modal.journey.continueWithGoogle(GOOGLE);
    expect(modal.calls).toEqual([['google', '/account'], ['refresh']]);
    expect(modal.state).toMatchObject({ open: false, outcome: 'signed-in' });
    expect(modal.went).toEqual(['/account']);
  });

  test('comes back to the page that I am on where I was going nowhere', async () => {
    const modal = opened();
    await modal.journey.continueWithGoogle(GOOGLE);
    expect(modal.calls[0]).toEqual(['google', '/character/c1?a=1']);
  });

  test('shows the onboarding the first time', async () => {
    const modal = opened();
    modal.isNew();
    await modal.journey.continueWithGoogle(GOOGLE);
    expect(modal.calls.map(([name]) => name)).toContain('onboard');
  });

  test('that I turn back from leaves me at the choice, and nobody shouts', async () => {
    const modal = opened();
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
  ])('that is refused says why, and every way is open again', async (failure, code) => {
    const modal = opened();
    modal.will('google', failure);
    await modal.journey.continueWithGoogle(GOOGLE);
    expect(modal.state).toMatchObject({ atGoogle: false, busy: false, notice: { tone: 'error', code } });
  });

  test('leaves the other ways open while Google’s window is; what comes from it then is not wanted', async () => {
    const modal = opened();
    let answer: (value: unknown) => void = () => {};
    modal.will('google', () => new Promise((resolve) => (answer = resolve)));
    const asking = modal.journey.continueWithGoogle(GOOGLE);
    expect(modal.state).toMatchObject({ atGoogle: true, busy: false });
    void modal.journey.continueWithGoogle(GOOGLE);
    expect(modal.wishes).toHaveLength(1);
    expect(modal.wishes[0]?.wanted()).toBe(true);
    const choosing = modal.journey.chooseEmail();
    expect(modal.wishes[0]?.wanted()).toBe(false);
    answer(CANCELLED);
    await Promise.all([asking, choosing]);
    expect(modal.state).toMatchObject({ step: 'email', atGoogle: false, notice: null });
  });

  test.each(['close', 'continueAsGuest'] as const)('is not wanted any more after «%s»', async (instead) => {
    const modal = opened();
    modal.will('google', () => new Promise(() => {}));
    void modal.journey.continueWithGoogle(GOOGLE);
    await modal.journey[instead]();
    expect(modal.wishes[0]?.wanted()).toBe(false);
    expect(modal.state).toMatchObject({ open: false, atGoogle: false });
  });

  test('that the server had let in already counts, whatever I did meanwhile', async () => {
    const modal = opened();
    let answer: (value: unknown) => void = () => {};
    modal.will('google', () => new Promise((resolve) => (answer = resolve)));
    const asking = modal.journey.continueWithGoogle(GOOGLE);
    await modal.journey.chooseEmail();
    answer({ ok: true, data: {} });
    await asking;
    expect(modal.state).toMatchObject({ open: false, outcome: 'signed-in' });
  });
});

describe('the way back and out', () => {
  test('back goes one step and clears what was said', async () => {
    const modal = await opened().atCode();
    modal.will('login', refusal(400, 'invalid_code'));
    await modal.journey.submitCode('123456');
    modal.journey.back();
    expect(modal.state).toMatchObject({ step: 'email', notice: null, email: ' ana@example.org ' });
    modal.journey.back();
    expect(modal.state.step).toBe('choice');
  });

  test('what the way by e-mail needs and cannot be fetched is said at the choice', async () => {
    const modal = opened({}, { withoutSteps: true });
    await modal.journey.chooseEmail();
    expect(modal.state).toMatchObject({ step: 'choice', busy: false, notice: { code: 'network' } });
  });

  test('what I went back from does not pull me forward when its answer comes', async () => {
    const modal = opened();
    let answer: (value: unknown) => void = () => {};
    modal.will('send', () => new Promise((resolve) => (answer = resolve)));
    const sending = modal.atCode();
    await vi.waitFor(() => expect(modal.calls).toHaveLength(1));
    modal.journey.back();
    answer({ ok: true, data: {} });
    await sending;
    expect(modal.state).toMatchObject({ step: 'choice', busy: false });
  });

  test('closing forgets every step and leads home where the page needs a sign-in', async () => {
    const modal = await opened({ onCancel: 'home' }).atCode();
    modal.journey.close();
    expect(modal.state).toEqual({ ...CLOSED_SIGN_IN, outcome: 'closed' });
    expect(modal.went).toEqual(['instead /']);
  });

  test('closing leads home also where what the page shows had asked first, and went on asking', () => {
    const first: SignInOptions = { reason: 'required', onCancel: 'stay' };
    const both = openedBy(openedBy(CLOSED_SIGN_IN, first), { onCancel: 'home', next: '/elsewhere' });
    expect(both).toEqual({
      ...CLOSED_SIGN_IN,
      open: true,
      options: { reason: 'required', onCancel: 'home' },
    });
    expect(openedBy(both, first)).toBe(both);
    const modal = opened(both.options);
    modal.journey.close();
    expect(modal.went).toEqual(['instead /']);
  });

  test('closing elsewhere stays on the page', () => {
    const modal = opened();
    modal.journey.close();
    expect(modal.went).toEqual([]);
  });

  test('as a guest I am in at once', async () => {
    const modal = opened({ next: '/user-persona' });
    await modal.journey.continueAsGuest();
    expect(modal.calls).toEqual([['anonymous'], ['refresh']]);
    expect(modal.state.outcome).toBe('signed-in');
    expect(modal.went).toEqual(['/user-persona']);
  });
});
