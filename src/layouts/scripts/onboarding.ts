import { startOnboarding } from '../../islands/onboarding/onboarding-state.ts';
import { getSession } from '../../islands/shared/session-state.ts';

/**
 * Opens the onboarding for an account at an address with `?onboarding=display` (docs/product.md), once per address.
 */
export async function setUpOnboarding(): Promise<void> {
  const { user } = await getSession();
  if (user === null || user.is_anonymous) return;
  const { reload, asked: isPending } = await startOnboarding(user);
  // Loading the dialog failed: keep the parameter, so that a reload asks again.
  if (!isPending) return;
  const address = new URL(location.href);
  address.searchParams.delete('onboarding');
  history.replaceState(history.state, '', address);
  if (reload) location.reload();
}
