import { atom, type ReadableAtom } from 'nanostores';
import type { PaymentClient, SubscriptionView } from '../../features/billing/contract.ts';
import { createRemoteStore, type RemoteStore } from '../shared/remote-state.ts';
import type { Failure } from '../shared/api.ts';
import type { MembershipApi } from './membership-api.ts';
import { canRetry, canSubscribe, getMembershipStatus } from './membership-rules.ts';

/** The current or last action on the user's membership. */
export interface MembershipOperation {
  kind: 'activate' | 'leave' | null;
  /** Waiting for the answer. */
  busy: boolean;
  /** The action succeeded. */
  done: boolean;
  /** Why the action failed. */
  failure: Failure | null;
  /** The subscription approved at PayPal. */
  subscriptionId: string | null;
}

interface MembershipDeps {
  api: MembershipApi;
  /** Keeps the subscription to activate in the page's address, so that a reload does not lose it. */
  savePending(subscriptionId: string | null): void;
  /** Remembers, for this tab's lifetime, that the subscription was started here. */
  saveStarted(subscriptionId: string): void;
  wasStarted(subscriptionId: string): boolean;
  /** Asks the user to log in again after the session ended. Resolves to true if they did. */
  signIn(): Promise<boolean>;
  /** Called when the user's plan changed. */
  onPlanChanged(): void;
}

export interface MembershipStore {
  subscription: RemoteStore<SubscriptionView>;
  $operation: ReadableAtom<MembershipOperation>;
  /**
   * A subscription from the page's address that was not started in this tab; the user must confirm that it is theirs.
   */
  $claimedId: ReadableAtom<string | null>;
  /**
   * Fetches what can be bought at PayPal now; null for nothing. The data that the page was loaded with may be outdated.
   */
  fetchOffer(): Promise<PaymentClient | null>;
  /** PayPal is asking the user to approve a subscription. */
  startSubscription(subscriptionId: string): void;
  /**
   * Resumes the activation of the subscription in the page's address. Since anyone can send such a link, only a
   * subscription started in this tab is activated without asking.
   */
  resume(subscriptionId: string): Promise<void>;
  /** The user denied that the subscription is theirs. */
  dismissClaim(): void;
  /** Activates a subscription approved at PayPal; may be repeated if the answer was lost. */
  activate(subscriptionId: string): Promise<void>;
  /** Retries the activation after a failure that may be temporary. */
  activateAgain(): Promise<void>;
  cancelMembership(): Promise<void>;
  reset(): void;
}

const NO_OPERATION: MembershipOperation = {
  kind: null,
  busy: false,
  done: false,
  failure: null,
  subscriptionId: null,
};

export function createMembershipStore(deps: MembershipDeps): MembershipStore {
  const subscription = createRemoteStore(deps.api.subscription);
  const $operation = atom<MembershipOperation>(NO_OPERATION);
  const $claimedId = atom<string | null>(null);
  /** Incremented when the user changes, to drop answers meant for the previous user. */
  let userId = 0;

  async function activate(subscriptionId: string): Promise<void> {
    if ($operation.get().busy) return;
    const ownerId = userId;
    $claimedId.set(null);
    deps.savePending(subscriptionId);
    $operation.set({ ...NO_OPERATION, kind: 'activate', busy: true, subscriptionId });
    const answer = await deps.api.activate(subscriptionId);
    if (ownerId !== userId) return;
    if (answer.ok) {
      deps.savePending(null);
      subscription.setData(answer.data);
      $operation.set({ ...$operation.get(), busy: false, done: true });
      return deps.onPlanChanged();
    }
    // Show a permanent failure once, with the subscription's id, and do not retry it after a reload.
    if (!canRetry(answer)) deps.savePending(null);
    $operation.set({ ...$operation.get(), busy: false, failure: answer });
    if (answer.status === 401 && (await deps.signIn())) await activate(subscriptionId);
  }

  return {
    subscription,
    $operation,
    $claimedId,
    startSubscription: deps.saveStarted,
    async resume(subscriptionId) {
      if (deps.wasStarted(subscriptionId)) return activate(subscriptionId);
      $claimedId.set(subscriptionId);
    },
    dismissClaim() {
      $claimedId.set(null);
      deps.savePending(null);
    },
    async fetchOffer() {
      const ownerId = userId;
      const answer = await deps.api.subscription();
      if (!answer.ok || ownerId !== userId) return null;
      subscription.setData(answer.data);
      return canSubscribe(getMembershipStatus(answer.data)) ? answer.data.client : null;
    },
    activate,
    async activateAgain() {
      const { kind, subscriptionId, failure } = $operation.get();
      if (kind === 'activate' && subscriptionId !== null && failure !== null) await activate(subscriptionId);
    },
    async cancelMembership() {
      if ($operation.get().busy) return;
      const ownerId = userId;
      $operation.set({ ...NO_OPERATION, kind: 'leave', busy: true });
      const answer = await deps.api.downgrade();
      if (ownerId !== userId) return;
      if (answer.ok) {
        subscription.setData(answer.data);
        $operation.set({ ...$operation.get(), busy: false, done: true });
        return deps.onPlanChanged();
      }
      $operation.set({ ...$operation.get(), busy: false, failure: answer });
      // There is no subscription to cancel, so the page's data is outdated.
      if (answer.code === 'no_subscription') void subscription.load();
      if (answer.status === 401) await deps.signIn();
    },
    reset() {
      userId += 1;
      subscription.reset();
      $operation.set(NO_OPERATION);
      $claimedId.set(null);
    },
  };
}
