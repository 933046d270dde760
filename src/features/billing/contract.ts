import { z } from 'zod';

/** A subscription of which PayPal says that it is over. */
export const endedSubscription = z.object({
  id: z.string().describe('PayPal’s own'),
  status: z.enum(['cancelled', 'expired']),
  paid_until: z.iso.datetime(),
});
export type EndedSubscription = z.infer<typeof endedSubscription>;
