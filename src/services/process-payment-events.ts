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

/** The bindings that billing uses. */
type BillingEnv = Env;

/** New events may arrive during a reconciliation; after this many rounds cron handles the rest. */
const MAX_ROUNDS = 20;

/** Handles the pending events of a subscription; one reconciliation covers all of them. */
export async function handlePaymentEvents(billing: BillingContext, id: string): Promise<void> {
  const { db } = billing;
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    if (!(await lockPaymentEvents(db, id, Date.now()))) return;
    try {
      await reconcileSubscription(billing, id);
    } catch (error) {
      logBillingEvent('payment_event_deferred', describeError(error));
      const abandonedCount = await schedulePaymentEventRetry(db, id, Date.now());
      if (abandonedCount > 0) logBillingEvent('payment_events_abandoned', `${abandonedCount} of ${id}`);
      return;
    }
  }
}

/** Runs work for each id with limited concurrency. Errors are logged and do not stop the others. */
async function forEachInBatches(
  ids: readonly string[],
  work: (id: string) => Promise<unknown>,
): Promise<void> {
  for (let start = 0; start < ids.length; start += BILLING.maxConcurrent) {
    const batch = ids.slice(start, start + BILLING.maxConcurrent);
    await Promise.all(
      batch.map((id) =>
        work(id).catch((error: unknown) => logBillingEvent('reconciliation_deferred', describeError(error))),
      ),
    );
  }
}

/** Handles pending events that are due, every minute. */
export async function handleDuePaymentEvents(env: BillingEnv, now: number): Promise<void> {
  const db = openDatabase(env.DB);
  const due = await listDueSubscriptionIds(db, now);
  if (due.length === 0) return;
  const billing = await createBillingContext(env, db, readEnvironment(env));
  if (billing !== null) await forEachInBatches(due, (id) => handlePaymentEvents(billing, id));
}

/** Reconciles a subscription without an event. One that gets no answer waits for its next turn. */
async function reconcileOne(billing: BillingContext, id: string): Promise<void> {
  try {
    await reconcileSubscription(billing, id);
  } catch (error) {
    await recordUnanswered(billing.db, id, Date.now());
    throw error;
  }
}

/**
 * Reconciles running subscriptions without recent events, so that a lost event delays a change by a day at most, and ends
 * plans whose paid period is over.
 */
export async function reconcileSubscriptions(env: BillingEnv, now: number): Promise<void> {
  const db = openDatabase(env.DB);
  const settings = readEnvironment(env);
  const billing = await createBillingContext(env, db, settings);
  if (billing !== null)
    await forEachInBatches(await listDueForReconciliation(db, now), (id) => reconcileOne(billing, id));
  await endPlans(db, { site: settings.siteUrl ?? null, names: PLAN_NAMES, now });
  await removeOldPaymentEvents(db, now);
}

/** Sends the mails of a reconciliation after the response. */
export function scheduleBillingMail(context: ServiceContext, userId: string): void {
  if (context.settings.siteUrl !== undefined) scheduleMailDelivery(context, userId);
}
