import { savePendingInvite } from '../../islands/onboarding/pending-invite.ts';
import { getDeviceStorage } from '../../islands/shared/device-storage.ts';

/** Stores the code of an invite link (`/?invite=CODE`) on this device until the reader's onboarding. */
export function saveInviteFromUrl(): void {
  const code = new URLSearchParams(location.search).get('invite');
  if (code !== null) savePendingInvite(getDeviceStorage(), code);
}
