import { atom, type ReadableAtom } from 'nanostores';
import type { PaymentClient, SubscriptionView } from '../../features/billing/contract.ts';
import { createRemoteStore, type RemoteStore } from '../account/remote-state.ts';
import type { Failure } from '../shared/api.ts';
import type { MembershipApi } from './membership-api.ts';
import { canRetry, canSubscribe, getMembershipStatus } from './membership-rules.ts';

/** What is being done, or was done last, to one's membership. */
export interface MembershipOperation {
  kind: 'activate' | 'leave' | null;
  /** The answer is awaited. */
  busy: boolean;
  /** It is done. */
  done: boolean;
  /** Why it is not. */
  failure: Failure | null;
  /** Which subscription was agreed to at PayPal. */
  subscriptionId: string | null;
}

interface MembershipDeps {
  api: MembershipApi;
  /** Keeps which subscription is to be activated with the page, so that it is not lost when the page is loaded anew. */
  savePending(subscriptionId: string | null): void;
  /** Remembers, as long as this tab is there, that a subscription was begun in it. */
  saveStarted(subscriptionId: string): void;
  wasStarted(subscriptionId: string): boolean;
  /** The session is over: somebody may log in again. True when they did. */
  signIn(): Promise<boolean>;
  /** Who is here has another plan now. */
  onPlanChanged(): void;
}

export interface MembershipStore {
  subscription: RemoteStore<SubscriptionView>;
  $operation: ReadableAtom<MembershipOperation>;
  /** A subscription that the page's address names, and that was not begun here: only its owner can say that it is theirs. */
  $claimedId: ReadableAtom<string | null>;
  /** What can be agreed to at PayPal by now, whatever the page was told before; null when nothing can. */
  fetchOffer(): Promise<PaymentClient | null>;
  /** Somebody is asked at PayPal whether they agree to it. */
  startSubscription(subscriptionId: string): void;
  /**
   * Goes on with what the page's address names. An address can be anybody's: by itself only what was begun here is
   * activated, after anything else somebody is asked.
   */
  resume(subscriptionId: string): Promise<void>;
  /** Whoever was asked knows nothing of it. */
  dismissClaim(): void;
  /** Activates what was agreed to at PayPal; again, where an answer did not come. */
  activate(subscriptionId: string): Promise<void>;
  /** Once more, after a failure that need not be the end. */
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
  /** Counts who was here: an answer for somebody else is no answer. */
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
    // What cannot end otherwise is told once, with its number; a page loaded anew begins anew.
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
      // There is nothing to cancel: what the page shows is old.
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
