import { z } from 'zod';

/** The commission that an inviter is owed for one payment of a user they invited. */
export const commissionView = z.object({
  amount_cents: z.number().int(),
  currency: z.string(),
  status: z.enum(['due', 'paid', 'reversed']),
  at: z.string(),
});
export type CommissionView = z.infer<typeof commissionView>;

/** The answer about an invite code. */
export const inviter = z.object({
  inviter_name: z
    .string()
    .nullable()
    .describe('Null for an unknown code, and for one of a suspended account'),
});

export const invites = z.object({
  code: z.string().nullable().describe('Null until requested'),
  invite_points: z.number().int().describe('Points for a user who accepts the invitation'),
  commission_percent: z.number().int().describe('Share of the invitees’ membership payments, in percent'),
  invitee_count: z.number().int(),
  commissions: z.array(commissionView).describe('Newest first'),
});
export type Invites = z.infer<typeof invites>;
