import type { WritableAtom } from 'nanostores';
import { LOGIN_CODE } from '../../config.ts';
import type { AuthStatus } from '../../features/account/contract.ts';
import { api as browserApi, type Failure, type AccountApi } from '../shared/api.ts';
import { browserClock, type Clock } from '../shared/clock.ts';
import { refreshSession as askWhoIsHere } from '../shared/session-state.ts';
import { isEmailAddress, isGmailAddress, ownPath } from './address.ts';
import { $signIn, CLOSED_SIGN_IN, type SignInState } from './sign-in-state.ts';

export interface SignInDeps {
  api: Pick<AccountApi, 'sendLoginCode' | 'loginWithCode' | 'enterAnonymously'>;
  refreshSession(): Promise<AuthStatus>;
  clock: Clock;
  page: { path(): string; go(path: string): void };
}

/** What a visitor can do in the modal, step by step. */
export interface SignInJourney {
  chooseEmail(): void;
  typeEmail(email: string): void;
  submitEmail(): Promise<void>;
  askForNewCode(): Promise<void>;
  submitCode(code: string): Promise<void>;
  continueAsGuest(): Promise<void>;
  back(): void;
  close(): void;
}

/** Whether the e-mail step's submit rests: nothing typed, Google's mail, or a call under way. */
export function emailSubmitRests({ email, busy }: Pick<SignInState, 'email' | 'busy'>): boolean {
  return busy || email.trim() === '' || isGmailAddress(email);
}

/**
 * The modal's journey from choice to code.
 *
 * A call whose modal was closed meanwhile changes nothing in it, except that a finished sign-in is still taken notice
 * of by the session.
 */
export function createSignInJourney(
  deps: SignInDeps,
  $state: WritableAtom<SignInState> = $signIn,
): SignInJourney {
  // Each opening, and each step back, begins a visit: what an earlier one still waits for must not appear in it.
  let visit = 0;
  let callOffWait = () => {};

  const change = (part: Partial<SignInState>) => $state.set({ ...$state.get(), ...part });
  const fail = (code: string, error = '') => change({ busy: false, notice: { tone: 'error', code, error } });

  function codeIsUnderWay(email: string, waitMs: number): void {
    callOffWait();
    change({
      busy: false,
      step: 'code',
      sent: { email, newFrom: deps.clock.now() + waitMs },
      mayAskAgain: false,
    });
    callOffWait = deps.clock.after(waitMs, () => change({ mayAskAgain: true }));
  }

  async function sendCode(email: string): Promise<void> {
    const own = visit;
    change({ busy: true, notice: null });
    const answer = await deps.api.sendLoginCode(email);
    if (own !== visit || !$state.get().open) return;
    if (answer.ok) {
      codeIsUnderWay(email, LOGIN_CODE.resendAfterMs);
      return;
    }
    if (answer.code === 'code_recently_sent') {
      codeIsUnderWay(
        email,
        answer.retryAfter === undefined ? LOGIN_CODE.resendAfterMs : answer.retryAfter * 1000,
      );
      change({ notice: { tone: 'info', code: 'code_recently_sent', error: answer.error } });
      return;
    }
    if (answer.code === 'network') return fail('send_code_failed');
    fail(answer.fields?.['email'] ? 'invalid_email' : answer.code, answer.error);
  }

  async function arrive(): Promise<void> {
    const auth = await deps.refreshSession();
    if (!$state.get().open) return;
    if (!auth.is_authenticated) return fail('sign_in_not_kept');
    const next = ownPath($state.get().options.next);
    leave('signed-in');
    if (next !== null && next !== deps.page.path()) deps.page.go(next);
  }

  /** A sign-in that succeeded counts, whatever its visitor did in the meantime. */
  async function arriveOrTell(): Promise<void> {
    if ($state.get().open) await arrive();
    else await deps.refreshSession();
  }

  function leave(outcome: 'signed-in' | 'closed'): void {
    visit += 1;
    callOffWait();
    $state.set({ ...CLOSED_SIGN_IN, outcome });
  }

  function refused(answer: Failure, common: string): void {
    if (answer.code === 'network') return fail('network');
    fail(answer.code === 'invalid_input' ? common : answer.code, answer.error);
  }

  return {
    chooseEmail: () => change({ step: 'email', notice: null }),
    typeEmail: (email) => change({ email, notice: null }),
    async submitEmail() {
      const state = $state.get();
      if (emailSubmitRests(state)) return;
      const email = state.email.trim();
      if (!isEmailAddress(email)) return fail('invalid_email');
      await sendCode(email);
    },
    async askForNewCode() {
      const { sent, mayAskAgain, busy } = $state.get();
      if (sent && mayAskAgain && !busy) await sendCode(sent.email);
    },
    async submitCode(code) {
      const { sent, busy } = $state.get();
      if (!sent || busy || code.length !== LOGIN_CODE.digits) return;
      const own = visit;
      change({ busy: true, notice: null });
      const answer = await deps.api.loginWithCode(sent.email, code);
      if (answer.ok) return arriveOrTell();
      if (own !== visit) return;
      refused(answer, 'invalid_code');
      // A code that never reached the server may still be right: it stays in its boxes.
      if (answer.code !== 'network') change({ refusals: $state.get().refusals + 1 });
    },
    async continueAsGuest() {
      if ($state.get().busy) return;
      const own = visit;
      change({ busy: true, notice: null });
      const answer = await deps.api.enterAnonymously();
      if (answer.ok) return arriveOrTell();
      if (own === visit) refused(answer, 'invalid_input');
    },
    back() {
      const { step } = $state.get();
      if (step === 'choice') return;
      visit += 1;
      change({ step: step === 'code' ? 'email' : 'choice', notice: null, busy: false });
    },
    close() {
      const { open, options } = $state.get();
      if (!open) return;
      leave('closed');
      if (options.onCancel === 'home') deps.page.go('/');
    },
  };
}

/** The journey of the page's one modal. */
export const signInJourney = createSignInJourney({
  api: browserApi,
  refreshSession: askWhoIsHere,
  clock: browserClock,
  page: { path: () => location.pathname + location.search, go: (path) => location.assign(path) },
});
