import type { Database } from '../db/open.ts';
import { DELETION_LINK } from '../features/account/limits.ts';
import type { EndedSubscription } from '../features/billing/contract.ts';
import { monthAfter } from '../features/billing/months.ts';
import type { PaymentCompany } from '../features/billing/payment-provider.ts';
import { endSubscriptions, type EndPorts } from '../features/billing/subscription-end.ts';
import { endToTell, isToBeBilled, type Subscription } from '../features/billing/subscription-rules.ts';
import { keepStatus, openClaimsOf, subscriptionsOf } from '../features/billing/subscription-store.ts';
import { refuse, type Result, type ServiceContext, succeed } from './context.ts';
import { payPalCompany } from './payment-provider.ts';
import { pause } from './reconcile-subscription.ts';
import { log } from '../lib/log.ts';

/** What PayPal writes into its records of the cancellation, for both sides to read. */
const REASON = 'The account was deleted by its owner.';

function portsOf(db: Database, company: PaymentCompany, tell: (reason: string) => void): EndPorts {
  return {
    cancel: (id) => company.cancel(id, REASON),
    show: async (id) => {
      const answer = await company.show(id);
      return answer.ok ? { ok: true, status: answer.subscription.status } : answer;
    },
    pause,
    keep: (id, status) => keepStatus(db, { id, status, now: Date.now() }),
    tell,
  };
}

/**
 * What somebody has agreed to at PayPal and no answer has come of yet, as PayPal has it now.
 * @returns null when nobody knows
 */
async function agreedTo(
  company: PaymentCompany,
  ids: readonly string[],
  { userId, tell }: { userId: string; tell: (reason: string) => void },
): Promise<Subscription[] | null> {
  const theirs: Subscription[] = [];
  const now = Date.now();
  for (const id of ids) {
    const answer = await company.show(id);
    if (answer.ok) {
      const { status, customId, lastPayment } = answer.subscription;
      // What has not begun cannot be cancelled; when it does, its account is gone, and that ends it.
      if (customId !== userId || status === 'pending') continue;
      const periodEnd = lastPayment === null ? now : monthAfter(lastPayment.at);
      theirs.push({ id, status, periodEnd, updatedAt: now });
    } else if (answer.code !== 'unknown') {
      tell(`agreed to, and ${answer.reason}`);
      return null;
    }
  }
  return theirs;
}

/**
 * Ends whatever somebody is billed for, before anything of theirs goes: nobody is to pay for an account that is no more.
 * What counts is our row of the subscription, and what they have agreed to of which none is made yet. A plan without either
 * was given by the operator: nobody is billed for it, and it goes with the account. What cannot be cancelled, also because
 * PayPal is not set up any more, keeps the account.
 * @returns the subscription whose end is to be told: that of just now, or of a try before; null when there is none
 */
export async function endMembership(
  { db, settings }: ServiceContext,
  userId: string,
): Promise<Result<EndedSubscription | null, 'membership_not_cancelled'>> {
  const tell = (reason: string): void => log('membership_not_cancelled', { reason });
  const [known, claims] = await Promise.all([subscriptionsOf(db, userId), openClaimsOf(db, userId)]);
  const { paypal } = settings;
  let ended = known;
  if (known.some(isToBeBilled) || claims.length > 0) {
    if (paypal === undefined) tell('PayPal is not set up');
    const company = paypal && payPalCompany(paypal);
    const agreed = company && (await agreedTo(company, claims, { userId, tell }));
    const done =
      company &&
      agreed &&
      (await endSubscriptions([...known, ...agreed], portsOf(db, company, tell), Date.now()));
    if (!done) return refuse('membership_not_cancelled');
    ended = done;
  }
  const now = Date.now();
  // For as long as a link works, confirming again after a failure says the same as it would have.
  return succeed(endToTell(ended, { now, since: now - DELETION_LINK.lifetimeMs }));
}
