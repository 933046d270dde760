import { atom } from 'nanostores';
import { describe, expect, test } from 'vitest';
import { EMAIL_PATTERN, type AuthStatus } from '../../src/features/account/contract.ts';
import type { Failure } from '../../src/islands/shared/api.ts';
import { isEmailAddress, isGmailAddress, ownPath } from '../../src/islands/sign-in/address.ts';
import {
  codeOf,
  emptyBoxes,
  erased,
  isComplete,
  moved,
  pasted,
  typed,
} from '../../src/islands/sign-in/code-boxes.ts';
import { createSignInJourney, emailSubmitRests } from '../../src/islands/sign-in/sign-in-journey.ts';
import {
  CLOSED_SIGN_IN,
  type SignInOptions,
  type SignInState,
} from '../../src/islands/sign-in/sign-in-state.ts';

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
function opened(options: SignInOptions = {}) {
  let now = 0;
  let timers: { at: number; run: () => void }[] = [];
  const calls: unknown[][] = [];
  const answers: Record<string, unknown[]> = {};
  const went: string[] = [];
  let auth: AuthStatus = HERE;
  const $state = atom<SignInState>({ ...CLOSED_SIGN_IN, open: true, options });
  const answer = async (name: string, ...args: unknown[]) => {
    calls.push([name, ...args]);
    const next = answers[name]?.shift() ?? { ok: true, data: {} };
    return (typeof next === 'function' ? await next() : next) as never;
  };
  const journey = createSignInJourney(
    {
      api: {
        sendLoginCode: (email) => answer('send', email),
        loginWithCode: (email, code) => answer('login', email, code),
        enterAnonymously: () => answer('anonymous'),
      },
      refreshSession: async () => {
        calls.push(['refresh']);
        return auth;
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
      page: { path: () => '/character/c1?a=1', go: (path) => void went.push(path) },
    },
    $state,
  );
  return {
    journey,
    calls,
    went,
    get state() {
      return $state.get();
    },
    will: (name: 'send' | 'login' | 'anonymous', ...next: unknown[]) =>
      void (answers[name] ??= []).push(...next),
    notKept: () => {
      auth = NOBODY;
    },
    pass(ms: number) {
      now += ms;
      for (const { at, run } of timers) if (at <= now) run();
    },
    async atCode() {
      journey.chooseEmail();
      journey.typeEmail(' ana@example.org ');
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
    expect(emailSubmitRests({ email, busy: false })).toBe(true);
  });

  test('rests while a call is under way, and not for an ordinary address', () => {
    expect(emailSubmitRests({ email: 'ana@example.org', busy: true })).toBe(true);
    expect(emailSubmitRests({ email: 'ana@example.org', busy: false })).toBe(false);
  });

  test('with something that is no address says so and sends nothing', async () => {
    const modal = opened();
    modal.journey.chooseEmail();
    modal.journey.typeEmail('ana at example');
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
      sent: { newFrom: 120_000 },
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
    await modal.journey.askForNewCode();
    expect(modal.calls).toHaveLength(1);
    modal.pass(TEN_MINUTES_MS - 1);
    expect(modal.state.mayAskAgain).toBe(false);
    modal.pass(1);
    expect(modal.state.mayAskAgain).toBe(true);
    await modal.journey.askForNewCode();
    expect(modal.calls).toHaveLength(2);
    expect(modal.state.mayAskAgain).toBe(false);
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
      mayAskAgain: false,
      sent: { newFrom: TEN_MINUTES_MS },
    });
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

  test('what I went back from does not pull me forward when its answer comes', async () => {
    const modal = opened();
    let answer: (value: unknown) => void = () => {};
    modal.will('send', () => new Promise((resolve) => (answer = resolve)));
    const sending = modal.atCode();
    modal.journey.back();
    answer({ ok: true, data: {} });
    await sending;
    expect(modal.state).toMatchObject({ step: 'choice', busy: false });
  });

  test('closing forgets every step and leads home where the page needs a sign-in', async () => {
    const modal = await opened({ onCancel: 'home' }).atCode();
    modal.journey.close();
    expect(modal.state).toEqual({ ...CLOSED_SIGN_IN, outcome: 'closed' });
    expect(modal.went).toEqual(['/']);
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

describe('addresses', () => {
  test.each([
    'a@b.co',
    'a.b+c@d-e.museum',
    'a@b',
    'a b@c.de',
    '@b.co',
    'a@b.',
    'a@b..c',
    'a@@b.co',
    'é@ö.de',
    'a@b.c,d',
  ])('the browser judges «%s» as the server does', (email) => {
    expect(isEmailAddress(email)).toBe(EMAIL_PATTERN.test(email));
  });

  test('only Google’s own mail counts as such', () => {
    expect(isGmailAddress('me@gmail.com')).toBe(true);
    expect(isGmailAddress('gmail.com@example.org')).toBe(false);
    expect(isGmailAddress('me@notgmail.com')).toBe(false);
  });

  test('a path leads on only within this site', () => {
    expect(ownPath('/a?b=c#d')).toBe('/a?b=c#d');
    for (const next of [
      undefined,
      '',
      'a',
      'javascript:alert(1)',
      '//x.example',
      '/\\x.example',
      '/\t/x.example',
    ]) {
      expect(ownPath(next)).toBeNull();
    }
  });
});

describe('the six boxes', () => {
  const filled = [...'123456'];

  test('take one digit each and lead on', () => {
    expect(typed(emptyBoxes(), 0, '7')).toEqual({ boxes: ['7', '', '', '', '', ''], focus: 1 });
    expect(typed(emptyBoxes(), 5, '7').focus).toBe(5);
  });

  test('take nothing but digits', () => {
    expect(typed(emptyBoxes(), 0, 'x')).toEqual({ boxes: emptyBoxes(), focus: 0 });
    expect(codeOf(typed(emptyBoxes(), 0, '７').boxes)).toBe('7');
  });

  test('a new digit replaces the one in the box, on whichever side of it I type', () => {
    expect(typed(filled, 2, '39').boxes).toEqual([...'129456']);
    expect(typed(filled, 2, '93').boxes).toEqual([...'129456']);
    expect(typed(filled, 2, '33')).toEqual({ boxes: filled, focus: 3 });
  });

  test('a pasted code fills all of them, wherever I paste it and whatever surrounds it', () => {
    expect(pasted(emptyBoxes(), 3, 'Your code: 123 456.')).toEqual({ boxes: filled, focus: 5 });
    expect(pasted(emptyBoxes(), 0, '12345678').boxes).toEqual(filled);
    expect(pasted(emptyBoxes(), 4, '12').boxes).toEqual(['', '', '', '', '1', '2']);
    expect(pasted(filled, 2, 'abc')).toEqual({ boxes: filled, focus: 2 });
  });

  test('a code that the device fills into the first box spreads over all', () => {
    expect(typed(emptyBoxes(), 0, '123456')).toEqual({ boxes: filled, focus: 5 });
  });

  test('backspace empties a box, then goes back', () => {
    expect(erased(filled, 5)).toEqual({ boxes: ['1', '2', '3', '4', '5', ''], focus: 5 });
    expect(erased(['1', '2', '', '', '', ''], 2)).toEqual({ boxes: ['1', '', '', '', '', ''], focus: 1 });
    expect(erased(emptyBoxes(), 0)).toEqual({ boxes: emptyBoxes(), focus: 0 });
  });

  test('arrow keys move within them', () => {
    expect([
      moved(0, 'ArrowLeft'),
      moved(2, 'ArrowLeft'),
      moved(2, 'ArrowRight'),
      moved(5, 'ArrowRight'),
    ]).toEqual([0, 1, 3, 5]);
    expect([moved(3, 'Home'), moved(3, 'End'), moved(3, 'a')]).toEqual([0, 5, null]);
  });

  test('are complete with six digits', () => {
    expect(isComplete(filled)).toBe(true);
    expect(isComplete(['1', '2', '3', '', '5', '6'])).toBe(false);
  });
});
