import { type Context, Hono } from 'hono';
import type { SessionUser } from '../../../features/account/contract.ts';
import { readUser } from '../../../features/account/session.ts';
import { beginSubscription, ownerOf } from '../../../features/billing/subscription-state-store.ts';
import { activateBody, type SubscriptionView, subscriptionView } from '../../../features/billing/contract.ts';
import { keepMiss, mayNameAgainAt } from '../../../features/billing/missed-claims-store.ts';
import { dropClaim, isClaimed, keepClaim } from '../../../features/billing/payment-event-store.ts';
import { keptPlanOf, membershipsOf } from '../../../features/billing/plan-store.ts';
import { END_PAUSES_MS } from '../../../features/billing/subscription-end.ts';
import { isToBeBilled } from '../../../features/billing/subscription-rules.ts';
import { keepStatus } from '../../../features/billing/subscription-store.ts';
import { viewOf } from '../../../features/billing/subscription-view.ts';
import type { LogEvent } from '../../../lib/log.ts';
import { describeError } from '../../../lib/redact.ts';
import { type ApiEnv, serviceContext } from '../../middleware/context.ts';
import { answers } from '../../openapi/openapi-route.ts';
import { requireAccount, requireCaller } from '../../middleware/guards.ts';
import { tellSoon } from '../../../services/process-payment-events.ts';
import { Problem, type ProblemCode, secondsUntil } from '../../middleware/problems.ts';
import {
  agreedTo,
  cancelRefused,
  openCashier,
  type Cashier,
  pause,
  settle,
  tellOfBooks,
  termsOf,
} from '../../../services/reconcile-subscription.ts';
import { valid } from '../../middleware/validate.ts';

/** What PayPal writes into its records of the cancellation, for both sides to read. */
const REASON = 'The membership was cancelled by its owner.';

const cashierOf = (c: Context<ApiEnv>) => openCashier(c.env, c.get('db'), c.get('settings'));

/** A membership as it is by now, for whoever just changed it. */
async function viewNow(c: Context<ApiEnv>, { id, is_anonymous }: SessionUser): Promise<SubscriptionView> {
  const db = c.get('db');
  const [cashier, subscriptions, kept, user] = await Promise.all([
    cashierOf(c),
    membershipsOf(db, id),
    keptPlanOf(db, id),
    readUser(db, id, c.get('settings')),
  ]);
  const offer = is_anonymous ? null : (cashier?.offer ?? null);
  const client =
    cashier === null || offer === null
      ? null
      : {
          client_id: cashier.paypal.clientId,
          sdk_base: cashier.paypal.sdkBase,
          plan_id: offer.planId,
          custom_id: id,
        };
  return viewOf(user?.plan ?? 'free', subscriptions, { ...kept, client, now: Date.now() });
}

/** What the books are asked while somebody waits for it. @throws Problem where it is to be tried again */
async function orProblem<Answer>(code: ProblemCode & LogEvent, work: Promise<Answer>): Promise<Answer> {
  try {
    return await work;
  } catch (error) {
    tellOfBooks(code, describeError(error));
    throw new Problem(code);
  }
}

/**
 * Waits a little for what PayPal has taken to be so in its answers as well. It may be slow to say it, and its word that it
 * was cancelled is written down then; should it not be so after all, reconciliation finds that out.
 */
async function cancelledSoon(cashier: Cashier, id: string): Promise<void> {
  const { db } = cashier;
  const runs = async () => {
    const known = await ownerOf(db, id);
    return known !== null && isToBeBilled(known);
  };
  for (const ms of END_PAUSES_MS) {
    if (!(await runs())) return;
    await pause(ms);
    await orProblem('downgrade_failed', settle(cashier, id));
  }
  if (!(await runs())) return;
  tellOfBooks('cancellation_waits', 'cancel was taken, and it is said to run still');
  await keepStatus(db, { id, status: 'cancelled', now: Date.now() });
}

/** Where the call to cancel is not taken, only the fresh question says what became of it. @throws Problem */
async function cancelOwn(cashier: Cashier, id: string): Promise<void> {
  const cancelled = await cashier.company.cancel(id, REASON);
  if (!cancelled.ok) tellOfBooks('downgrade_refused', cancelled.reason);
  await orProblem('downgrade_failed', settle(cashier, id));
  if (cancelled.ok) await cancelledSoon(cashier, id);
}

/** PayPal's ids are such; about anything else it need not be asked. */
const ID = /^[\w-]+$/;

export const subscription = new Hono<ApiEnv>()
  .get(
    '/',
    answers('One’s membership, and what it takes to begin one', { 200: subscriptionView }),
    async (c) => {
      const { user } = await requireCaller(c);
      return c.json(await viewNow(c, user));
    },
  )
  .post(
    '/activate',
    answers('Begin a membership by a subscription that was agreed to at PayPal', { 200: subscriptionView }),
    valid('json', activateBody),
    async (c) => {
      const { user } = await requireAccount(c);
      const { subscription_id: id } = c.req.valid('json');
      const cashier = await cashierOf(c);
      if (cashier === null) throw new Problem('payments_unavailable');
      const { db, company, offer } = cashier;
      if (!ID.test(id)) throw new Problem('subscription_unknown');
      const owner = await ownerOf(db, id);
      if (owner !== null && owner.userId !== user.id) throw new Problem('subscription_used');
      const claim = { userId: user.id, subscriptionId: id };
      const againAt = owner === null ? await mayNameAgainAt(db, user.id, Date.now()) : null;
      if (againAt !== null) throw new Problem('too_many_requests', {}, secondsUntil(againAt, Date.now()));
      const isSaid = owner?.isSettled === true && (await isClaimed(db, claim));
      if (isSaid) return c.json(await viewNow(c, user));
      // Written down before PayPal is asked: should no answer come, cron asks for it (payment-events.ts).
      await keepClaim(db, claim, Date.now());
      if (owner?.isSettled === true) {
        // PayPal told of it first. That it is theirs may end another, and cron does what does not succeed now.
        await settle(cashier, id).catch((error: unknown) => tellOfBooks('claim_waits', describeError(error)));
        // What was over before its owner came back from PayPal begins no membership, whoever told of it first.
        if ((await ownerOf(db, id))?.status !== 'active') {
          await dropClaim(db, claim);
          throw new Problem('subscription_not_active');
        }
        return c.json(await viewNow(c, user));
      }
      const answer = await company.show(id);
      if (!answer.ok) {
        if (answer.code === 'unknown') {
          await Promise.all([dropClaim(db, claim), keepMiss(db, user.id, Date.now())]);
          throw new Problem('subscription_unknown');
        }
        tellOfBooks('paypal_unavailable', answer.reason);
        throw new Problem('paypal_unavailable');
      }
      const told = answer.subscription;
      const { offer: agreed, refusal } = await orProblem(
        'paypal_unavailable',
        agreedTo(cashier, told, { userId: user.id, isToBeActive: true }),
      );
      if (refusal !== null) {
        // It may have been for sale before: what they said is kept, and looked into when something is again.
        if (offer === null) throw new Problem('payments_unavailable');
        const isOther = refusal === 'subscription_foreign';
        const isToCome = refusal === 'subscription_not_active';
        // Theirs, and not for sale here: it is not to be billed either. Where that is not sure, cron sees to it.
        const isEnded = isOther || isToCome || (await cancelRefused(cashier, told, refusal));
        // What has not begun yet may begin in a moment.
        if (isOther) await keepMiss(db, user.id, Date.now());
        if (isOther || (isEnded && told.status !== 'pending')) await dropClaim(db, claim);
        throw new Problem(refusal);
      }
      await beginSubscription(db, { ...termsOf(told, agreed), userId: user.id, now: Date.now() });
      // Of two at once, one may have been somebody else's.
      if ((await ownerOf(db, id))?.userId !== user.id) throw new Problem('subscription_used');
      await orProblem('paypal_unavailable', settle(cashier, id, told));
      tellSoon(serviceContext(c), user.id);
      return c.json(await viewNow(c, user));
    },
  )
  .post(
    '/downgrade',
    answers('Go back to the free plan when what is paid for ends', { 200: subscriptionView }),
    async (c) => {
      const { user } = await requireAccount(c);
      const all = await membershipsOf(c.get('db'), user.id);
      const running = all.filter(isToBeBilled);
      if (running.length === 0) {
        const view = await viewNow(c, user);
        // Said again, it is done already.
        if (!view.pending_downgrade) throw new Problem('no_subscription');
        return c.json(view);
      }
      const cashier = await cashierOf(c);
      if (cashier === null) throw new Problem('payments_unavailable');
      // What cannot be found out of one is no reason to leave the others running.
      let failed: unknown;
      for (const { id } of running) await cancelOwn(cashier, id).catch((error: unknown) => (failed = error));
      if (failed !== undefined) throw failed;
      const left = await membershipsOf(c.get('db'), user.id);
      if (left.some(isToBeBilled)) throw new Problem('downgrade_failed');
      return c.json(await viewNow(c, user));
    },
  );
