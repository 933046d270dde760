import { z } from 'zod';
import { TEXT_LIMITS } from '../../../config/text-limits.ts';
import { endedSubscription } from '../../billing/contract.ts';

/** The error for an address that is not the account's (docs/product.md). */
export const EMAIL_MISMATCH = 'Email address does not match your account';

export const deletionRequestBody = z.strictObject({
  /** Only compared with the account's address, so any text is accepted. The comparison ignores surrounding blanks. */
  email: z.string().max(TEXT_LIMITS.email + 100, EMAIL_MISMATCH),
});

export const deletionRequestResponse = z.object({
  sent: z.literal(true),
  expires_in: z.number().int().describe('In seconds'),
});

/** Upper bound for our own tokens; a longer text cannot be one. */
const MAX_TOKEN_CHARS = 200;

export const deletionConfirmBody = z.strictObject({ token: z.string().max(MAX_TOKEN_CHARS) });

export const deletionConfirmResponse = z.object({
  deleted: z.literal(true),
  membership: z
    .enum(['none', 'cancelled', 'expired'])
    .describe('Final state of a paid membership; `none` without one'),
  subscription: endedSubscription
    .nullable()
    .describe('The ended subscription as PayPal confirms it; null if there is none'),
});
export type DeletionConfirmResponse = z.infer<typeof deletionConfirmResponse>;
