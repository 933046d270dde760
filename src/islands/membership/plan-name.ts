import type { Plan } from '../../features/billing/contract.ts';
import type { TranslateFn } from '../shared/i18n.tsx';

/** What a plan is called here: names stay as they are, and what costs nothing is said in the reader's language. */
export function getPlanName(
  id: Plan['id'],
  plans: readonly Plan[],
  words: TranslateFn<'membership'>,
): string {
  return id === 'free' ? words('free') : (plans.find((plan) => plan.id === id)?.name ?? id);
}
