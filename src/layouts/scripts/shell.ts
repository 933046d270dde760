/** Script of the shell: menu, session, chats and theme. Keep it small; it runs on every page. */
import { $session, getSession } from '../../islands/shared/session-state.ts';
import { DEVICE_SESSION_KEY, getDeviceStorage } from '../../islands/shared/device-storage.ts';
import { openSignIn } from '../../islands/sign-in/sign-in-state.ts';
import { setUpAccount, setUpStartChat } from './session/account.ts';
import { setUpSavedListButtons } from './saved-lists.ts';
import { setUpCreateCharacter } from './create-character.ts';
import { saveInviteFromUrl } from './invite.ts';
import { loadAndroidBanner, loadSessionParts } from './load-parts.ts';
import { setUpLoginWall } from './login-wall.ts';
import { setUpMenu } from './menu.ts';
import { setUpThemeSwitches } from './theme.ts';

setUpMenu();
setUpThemeSwitches();
setUpAccount();
setUpCreateCharacter();
setUpSavedListButtons();
setUpStartChat();
saveInviteFromUrl();

for (const button of document.querySelectorAll<HTMLElement>('[data-sign-in]')) {
  const google = button.dataset['signIn'] === 'google';
  button.addEventListener('click', () => openSignIn({ reason: 'save', google }));
}

let hasSessionParts = false;
let isFirst = true;
$session.subscribe(({ status, auth }) => {
  // Data of a user whose session has ended may still be on this device.
  const mayHaveSession =
    auth?.user != null ||
    document.documentElement.dataset['who'] !== 'visitor' ||
    getDeviceStorage()?.getItem(DEVICE_SESSION_KEY) != null;
  if (!hasSessionParts && mayHaveSession) {
    hasSessionParts = true;
    // After a failure, try again when the session is read again.
    void loadSessionParts(isFirst).then((isLoaded) => (hasSessionParts = isLoaded));
  }
  if (status === 'known') isFirst = false;
});

// Repeat a click from before this script ran (theme-boot.js).
window.earlyTap?.click();

void getSession();
void setUpLoginWall();
void loadAndroidBanner();
