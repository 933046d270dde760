import type { SessionUser } from '../../../features/account/contract.ts';
import { getDeviceStorage } from '../../../islands/shared/device-storage.ts';
import { $session, refreshSession } from '../../../islands/shared/session-state.ts';

/** Local storage keys of the account's flags (docs/product.md). The account decides; the device only mirrors it. */
const FLAG_KEYS = { spicy: 'spicy-mode', age: 'age-verified' } as const;

/** Mirrors an account's flags on this device, and removes them when no account is logged in. */
export function syncFlags(storage: Storage | null, user: SessionUser | null): void {
  try {
    if (user === null || user.is_anonymous) {
      for (const key of Object.values(FLAG_KEYS)) storage?.removeItem(key);
      return;
    }
    storage?.setItem(FLAG_KEYS.spicy, String(user.spicy_mode));
    storage?.setItem(FLAG_KEYS.age, String(user.age_confirmed));
  } catch {
    // Storage is blocked; the account has the flags.
  }
}

/** Whether this tab went to an age check whose result is not handled yet. */
function hasPendingAgeCheck(): boolean {
  try {
    return sessionStorage.getItem('age-check') !== null;
  } catch {
    return false;
  }
}

const notifyNetworkError = () => void window.dispatchEvent(new Event('loreloom:network-trouble'));

/**
 * Loads the adult view of a public page for users with spicy mode on. If loading fails, the public content stays, and
 * the next session update tries again.
 */
function renderNsfwWhenAllowed(): void {
  let isStarted = false;
  $session.subscribe(({ auth }) => {
    if (isStarted || auth?.user?.spicy_mode !== true) return;
    isStarted = true;
    if (document.querySelector('[data-adult-view]') === null) return;
    import('../../../components/scripts/view-refresh.ts').then(
      ({ renderNsfwView: drawForAdults }) => drawForAdults(),
      () => {
        isStarted = false;
        notifyNetworkError();
      },
    );
  });
}

/** Sets up the spicy mode switches for accounts. The handler is loaded on the first click (spicy-switch.ts). */
export function setUpSpicySwitch(): void {
  const buttons = document.querySelectorAll<HTMLButtonElement>('[data-spicy-switch]');
  const showPending = (pending: boolean) => {
    for (const button of buttons) button.setAttribute('aria-busy', String(pending));
  };
  let toggle: Promise<() => Promise<void>> | null = null;
  const handlePress = async () => {
    toggle ??= import('./spicy-switch.ts').then(({ createPageSpicySwitch: spicySwitch }) =>
      spicySwitch(showPending),
    );
    try {
      await (
        await toggle
      )();
    } catch {
      // Retry a failed load on the next click.
      toggle = null;
      notifyNetworkError();
    }
  };
  for (const button of buttons) button.addEventListener('click', () => void handlePress());
  $session.subscribe(({ status, auth }) => {
    const user = auth?.user ?? null;
    for (const button of buttons) button.setAttribute('aria-checked', String(user?.spicy_mode === true));
    // A site without the switch removes the flags.
    if (status === 'known') syncFlags(getDeviceStorage(), buttons.length === 0 ? null : user);
  });
  renderNsfwWhenAllowed();
  // Other parts of a page offer the switch too, such as a chat.
  window.addEventListener('loreloom:spicy', () => void handlePress());
  // If loading fails, the mark stays, and the tab's next page tries again.
  if (hasPendingAgeCheck())
    import('./age-check.ts').then(({ finishAgeCheck: comeBack }) => comeBack(), notifyNetworkError);
  window.addEventListener('storage', (event) => {
    if (event.key === FLAG_KEYS.spicy) void refreshSession();
  });
}
