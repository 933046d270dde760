import { askToOnboard } from '../../islands/onboarding/onboarding-state.ts';
import { keepInvite } from '../../islands/onboarding/pending-invite.ts';
import { deviceStorage } from '../../islands/shared/device-storage.ts';
import { knownSession } from '../../islands/shared/session-state.ts';

/** An invite link is the home page with `?invite=CODE`: the code waits on this device for its reader's onboarding. */
export function rememberInvite(): void {
  const code = new URLSearchParams(location.search).get('invite');
  if (code !== null) keepInvite(deviceStorage(), code);
}

/** `?onboarding=display` shows the onboarding to whoever has an account (SPEC section 2), once an address. */
export async function wireOnboarding(): Promise<void> {
  if (new URLSearchParams(location.search).get('onboarding') !== 'display') return;
  const { user } = await knownSession();
  if (user === null || user.is_anonymous) return;
  const { reload, asked } = await askToOnboard(user);
  // The page loaded again asks again.
  if (!asked) return;
  const address = new URL(location.href);
  address.searchParams.delete('onboarding');
  history.replaceState(history.state, '', address);
  if (reload) location.reload();
}
