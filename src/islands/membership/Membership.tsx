import { useStore } from '@nanostores/react';
import { useEffect, useState } from 'react';
import type { Plan, SubscriptionView } from '../../features/billing/contract.ts';
import { useOnline } from '../shared/online.ts';
import { Dictionaries, type Dictionary, useWords } from '../shared/i18n.tsx';
import { $session, refreshSession } from '../shared/session-state.ts';
import { PRIMARY, SECONDARY } from '../shared/styles.ts';
import { askToSignIn, openSignIn } from '../sign-in/sign-in-state.ts';
import { Join } from './Subscribe.tsx';
import { Named } from './ClaimSubscription.tsx';
import { membershipApi } from './membership-api.ts';
import { mayJoin, standingOf } from './membership-rules.ts';
import { createMembership } from './membership-state.ts';
import { PlanTable } from './PlanTable.tsx';
import { Told } from './ActivationStatus.tsx';
import { Yours } from './CurrentPlan.tsx';
import '../admin/admin-layout.css';

/**
 * In the page's address, as PayPal names it too: a subscription that was agreed to there, and is not known to be
 * activated here.
 */
const PENDING = 'subscription_id';

function keepPending(subscriptionId: string | null): void {
  const address = new URL(location.href);
  if (subscriptionId === null) address.searchParams.delete(PENDING);
  else address.searchParams.set(PENDING, subscriptionId);
  history.replaceState(history.state, '', address);
}

/** In the tab's own storage, also while it is at PayPal: no link from elsewhere can put it there. */
const begunKey = (subscriptionId: string) => `agreeing-to:${subscriptionId}`;

function keepBegun(subscriptionId: string): void {
  try {
    sessionStorage.setItem(begunKey(subscriptionId), '1');
  } catch {
    // Storage is switched off: whoever comes back from PayPal is asked.
  }
}

function wasBegun(subscriptionId: string): boolean {
  try {
    return sessionStorage.getItem(begunKey(subscriptionId)) !== null;
  } catch {
    return false;
  }
}

const membership = createMembership({
  api: membershipApi,
  keepPending,
  keepBegun,
  wasBegun,
  signIn: () => askToSignIn({ reason: 'required', next: location.pathname + location.search }),
  planChanged: () => void refreshSession(),
});

/**
 * What plans there are, which one is whose, and the ways in and out.
 * @param supportEmail where people are helped; null where the operator gave no address
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
    <Dictionaries lang={lang} dictionary={dictionary}>
      <MembershipView plans={plans} supportEmail={supportEmail} />
    </Dictionaries>
  );
}

/** Whose membership it is, fetched again when that changes; null for guests and nobody. */
function useMember(): { userId: string | null; isKnown: boolean; isGuest: boolean } {
  const { auth, status } = useStore($session, { ssr: 'initial' });
  const user = auth?.user ?? null;
  const userId = user === null || user.is_anonymous ? null : user.id;
  useEffect(() => {
    membership.forget();
    if (userId === null) return;
    const pending = new URLSearchParams(location.search).get(PENDING);
    const begin = async () => {
      await membership.subscription.load();
      // Agreed to before the page was loaded anew, or the answer was lost: once more changes nothing.
      if (pending !== null && pending !== '') await membership.goOn(pending);
    };
    void begin();
  }, [userId]);
  useEffect(() => {
    const again = () => {
      if (membership.subscription.$state.get().status === 'failed') void membership.subscription.load();
      if (membership.$deed.get().failure?.status === 0) void membership.activateAgain();
    };
    window.addEventListener('online', again);
    return () => window.removeEventListener('online', again);
  }, []);
  return { userId, isKnown: status === 'known', isGuest: user?.is_anonymous === true };
}

function MembershipView({ plans, supportEmail }: { plans: Plan[]; supportEmail: string | null }) {
  const words = useWords('membership');
  const online = useOnline();
  const { userId, isKnown, isGuest } = useMember();
  const { data } = useStore(membership.subscription.$state, { ssr: 'initial' });
  const deed = useStore(membership.$deed, { ssr: 'initial' });
  const view = userId === null ? null : data;
  const joins = view !== null && mayJoin(standingOf(view));
  // Nobody is led to pay a second time for what is being activated, or may be theirs already.
  const named = useStore(membership.$named, { ssr: 'initial' });
  const isUnderWay = named !== null || (deed.kind === 'activate' && !deed.done);
  const paid = plans.find(({ id, available }) => id !== 'free' && available);
  return (
    <>
      {online ? null : (
        <p role="status" className="mb-6 border-s-2 border-state ps-3">
          {words('offline')}
        </p>
      )}
      <section className="part" id="yours" tabIndex={-1} aria-labelledby="yours-title">
        <h2 id="yours-title">{words('yours')}</h2>
        {isKnown && userId === null ? <NoAccount isGuest={isGuest} /> : null}
        {isKnown && userId === null ? null : <Standing plans={plans} view={view} />}
        <Named membership={membership} />
        <Told deed={deed} membership={membership} view={view} plans={plans} supportEmail={supportEmail} />
      </section>
      <section className="part" id="plans" tabIndex={-1} aria-labelledby="plans-title">
        <h2 id="plans-title">{words('plans')}</h2>
        <PlanTable
          plans={plans}
          current={view?.plan ?? null}
          joins={joins && view.client !== null && !isUnderWay}
        />
      </section>
      {joins && paid !== undefined ? (
        <Join
          plan={paid}
          view={view}
          isUnderWay={isUnderWay}
          offer={membership.offer}
          onBegun={membership.begin}
          onApproved={membership.activate}
        />
      ) : null}
    </>
  );
}

function Standing({ plans, view }: { plans: Plan[]; view: SubscriptionView | null }) {
  const words = useWords('membership');
  const { status } = useStore(membership.subscription.$state, { ssr: 'initial' });
  const { busy } = useStore(membership.$deed, { ssr: 'initial' });
  // Days are the reader's own, and whether one is over is known here alone.
  const [now] = useState(() => Date.now());
  if (view !== null)
    return (
      <Yours
        view={view}
        plans={plans}
        now={now}
        isBusy={busy}
        leave={() => void membership.leave()}
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

/** Nobody with an account is here: the page asks for them, and they may come back to it after they refused. */
function NoAccount({ isGuest }: { isGuest: boolean }) {
  const words = useWords('membership');
  return (
    <div className="flex flex-col items-start gap-4">
      <p>{words(isGuest ? 'guestText' : 'loginText')}</p>
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
