import { atom, type ReadableAtom } from 'nanostores';
import type { AccountChange, OwnAccount, SessionList } from '../../features/account/contract.ts';
import type { Invites } from '../../features/account/invite-contract.ts';
import type { LedgerEntry, PointsStatus } from '../../features/wallet/contract.ts';
import type { Failure, Result } from '../shared/api.ts';
import type { UploadOptions } from '../shared/send-form.ts';
import { $session } from '../shared/session-state.ts';
import { retryAfterSignIn } from '../sign-in/reauthenticate.ts';
import { askToSignIn } from '../sign-in/sign-in-state.ts';
import { type AccountPageApi, accountPageApi } from './account-api.ts';
import { createRemoteStore, type RemoteStore } from './remote-state.ts';

/** What is switched by one press and saved at once. */
export type Flag = 'email_notifications' | 'marketing_emails';

export interface LedgerState {
  /** `idle` until it is asked for. */
  status: 'idle' | 'loading' | 'ready' | 'failed';
  entries: readonly LedgerEntry[];
  /** Leads to older ones; null when all are here, or as many as a page should hold. */
  nextCursor: string | null;
  /** There are older ones that are not shown here. */
  cutOff: boolean;
}

/** The account page as a state machine; a failure is answered, null when it went well. */
export interface AccountPage {
  account: RemoteStore<OwnAccount>;
  points: RemoteStore<PointsStatus>;
  invites: RemoteStore<Invites>;
  sessions: RemoteStore<SessionList>;
  $ledger: ReadableAtom<LedgerState>;
  /** Fetches the newest entries, or the next older ones. */
  showLedger(): Promise<void>;
  change(change: AccountChange): Promise<Failure | null>;
  /** Shown at once, and taken back when it could not be saved. */
  toggleFlag(flag: Flag, on: boolean): Promise<Failure | null>;
  /** Sends a picture and wears it, unless it was called off meanwhile. */
  setAvatar(picture: Blob, sending: UploadOptions): Promise<Failure | null>;
  makeCode(): Promise<Failure | null>;
  endSession(id: string): Promise<Failure | null>;
  endOtherSessions(): Promise<Failure | null>;
  /** Nothing is known any more: somebody else is here. */
  reset(): void;
}

export interface AccountPageDeps {
  api: AccountPageApi;
  /** The session ended meanwhile: has the person sign in again. @returns whose account is here then; null for none */
  signIn(): Promise<string | null>;
  /** The account as it is after a change, for the rest of the page. */
  updateSession(account: OwnAccount): void;
}

/** Entries of the ledger on one page: what is older is in the download of everything. */
export const MAX_LEDGER_ENTRIES = 200;

const EMPTY_LEDGER: LedgerState = { status: 'idle', entries: [], nextCursor: null, cutOff: false };

export function createAccountPage({ api, signIn, updateSession }: AccountPageDeps): AccountPage {
  /** Calls, and once more after signing in, when the session had ended. What one wanted is not done to another's. */
  function asked<T>(call: () => Promise<Result<T>>): Promise<Result<T>> {
    return retryAfterSignIn(call, { getUserId: () => account.$state.get().data?.id ?? null, signIn });
  }

  const account = createRemoteStore(() => asked(api.account));
  const points = createRemoteStore(() => asked(api.points));
  const invites = createRemoteStore(() => asked(api.invites));
  const sessions = createRemoteStore(() => asked(api.sessions));
  const $ledger = atom<LedgerState>(EMPTY_LEDGER);
  const pendingFlips: Record<Flag, number> = { email_notifications: 0, marketing_emails: 0 };
  let ledgerLoader = 0;

  async function change(body: AccountChange): Promise<Failure | null> {
    const answer = await asked(() => api.change(body));
    if (!answer.ok) return answer;
    account.setData(answer.data);
    updateSession(answer.data);
    return null;
  }

  /** Draws a switch as it was pressed, whatever else is known of the account. */
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
    $ledger,
    async showLedger() {
      const { status, entries, nextCursor } = $ledger.get();
      if (status === 'loading' || (status === 'ready' && nextCursor === null)) return;
      const asking = ledgerLoader;
      $ledger.set({ ...$ledger.get(), status: 'loading' });
      const answer = await asked(() => api.ledger(nextCursor ?? undefined));
      if (asking !== ledgerLoader) return;
      if (!answer.ok) return $ledger.set({ ...$ledger.get(), status: 'failed' });
      const all = [...entries, ...answer.data.items];
      const cutOff = answer.data.next_cursor !== null && all.length >= MAX_LEDGER_ENTRIES;
      $ledger.set({
        status: 'ready',
        entries: all,
        nextCursor: cutOff ? null : answer.data.next_cursor,
        cutOff,
      });
    },
    change,
    async toggleFlag(flag, on) {
      const press = ++pendingFlips[flag];
      show(flag, on);
      const answer = await asked(() => api.change({ [flag]: on }));
      // Pressed again meanwhile: the later answer says how it stands.
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
      // One that is gone already has ended as well.
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
      ledgerLoader += 1;
      // A switch that could not be saved is put back in whose account it was.
      for (const flag of Object.keys(pendingFlips) as Flag[]) pendingFlips[flag] += 1;
      for (const remote of [account, points, invites, sessions]) remote.reset();
      $ledger.set(EMPTY_LEDGER);
    },
  };
}

/** Asks who it is whose session ended. For a guest there is nothing on this page: it begins anew, with its wall. */
async function reauthenticateAccount(): Promise<string | null> {
  if (!(await askToSignIn({ reason: 'required', onCancel: 'stay' }))) return null;
  const user = $session.get().auth?.user;
  if (user?.is_anonymous === false) return user.id;
  location.reload();
  return null;
}

/** The account page of this page. */
export const accountPage: AccountPage = createAccountPage({
  api: accountPageApi,
  signIn: reauthenticateAccount,
  updateSession: (user) =>
    $session.set({ status: 'known', auth: { is_authenticated: true, isAuthenticated: true, user } }),
});
