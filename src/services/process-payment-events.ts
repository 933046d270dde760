import { BILLING } from '../features/billing/limits.ts';
import { openDatabase } from '../db/open.ts';
import { readEnvironment } from '../env/read-environment.ts';
import { keepUnanswered, toBeAsked } from '../features/billing/reconciliation-queue-store.ts';
import {
  dueEvents,
  putOffEvents,
  removeOldEvents,
  takeEvents,
} from '../features/billing/payment-event-store.ts';
import { endPlans } from '../features/billing/plan-store.ts';
import { PLAN_NAMES } from '../features/billing/plans.ts';
import { describeError } from '../lib/redact.ts';
import type { ServiceContext } from './context.ts';
import { sendMailsSoon } from './deliver-mail.ts';
import { type Cashier, openCashier, settle, tellOfBooks } from './reconcile-subscription.ts';

/** What a deployment's books need. */
type BooksEnv = Env;

/** More events may come of a subscription while it is settled; who has done so often leaves the rest to cron. */
const MAX_ROUNDS = 20;

/** Handles what waits of a subscription: however many events that are, they are one question. */
export async function handleEvents(cashier: Cashier, id: string): Promise<void> {
  const { db } = cashier;
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    if (!(await takeEvents(db, id, Date.now()))) return;
    try {
      await settle(cashier, id);
    } catch (error) {
      tellOfBooks('payment_event_waits', describeError(error));
      const givenUp = await putOffEvents(db, id, Date.now());
      if (givenUp > 0) tellOfBooks('payment_events_given_up', `${givenUp} of ${id}`);
      return;
    }
  }
}

/** Does something for each, a few at a time; what fails does not stop the others. */
async function forEach(ids: readonly string[], work: (id: string) => Promise<unknown>): Promise<void> {
  for (let start = 0; start < ids.length; start += BILLING.atOnce) {
    const some = ids.slice(start, start + BILLING.atOnce);
    await Promise.all(
      some.map((id) => work(id).catch((error: unknown) => tellOfBooks('books_wait', describeError(error)))),
    );
  }
}

/** Every minute: what was told of and not handled then. */
export async function handleDueEvents(env: BooksEnv, now: number): Promise<void> {
  const db = openDatabase(env.DB);
  const due = await dueEvents(db, now);
  if (due.length === 0) return;
  const cashier = await openCashier(env, db, readEnvironment(env));
  if (cashier !== null) await forEach(due, (id) => handleEvents(cashier, id));
}

/** Asks after one that nobody told of; one that gets no answer waits for its turn again. */
async function askAfter(cashier: Cashier, id: string): Promise<void> {
  try {
    await settle(cashier, id);
  } catch (error) {
    await keepUnanswered(cashier.db, id, Date.now());
    throw error;
  }
}

/**
 * Housekeeping: asks after what runs and nobody told of, so that a lost event costs a day at most, and ends the plans that
 * are paid for no longer.
 */
export async function reconcile(env: BooksEnv, now: number): Promise<void> {
  const db = openDatabase(env.DB);
  const settings = readEnvironment(env);
  const cashier = await openCashier(env, db, settings);
  if (cashier !== null) await forEach(await toBeAsked(db, now), (id) => askAfter(cashier, id));
  await endPlans(db, { site: settings.siteUrl ?? null, names: PLAN_NAMES, now });
  await removeOldEvents(db, now);
}

/** Sends what a settling had to tell somebody, without keeping anybody waiting. */
export function tellSoon(context: ServiceContext, userId: string): void {
  if (context.settings.siteUrl !== undefined) sendMailsSoon(context, userId);
}
