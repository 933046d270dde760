import type { SessionUser } from '../../../features/account/contract.ts';
import { getDeviceStorage } from '../../../islands/shared/device-storage.ts';
import { $session, refreshSession } from '../../../islands/shared/session-state.ts';

/** SPEC section 3: what the device keeps of it. The account is the truth; the device only follows. */
const FLAG_KEYS = { spicy: 'spicy-mode', age: 'age-verified' } as const;

/** Keeps an account's two flags on this device, or takes them off it when nobody with an account is here. */
export function syncFlags(storage: Storage | null, user: SessionUser | null): void {
  try {
    if (user === null || user.is_anonymous) {
      for (const key of Object.values(FLAG_KEYS)) storage?.removeItem(key);
      return;
    }
    storage?.setItem(FLAG_KEYS.spicy, String(user.spicy_mode));
    storage?.setItem(FLAG_KEYS.age, String(user.age_confirmed));
  } catch {
    // Storage is closed: the account knows.
  }
}

/** Whether this tab left for a check of somebody's age and has not been told of it yet. */
function hasPendingAgeCheck(): boolean {
  try {
    return sessionStorage.getItem('age-check') !== null;
  } catch {
    return false;
  }
}

const notifyNetworkError = () => void window.dispatchEvent(new Event('loreloom:network-trouble'));

/**
 * Public pages come without what is for adults; for whom it is, it comes a moment later. Where its code does not come,
 * what is for everybody stays, and the next news of who is here tries again.
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

/**
 * The spicy-mode switch, in the sidebar and wherever else it stands, for those who have an account. What it does is
 * fetched when it is first pressed (spicy-switch.ts).
 */
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
      // What did not come is fetched when it is pressed again.
      toggle = null;
      notifyNetworkError();
    }
  };
  for (const button of buttons) button.addEventListener('click', () => void handlePress());
  $session.subscribe(({ status, auth }) => {
    const user = auth?.user ?? null;
    for (const button of buttons) button.setAttribute('aria-checked', String(user?.spicy_mode === true));
    // A site without the switch has nothing to keep of it.
    if (status === 'known') syncFlags(getDeviceStorage(), buttons.length === 0 ? null : user);
  });
  renderNsfwWhenAllowed();
  // Where a page offers it in its own words, as a chat does.
  window.addEventListener('loreloom:spicy', () => void handlePress());
  // Where its code does not come, the mark stays, and the next page of this tab looks again.
  if (hasPendingAgeCheck())
    import('./age-check.ts').then(({ finishAgeCheck: comeBack }) => comeBack(), notifyNetworkError);
  window.addEventListener('storage', (event) => {
    if (event.key === FLAG_KEYS.spicy) void refreshSession();
  });
}
