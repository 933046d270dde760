import type { AgreementKind } from './paypal-in-memory.ts';
import type { SpendingStep } from './spending-simulation.ts';

/** What goes wrong on the way: the power fails at a step, or PayPal does not answer a question. */
export type InjectedFault =
  | { power: number; acts: boolean }
  | { payPal: 'show' | 'transactions' | 'cancel' | 'verify'; acts: boolean }
  | null;

export type MembershipStep =
  | { do: 'wait'; ms: number }
  | { do: 'waitUntilDue'; which: number; late: number }
  /** `byOtherUser`: whoever pays has nothing to do with us, and knows our account's id. */
  | { do: 'agree'; kind: AgreementKind; pays: boolean; later: boolean; byOtherUser: boolean }
  | { do: 'activate'; which: number; mishap: InjectedFault }
  | { do: 'due'; which: number; pays: 'all' | 'nothing' | 'a cent' }
  | { do: 'back'; which: number; payment: number; cents: number | 'reversed' }
  | { do: 'become'; which: number; act: 'cancel' | 'suspend' | 'expire' | 'activate' }
  | { do: 'downgrade'; mishap: InjectedFault }
  | { do: 'deliver'; which: number; times: number; mishap: InjectedFault }
  | { do: 'lose'; which: number }
  | { do: 'forge'; which: number }
  | { do: 'minute' | 'housekeeping'; mishap: InjectedFault }
  | { do: 'payout' }
  | { do: 'leave'; mishap: InjectedFault }
  | { do: 'speak'; deed: SpendingStep; zone: string | null; times: number; which: number };

/** What goes on when somebody is gone: time, banks, what PayPal tells, and what we do by ourselves. */
export const STEPS_AFTER_DELETION = new Set<MembershipStep['do']>([
  ...(['wait', 'waitUntilDue', 'due', 'back', 'become', 'deliver', 'lose'] as const),
  ...(['minute', 'housekeeping'] as const),
]);
