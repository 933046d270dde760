import { signedIn, type Visitor } from './makers.ts';

/** Whoever invited somebody, and what they are owed for it. */

interface Owed {
  amount_cents: number;
  currency: string;
  status: string;
  at: string;
}
export const commissionsOf = async (me: Visitor): Promise<Owed[]> =>
  (await me.ask<{ commissions: Owed[] }>('/api/invites')).commissions;
/** What is owed to somebody, as sums and what became of them, the smallest first. */
export const sums = async (me: Visitor): Promise<[number, string][]> =>
  (await commissionsOf(me))
    .map(({ amount_cents, status }): [number, string] => [amount_cents, status])
    .toSorted();

/** Somebody, and whom they invited. */
export async function invited(): Promise<{ inviter: Visitor; me: Visitor }> {
  const inviter = await signedIn();
  const { code } = await inviter.ask<{ code: string }>('/api/invites', { method: 'POST' });
  const me = await signedIn();
  await me.ask('/api/onboarding', { json: { invite_code: code } });
  return { inviter, me };
}

export const admin = (): Promise<Visitor> => signedIn('admin@localhost.test');

interface PayoutList {
  items: { user_id: string; amount_cents: number }[];
  paid: { user_id: string; amount_cents: number; note: string }[];
}
export const payoutList = async (by?: Visitor): Promise<PayoutList> =>
  (by ?? (await admin())).ask<PayoutList>('/api/admin/payouts');

/** What the operator owes somebody; nothing for whoever is not in their list. */
export const dueTo = async (to: Visitor, by?: Visitor): Promise<number> =>
  (await payoutList(by)).items.find(({ user_id }) => user_id === to.id)?.amount_cents ?? 0;

/** Writes down that somebody was paid. @param cents what was paid; without it, what the list says */
export async function payOut(
  to: Visitor,
  { by, cents }: { by?: Visitor; cents?: number } = {},
): Promise<Response> {
  const operator = by ?? (await admin());
  const amount = cents ?? (await dueTo(to, operator));
  return operator.call('/api/admin/payouts', {
    json: { user_id: to.id, amount_cents: amount === 0 ? 1 : amount, note: 'Transfer 1' },
  });
}
