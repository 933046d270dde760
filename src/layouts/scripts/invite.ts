import { normalizeInviteCode } from '../../features/account/invite-code.ts';
import { savePendingInvite } from '../../islands/onboarding/pending-invite.ts';
import { getDeviceStorage } from '../../islands/shared/device-storage.ts';

/**
 * Stores the code of an invite link (`/?invite=CODE`) on this device until the reader's onboarding, and shows who invited
 * them.
 */
export function saveInviteFromUrl(): void {
  const code = normalizeInviteCode(new URLSearchParams(location.search).get('invite') ?? '');
  if (code === null) return;
  savePendingInvite(getDeviceStorage(), code);
  import('./invite-note.ts')
    .then(({ showInviter }) => showInviter(code))
    // The invitation is stored, and the onboarding shows its code.
    .catch(() => {});
}
