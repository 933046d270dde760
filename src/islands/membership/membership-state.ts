import { atom, type ReadableAtom } from 'nanostores';
import type { PaymentClient, SubscriptionView } from '../../features/billing/contract.ts';
import { createRemote, type Remote } from '../account/remote-state.ts';
import type { Failure } from '../shared/api.ts';
import type { MembershipApi } from './membership-api.ts';
import { mayAskAgain, mayJoin, standingOf } from './membership-rules.ts';

/** What is being done, or was done last, to one's membership. */
export interface MembershipDeed {
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
  keepPending(subscriptionId: string | null): void;
  /** Remembers, as long as this tab is there, that a subscription was begun in it. */
  keepBegun(subscriptionId: string): void;
  wasBegun(subscriptionId: string): boolean;
  /** The session is over: somebody may log in again. True when they did. */
  signIn(): Promise<boolean>;
  /** Who is here has another plan now. */
  planChanged(): void;
}

export interface Membership {
  subscription: Remote<SubscriptionView>;
  $deed: ReadableAtom<MembershipDeed>;
  /** A subscription that the page's address names, and that was not begun here: only its owner can say that it is theirs. */
  $named: ReadableAtom<string | null>;
  /** What can be agreed to at PayPal by now, whatever the page was told before; null when nothing can. */
  offer(): Promise<PaymentClient | null>;
  /** Somebody is asked at PayPal whether they agree to it. */
  begin(subscriptionId: string): void;
  /**
   * Goes on with what the page's address names. An address can be anybody's: by itself only what was begun here is
   * activated, after anything else somebody is asked.
   */
  goOn(subscriptionId: string): Promise<void>;
  /** Whoever was asked knows nothing of it. */
  disown(): void;
  /** Activates what was agreed to at PayPal; again, where an answer did not come. */
  activate(subscriptionId: string): Promise<void>;
  /** Once more, after a failure that need not be the end. */
  activateAgain(): Promise<void>;
  leave(): Promise<void>;
  forget(): void;
}

const NOTHING: MembershipDeed = {
  kind: null,
  busy: false,
  done: false,
  failure: null,
  subscriptionId: null,
};

export function createMembership(deps: MembershipDeps): Membership {
  const subscription = createRemote(deps.api.subscription);
  const $deed = atom<MembershipDeed>(NOTHING);
  const $named = atom<string | null>(null);
  /** Counts who was here: an answer for somebody else is no answer. */
  let person = 0;

  async function activate(subscriptionId: string): Promise<void> {
    if ($deed.get().busy) return;
    const forWhom = person;
    $named.set(null);
    deps.keepPending(subscriptionId);
    $deed.set({ ...NOTHING, kind: 'activate', busy: true, subscriptionId });
    const answer = await deps.api.activate(subscriptionId);
    if (forWhom !== person) return;
    if (answer.ok) {
      deps.keepPending(null);
      subscription.put(answer.data);
      $deed.set({ ...$deed.get(), busy: false, done: true });
      return deps.planChanged();
    }
    // What cannot end otherwise is told once, with its number; a page loaded anew begins anew.
    if (!mayAskAgain(answer)) deps.keepPending(null);
    $deed.set({ ...$deed.get(), busy: false, failure: answer });
    if (answer.status === 401 && (await deps.signIn())) await activate(subscriptionId);
  }

  return {
    subscription,
    $deed,
    $named,
    begin: deps.keepBegun,
    async goOn(subscriptionId) {
      if (deps.wasBegun(subscriptionId)) return activate(subscriptionId);
      $named.set(subscriptionId);
    },
    disown() {
      $named.set(null);
      deps.keepPending(null);
    },
    async offer() {
      const forWhom = person;
      const answer = await deps.api.subscription();
      if (!answer.ok || forWhom !== person) return null;
      subscription.put(answer.data);
      return mayJoin(standingOf(answer.data)) ? answer.data.client : null;
    },
    activate,
    async activateAgain() {
      const { kind, subscriptionId, failure } = $deed.get();
      if (kind === 'activate' && subscriptionId !== null && failure !== null) await activate(subscriptionId);
    },
    async leave() {
      if ($deed.get().busy) return;
      const forWhom = person;
      $deed.set({ ...NOTHING, kind: 'leave', busy: true });
      const answer = await deps.api.downgrade();
      if (forWhom !== person) return;
      if (answer.ok) {
        subscription.put(answer.data);
        $deed.set({ ...$deed.get(), busy: false, done: true });
        return deps.planChanged();
      }
      $deed.set({ ...$deed.get(), busy: false, failure: answer });
      // There is nothing to cancel: what the page shows is old.
      if (answer.code === 'no_subscription') void subscription.load();
      if (answer.status === 401) await deps.signIn();
    },
    forget() {
      person += 1;
      subscription.forget();
      $deed.set(NOTHING);
      $named.set(null);
    },
  };
}
