import type { AuthStatus, SessionUser } from '../../../features/account/contract.ts';
import { type AccountApi, api } from '../../../islands/shared/api.ts';
import { $session, knownSession } from '../../../islands/shared/session-state.ts';
import { showToast } from '../../../islands/shared/toasts-state.ts';
import { askToSignIn } from '../../../islands/sign-in/sign-in-state.ts';
import { part, word } from '../dom.ts';

export interface SpicyDeps {
  api: Pick<AccountApi, 'changeAccount'>;
  session(): Promise<AuthStatus>;
  /** Asks whoever has no account to log in. @returns false when they did not */
  signIn(): Promise<boolean>;
  /**
   * The one-time question. `sworn`: «I am 18 or older», where people's word is enough. `check`: to have it checked,
   * where it is not.
   */
  askAge(): Promise<'sworn' | 'check' | 'declined'>;
  /** Leaves the page for whoever checks ages. @returns false when that did not work; rejects when its code does not come */
  goToCheck(): Promise<boolean>;
  showPending(pending: boolean): void;
  /** The account as it is after the change. */
  took(user: SessionUser): void;
  failed(): void;
  /** Says that something could not be fetched. */
  tellTrouble(): void;
  reload(): void;
}

/**
 * The switch's rule: it is an account's, and one whose age is not confirmed is asked first; what was changed is drawn by
 * loading the page again. Pressed while it waits, it does nothing; whatever it waited for, it can be pressed again.
 */
export function createSpicySwitch(deps: SpicyDeps): () => Promise<void> {
  let waiting = false;
  async function toggle(): Promise<void> {
    const here = await deps.session();
    const asGuest = here.user === null || here.user.is_anonymous;
    if (asGuest && !(await deps.signIn())) return;
    const { user } = asGuest ? await deps.session() : here;
    if (user === null || user.is_anonymous) return;
    // They wanted it on, and their account has it on already.
    if (asGuest && user.spicy_mode) return deps.reload();
    const on = !user.spicy_mode;
    const asks = on && !user.age_confirmed;
    const age = asks ? await deps.askAge() : 'sworn';
    if (age === 'declined') return;
    deps.showPending(true);
    if (age === 'check') {
      const left = await deps.goToCheck().catch(() => null);
      if (left === true) return;
      if (left === null) deps.tellTrouble();
      else deps.failed();
      deps.showPending(false);
      return;
    }
    const answer = await deps.api.changeAccount({ spicy_mode: on, ...(asks ? { age_confirmed: true } : {}) });
    if (answer.ok) {
      deps.took(answer.data);
      deps.reload();
    } else {
      deps.failed();
      deps.showPending(false);
    }
  }
  return async () => {
    if (waiting) return;
    waiting = true;
    try {
      await toggle();
    } finally {
      waiting = false;
    }
  };
}

function askAge(): ReturnType<SpicyDeps['askAge']> {
  const dialog = part<HTMLDialogElement>('age');
  dialog.returnValue = '';
  dialog.showModal();
  return new Promise((resolve) => {
    const answers = { confirmed: 'sworn', check: 'check' } as const;
    const answer = () => answers[dialog.returnValue as keyof typeof answers] ?? 'declined';
    dialog.addEventListener('close', () => resolve(answer()), { once: true });
  });
}

const TROUBLE_EVENT = 'loreloom:network-trouble';
const tellTrouble = () => void window.dispatchEvent(new Event(TROUBLE_EVENT));

/** Asks to log in, until that is over or its dialog could not be fetched: then nobody was asked, and the page said so. */
function signIn(): Promise<boolean> {
  return new Promise((resolve) => {
    const end = (signedIn: boolean) => {
      window.removeEventListener(TROUBLE_EVENT, onTrouble);
      resolve(signedIn);
    };
    const onTrouble = (event: Event) => {
      if ((event as CustomEvent<unknown>).detail === 'sign-in') end(false);
    };
    window.addEventListener(TROUBLE_EVENT, onTrouble);
    void askToSignIn({ reason: 'required' }).then(end);
  });
}

/** The page's switch. @param showPending shows that it waits for an answer */
export function spicySwitch(showPending: SpicyDeps['showPending']): () => Promise<void> {
  return createSpicySwitch({
    api,
    session: knownSession,
    signIn,
    askAge,
    goToCheck: async () => (await import('./age-check.ts')).goToCheck(),
    showPending,
    took: (user) =>
      $session.set({ status: 'known', auth: { is_authenticated: true, isAuthenticated: true, user } }),
    failed: () => showToast({ text: word('spicy-failed'), kind: 'harm' }),
    tellTrouble,
    reload: () => location.reload(),
  });
}
