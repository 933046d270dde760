import { atom, type ReadableAtom } from 'nanostores';
import { DELETION_LINK } from '../../features/account/limits.ts';
import type { DeletionConfirmResponse } from '../../features/account/deletion/deletion-contract.ts';
import { NETWORK_FAILURE, type Failure } from '../shared/api.ts';
import type { Clock } from '../shared/clock.ts';
import type { DeletionApi } from './deletion-api.ts';

/** Where somebody is on the way out. `unsure`: an answer was lost, and whoever it was for is logged out since. */
export type DeletionStep = 'ask' | 'sent' | 'confirm' | 'invalid' | 'unsure' | 'done';

export interface DeletionState {
  step: DeletionStep;
  /** A call is under way. */
  busy: boolean;
  /** What was typed is not the account's address. */
  mismatch: boolean;
  /** Why the last call did not succeed. */
  failure: Failure | null;
  /** Where a link went, and from when on (milliseconds since the epoch) another may be asked for. */
  sent: { email: string; resendAt: number } | null;
  /** Whether that moment has come. */
  canResend: boolean;
  /** What PayPal confirms of a paid membership; null where there was none. */
  subscription: DeletionConfirmResponse['subscription'];
}

interface DeletionDeps {
  api: DeletionApi;
  clock: Clock;
  /** The session is over: somebody may log in again. True when they did. */
  signIn(): Promise<boolean>;
  /** Takes what this device keeps of the person off it. */
  clearSession(): Promise<void>;
}

export interface AccountDeletionFlow {
  $state: ReadableAtom<DeletionState>;
  /** Has a link sent. @param email as it was typed */
  request(email: string): Promise<void>;
  /** Deletes the account, with the token of the page's link. */
  confirm(token: string): Promise<void>;
  /** Leads from a link that does not work to the asking for a new one. */
  startOver(): void;
}

/** @param token of the link that led here; null without one */
export function createAccountDeletionFlow(deps: DeletionDeps, token: string | null): AccountDeletionFlow {
  const $state = atom<DeletionState>({
    step: token === null ? 'ask' : 'confirm',
    busy: false,
    mismatch: false,
    failure: null,
    sent: null,
    canResend: false,
    subscription: null,
  });
  let cancelWait = () => {};
  let isAnswerLost = false;
  const change = (part: Partial<DeletionState>) => $state.set({ ...$state.get(), ...part });
  const startCall = () => change({ busy: true, mismatch: false, failure: null });

  function handleLinkSent(email: string, waitMs: number, failure: Failure | null): void {
    cancelWait();
    change({
      step: 'sent',
      busy: false,
      failure,
      sent: { email, resendAt: deps.clock.now() + waitMs },
      canResend: false,
    });
    cancelWait = deps.clock.after(waitMs, () => change({ canResend: true, failure: null }));
  }

  return {
    $state,
    async request(email) {
      if ($state.get().busy) return;
      startCall();
      const answer = await deps.api.request(email);
      if (answer.ok) return handleLinkSent(email.trim(), DELETION_LINK.resendAfterMs, null);
      if (answer.code === 'deletion_link_recently_sent') {
        const waitMs =
          answer.retryAfter === undefined ? DELETION_LINK.resendAfterMs : answer.retryAfter * 1000;
        return handleLinkSent(email.trim(), waitMs, answer);
      }
      const mismatch = answer.fields?.['email'] !== undefined;
      change({ busy: false, mismatch, failure: mismatch ? null : answer });
      if (answer.status === 401) await deps.signIn();
    },
    async confirm(link) {
      if ($state.get().busy || $state.get().step !== 'confirm') return;
      startCall();
      const answer = await deps.api.confirm(link);
      if (answer.ok) {
        // First what stands on this device: nobody is to read it over a page that says that all is gone.
        await deps.clearSession();
        return change({ step: 'done', busy: false, subscription: answer.data.subscription });
      }
      if (answer.code === 'invalid_deletion_link') return change({ step: 'invalid', busy: false });
      // Logging in now, by a code, would begin a new account in the place of the one that may be deleted.
      if (answer.status === 401 && isAnswerLost) return change({ step: 'unsure', busy: false });
      isAnswerLost ||= answer.code === NETWORK_FAILURE.code;
      change({ busy: false, failure: answer });
      if (answer.status === 401 && (await deps.signIn())) change({ failure: null });
    },
    startOver: () => change({ step: 'ask', mismatch: false, failure: null }),
  };
}
