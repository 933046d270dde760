/** Parts of the shell for users with a session, which visitors never load. */
import { startDeviceSession } from '../../../islands/shared/device-session/end-session.ts';
import { syncAccountLanguage } from './account-language.ts';
import { storeDeviceCopy } from './device-copy.ts';
import { setUpHistory } from './history.ts';
import { setUpOfflineNote } from './offline-note.ts';
import { setUpOutbox } from './outbox.ts';
import { persistShell } from './persist-shell.ts';
import { setUpProfile } from './profile.ts';
import { setUpSessionGuard } from './session-guard.ts';
import { setUpSpicySwitch } from '../spicy/spicy.ts';

/** Controls that this script sets up. */
const CONTROLS = '[data-logout], [data-spicy-switch]';

/**
 * Sets up the profile, the chats in the sidebar and on the home page, and what this device remembers of them.
 * @param isFirst whether this page has had no known session yet
 */
export function setUpSessionParts(isFirst: boolean): void {
  startDeviceSession();
  setUpProfile();
  setUpHistory();
  setUpSpicySwitch();
  persistShell();
  syncAccountLanguage(isFirst);
  storeDeviceCopy();
  setUpOfflineNote();
  setUpOutbox();
  // Last, because it removes what the others compare with the session.
  setUpSessionGuard();
  // Repeat a click from before this script ran (theme-boot.js).
  if (window.earlyTap?.matches(CONTROLS)) window.earlyTap.click();
  const notifyNetworkError = () => dispatchEvent(new Event('loreloom:network-trouble'));
  if (document.querySelector('[data-home-frame]') !== null)
    import('./returning-home.ts')
      .then(({ setUpReturningHome }) => setUpReturningHome())
      .catch(notifyNetworkError);
  else if (document.querySelector('[data-suggested]') !== null)
    import('./suggestions.ts').then(({ setUpSuggestions }) => setUpSuggestions()).catch(notifyNetworkError);
}
