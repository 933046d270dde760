import type { Context } from 'hono';
import { DELETION_LINK } from '../config.ts';
import type { EndedSubscription } from '../features/billing/contract.ts';
import type { PaymentCompany } from '../features/billing/payment-company.ts';
import { endSubscriptions, type EndPorts } from '../features/billing/subscription-end.ts';
import { endToTell, isToBeBilled } from '../features/billing/subscription-rules.ts';
import { keepStatus, subscriptionsOf } from '../features/billing/subscription-store.ts';
import type { ApiEnv } from './context.ts';
import { payPalCompany } from './payment-company.ts';
import { Problem } from './problems.ts';

/** What PayPal writes into its records of the cancellation, for both sides to read. */
const REASON = 'The account was deleted by its owner.';

function portsOf(c: Context<ApiEnv>, company: PaymentCompany, tell: (reason: string) => void): EndPorts {
  return {
    cancel: (id) => company.cancel(id, REASON),
    show: async (id) => {
      const answer = await company.show(id);
      return answer.ok ? { ok: true, status: answer.subscription.status } : answer;
    },
    keep: (id, status) => keepStatus(c.get('db'), { id, status, now: Date.now() }),
    tell,
  };
}

/**
 * Ends whatever somebody is billed for, before anything of theirs goes: nobody is to pay for an account that is no more.
 * What counts is our row of the subscription. A plan without one was given by the operator: nobody is billed for it, and
 * it goes with the account. A row whose subscription cannot be cancelled, also because PayPal is not set up any more,
 * keeps the account.
 * @returns the subscription whose end is to be told: that of just now, or of a try before; null when there is none
 * @throws Problem `membership_not_cancelled`
 */
export async function endMembership(c: Context<ApiEnv>, userId: string): Promise<EndedSubscription | null> {
  const tell = (reason: string): void =>
    console.error(
      JSON.stringify({ event: 'membership_not_cancelled', request_id: c.get('requestId'), reason }),
    );
  const all = await subscriptionsOf(c.get('db'), userId);
  const { paypal } = c.get('settings');
  let ended = all;
  if (all.some(isToBeBilled)) {
    if (paypal === undefined) tell('PayPal is not set up');
    const done = paypal && (await endSubscriptions(all, portsOf(c, payPalCompany(paypal), tell), Date.now()));
    if (!done) throw new Problem('membership_not_cancelled');
    ended = done;
  }
  const now = Date.now();
  // For as long as a link works, confirming again after a failure says the same as it would have.
  return endToTell(ended, { now, since: now - DELETION_LINK.lifetimeMs });
}
