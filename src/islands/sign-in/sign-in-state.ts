import { atom } from 'nanostores';
import type { LoginMethod } from '../../features/account/contract.ts';

/** Google sign-in as configured by the operator. */
export interface GoogleSignInConfig {
  clientId: string;
  /** Address of Google's script. */
  script: string;
  /** Address of Google's user info endpoint. */
  userInfo: string;
  /** Whether Google's full-page flow is available, for example when pop-ups are blocked. */
  page: boolean;
}

/** Options for opening the modal. */
export interface SignInOptions {
  /** Path of this site to continue to after success; without it, the page stays. */
  next?: string;
  /** What closing without success does; the default is to stay. */
  onCancel?: 'home' | 'stay';
  /** Why the modal opens; selects its first sentence. */
  reason?: 'save' | 'required' | 'recent' | 'passkey';
  /** The account's ways to log in, for a user who has to log in again: only these are offered. */
  methods?: readonly LoginMethod[];
  /** The address that a code can go to, if the user need not type it. */
  email?: string;
  /** Offers to continue as a guest first, for visitors who are looking around. */
  guestFirst?: boolean;
  /** Starts with Google sign-in, because its button was already pressed. */
  google?: boolean;
  /** Opens low, so that the text at the page's top can be read. */
  keepsPageReadable?: boolean;
  /** Error code from an earlier step, to show in the modal. */
  trouble?: string;
}

/** `onboarding`: signed in for the first time; the onboarding dialog replaces this one. */
export type SignInStep = 'choice' | 'email' | 'code' | 'onboarding';

/** A message in the modal: a failure's code with the server's text, or information. */
export interface SignInNotice {
  tone: 'error' | 'info';
  code: string;
  error: string;
  /** When the user can try again (milliseconds since the epoch), for refusals whose text says it. */
  waitUntil?: number;
}

export interface SignInState {
  open: boolean;
  options: SignInOptions;
  step: SignInStep;
  /** As typed. */
  email: string;
  busy: boolean;
  /** Google's window is open or about to open; the other methods remain available. */
  atGoogle: boolean;
  notice: SignInNotice | null;
  /** Where the code went, and when a new one may be requested (milliseconds since the epoch). */
  sent: { email: string; resendAt: number } | null;
  /** True once `resendAt` has passed. */
  canResend: boolean;
  /** Number of rejected codes; each one empties the boxes. */
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

/** Converts an error code to a message; cancelling is not an error, and a confirmed browser is none. */
export function toSignInNotice(code: string, error = ''): SignInNotice {
  const isInfo = code.endsWith('_cancelled') || code === 'browser_confirmed';
  return { tone: isInfo ? 'info' : 'error', code, error };
}

/**
 * The modal's state when it is opened. An open modal keeps its state, except that it adopts `onCancel: 'home'`: an API
 * call may be refused before the page itself requires a login.
 */
export function openState(now: SignInState, options: SignInOptions): SignInState {
  const { trouble, onCancel } = options;
  if (!now.open)
    return { ...CLOSED_SIGN_IN, open: true, options, notice: trouble ? toSignInNotice(trouble) : null };
  return onCancel === 'home' ? { ...now, options: { ...now.options, onCancel } } : now;
}

/** Opens the modal and hydrates its island; loads it again if that failed before. */
export function openSignIn(options: SignInOptions = {}): void {
  $signIn.set(openState($signIn.get(), options));
  document.documentElement.dataset['ask'] = 'sign-in';
  window.dispatchEvent(new CustomEvent('loreloom:ask', { detail: 'sign-in' }));
}

/** Opens the modal and resolves when it is closed, to true if the user is signed in. */
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
