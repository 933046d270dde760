import { createAccount, type Visitor } from './factories.ts';

/** Inviters and their commissions. */

interface OwedCommission {
  amount_cents: number;
  currency: string;
  status: string;
  at: string;
}
export const listCommissions = async (me: Visitor): Promise<OwedCommission[]> =>
  (await me.ask<{ commissions: OwedCommission[] }>('/api/invites')).commissions;
/** A user's commissions as amounts and states, the smallest first. */
export const listCommissionAmounts = async (me: Visitor): Promise<[number, string][]> =>
  (await listCommissions(me))
    .map(({ amount_cents, status }): [number, string] => [amount_cents, status])
    .toSorted();

/** Creates an inviter and an invited user. */
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

/** The amount due to a user; 0 if the list of payouts does not contain them. */
export const getAmountDue = async (to: Visitor, by?: Visitor): Promise<number> =>
  (await readPayouts(by)).items.find(({ user_id }) => user_id === to.id)?.amount_cents ?? 0;

/** Records a payout. @param cents the amount; by default the one in the list */
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
