import { useStore } from '@nanostores/react';
import { useEffect, useState } from 'react';
import type { Plan, SubscriptionView } from '../../features/billing/contract.ts';
import { useOnline } from '../shared/online.ts';
import { TranslationProvider, type Dictionary, useTranslate } from '../shared/i18n.tsx';
import { $session, refreshSession } from '../shared/session-state.ts';
import { hasMemberships } from '../shared/site.ts';
import { PRIMARY, SECONDARY } from '../shared/styles.ts';
import { askToSignIn, openSignIn } from '../sign-in/sign-in-state.ts';
import { Subscribe } from './Subscribe.tsx';
import { ClaimSubscription } from './ClaimSubscription.tsx';
import { membershipApi } from './membership-api.ts';
import { canSubscribe, getMembershipStatus } from './membership-rules.ts';
import { createMembershipStore } from './membership-state.ts';
import { PlanTable } from './PlanTable.tsx';
import { ActivationStatus } from './ActivationStatus.tsx';
import { CurrentPlan } from './CurrentPlan.tsx';
import '../admin/admin-layout.css';

/** Address parameter, named as PayPal names it: an approved subscription that is not known to be activated yet. */
const PENDING_PARAM = 'subscription_id';

function savePending(subscriptionId: string | null): void {
  const address = new URL(location.href);
  if (subscriptionId === null) address.searchParams.delete(PENDING_PARAM);
  else address.searchParams.set(PENDING_PARAM, subscriptionId);
  history.replaceState(history.state, '', address);
}

/** Session storage key, also kept during the visit to PayPal. A link from elsewhere cannot set it. */
const getStartedKey = (subscriptionId: string) => `agreeing-to:${subscriptionId}`;

function saveStarted(subscriptionId: string): void {
  try {
    sessionStorage.setItem(getStartedKey(subscriptionId), '1');
  } catch {
    // Storage is blocked: ask the user when they return from PayPal.
  }
}

function wasStarted(subscriptionId: string): boolean {
  try {
    return sessionStorage.getItem(getStartedKey(subscriptionId)) !== null;
  } catch {
    return false;
  }
}

const membership = createMembershipStore({
  api: membershipApi,
  savePending,
  saveStarted,
  wasStarted,
  signIn: () => askToSignIn({ reason: 'required', next: location.pathname + location.search }),
  onPlanChanged: () => void refreshSession(),
});

/**
 * The plans, the user's current plan, and the actions to subscribe or cancel.
 * @param supportEmail support address; null if the operator has none
 */
export function Membership({
  lang,
  dictionary,
  plans,
  supportEmail,
}: {
  lang: string;
  dictionary: Dictionary<'membership' | 'errors'>;
  plans: Plan[];
  supportEmail: string | null;
}) {
  return (
    <TranslationProvider lang={lang} dictionary={dictionary}>
      <MembershipView plans={plans} supportEmail={supportEmail} />
    </TranslationProvider>
  );
}

/** The account whose membership is shown, fetched again when it changes; null for guests and logged-out visitors. */
function useLoadMembership(): { userId: string | null; isKnown: boolean; isGuest: boolean } {
  const { auth, status } = useStore($session, { ssr: 'initial' });
  const user = auth?.user ?? null;
  const userId = user === null || user.is_anonymous ? null : user.id;
  useEffect(() => {
    membership.reset();
    if (userId === null) return;
    const pending = new URLSearchParams(location.search).get(PENDING_PARAM);
    const resumePending = async () => {
      await membership.subscription.load();
      // The page was reloaded or the answer was lost; activating again changes nothing.
      if (pending !== null && pending !== '') await membership.resume(pending);
    };
    void resumePending();
  }, [userId]);
  useEffect(() => {
    const again = () => {
      if (membership.subscription.$state.get().status === 'failed') void membership.subscription.load();
      if (membership.$operation.get().failure?.status === 0) void membership.activateAgain();
    };
    window.addEventListener('online', again);
    return () => window.removeEventListener('online', again);
  }, []);
  return { userId, isKnown: status === 'known', isGuest: user?.is_anonymous === true };
}

function MembershipView({ plans, supportEmail }: { plans: Plan[]; supportEmail: string | null }) {
  const words = useTranslate('membership');
  const online = useOnline();
  const { userId, isKnown, isGuest } = useLoadMembership();
  const { data } = useStore(membership.subscription.$state, { ssr: 'initial' });
  const operation = useStore(membership.$operation, { ssr: 'initial' });
  const view = userId === null ? null : data;
  const canJoin = view !== null && canSubscribe(getMembershipStatus(view));
  // Do not offer a second payment while an activation is in progress or the subscription may be the user's.
  const named = useStore(membership.$claimedId, { ssr: 'initial' });
  const isInProgress = named !== null || (operation.kind === 'activate' && !operation.done);
  const paid = plans.find(({ id, available }) => id !== 'free' && available);
  return (
    <>
      {online ? null : (
        <p role="status" className="mb-6 border-s-2 border-state ps-3">
          {words('offline')}
        </p>
      )}
      <section className="part" id="yours" tabIndex={-1} aria-labelledby="yours-title">
        <h2 id="yours-title">{words('yourMembershipTitle')}</h2>
        {isKnown && userId === null ? <AccountRequired isGuest={isGuest} /> : null}
        {isKnown && userId === null ? null : <MembershipStatus plans={plans} view={view} />}
        <ClaimSubscription membership={membership} />
        <ActivationStatus
          operation={operation}
          membership={membership}
          view={view}
          plans={plans}
          supportEmail={supportEmail}
        />
      </section>
      <section className="part" id="plans" tabIndex={-1} aria-labelledby="plans-title">
        <h2 id="plans-title">{words('plansTitle')}</h2>
        <PlanTable
          plans={plans}
          current={view?.plan ?? null}
          joins={canJoin && view.client !== null && !isInProgress}
        />
      </section>
      {canJoin && paid !== undefined ? (
        <Subscribe
          plan={paid}
          view={view}
          isUnderWay={isInProgress}
          offer={membership.fetchOffer}
          onBegun={membership.startSubscription}
          onApproved={membership.activate}
        />
      ) : null}
    </>
  );
}

function MembershipStatus({ plans, view }: { plans: Plan[]; view: SubscriptionView | null }) {
  const words = useTranslate('membership');
  const { status } = useStore(membership.subscription.$state, { ssr: 'initial' });
  const { busy } = useStore(membership.$operation, { ssr: 'initial' });
  // Dates depend on the reader's time zone and clock, so compute them in the browser.
  const [now] = useState(() => Date.now());
  if (view !== null)
    return (
      <CurrentPlan
        view={view}
        plans={plans}
        now={now}
        isBusy={busy}
        leave={() => void membership.cancelMembership()}
        lookAgain={() => void membership.subscription.load()}
      />
    );
  if (status === 'failed')
    return (
      <div role="alert" className="flex flex-col items-start gap-3">
        <p>{words('loadFailed')}</p>
        <button type="button" className={SECONDARY} onClick={() => void membership.subscription.load()}>
          {words('tryAgain')}
        </button>
      </div>
    );
  return (
    <p role="status" className="text-text-quiet">
      {words('loading')}
    </p>
  );
}

/** Shown to guests and logged-out visitors: asks for an account, also after they closed the sign-in dialog. */
function AccountRequired({ isGuest }: { isGuest: boolean }) {
  const words = useTranslate('membership');
  const why = isGuest ? 'guestText' : 'logInText';
  return (
    <div className="flex flex-col items-start gap-4">
      {/* Members from before memberships were turned off can still log in to see or cancel theirs. */}
      <p>{words(hasMemberships() ? why : 'notAvailable')}</p>
      <button
        type="button"
        className={PRIMARY}
        onClick={() => openSignIn({ reason: 'required', next: location.pathname + location.search })}
      >
        {words('logIn')}
      </button>
    </div>
  );
}
