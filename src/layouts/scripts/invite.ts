import { startOnboarding } from '../../islands/onboarding/onboarding-state.ts';
import { savePendingInvite } from '../../islands/onboarding/pending-invite.ts';
import { getDeviceStorage } from '../../islands/shared/device-storage.ts';
import { getSession } from '../../islands/shared/session-state.ts';

/** Stores the code of an invite link (`/?invite=CODE`) on this device until the reader's onboarding. */
export function saveInviteFromUrl(): void {
  const code = new URLSearchParams(location.search).get('invite');
  if (code !== null) savePendingInvite(getDeviceStorage(), code);
}

/**
 * Opens the onboarding for an account when the address has `?onboarding=display` (docs/product.md), once per address.
 */
export async function setUpOnboarding(): Promise<void> {
  if (new URLSearchParams(location.search).get('onboarding') !== 'display') return;
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
