import { normalizeInviteCode } from '../../features/account/invite-code.ts';

/** SPEC section 3: the device keeps the code of an invite link until its reader has an account. */
const PENDING_INVITE_KEY = 'pending-invite-code';

/** The code that this device keeps; empty where there is none. */
export function readPendingInvite(storage: Storage | null): string {
  try {
    return normalizeInviteCode(storage?.getItem(PENDING_INVITE_KEY) ?? '') ?? '';
  } catch {
    return '';
  }
}

/** Keeps the code of an invite link; what cannot be a code is left alone. */
export function savePendingInvite(storage: Storage | null, text: string): void {
  const code = normalizeInviteCode(text);
  if (code === null) return;
  try {
    storage?.setItem(PENDING_INVITE_KEY, code);
  } catch {
    // A closed storage keeps nothing: the code can still be typed.
  }
}

export function clearPendingInvite(storage: Storage | null): void {
  try {
    storage?.removeItem(PENDING_INVITE_KEY);
  } catch {
    // What may not be opened holds no code of ours.
  }
}
