import type { Plan } from '../../features/billing/contract.ts';
import type { TranslateFn } from '../shared/i18n.tsx';

/** The display name of a plan; only the free plan's name is translated. */
export function getPlanName(
  id: Plan['id'],
  plans: readonly Plan[],
  words: TranslateFn<'membership'>,
): string {
  return id === 'free' ? words('planFree') : (plans.find((plan) => plan.id === id)?.name ?? id);
}
