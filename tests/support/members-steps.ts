import type { Kind } from './paypal-in-memory.ts';
import type { Deed } from './spending.ts';

/** What goes wrong on the way: the power fails at a step, or PayPal does not answer a question. */
export type Mishap =
  | { power: number; acts: boolean }
  | { payPal: 'show' | 'transactions' | 'cancel' | 'verify'; acts: boolean }
  | null;

export type Step =
  | { do: 'wait'; ms: number }
  | { do: 'waitUntilDue'; which: number; late: number }
  /** `byStranger`: whoever pays has nothing to do with us, and knows our account's id. */
  | { do: 'agree'; kind: Kind; pays: boolean; later: boolean; byStranger: boolean }
  | { do: 'activate'; which: number; mishap: Mishap }
  | { do: 'due'; which: number; pays: 'all' | 'nothing' | 'a cent' }
  | { do: 'back'; which: number; payment: number; cents: number | 'reversed' }
  | { do: 'become'; which: number; act: 'cancel' | 'suspend' | 'expire' | 'activate' }
  | { do: 'downgrade'; mishap: Mishap }
  | { do: 'deliver'; which: number; times: number; mishap: Mishap }
  | { do: 'lose'; which: number }
  | { do: 'forge'; which: number }
  | { do: 'minute' | 'housekeeping'; mishap: Mishap }
  | { do: 'payout' }
  | { do: 'leave'; mishap: Mishap }
  | { do: 'speak'; deed: Deed; zone: string | null; times: number; which: number };

/** What goes on when somebody is gone: time, banks, what PayPal tells, and what we do by ourselves. */
export const AFTER_LEAVING = new Set<Step['do']>([
  ...(['wait', 'waitUntilDue', 'due', 'back', 'become', 'deliver', 'lose'] as const),
  ...(['minute', 'housekeeping'] as const),
]);
