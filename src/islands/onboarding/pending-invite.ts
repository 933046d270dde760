import { normalizeInviteCode } from '../../features/account/invite-code.ts';

/** The device keeps the code of an invite link until its reader has an account (docs/product.md). */
const PENDING_INVITE_KEY = 'pending-invite-code';

/** The stored code; empty for none. */
export function readPendingInvite(storage: Storage | null): string {
  try {
    return normalizeInviteCode(storage?.getItem(PENDING_INVITE_KEY) ?? '') ?? '';
  } catch {
    return '';
  }
}

/** Stores the code of an invite link; ignores malformed codes. */
export function savePendingInvite(storage: Storage | null, text: string): void {
  const code = normalizeInviteCode(text);
  if (code === null) return;
  try {
    storage?.setItem(PENDING_INVITE_KEY, code);
  } catch {
    // Storage is blocked; the code can still be typed.
  }
}

export function clearPendingInvite(storage: Storage | null): void {
  try {
    storage?.removeItem(PENDING_INVITE_KEY);
  } catch {
    // Storage is blocked, so it holds no code.
  }
}
