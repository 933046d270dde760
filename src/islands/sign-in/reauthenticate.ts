import type { Failure, Result } from '../shared/api.ts';
import { $session } from '../shared/session-state.ts';
import { askToSignIn } from './sign-in-state.ts';

/** What is answered where somebody else has signed in than whoever wanted something. */
const OTHER_ACCOUNT: Failure = { ok: false, status: 401, code: 'other_account', error: '' };

/** Whose session this page goes by. */
export interface SessionAccess {
  /** Who is here, as far as the page knows: an account's or a guest's id; null for nobody. */
  getUserId(): string | null;
  /** The session ended meanwhile: has the person sign in again. @returns who is here then; null for nobody */
  signIn(): Promise<string | null>;
}

/**
 * Calls, and once more after signing in, when the session had ended. What one wanted is never done in the name of
 * another: signs somebody else in, the failure `other_account` is answered, and nothing was done.
 * @param wanted whose wish it is, where that is not whoever is here as it is called
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
 * Has the person sign in again after a refusal for want of a session.
 * @param wanted whose wish was refused; null where nobody knows
 * @returns null where they are here again: the wish can be repeated; else why it cannot
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

/** The session of a page. */
export const pageSession: SessionAccess = {
  getUserId,
  signIn: async () => ((await askToSignIn({ reason: 'required', onCancel: 'stay' })) ? getUserId() : null),
};
