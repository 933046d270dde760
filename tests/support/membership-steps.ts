import type { AgreementKind } from './paypal-in-memory.ts';
import type { SpendingStep } from './spending-simulation.ts';

/** An injected fault: the power fails at a step, or PayPal does not answer a request. */
export type InjectedFault =
  | { power: number; acts: boolean }
  | { payPal: 'show' | 'transactions' | 'cancel' | 'verify'; acts: boolean }
  | null;

export type MembershipStep =
  | { do: 'wait'; ms: number }
  | { do: 'waitUntilDue'; which: number; late: number }
  /** `byOtherUser`: the payer has no account here and knows the id of ours. */
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

/** What still happens after an account's deletion: time, banks, PayPal's events and our own jobs. */
export const STEPS_AFTER_DELETION = new Set<MembershipStep['do']>([
  ...(['wait', 'waitUntilDue', 'due', 'back', 'become', 'deliver', 'lose'] as const),
  ...(['minute', 'housekeeping'] as const),
]);
