/** Script of the shell: menu, session, chats and theme. Keep it small; it runs on every page. */
import { getSession } from '../../islands/shared/session-state.ts';
import { openSignIn } from '../../islands/sign-in/sign-in-state.ts';
import { syncAccountLanguage } from './account-language.ts';
import { setUpAccount, setUpStartChat } from './account.ts';
import { setUpSavedListButtons } from './saved-lists.ts';
import { setUpCreateCharacter } from './create-character.ts';
import { setUpAndroidBanner } from './android-banner.ts';
import { setUpHistory } from './history.ts';
import { saveInviteFromUrl } from './invite.ts';
import { setUpLoginWall } from './login-wall.ts';
import { setUpMenu } from './menu.ts';
import { setUpOfflineNote } from './offline-note.ts';
import { setUpOutbox } from './outbox.ts';
import { persistShell } from './persist-shell.ts';
import { setUpSpicySwitch } from './spicy/spicy.ts';
import { setUpThemeSwitches } from './theme.ts';

setUpMenu();
setUpThemeSwitches();
setUpAccount();
setUpHistory();
setUpSpicySwitch();
setUpCreateCharacter();
setUpSavedListButtons();
setUpStartChat();
persistShell();
syncAccountLanguage();
saveInviteFromUrl();

for (const button of document.querySelectorAll<HTMLElement>('[data-sign-in]')) {
  const google = button.dataset['signIn'] === 'google';
  button.addEventListener('click', () => openSignIn({ reason: 'save', google }));
}

// Repeat a click from before this script ran (theme-boot.js).
window.earlyTap?.click();

void getSession();
void setUpLoginWall();
setUpOfflineNote();
setUpOutbox();
setUpAndroidBanner();
