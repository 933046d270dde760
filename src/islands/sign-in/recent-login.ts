import type { LoginMethod } from '../../features/account/contract.ts';
import { createClient } from '../shared/api.ts';
import { $session } from '../shared/session-state.ts';
import { askToSignIn } from './sign-in-state.ts';

export interface RecentLoginDeps {
  fetch: typeof fetch;
  /** Id of the user in the page's session; null for none. */
  getUserId(): string | null;
  /** Asks the user to log in again by one of the account's methods. @returns false when the user closed the dialog */
  signIn(reason: 'recent' | 'passkey', methods: readonly LoginMethod[]): Promise<boolean>;
}

const REASONS: Readonly<Record<string, 'recent' | 'passkey'>> = {
  recent_login_required: 'recent',
  passkey_required: 'passkey',
};

/**
 * Creates a `fetch` that asks the user to log in again when the server wants a recent login, or an admin's passkey, and
 * then repeats the request. It never acts for a different user: the response is then `other_account`.
 */
export function createRecentLoginFetch(deps: RecentLoginDeps): typeof fetch {
  return async (input, init) => {
    const answer = await deps.fetch(input, init);
    if (answer.status !== 403) return answer;
    const problem = (await answer
      .clone()
      .json()
      .catch(() => null)) as { code?: string; methods?: LoginMethod[] } | null;
    const reason = REASONS[problem?.code ?? ''];
    if (reason === undefined) return answer;
    const userId = deps.getUserId();
    if (!(await deps.signIn(reason, problem?.methods ?? []))) return answer;
    return deps.getUserId() === userId
      ? deps.fetch(input, init)
      : Response.json({ error: '', code: 'other_account' }, { status: 401 });
  };
}

const getUser = () => $session.get().auth?.user ?? null;

export const fetchAfterRecentLogin = createRecentLoginFetch({
  fetch: (input, init) => fetch(input, init),
  getUserId: () => getUser()?.id ?? null,
  signIn: (reason, methods) => askToSignIn({ reason, methods, email: getUser()?.email ?? '' }),
});

/** The client for what needs a recent login. */
export const recentLoginClient = createClient(fetchAfterRecentLogin);
