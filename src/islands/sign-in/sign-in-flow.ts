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

/** A Google sign-in: the path to continue to, and whether the user is still waiting for it. */
export interface GoogleSignInRequest {
  next: string;
  wanted(): boolean;
}

export interface SignInDeps {
  api: Pick<AccountApi, 'enterAnonymously'>;
  refreshSession(): Promise<AuthStatus>;
  /** Runs the Google sign-in, then asks the server. Never resolves when the browser leaves for Google's page. */
  google(google: GoogleSignInConfig, request: GoogleSignInRequest): Promise<Result<unknown>>;
  /** Preloads the Google code, because browsers allow a pop-up only right after a click. */
  preloadGoogle(google: GoogleSignInConfig): void;
  /** Lets the user choose a passkey, then asks the server. */
  passkey(): Promise<Result<unknown>>;
  /** Loads the email steps; resolves to false on failure. */
  loadEmailSteps(): Promise<boolean>;
  /** Shows the onboarding dialog and resolves when it is closed. */
  runOnboarding(user: SessionUser): Promise<{ reload: boolean }>;
  page: {
    getPath(): string;
    navigate(path: string): void;
    /** Navigates and replaces the page's history entry. */
    replaceLocation(path: string): void;
    reload(): void;
  };
}

/** Steps shared by all sign-in methods, for the lazily loaded ones. */
export interface SignInSteps {
  /**
   * Counter of openings, steps back and started methods; a pending call compares it, so that it
   * cannot change a later attempt.
   */
  startVisit(): number;
  update(part: Partial<SignInState>): void;
  showError(code: string, error?: string): void;
  /** Shows why the server refused; `common` is the code for invalid input. */
  showRefusal(answer: Failure, common: string): void;
  /** Completes a successful sign-in, also if the modal was closed in the meantime. */
  finishSignIn(): Promise<void>;
}

/** The user's actions in the modal; `CodeFlow` has those of the email steps. */
export interface SignInFlow {
  /** Preloads the Google code before an expected click. */
  preloadGoogle(google: GoogleSignInConfig): void;
  continueWithGoogle(google: GoogleSignInConfig): Promise<void>;
  chooseEmail(): Promise<void>;
  continueWithPasskey(): Promise<void>;
  continueAsGuest(): Promise<void>;
  back(): void;
  close(): void;
  steps: SignInSteps;
}

/**
 * State of the sign-in modal.
 *
 * If the modal is closed during a request, the answer does not change it; a completed sign-in still
 * refreshes the session.
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

  /** Runs a way of signing in that needs no further step. @param common the code for invalid input */
  async function run(signIn: () => Promise<Result<unknown>>, common: string): Promise<void> {
    if ($state.get().busy) return;
    const own = (visitCount += 1);
    update({ busy: true, notice: null, atGoogle: false });
    const answer = await signIn();
    if (answer.ok) return finishSignIn();
    if (own === visitCount) showRefusal(answer, common);
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
      const { email, options } = $state.get();
      if (came) update({ busy: false, step: 'email', email: email || (options.email ?? '') });
      else showError('network');
    },
    continueWithPasskey: () => run(deps.passkey, 'invalid_passkey'),
    continueAsGuest: () => run(deps.api.enterAnonymously, 'invalid_input'),
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
      // Replace the history entry, so that the back button does not return to a page that asks again.
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

/** Loaded on demand, because most users sign in another way. */
const importGoogleSignIn = () => import('./google-sign-in.ts');

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
  passkey: () =>
    import('./passkey-sign-in.ts').then(
      ({ signInWithPasskey }) => signInWithPasskey(),
      () => NETWORK_FAILURE,
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
