import type { WritableAtom } from 'nanostores';
import { LOGIN_CODE } from '../../features/account/limits.ts';
import { type AccountApi, api as browserApi } from '../shared/api.ts';
import { browserClock, type Clock } from '../shared/clock.ts';
import { acquireLoginLock } from '../shared/device-session/login-lock.ts';
import { isEmailAddress, isGmailAddress } from './email-address.ts';
import { signInFlow, type SignInSteps } from './sign-in-flow.ts';
import { $signIn, type SignInState } from './sign-in-state.ts';

export interface CodeDeps {
  api: Pick<AccountApi, 'sendLoginCode' | 'loginWithCode'>;
  clock: Clock;
}

/** The user's actions when signing in by email code. */
export interface CodeFlow {
  setEmail(email: string): void;
  submitEmail(google: GoogleOption): Promise<void>;
  requestNewCode(): Promise<void>;
  submitCode(code: string): Promise<void>;
}

/** Whether Google sign-in is configured. */
export interface GoogleOption {
  google: boolean;
}

/** Whether the address belongs to Gmail and its owner is asked to continue with Google, which needs no code. */
export const shouldUseGoogle = (email: string, { google }: GoogleOption): boolean =>
  google && isGmailAddress(email);

/** Whether the email step cannot be submitted: empty, an address for Google sign-in, or a request in progress. */
export function isEmailSubmitDisabled(
  { email, busy }: Pick<SignInState, 'email' | 'busy'>,
  google: GoogleOption,
): boolean {
  return busy || email.trim() === '' || shouldUseGoogle(email, google);
}

/**
 * The sign-in by email code, from the address to the code.
 *
 * If the modal is closed during a request, the answer does not change it; a completed sign-in still
 * refreshes the session.
 */
export function createCodeFlow(
  deps: CodeDeps,
  {
    startVisit: visit,
    update: change,
    showError: fail,
    showRefusal: refused,
    finishSignIn: arriveOrTell,
  }: SignInSteps,
  $state: WritableAtom<SignInState> = $signIn,
): CodeFlow {
  let cancelWait = () => {};

  function handleCodeSent(email: string, waitMs: number): void {
    const sent = { email, resendAt: deps.clock.now() + waitMs };
    cancelWait();
    change({ busy: false, step: 'code', sent, canResend: false });
    cancelWait = deps.clock.after(waitMs, () => {
      // The modal may have been closed or reopened since.
      if ($state.get().sent === sent) change({ canResend: true });
    });
  }

  async function sendCode(email: string): Promise<void> {
    const current = visit();
    change({ busy: true, notice: null });
    const answer = await deps.api.sendLoginCode(email);
    if (current !== visit() || !$state.get().open) return;
    if (answer.ok) {
      handleCodeSent(email, LOGIN_CODE.resendAfterMs);
      return;
    }
    const { code, error, retryAfter } = answer;
    const waitMs = retryAfter === undefined ? LOGIN_CODE.resendAfterMs : retryAfter * 1000;
    if (code === 'code_recently_sent') {
      handleCodeSent(email, waitMs);
      change({ notice: { tone: 'info', code, error } });
      return;
    }
    if (code === 'too_many_unused_codes') {
      // No code works now. In the code step, the button for a new one has to wait as well.
      if ($state.get().step === 'code') handleCodeSent(email, waitMs);
      change({ busy: false, notice: { tone: 'info', code, error, waitUntil: deps.clock.now() + waitMs } });
      return;
    }
    if (code === 'network') return fail('send_code_failed');
    fail(answer.fields?.['email'] ? 'invalid_email' : code, error);
  }

  return {
    setEmail: (email) => change({ email, notice: null }),
    async submitEmail(google) {
      const state = $state.get();
      if (isEmailSubmitDisabled(state, google)) return;
      const email = state.email.trim();
      if (!isEmailAddress(email)) return fail('invalid_email');
      await sendCode(email);
    },
    async requestNewCode() {
      const { sent, canResend: mayAskAgain, busy } = $state.get();
      if (sent && mayAskAgain && !busy) await sendCode(sent.email);
    },
    async submitCode(code) {
      const { sent, busy } = $state.get();
      if (!sent || busy || code.length !== LOGIN_CODE.digits) return;
      const current = visit();
      change({ busy: true, notice: null });
      const answer = await deps.api.loginWithCode(sent.email, code);
      if (answer.ok) return arriveOrTell();
      if (current !== visit()) return;
      refused(answer, 'invalid_code');
      // Keep the typed code after a network failure; it may still be valid.
      if (answer.code !== 'network') change({ refusals: $state.get().refusals + 1 });
    },
  };
}

export const codeFlow = createCodeFlow(
  {
    api: {
      ...browserApi,
      loginWithCode: (email, code) => acquireLoginLock(() => browserApi.loginWithCode(email, code)),
    },
    clock: browserClock,
  },
  signInFlow.steps,
);
