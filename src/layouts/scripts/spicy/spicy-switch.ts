import type { AuthStatus, SessionUser } from '../../../features/account/contract.ts';
import { type AccountApi, api } from '../../../islands/shared/api.ts';
import { $session, getSession } from '../../../islands/shared/session-state.ts';
import { showToast } from '../../../islands/shared/toasts-state.ts';
import { askToSignIn } from '../../../islands/sign-in/sign-in-state.ts';
import { queryPart, getLabel } from '../dom.ts';

export interface SpicyDeps {
  api: Pick<AccountApi, 'changeAccount'>;
  getSession(): Promise<AuthStatus>;
  /** Asks a visitor without an account to log in. @returns false if they did not */
  signIn(): Promise<boolean>;
  /**
   * Asks the age question. `sworn`: the user declared to be 18 or older, where that is enough. `check`: the user
   * wants to start the age check.
   */
  askAge(): Promise<'sworn' | 'check' | 'declined'>;
  /** Opens the age check. @returns false if it failed; rejects if its code fails to load */
  startAgeCheck(): Promise<boolean>;
  showPending(pending: boolean): void;
  /** Updates the page's session with the changed account. */
  updateSession(user: SessionUser): void;
  showFailure(): void;
  /** Reports that something could not be loaded. */
  notifyNetworkError(): void;
  reload(): void;
}

/**
 * Creates the switch's handler. It requires an account, asks for the age if it is not confirmed, and reloads the page
 * after a change. Clicks while it is running are ignored; it can be used again after success or failure.
 */
export function createSpicySwitch(deps: SpicyDeps): () => Promise<void> {
  let isPending = false;
  async function toggle(): Promise<void> {
    const currentAuth = await deps.getSession();
    const isGuest = currentAuth.user === null || currentAuth.user.is_anonymous;
    if (isGuest && !(await deps.signIn())) return;
    const { user } = isGuest ? await deps.getSession() : currentAuth;
    if (user === null || user.is_anonymous) return;
    // The account already has it on, as the user wanted.
    if (isGuest && user.spicy_mode) return deps.reload();
    const on = !user.spicy_mode;
    const needsAge = on && !user.age_confirmed;
    const age = needsAge ? await deps.askAge() : 'sworn';
    if (age === 'declined') return;
    deps.showPending(true);
    if (age === 'check') {
      const hasLeft = await deps.startAgeCheck().catch(() => null);
      if (hasLeft === true) return;
      if (hasLeft === null) deps.notifyNetworkError();
      else deps.showFailure();
      deps.showPending(false);
      return;
    }
    const answer = await deps.api.changeAccount({
      spicy_mode: on,
      ...(needsAge ? { age_confirmed: true } : {}),
    });
    if (answer.ok) {
      deps.updateSession(answer.data);
      deps.reload();
    } else {
      deps.showFailure();
      deps.showPending(false);
    }
  }
  return async () => {
    if (isPending) return;
    isPending = true;
    try {
      await toggle();
    } finally {
      isPending = false;
    }
  };
}

function askAge(): ReturnType<SpicyDeps['askAge']> {
  const dialog = queryPart<HTMLDialogElement>('age');
  dialog.returnValue = '';
  dialog.showModal();
  return new Promise((resolve) => {
    const answers = { confirmed: 'sworn', check: 'check' } as const;
    const answer = () => answers[dialog.returnValue as keyof typeof answers] ?? 'declined';
    dialog.addEventListener('close', () => resolve(answer()), { once: true });
  });
}

const NETWORK_ERROR_EVENT = 'loreloom:network-trouble';
const notifyNetworkError = () => void window.dispatchEvent(new Event(NETWORK_ERROR_EVENT));

/**
 * Opens the sign-in modal; resolves to false when it is closed without a login or fails to load,
 * which the page reports.
 */
function signIn(): Promise<boolean> {
  return new Promise((resolve) => {
    const finish = (signedIn: boolean) => {
      window.removeEventListener(NETWORK_ERROR_EVENT, onNetworkError);
      resolve(signedIn);
    };
    const onNetworkError = (event: Event) => {
      if ((event as CustomEvent<unknown>).detail === 'sign-in') finish(false);
    };
    window.addEventListener(NETWORK_ERROR_EVENT, onNetworkError);
    void askToSignIn({ reason: 'required' }).then(finish);
  });
}

/** The page's switch. @param showPending shows that a request is running */
export function createPageSpicySwitch(showPending: SpicyDeps['showPending']): () => Promise<void> {
  return createSpicySwitch({
    api,
    getSession,
    signIn,
    askAge,
    startAgeCheck: async () => (await import('./age-check.ts')).startAgeCheck(),
    showPending,
    updateSession: (user) =>
      $session.set({ status: 'known', auth: { is_authenticated: true, isAuthenticated: true, user } }),
    showFailure: () => showToast({ text: getLabel('spicy-failed'), kind: 'danger' }),
    notifyNetworkError,
    reload: () => location.reload(),
  });
}
