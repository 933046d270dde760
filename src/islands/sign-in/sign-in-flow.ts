import type { WritableAtom } from 'nanostores';
import type { AuthStatus, SessionUser } from '../../features/account/contract.ts';
import { getSafeRedirectPath } from '../../features/account/safe-redirect.ts';
import { startOnboarding, isNewcomer } from '../onboarding/onboarding-state.ts';
import {
  api as browserApi,
  type AccountApi,
  type Failure,
  NETWORK_FAILURE,
  type Result,
} from '../shared/api.ts';
import { refreshSession as askWhoIsHere } from '../shared/session-state.ts';
import { loadEmailSteps } from './LazyEmailSteps.tsx';
import {
  $signIn,
  CLOSED_SIGN_IN,
  type GoogleSignInConfig,
  toSignInNotice,
  type SignInState,
} from './sign-in-state.ts';

/** A sign-in by Google: where it leads on to, and whether somebody still waits for it. */
export interface GoogleSignInRequest {
  next: string;
  wanted(): boolean;
}

export interface SignInDeps {
  api: Pick<AccountApi, 'enterAnonymously'>;
  refreshSession(): Promise<AuthStatus>;
  /** Asks Google, then the server. On its way to Google's own page it never ends. */
  google(google: GoogleSignInConfig, request: GoogleSignInRequest): Promise<Result<unknown>>;
  /** Fetches what that needs, so that the press itself waits for nothing: browsers open windows right after it alone. */
  preloadGoogle(google: GoogleSignInConfig): void;
  /** Fetches what the way by e-mail is drawn with; false when it does not come. */
  loadEmailSteps(): Promise<boolean>;
  /** Shows the onboarding and waits for its end. */
  runOnboarding(user: SessionUser): Promise<{ reload: boolean }>;
  page: {
    getPath(): string;
    navigate(path: string): void;
    /** Goes there with the page's own place in the history given up. */
    replaceLocation(path: string): void;
    reload(): void;
  };
}

/** What every way in has in common, for the one that is fetched on request. */
export interface SignInSteps {
  /**
   * Counts openings, steps back and ways that were begun: what an earlier one still waits for must not appear in a later
   * one.
   */
  startVisit(): number;
  update(part: Partial<SignInState>): void;
  showError(code: string, error?: string): void;
  /** Says why the server refused; `common` where it found the input itself wrong. */
  showRefusal(answer: Failure, common: string): void;
  /** A sign-in that succeeded counts, whatever its visitor did in the meantime. */
  finishSignIn(): Promise<void>;
}

/** What a visitor can do in the modal; the steps of the way by a code are `CodeFlow`'s. */
export interface SignInFlow {
  /** Somebody is about to press it. */
  preloadGoogle(google: GoogleSignInConfig): void;
  continueWithGoogle(google: GoogleSignInConfig): Promise<void>;
  chooseEmail(): Promise<void>;
  continueAsGuest(): Promise<void>;
  back(): void;
  close(): void;
  steps: SignInSteps;
}

/**
 * The modal's journey from choice to code.
 *
 * A call whose modal was closed meanwhile changes nothing in it, except that a finished sign-in is still taken notice
 * of by the session.
 */
export function createSignInFlow(deps: SignInDeps, $state: WritableAtom<SignInState> = $signIn): SignInFlow {
  let visitCount = 0;

  const update = (part: Partial<SignInState>) => $state.set({ ...$state.get(), ...part });
  const showError = (code: string, error = '') =>
    update({ busy: false, notice: toSignInNotice(code, error) });

  async function completeSignIn(): Promise<void> {
    const auth = await deps.refreshSession();
    if (!$state.get().open) return;
    if (!auth.is_authenticated) return showError('sign_in_not_kept');
    const next = getSafeRedirectPath($state.get().options.next);
    let reload = false;
    if (isNewcomer(auth.user)) {
      update({ step: 'onboarding', busy: false, notice: null });
      ({ reload } = await deps.runOnboarding(auth.user));
    }
    leave('signed-in');
    if (next !== null && next !== deps.page.getPath()) deps.page.navigate(next);
    else if (reload) deps.page.reload();
  }

  async function finishSignIn(): Promise<void> {
    if ($state.get().open) await completeSignIn();
    else await deps.refreshSession();
  }

  function leave(outcome: 'signed-in' | 'closed'): void {
    visitCount += 1;
    $state.set({ ...CLOSED_SIGN_IN, outcome });
  }

  function showRefusal(answer: Failure, common: string): void {
    if (answer.code === 'network') return showError('network');
    showError(answer.code === 'invalid_input' ? common : answer.code, answer.error);
  }

  return {
    preloadGoogle: deps.preloadGoogle,
    async continueWithGoogle(google) {
      const { busy, atGoogle, options } = $state.get();
      if (busy || atGoogle) return;
      const own = (visitCount += 1);
      update({ atGoogle: true, notice: null, options: { ...options, google: false } });
      const request = { next: options.next ?? deps.page.getPath(), wanted: () => own === visitCount };
      const answer = await deps.google(google, request);
      if (own === visitCount) update({ atGoogle: false, busy: answer.ok });
      if (answer.ok) return finishSignIn();
      if (own === visitCount) showRefusal(answer, 'invalid_google_token');
    },
    async chooseEmail() {
      const own = (visitCount += 1);
      update({ busy: true, notice: null, atGoogle: false });
      const came = await deps.loadEmailSteps();
      if (own !== visitCount) return;
      if (came) update({ busy: false, step: 'email' });
      else showError('network');
    },
    async continueAsGuest() {
      if ($state.get().busy) return;
      const own = (visitCount += 1);
      update({ busy: true, notice: null, atGoogle: false });
      const answer = await deps.api.enterAnonymously();
      if (answer.ok) return finishSignIn();
      if (own === visitCount) showRefusal(answer, 'invalid_input');
    },
    back() {
      const { step } = $state.get();
      if (step === 'choice' || step === 'onboarding') return;
      visitCount += 1;
      update({ step: step === 'code' ? 'email' : 'choice', notice: null, busy: false });
    },
    close() {
      const { open, options } = $state.get();
      if (!open) return;
      leave('closed');
      // The way back must not lead to the page that asks the same again.
      if (options.onCancel === 'home') deps.page.replaceLocation('/');
    },
    steps: {
      startVisit: () => visitCount,
      update,
      showError,
      showRefusal,
      finishSignIn,
    },
  };
}

/** Fetched on request alone: most come in by other ways. */
const importGoogleSignIn = () => import('./google-sign-in.ts');

/** The journey of the page's one modal. */
export const signInFlow = createSignInFlow({
  api: browserApi,
  refreshSession: askWhoIsHere,
  google: (google, request) =>
    importGoogleSignIn().then(
      ({ signInWithGoogle: comeInByGoogle }) => comeInByGoogle(google, request),
      () => NETWORK_FAILURE,
    ),
  preloadGoogle: ({ script }) =>
    void importGoogleSignIn().then(
      ({ loadGoogleScript: fetchGoogle }) => fetchGoogle(script),
      () => {},
    ),
  loadEmailSteps,
  runOnboarding: startOnboarding,
  page: {
    getPath: () => location.pathname + location.search + location.hash,
    navigate: (path) => location.assign(path),
    replaceLocation: (path) => location.replace(path),
    reload: () => location.reload(),
  },
});
