import { BILLING } from '../features/billing/limits.ts';
import { openDatabase } from '../db/open.ts';
import { readEnvironment } from '../env/read-environment.ts';
import {
  recordUnanswered,
  listDueForReconciliation,
} from '../features/billing/reconciliation-queue-store.ts';
import {
  listDueSubscriptionIds,
  schedulePaymentEventRetry,
  removeOldPaymentEvents,
  lockPaymentEvents,
} from '../features/billing/payment-event-store.ts';
import { endPlans } from '../features/billing/plan-store.ts';
import { PLAN_NAMES } from '../features/billing/plans.ts';
import { describeError } from '../lib/redact.ts';
import type { ServiceContext } from './context.ts';
import { scheduleMailDelivery } from './deliver-mail.ts';
import {
  type BillingContext,
  createBillingContext,
  reconcileSubscription,
  logBillingEvent,
} from './reconcile-subscription.ts';

/** What a deployment's books need. */
type BillingEnv = Env;

/** More events may come of a subscription while it is settled; who has done so often leaves the rest to cron. */
const MAX_ROUNDS = 20;

/** Handles what waits of a subscription: however many events that are, they are one question. */
export async function handlePaymentEvents(cashier: BillingContext, id: string): Promise<void> {
  const { db } = cashier;
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    if (!(await lockPaymentEvents(db, id, Date.now()))) return;
    try {
      await reconcileSubscription(cashier, id);
    } catch (error) {
      logBillingEvent('payment_event_waits', describeError(error));
      const abandonedCount = await schedulePaymentEventRetry(db, id, Date.now());
      if (abandonedCount > 0) logBillingEvent('payment_events_given_up', `${abandonedCount} of ${id}`);
      return;
    }
  }
}

/** Does something for each, a few at a time; what fails does not stop the others. */
async function forEachInBatches(
  ids: readonly string[],
  work: (id: string) => Promise<unknown>,
): Promise<void> {
  for (let start = 0; start < ids.length; start += BILLING.maxConcurrent) {
    const batch = ids.slice(start, start + BILLING.maxConcurrent);
    await Promise.all(
      batch.map((id) =>
        work(id).catch((error: unknown) => logBillingEvent('books_wait', describeError(error))),
      ),
    );
  }
}

/** Every minute: what was told of and not handled then. */
export async function handleDuePaymentEvents(env: BillingEnv, now: number): Promise<void> {
  const db = openDatabase(env.DB);
  const due = await listDueSubscriptionIds(db, now);
  if (due.length === 0) return;
  const cashier = await createBillingContext(env, db, readEnvironment(env));
  if (cashier !== null) await forEachInBatches(due, (id) => handlePaymentEvents(cashier, id));
}

/** Asks after one that nobody told of; one that gets no answer waits for its turn again. */
async function reconcileOne(cashier: BillingContext, id: string): Promise<void> {
  try {
    await reconcileSubscription(cashier, id);
  } catch (error) {
    await recordUnanswered(cashier.db, id, Date.now());
    throw error;
  }
}

/**
 * Housekeeping: asks after what runs and nobody told of, so that a lost event costs a day at most, and ends the plans that
 * are paid for no longer.
 */
export async function reconcileSubscriptions(env: BillingEnv, now: number): Promise<void> {
  const db = openDatabase(env.DB);
  const settings = readEnvironment(env);
  const cashier = await createBillingContext(env, db, settings);
  if (cashier !== null)
    await forEachInBatches(await listDueForReconciliation(db, now), (id) => reconcileOne(cashier, id));
  await endPlans(db, { site: settings.siteUrl ?? null, names: PLAN_NAMES, now });
  await removeOldPaymentEvents(db, now);
}

/** Sends what a settling had to tell somebody, without keeping anybody waiting. */
export function scheduleBillingMail(context: ServiceContext, userId: string): void {
  if (context.settings.siteUrl !== undefined) scheduleMailDelivery(context, userId);
}
