import { and, eq, gt, isNotNull, isNull, lte, or, sql } from 'drizzle-orm';
import { BILLING } from '../../config.ts';
import { paymentEvents, payments, refunds } from '../../db/billing-schema.ts';
import type { Database } from '../../db/open.ts';
import { reversalId } from './books-store.ts';
import type { CompanyEvent } from './payment-company.ts';

/**
 * Writes down what the company told, once, however often it tells it. What went back is in the books with that: it needs
 * no answer, and may be told of before the payment is.
 * @returns the subscription that is to be settled; null when there is nothing to do
 */
export async function keepEvent(db: Database, event: CompanyEvent, now: number): Promise<string | null> {
  const { id, kind, payment } = event;
  const paymentId = payment === null || payment.what === 'completed' ? null : payment.paymentId;
  const subscriptionId =
    event.subscriptionId === null && paymentId !== null
      ? sql`(select ${payments.subscriptionId} from ${payments} where ${payments.id} = ${paymentId})`
      : event.subscriptionId;
  const insert = db
    .insert(paymentEvents)
    .values({
      id,
      kind,
      subscriptionId,
      payment: payment === null ? null : JSON.stringify(payment),
      receivedAt: now,
      tryAt: now,
    })
    .onConflictDoNothing()
    .returning({ subscriptionId: paymentEvents.subscriptionId });
  // About no subscription that is known, it has said all that it can.
  const settled = db
    .update(paymentEvents)
    .set({ handledAt: now })
    .where(
      and(eq(paymentEvents.id, id), isNull(paymentEvents.handledAt), isNull(paymentEvents.subscriptionId)),
    );
  const back =
    payment === null || payment.what === 'completed'
      ? []
      : [
          db
            .insert(refunds)
            .values(
              payment.what === 'refund'
                ? {
                    id: payment.id,
                    paymentId: payment.paymentId,
                    amountCents: payment.amountCents,
                    createdAt: now,
                  }
                : {
                    id: reversalId(payment.paymentId),
                    paymentId: payment.paymentId,
                    amountCents: 0,
                    createdAt: now,
                  },
            )
            .onConflictDoNothing(),
        ];
  const [kept] = await db.batch([insert, settled, ...back]);
  return kept[0]?.subscriptionId ?? null;
}

const waits = (subscriptionId: string) =>
  and(eq(paymentEvents.subscriptionId, subscriptionId), isNull(paymentEvents.handledAt));

/**
 * Takes what waits of a subscription, for one who will settle it: of many events at once one asks, and the others are in
 * its answer. Whoever took it and died is waited for no longer than a lease.
 * @returns false when there is nothing, or somebody is at it
 */
export async function takeEvents(db: Database, subscriptionId: string, now: number): Promise<boolean> {
  const until = now + BILLING.leaseMs;
  const taken = await db
    .update(paymentEvents)
    .set({ tries: sql`${paymentEvents.tries} + 1`, tryAt: until })
    .where(
      and(
        waits(subscriptionId),
        // One that failed before and waits for longer is not held by anybody.
        or(lte(paymentEvents.tryAt, now), gt(paymentEvents.tryAt, until)),
        sql`exists (select 1 from payment_events as due where due.subscription_id = ${subscriptionId}
          and due.handled_at is null and due.try_at <= ${now})`,
        sql`not exists (select 1 from payment_events as held where held.subscription_id = ${subscriptionId}
          and held.handled_at is null and held.tries > 0 and held.try_at > ${now} and held.try_at <= ${until})`,
      ),
    )
    .returning({ id: paymentEvents.id });
  return taken.length > 0;
}

/** Has what could not be handled wait for longer each time. @returns how many were given up */
export async function putOffEvents(db: Database, subscriptionId: string, now: number): Promise<number> {
  const pauses = JSON.stringify(BILLING.eventPausesMs);
  const isLast = sql`${paymentEvents.tries} > ${BILLING.eventPausesMs.length}`;
  const [, givenUp] = await db.batch([
    db
      .update(paymentEvents)
      .set({ tryAt: sql`${now} + json_extract(${pauses}, '$[' || (${paymentEvents.tries} - 1) || ']')` })
      .where(and(waits(subscriptionId), gt(paymentEvents.tries, 0), sql`not (${isLast})`)),
    db
      .update(paymentEvents)
      .set({ handledAt: now })
      .where(and(waits(subscriptionId), isLast))
      .returning({ id: paymentEvents.id }),
  ]);
  return givenUp.length;
}

/** Writes down that what waits of a subscription concerns nobody here. */
export async function dropEvents(db: Database, subscriptionId: string, now: number): Promise<void> {
  await db.update(paymentEvents).set({ handledAt: now }).where(waits(subscriptionId));
}

/** Whether a payment waits to be written down for a subscription. */
export async function awaitsPayment(db: Database, subscriptionId: string): Promise<boolean> {
  const row = await db
    .select({ id: paymentEvents.id })
    .from(paymentEvents)
    .where(and(waits(subscriptionId), isNotNull(paymentEvents.payment)))
    .get();
  return row !== undefined;
}

/** Subscriptions of which something waits whose time has come. */
export async function dueEvents(db: Database, now: number): Promise<string[]> {
  const rows = await db
    .selectDistinct({ id: paymentEvents.subscriptionId })
    .from(paymentEvents)
    .where(
      and(
        isNull(paymentEvents.handledAt),
        lte(paymentEvents.tryAt, now),
        isNotNull(paymentEvents.subscriptionId),
      ),
    )
    .limit(BILLING.handledPerRun);
  return rows.flatMap(({ id }) => (id === null ? [] : [id]));
}

/** Forgets what was handled long ago, and what went back of payments that nobody here ever made. */
export async function removeOldEvents(db: Database, now: number): Promise<void> {
  const old = db
    .select({ id: paymentEvents.id })
    .from(paymentEvents)
    .where(and(lte(paymentEvents.receivedAt, now - BILLING.eventsKeptMs), isNotNull(paymentEvents.handledAt)))
    .limit(BILLING.eventsRemovedPerRun);
  await db.batch([
    db.delete(paymentEvents).where(sql`${paymentEvents.id} in ${old}`),
    db
      .delete(refunds)
      .where(
        and(
          lte(refunds.createdAt, now - BILLING.eventsKeptMs),
          sql`not exists (select 1 from ${payments} where ${payments.id} = ${refunds.paymentId})`,
        ),
      ),
  ]);
}
