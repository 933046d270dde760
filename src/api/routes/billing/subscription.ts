import { type Context, Hono } from 'hono';
import type { SessionUser } from '../../../features/account/contract.ts';
import { readUser } from '../../../features/account/session/session.ts';
import {
  createSubscription,
  getSubscriptionOwner,
} from '../../../features/billing/subscription-state-store.ts';
import { activateBody, type SubscriptionView, subscriptionView } from '../../../features/billing/contract.ts';
import { recordMissedClaim, getNextClaimAt } from '../../../features/billing/missed-claims-store.ts';
import { deleteClaim, isClaimed, saveClaim } from '../../../features/billing/payment-event-store.ts';
import { getStoredPlan, listMemberships } from '../../../features/billing/plan-store.ts';
import { CANCEL_RETRY_DELAYS_MS } from '../../../features/billing/cancel-subscriptions.ts';
import { isBillable } from '../../../features/billing/subscription-rules.ts';
import { saveSubscriptionStatus } from '../../../features/billing/subscription-store.ts';
import { buildSubscriptionView } from '../../../features/billing/subscription-view.ts';
import type { LogEvent } from '../../../lib/log.ts';
import { describeError } from '../../../lib/redact.ts';
import { type ApiEnv, toServiceContext } from '../../middleware/context.ts';
import { describeResponses } from '../../openapi/openapi-route.ts';
import { requireAccount, requireCaller } from '../../middleware/guards.ts';
import { scheduleBillingMail } from '../../../services/process-payment-events.ts';
import { Problem, type ProblemCode, computeSecondsUntil } from '../../middleware/problems.ts';
import {
  resolveAgreement,
  cancelRejected,
  createBillingContext,
  type BillingContext,
  sleep,
  reconcileSubscription,
  logBillingEvent,
  toSubscriptionTerms,
} from '../../../services/reconcile-subscription.ts';
import { validateRequest } from '../../middleware/validate.ts';

/** The reason recorded at PayPal; both sides can read it. */
const CANCELLATION_REASON = 'The membership was cancelled by its owner.';

const getBillingContext = (c: Context<ApiEnv>) => createBillingContext(c.env, c.get('db'), c.get('settings'));

/** Reads the membership again after a change. */
async function readSubscriptionView(
  c: Context<ApiEnv>,
  { id, is_anonymous }: SessionUser,
): Promise<SubscriptionView> {
  const db = c.get('db');
  const [billing, subscriptions, kept, user] = await Promise.all([
    getBillingContext(c),
    listMemberships(db, id),
    getStoredPlan(db, id),
    readUser(db, id, c.get('settings')),
  ]);
  const offer = is_anonymous ? null : (billing?.offer ?? null);
  const client =
    billing === null || offer === null
      ? null
      : {
          client_id: billing.paypal.clientId,
          sdk_base: billing.paypal.sdkBase,
          plan_id: offer.planId,
          custom_id: id,
        };
  return buildSubscriptionView(user?.plan ?? 'free', subscriptions, { ...kept, client, now: Date.now() });
}

/** Runs billing work that a user is waiting for. @throws Problem with `code`, to be tried again */
async function withProblem<Answer>(code: ProblemCode & LogEvent, work: Promise<Answer>): Promise<Answer> {
  try {
    return await work;
  } catch (error) {
    logBillingEvent(code, describeError(error));
    throw new Problem(code);
  }
}

/**
 * Waits until PayPal reports an accepted cancellation. If it takes too long, the subscription is marked as cancelled
 * anyway; reconciliation corrects that if it turns out wrong.
 */
async function waitForCancellation(billing: BillingContext, id: string): Promise<void> {
  const { db } = billing;
  const isStillBilled = async () => {
    const known = await getSubscriptionOwner(db, id);
    return known !== null && isBillable(known);
  };
  for (const ms of CANCEL_RETRY_DELAYS_MS) {
    if (!(await isStillBilled())) return;
    await sleep(ms);
    await withProblem('downgrade_failed', reconcileSubscription(billing, id));
  }
  if (!(await isStillBilled())) return;
  logBillingEvent('cancellation_deferred', 'cancel was taken, and it is said to run still');
  await saveSubscriptionStatus(db, { id, status: 'cancelled', now: Date.now() });
}

/**
 * Cancels a subscription and reconciles it; when PayPal refuses the call, only the reconciliation shows the real state.
 * @throws Problem
 */
async function cancelOwnSubscription(billing: BillingContext, id: string): Promise<void> {
  const cancelled = await billing.company.cancelSubscription(id, CANCELLATION_REASON);
  if (!cancelled.ok) logBillingEvent('downgrade_refused', cancelled.reason);
  await withProblem('downgrade_failed', reconcileSubscription(billing, id));
  if (cancelled.ok) await waitForCancellation(billing, id);
}

/** The form of PayPal's ids; no request is made for anything else. */
const SUBSCRIPTION_ID = /^[\w-]+$/;

export const subscription = new Hono<ApiEnv>()
  .get(
    '/',
    describeResponses('Get the user’s membership and the data for starting one', { 200: subscriptionView }),
    async (c) => {
      const { user } = await requireCaller(c);
      return c.json(await readSubscriptionView(c, user));
    },
  )
  .post(
    '/activate',
    describeResponses('Start a membership with a subscription that the user approved at PayPal', {
      200: subscriptionView,
    }),
    validateRequest('json', activateBody),
    async (c) => {
      const { user } = await requireAccount(c);
      const { subscription_id: id } = c.req.valid('json');
      const billing = await getBillingContext(c);
      if (billing === null) throw new Problem('payments_unavailable');
      const { db, company, offer } = billing;
      if (!SUBSCRIPTION_ID.test(id)) throw new Problem('subscription_not_found');
      const owner = await getSubscriptionOwner(db, id);
      if (owner !== null && owner.userId !== user.id) throw new Problem('subscription_already_claimed');
      const claim = { userId: user.id, subscriptionId: id };
      const retryAt = owner === null ? await getNextClaimAt(db, user.id, Date.now()) : null;
      if (retryAt !== null)
        throw new Problem('too_many_requests', {}, computeSecondsUntil(retryAt, Date.now()));
      const isAlreadyClaimed = owner?.isSettled === true && (await isClaimed(db, claim));
      if (isAlreadyClaimed) return c.json(await readSubscriptionView(c, user));
      // Store the claim before the call to PayPal: if no response arrives, cron retries it (process-payment-events.ts).
      await saveClaim(db, claim, Date.now());
      if (owner?.isSettled === true) {
        // PayPal's event arrived first. The claim may require cancelling another subscription; cron retries what fails
        // now.
        await reconcileSubscription(billing, id).catch((error: unknown) =>
          logBillingEvent('claim_deferred', describeError(error)),
        );
        // A subscription that ended before its owner came back from PayPal starts no membership.
        if ((await getSubscriptionOwner(db, id))?.status !== 'active') {
          await deleteClaim(db, claim);
          throw new Problem('subscription_not_active');
        }
        return c.json(await readSubscriptionView(c, user));
      }
      const answer = await company.getSubscription(id);
      if (!answer.ok) {
        if (answer.code === 'unknown') {
          await Promise.all([deleteClaim(db, claim), recordMissedClaim(db, user.id, Date.now())]);
          throw new Problem('subscription_not_found');
        }
        logBillingEvent('paypal_unavailable', answer.reason);
        throw new Problem('paypal_unavailable');
      }
      const remote = answer.subscription;
      const { offer: agreed, refusal } = await withProblem(
        'paypal_unavailable',
        resolveAgreement(billing, remote, { userId: user.id, isToBeActive: true }),
      );
      if (refusal !== null) {
        // The plan may have been on sale before: keep the claim until something is on sale again.
        if (offer === null) throw new Problem('payments_unavailable');
        const isOther = refusal === 'subscription_wrong_account';
        const isToCome = refusal === 'subscription_not_active';
        // The caller's subscription to a plan that is not sold here must not be billed. If cancelling fails, cron
        // retries.
        const isEnded = isOther || isToCome || (await cancelRejected(billing, remote, refusal));
        // A pending subscription may start in a moment, so keep its claim.
        if (isOther) await recordMissedClaim(db, user.id, Date.now());
        if (isOther || (isEnded && remote.status !== 'pending')) await deleteClaim(db, claim);
        throw new Problem(refusal);
      }
      await createSubscription(db, {
        ...toSubscriptionTerms(remote, agreed),
        userId: user.id,
        now: Date.now(),
      });
      // A concurrent request of another user may have stored it first.
      if ((await getSubscriptionOwner(db, id))?.userId !== user.id)
        throw new Problem('subscription_already_claimed');
      await withProblem('paypal_unavailable', reconcileSubscription(billing, id, remote));
      scheduleBillingMail(toServiceContext(c), user.id);
      return c.json(await readSubscriptionView(c, user));
    },
  )
  .post(
    '/downgrade',
    describeResponses('Cancel the membership; the free plan starts when the paid period ends', {
      200: subscriptionView,
    }),
    async (c) => {
      const { user } = await requireAccount(c);
      const all = await listMemberships(c.get('db'), user.id);
      const running = all.filter(isBillable);
      if (running.length === 0) {
        const view = await readSubscriptionView(c, user);
        // Repeating a cancellation is not an error.
        if (!view.pending_downgrade) throw new Problem('no_subscription');
        return c.json(view);
      }
      const billing = await getBillingContext(c);
      if (billing === null) throw new Problem('payments_unavailable');
      // Cancel the other subscriptions even when one fails.
      let failed: unknown;
      for (const { id } of running)
        await cancelOwnSubscription(billing, id).catch((error: unknown) => (failed = error));
      if (failed !== undefined) throw failed;
      const left = await listMemberships(c.get('db'), user.id);
      if (left.some(isBillable)) throw new Problem('downgrade_failed');
      return c.json(await readSubscriptionView(c, user));
    },
  );
