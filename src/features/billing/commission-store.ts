import { eq } from 'drizzle-orm';
import type { BatchItem } from 'drizzle-orm/batch';
import { commissions } from '../../db/schema/billing.ts';
import type { Database } from '../../db/open.ts';
import { createId } from '../../lib/ids.ts';
import type { Payment } from './subscription-state.ts';
import type { Commission, CommissionChange } from './commission.ts';

/** Statements of a commission change, for the batch that saves its payment. */
export function buildCommissionStatements(
  db: Database,
  { payment, change }: { payment: Payment; change: CommissionChange },
  {
    row,
    inviterId,
    commissions: known,
    now,
  }: {
    row: { userId: string };
    inviterId: string | null;
    commissions: readonly (Commission & { inviterId: string })[];
    now: number;
  },
): BatchItem<'sqlite'>[] {
  const owed = {
    id: createId(now),
    inviteeId: row.userId,
    currency: payment.currency,
    payoutId: null,
    createdAt: now,
  };
  if (change.do === 'begin') {
    if (inviterId === null) return [];
    const { amountCents, percent } = change;
    return [
      db
        .insert(commissions)
        .values({ ...owed, inviterId, paymentId: payment.id, percent, amountCents, status: 'due' })
        .onConflictDoNothing(),
    ];
  }
  const which = eq(commissions.id, change.id);
  if (change.do === 'reverse') return [db.update(commissions).set({ status: 'reversed' }).where(which)];
  const shrunk = db.update(commissions).set({ amountCents: change.amountCents }).where(which);
  const before = known.find(({ id }) => id === change.id);
  if (change.do === 'shrink' || before === undefined) return [shrunk];
  const { paymentId, reversedCents } = change;
  const { payoutId, createdAt } = before;
  return [
    shrunk,
    db
      .insert(commissions)
      .values({
        ...owed,
        inviterId: before.inviterId,
        paymentId,
        amountCents: reversedCents,
        status: 'reversed',
        payoutId,
        createdAt,
      })
      .onConflictDoNothing(),
  ];
}
