import { z } from 'zod';

/** The commission that an inviter is owed for one payment of a user they invited. */
export const commissionView = z.object({
  amount_cents: z.number().int(),
  currency: z.string(),
  status: z.enum(['due', 'paid', 'reversed']),
  at: z.string(),
});
export type CommissionView = z.infer<typeof commissionView>;

export const invites = z.object({
  code: z.string().nullable().describe('null until one is asked for'),
  invite_points: z.number().int().describe('what it brings to whoever takes it'),
  commission_percent: z.number().int().describe('of what they pay for a membership'),
  invitee_count: z.number().int(),
  commissions: z.array(commissionView).describe('newest first'),
});
export type Invites = z.infer<typeof invites>;
