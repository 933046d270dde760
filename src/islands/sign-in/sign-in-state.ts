import { atom } from 'nanostores';

/** What a page knows of Google's sign-in, where the operator set it up. */
export interface GoogleSignInConfig {
  clientId: string;
  /** The address of Google's own script. */
  script: string;
  /** Where Google tells whose token it gave. */
  userInfo: string;
  /** Whether one can also go by Google's own page, as where pop-ups are blocked. */
  page: boolean;
}

/** What a caller of the modal may say. */
export interface SignInOptions {
  /** A path of this site to go on to after success; without it the page itself goes on. */
  next?: string;
  /** What closing without success means; by default the page stays. */
  onCancel?: 'home' | 'stay';
  /** Why the modal opens, for its first sentence. */
  reason?: 'save' | 'required';
  /** Going on as a guest is the first thing that it offers, for those who came to look around. */
  guestFirst?: boolean;
  /** Google's way was pressed already: the modal begins with it. */
  google?: boolean;
  /** The code of what went wrong before, for the modal to say. */
  trouble?: string;
}

/** `onboarding`: signed in for the first time, with the onboarding dialog in this one's place. */
export type SignInStep = 'choice' | 'email' | 'code' | 'onboarding';

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
  /** Google's window is open, or about to be. The other ways stay open meanwhile. */
  atGoogle: boolean;
  notice: SignInNotice | null;
  /** Where a code went, and from when on (milliseconds since the epoch) a new one may be asked for. */
  sent: { email: string; resendAt: number } | null;
  /** Whether that moment has come. */
  canResend: boolean;
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
  atGoogle: false,
  notice: null,
  sent: null,
  canResend: false,
  refusals: 0,
  outcome: null,
};

export const $signIn = atom<SignInState>(CLOSED_SIGN_IN);

/** What the modal says of a refusal; turning back at Google's is none. */
export function toSignInNotice(code: string, error = ''): SignInNotice {
  return { tone: code === 'google_cancelled' ? 'info' : 'error', code, error };
}

/**
 * The modal when somebody asks for it. Open already, it stays as it is; only that turning back leads home holds from
 * whoever asks for it on: what a page shows may be refused before the page itself has asked who is here.
 */
export function openState(now: SignInState, options: SignInOptions): SignInState {
  const { trouble, onCancel } = options;
  if (!now.open)
    return { ...CLOSED_SIGN_IN, open: true, options, notice: trouble ? toSignInNotice(trouble) : null };
  return onCancel === 'home' ? { ...now, options: { ...now.options, onCancel } } : now;
}

/** Opens the modal, and wakes its island where it still sleeps: again, if it could not be fetched before. */
export function openSignIn(options: SignInOptions = {}): void {
  $signIn.set(openState($signIn.get(), options));
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
