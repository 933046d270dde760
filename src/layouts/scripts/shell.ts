/** Wakes the shell: the menu, who is here, their chats, the theme. Small on purpose; it runs on every page. */
import { knownSession } from '../../islands/shared/session-state.ts';
import { openSignIn } from '../../islands/sign-in/sign-in-state.ts';
import { followAccountLanguage } from './account-language.ts';
import { wireAccount } from './account.ts';
import { wireChoices } from './saved-lists.ts';
import { wireCreateCharacter } from './create-character.ts';
import { wireAndroidBanner } from './android-banner.ts';
import { wireHistory } from './history.ts';
import { rememberInvite } from './invite.ts';
import { wireLoginWall } from './login-wall.ts';
import { wireMenu } from './menu.ts';
import { wireOfflineNote } from './offline-note.ts';
import { wireOutbox } from './outbox.ts';
import { keepShell } from './persist-shell.ts';
import { wireSpicy } from './spicy/spicy.ts';
import { wireTheme } from './theme.ts';

wireMenu();
wireTheme();
wireAccount();
wireHistory();
wireSpicy();
wireCreateCharacter();
wireChoices();
keepShell();
followAccountLanguage();
rememberInvite();

for (const button of document.querySelectorAll<HTMLElement>('[data-sign-in]')) {
  const google = button.dataset['signIn'] === 'google';
  button.addEventListener('click', () => openSignIn({ reason: 'save', google }));
}

// What was pressed before this code was there (theme-boot.js).
window.earlyTap?.click();

void knownSession();
void wireLoginWall();
wireOfflineNote();
wireOutbox();
wireAndroidBanner();
