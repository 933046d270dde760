import { startOnboarding } from '../../islands/onboarding/onboarding-state.ts';
import { savePendingInvite } from '../../islands/onboarding/pending-invite.ts';
import { getDeviceStorage } from '../../islands/shared/device-storage.ts';
import { getSession } from '../../islands/shared/session-state.ts';

/** An invite link is the home page with `?invite=CODE`: the code waits on this device for its reader's onboarding. */
export function saveInviteFromUrl(): void {
  const code = new URLSearchParams(location.search).get('invite');
  if (code !== null) savePendingInvite(getDeviceStorage(), code);
}

/** `?onboarding=display` shows the onboarding to whoever has an account (SPEC section 2), once an address. */
export async function setUpOnboarding(): Promise<void> {
  if (new URLSearchParams(location.search).get('onboarding') !== 'display') return;
  const { user } = await getSession();
  if (user === null || user.is_anonymous) return;
  const { reload, asked: isPending } = await startOnboarding(user);
  // The page loaded again asks again.
  if (!isPending) return;
  const address = new URL(location.href);
  address.searchParams.delete('onboarding');
  history.replaceState(history.state, '', address);
  if (reload) location.reload();
}
