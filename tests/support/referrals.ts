import { createAccount, type Visitor } from './factories.ts';

/** Whoever invited somebody, and what they are owed for it. */

interface OwedCommission {
  amount_cents: number;
  currency: string;
  status: string;
  at: string;
}
export const listCommissions = async (me: Visitor): Promise<OwedCommission[]> =>
  (await me.ask<{ commissions: OwedCommission[] }>('/api/invites')).commissions;
/** What is owed to somebody, as sums and what became of them, the smallest first. */
export const listCommissionAmounts = async (me: Visitor): Promise<[number, string][]> =>
  (await listCommissions(me))
    .map(({ amount_cents, status }): [number, string] => [amount_cents, status])
    .toSorted();

/** Somebody, and whom they invited. */
export async function createInvitedUser(): Promise<{ inviter: Visitor; me: Visitor }> {
  const inviter = await createAccount();
  const { code } = await inviter.ask<{ code: string }>('/api/invites', { method: 'POST' });
  const me = await createAccount();
  await me.ask('/api/onboarding', { json: { invite_code: code } });
  return { inviter, me };
}

export const signInAdmin = (): Promise<Visitor> => createAccount('admin@localhost.test');

interface PayoutList {
  items: { user_id: string; amount_cents: number }[];
  paid: { user_id: string; amount_cents: number; note: string }[];
}
export const readPayouts = async (by?: Visitor): Promise<PayoutList> =>
  (by ?? (await signInAdmin())).ask<PayoutList>('/api/admin/payouts');

/** What the operator owes somebody; nothing for whoever is not in their list. */
export const getAmountDue = async (to: Visitor, by?: Visitor): Promise<number> =>
  (await readPayouts(by)).items.find(({ user_id }) => user_id === to.id)?.amount_cents ?? 0;

/** Writes down that somebody was paid. @param cents what was paid; without it, what the list says */
export async function sendPayout(
  to: Visitor,
  { by, cents }: { by?: Visitor; cents?: number } = {},
): Promise<Response> {
  const operator = by ?? (await signInAdmin());
  const amount = cents ?? (await getAmountDue(to, operator));
  return operator.call('/api/admin/payouts', {
    json: { user_id: to.id, amount_cents: amount === 0 ? 1 : amount, note: 'Transfer 1' },
  });
}
