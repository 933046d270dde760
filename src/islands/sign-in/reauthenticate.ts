import type { Failure, Result } from '../shared/api.ts';
import { $session, refreshSession } from '../shared/session-state.ts';
import { askToSignIn } from './sign-in-state.ts';

/** The failure when a different user signed in than the one who started the action. */
const OTHER_ACCOUNT: Failure = { ok: false, status: 401, code: 'other_account', error: '' };

/** Access to the page's session. */
export interface SessionAccess {
  /** Id of the account or guest in the page's session; null for none. */
  getUserId(): string | null;
  /** Asks the user to sign in again after the session ended. @returns the id of the signed-in user; null for none */
  signIn(): Promise<string | null>;
}

/**
 * Runs a call and repeats it after a new sign-in if the session had ended. Never acts for a different user: if another
 * one signs in, the failure is `other_account` and the call is not repeated.
 * @param wanted id of the user who started the action; defaults to the current one
 */
export async function retryAfterSignIn<T>(
  call: () => Promise<Result<T>>,
  asker: SessionAccess,
  wanted: string | null = asker.getUserId(),
): Promise<Result<T>> {
  const answer = await call();
  if (answer.ok || answer.status !== 401) return answer;
  return (await reauthenticate(answer, asker.signIn, wanted)) ?? call();
}

/**
 * Asks the user to sign in again after a call failed without a session.
 * @param wanted id of the user who started the action; null if unknown
 * @returns null if the call may be repeated, otherwise the failure
 */
export async function reauthenticate(
  refusal: Failure,
  signIn: SessionAccess['signIn'],
  wanted: string | null,
): Promise<Failure | null> {
  const now = await signIn();
  if (now === null) return refusal;
  return wanted === null || wanted === now ? null : OTHER_ACCOUNT;
}

const getUserId = (): string | null => $session.get().auth?.user?.id ?? null;

/** How long a call that is refused once more is not repeated by itself, in ms. */
const MIN_REPEAT_MS = 10_000;
let repeatedAt = Number.NEGATIVE_INFINITY;

export const pageSession: SessionAccess = {
  getUserId,
  async signIn() {
    // The server rejected a session that the page still holds. A login in another tab may have replaced it; otherwise the
    // sign-in modal must not believe it either.
    if (getUserId() !== null) await refreshSession();
    const userId = getUserId();
    if (userId !== null && performance.now() - repeatedAt > MIN_REPEAT_MS) {
      repeatedAt = performance.now();
      return userId;
    }
    return (await askToSignIn({ reason: 'required', onCancel: 'stay' })) ? getUserId() : null;
  },
};
