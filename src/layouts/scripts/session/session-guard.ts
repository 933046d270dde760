import { parseDeviceSession } from '../../../islands/shared/device-session/device-session.ts';
import {
  acceptDeviceSession,
  applySession,
  checkDeviceSession,
  waitForLogins,
} from '../../../islands/shared/device-session/end-session.ts';
import { DEVICE_SESSION_KEY } from '../../../islands/shared/device-storage.ts';
import { $session, confirmEndAfter, refreshSession } from '../../../islands/shared/session-state.ts';

/** Asks the server whether the session that the page holds is still valid. */
function verifySession(): void {
  if ($session.get().auth?.user) void refreshSession();
}

/**
 * Empties the page when its session ends: at once when another tab of this browser logs out, otherwise when the server says
 * so, which is asked after a refused call and whenever the page is shown again.
 */
export function setUpSessionGuard(): void {
  confirmEndAfter(waitForLogins);
  $session.subscribe(({ status, auth, isUnreachable }) => {
    // An unreachable server says nothing about the session.
    if (status === 'known' && !isUnreachable) applySession(auth?.user ?? null);
  });
  window.addEventListener('storage', ({ key, newValue }) => {
    if (key !== DEVICE_SESSION_KEY && key !== null) return;
    const record = parseDeviceSession(newValue);
    if (record !== null) acceptDeviceSession(record);
    checkDeviceSession();
  });
  // A frozen page is notified of nothing. account.ts asks the server for pages from the back/forward cache.
  window.addEventListener('pageshow', checkDeviceSession);
  const onVisible = () => {
    if (document.hidden) return;
    checkDeviceSession();
    verifySession();
  };
  document.addEventListener('visibilitychange', onVisible);
  window.addEventListener('online', onVisible);
  // A call was refused for want of a session (api.ts).
  window.addEventListener('loreloom:unauthenticated', verifySession);
}
