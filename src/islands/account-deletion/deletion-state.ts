import { atom, type ReadableAtom } from 'nanostores';
import { DELETION_LINK } from '../../features/account/limits.ts';
import type { DeletionConfirmResponse } from '../../features/account/deletion/deletion-contract.ts';
import { NETWORK_FAILURE, type Failure } from '../shared/api.ts';
import type { Clock } from '../shared/clock.ts';
import type { DeletionApi } from './deletion-api.ts';

/** Steps of account deletion. `unsure`: the answer to the deletion was lost and the session has ended since. */
export type DeletionStep = 'ask' | 'sent' | 'confirm' | 'invalid' | 'unsure' | 'done';

export interface DeletionState {
  step: DeletionStep;
  busy: boolean;
  /** The typed address is not the account's address. */
  mismatch: boolean;
  /** Why the last call failed. */
  failure: Failure | null;
  /** Where the link went, and when another may be requested (milliseconds since the epoch). */
  sent: { email: string; resendAt: number } | null;
  /** True once `resendAt` has passed. */
  canResend: boolean;
  /** The paid membership as PayPal confirmed it; null if there was none. */
  subscription: DeletionConfirmResponse['subscription'];
}

interface DeletionDeps {
  api: DeletionApi;
  clock: Clock;
  /** Asks the user to log in again after the session ended. Resolves to true if they did. */
  signIn(): Promise<boolean>;
  /** Removes the user's data from this device. */
  clearSession(): Promise<void>;
}

export interface AccountDeletionFlow {
  $state: ReadableAtom<DeletionState>;
  /** Requests a deletion link. @param email as the user typed it */
  request(email: string): Promise<void>;
  /** Deletes the account with the token of the page's link. */
  confirm(token: string): Promise<void>;
  /** Returns from an invalid link to the first step. */
  startOver(): void;
}

/** @param token from the emailed link; null when the page was opened without one */
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
        // Clear this device first, so that no private data remains visible behind the confirmation.
        await deps.clearSession();
        return change({ step: 'done', busy: false, subscription: answer.data.subscription });
      }
      if (answer.code === 'invalid_deletion_link') return change({ step: 'invalid', busy: false });
      // Do not offer to log in: a login code would create a new account in place of the one that may be deleted.
      if (answer.status === 401 && isAnswerLost) return change({ step: 'unsure', busy: false });
      isAnswerLost ||= answer.code === NETWORK_FAILURE.code;
      change({ busy: false, failure: answer });
      if (answer.status === 401 && (await deps.signIn())) change({ failure: null });
    },
    startOver: () => change({ step: 'ask', mismatch: false, failure: null }),
  };
}
