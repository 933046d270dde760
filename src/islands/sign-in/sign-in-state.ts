import { atom } from 'nanostores';

/** What a caller of the modal may say. */
export interface SignInOptions {
  /** A path of this site to go on to after success; without it the page itself goes on. */
  next?: string;
  /** What closing without success means; by default the page stays. */
  onCancel?: 'home' | 'stay';
  /** Why the modal opens, for its first sentence. */
  reason?: 'save' | 'required';
}

export type SignInStep = 'choice' | 'email' | 'code';

/** A sentence in the modal: a failure's code and the server's own words, or something good to know. */
export interface SignInNotice {
  tone: 'error' | 'info';
  code: string;
  error: string;
}

export interface SignInState {
  open: boolean;
  options: SignInOptions;
  step: SignInStep;
  /** As typed. */
  email: string;
  busy: boolean;
  notice: SignInNotice | null;
  /** Where a code went, and from when on (milliseconds since the epoch) a new one may be asked for. */
  sent: { email: string; newFrom: number } | null;
  /** Whether that moment has come. */
  mayAskAgain: boolean;
  /** Counts refused codes, each of which empties the boxes. */
  refusals: number;
  /** How the modal was last closed. */
  outcome: 'signed-in' | 'closed' | null;
}

export const CLOSED_SIGN_IN: SignInState = {
  open: false,
  options: {},
  step: 'choice',
  email: '',
  busy: false,
  notice: null,
  sent: null,
  mayAskAgain: false,
  refusals: 0,
  outcome: null,
};

export const $signIn = atom<SignInState>(CLOSED_SIGN_IN);

/** Opens the modal at its first step, and wakes its island where it still sleeps. Open already, it stays as it is. */
export function openSignIn(options: SignInOptions = {}): void {
  if ($signIn.get().open) return;
  $signIn.set({ ...CLOSED_SIGN_IN, open: true, options });
  document.documentElement.dataset['ask'] = 'sign-in';
  window.dispatchEvent(new CustomEvent('loreloom:ask', { detail: 'sign-in' }));
}

/** Opens the modal and waits until it is closed: true when the visitor is signed in then. */
export function askToSignIn(options: SignInOptions = {}): Promise<boolean> {
  openSignIn(options);
  return new Promise((resolve) => {
    const stop = $signIn.listen(({ open, outcome }) => {
      if (open) return;
      stop();
      resolve(outcome === 'signed-in');
    });
  });
}
