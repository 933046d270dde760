import type { AccountChange, OwnAccount, SessionList } from '../../features/account/contract.ts';
import type { Invites } from '../../features/account/invite-contract.ts';
import type { LedgerHistory, PointsStatus } from '../../features/wallet/contract.ts';
import type { Failure, Result } from '../shared/api.ts';
import type { UploadOptions } from '../shared/send-form.ts';
import { $session } from '../shared/session-state.ts';
import { retryAfterSignIn } from '../sign-in/reauthenticate.ts';
import { askToSignIn } from '../sign-in/sign-in-state.ts';
import { type AccountPageApi, accountPageApi } from './account-api.ts';
import { createRemoteStore, type RemoteStore } from '../shared/remote-state.ts';

/** Account settings that are saved as soon as they are toggled. */
export type Flag = 'email_notifications' | 'marketing_emails';

/** State of the account page. Actions resolve to the failure, or to null on success. */
export interface AccountPage {
  account: RemoteStore<OwnAccount>;
  points: RemoteStore<PointsStatus>;
  invites: RemoteStore<Invites>;
  sessions: RemoteStore<SessionList>;
  /** The newest part of the points history. */
  history: RemoteStore<LedgerHistory>;
  change(change: AccountChange): Promise<Failure | null>;
  /** Toggles a setting optimistically and reverts it if saving fails. */
  toggleFlag(flag: Flag, on: boolean): Promise<Failure | null>;
  /** Uploads a picture and sets it as the avatar, unless `sending.signal` was aborted. */
  setAvatar(picture: Blob, sending: UploadOptions): Promise<Failure | null>;
  makeCode(): Promise<Failure | null>;
  endSession(id: string): Promise<Failure | null>;
  endOtherSessions(): Promise<Failure | null>;
  /** Clears all data; another user is signed in. */
  reset(): void;
}

export interface AccountPageDeps {
  api: AccountPageApi;
  /** Asks the user to sign in again after the session ended. @returns the id of the signed-in user; null for none */
  signIn(): Promise<string | null>;
  /** Updates the page's session after a change of the account. */
  updateSession(account: OwnAccount): void;
}

export function createAccountPage({ api, signIn, updateSession }: AccountPageDeps): AccountPage {
  /** Runs a call and repeats it after a new sign-in if the session ended, but never for another user. */
  function asked<T>(call: () => Promise<Result<T>>): Promise<Result<T>> {
    return retryAfterSignIn(call, { getUserId: () => account.$state.get().data?.id ?? null, signIn });
  }

  const account = createRemoteStore(() => asked(api.account));
  const points = createRemoteStore(() => asked(api.points));
  const invites = createRemoteStore(() => asked(api.invites));
  const sessions = createRemoteStore(() => asked(api.sessions));
  const history = createRemoteStore(() => asked(api.history));
  const pendingFlips: Record<Flag, number> = { email_notifications: 0, marketing_emails: 0 };

  async function change(body: AccountChange): Promise<Failure | null> {
    const answer = await asked(() => api.change(body));
    if (!answer.ok) return answer;
    account.setData(answer.data);
    updateSession(answer.data);
    return null;
  }

  /** Shows a setting as the user just set it, ahead of the server's answer. */
  function show(flag: Flag, on: boolean): void {
    const { data } = account.$state.get();
    if (data !== null) account.setData({ ...data, [flag]: on });
  }

  function withoutSessions(left: (session: SessionList['items'][number]) => boolean): void {
    const { data } = sessions.$state.get();
    if (data !== null) sessions.setData({ items: data.items.filter(left) });
  }

  return {
    account,
    points,
    invites,
    sessions,
    history,
    change,
    async toggleFlag(flag, on) {
      const press = ++pendingFlips[flag];
      show(flag, on);
      const answer = await asked(() => api.change({ [flag]: on }));
      // The setting was toggled again; the later answer decides its value.
      if (press !== pendingFlips[flag]) return null;
      if (!answer.ok) {
        show(flag, !on);
        return answer;
      }
      show(flag, answer.data[flag]);
      return null;
    },
    async setAvatar(picture, sending) {
      const sent = await asked(() => api.sendPicture(picture, sending));
      if (!sent.ok) return sent;
      return sending.signal.aborted ? null : change({ avatar_id: sent.data.avatar_id });
    },
    async makeCode() {
      const answer = await asked(api.makeInviteCode);
      if (!answer.ok) return answer;
      invites.setData(answer.data);
      return null;
    },
    async endSession(id) {
      const answer = await asked(() => api.endSession(id));
      // 404: the session has already ended.
      if (!answer.ok && answer.status !== 404) return answer;
      withoutSessions((session) => session.id !== id);
      return null;
    },
    async endOtherSessions() {
      const answer = await asked(api.endOtherSessions);
      if (!answer.ok) return answer;
      withoutSessions(({ current }) => current);
      return null;
    },
    reset() {
      // Invalidate pending toggles: a failed one must not revert a setting in another user's account.
      for (const flag of Object.keys(pendingFlips) as Flag[]) pendingFlips[flag] += 1;
      for (const remote of [account, points, history, invites, sessions]) remote.reset();
    },
  };
}

/** Asks the user to sign in again. A guest has no account page, so it reloads to show the login prompt. */
async function reauthenticateAccount(): Promise<string | null> {
  if (!(await askToSignIn({ reason: 'required', onCancel: 'stay' }))) return null;
  const user = $session.get().auth?.user;
  if (user?.is_anonymous === false) return user.id;
  location.reload();
  return null;
}

export const accountPage: AccountPage = createAccountPage({
  api: accountPageApi,
  signIn: reauthenticateAccount,
  updateSession: (user) =>
    $session.set({ status: 'known', auth: { is_authenticated: true, isAuthenticated: true, user } }),
});
