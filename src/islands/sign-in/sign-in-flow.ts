import type { WritableAtom } from 'nanostores';
import type { AuthStatus, SessionUser } from '../../features/account/contract.ts';
import { ownPath } from '../../features/account/safe-redirect.ts';
import { askToOnboard, isNewcomer } from '../onboarding/onboarding-state.ts';
import {
  api as browserApi,
  type AccountApi,
  type Failure,
  NETWORK_FAILURE,
  type Result,
} from '../shared/api.ts';
import { refreshSession as askWhoIsHere } from '../shared/session-state.ts';
import { fetchMailSteps } from './LazyEmailSteps.tsx';
import { $signIn, CLOSED_SIGN_IN, type GoogleOnPage, noticeOf, type SignInState } from './sign-in-state.ts';

/** A sign-in by Google: where it leads on to, and whether somebody still waits for it. */
export interface GoogleWish {
  next: string;
  wanted(): boolean;
}

export interface SignInDeps {
  api: Pick<AccountApi, 'enterAnonymously'>;
  refreshSession(): Promise<AuthStatus>;
  /** Asks Google, then the server. On its way to Google's own page it never ends. */
  google(google: GoogleOnPage, wish: GoogleWish): Promise<Result<unknown>>;
  /** Fetches what that needs, so that the press itself waits for nothing: browsers open windows right after it alone. */
  expectGoogle(google: GoogleOnPage): void;
  /** Fetches what the way by e-mail is drawn with; false when it does not come. */
  fetchMailSteps(): Promise<boolean>;
  /** Shows the onboarding and waits for its end. */
  onboard(user: SessionUser): Promise<{ reload: boolean }>;
  page: {
    path(): string;
    go(path: string): void;
    /** Goes there with the page's own place in the history given up. */
    goInstead(path: string): void;
    reload(): void;
  };
}

/** What every way in has in common, for the one that is fetched on request. */
export interface WayIn {
  /**
   * Counts openings, steps back and ways that were begun: what an earlier one still waits for must not appear in a later
   * one.
   */
  visit(): number;
  change(part: Partial<SignInState>): void;
  fail(code: string, error?: string): void;
  /** Says why the server refused; `common` where it found the input itself wrong. */
  refused(answer: Failure, common: string): void;
  /** A sign-in that succeeded counts, whatever its visitor did in the meantime. */
  arriveOrTell(): Promise<void>;
}

/** What a visitor can do in the modal; the steps of the way by a code are `CodeJourney`'s. */
export interface SignInJourney {
  /** Somebody is about to press it. */
  expectGoogle(google: GoogleOnPage): void;
  continueWithGoogle(google: GoogleOnPage): Promise<void>;
  chooseEmail(): Promise<void>;
  continueAsGuest(): Promise<void>;
  back(): void;
  close(): void;
  way: WayIn;
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
  let visit = 0;

  const change = (part: Partial<SignInState>) => $state.set({ ...$state.get(), ...part });
  const fail = (code: string, error = '') => change({ busy: false, notice: noticeOf(code, error) });

  async function arrive(): Promise<void> {
    const auth = await deps.refreshSession();
    if (!$state.get().open) return;
    if (!auth.is_authenticated) return fail('sign_in_not_kept');
    const next = ownPath($state.get().options.next);
    let reload = false;
    if (isNewcomer(auth.user)) {
      change({ step: 'onboarding', busy: false, notice: null });
      ({ reload } = await deps.onboard(auth.user));
    }
    leave('signed-in');
    if (next !== null && next !== deps.page.path()) deps.page.go(next);
    else if (reload) deps.page.reload();
  }

  async function arriveOrTell(): Promise<void> {
    if ($state.get().open) await arrive();
    else await deps.refreshSession();
  }

  function leave(outcome: 'signed-in' | 'closed'): void {
    visit += 1;
    $state.set({ ...CLOSED_SIGN_IN, outcome });
  }

  function refused(answer: Failure, common: string): void {
    if (answer.code === 'network') return fail('network');
    fail(answer.code === 'invalid_input' ? common : answer.code, answer.error);
  }

  return {
    expectGoogle: deps.expectGoogle,
    async continueWithGoogle(google) {
      const { busy, atGoogle, options } = $state.get();
      if (busy || atGoogle) return;
      const own = (visit += 1);
      change({ atGoogle: true, notice: null, options: { ...options, google: false } });
      const wish = { next: options.next ?? deps.page.path(), wanted: () => own === visit };
      const answer = await deps.google(google, wish);
      if (own === visit) change({ atGoogle: false, busy: answer.ok });
      if (answer.ok) return arriveOrTell();
      if (own === visit) refused(answer, 'invalid_google_token');
    },
    async chooseEmail() {
      const own = (visit += 1);
      change({ busy: true, notice: null, atGoogle: false });
      const came = await deps.fetchMailSteps();
      if (own !== visit) return;
      if (came) change({ busy: false, step: 'email' });
      else fail('network');
    },
    async continueAsGuest() {
      if ($state.get().busy) return;
      const own = (visit += 1);
      change({ busy: true, notice: null, atGoogle: false });
      const answer = await deps.api.enterAnonymously();
      if (answer.ok) return arriveOrTell();
      if (own === visit) refused(answer, 'invalid_input');
    },
    back() {
      const { step } = $state.get();
      if (step === 'choice' || step === 'onboarding') return;
      visit += 1;
      change({ step: step === 'code' ? 'email' : 'choice', notice: null, busy: false });
    },
    close() {
      const { open, options } = $state.get();
      if (!open) return;
      leave('closed');
      // The way back must not lead to the page that asks the same again.
      if (options.onCancel === 'home') deps.page.goInstead('/');
    },
    way: { visit: () => visit, change, fail, refused, arriveOrTell },
  };
}

/** Fetched on request alone: most come in by other ways. */
const googleWay = () => import('./google-sign-in.ts');

/** The journey of the page's one modal. */
export const signInJourney = createSignInJourney({
  api: browserApi,
  refreshSession: askWhoIsHere,
  google: (google, wish) =>
    googleWay().then(
      ({ comeInByGoogle }) => comeInByGoogle(google, wish),
      () => NETWORK_FAILURE,
    ),
  expectGoogle: ({ script }) =>
    void googleWay().then(
      ({ fetchGoogle }) => fetchGoogle(script),
      () => {},
    ),
  fetchMailSteps,
  onboard: askToOnboard,
  page: {
    path: () => location.pathname + location.search + location.hash,
    go: (path) => location.assign(path),
    goInstead: (path) => location.replace(path),
    reload: () => location.reload(),
  },
});
