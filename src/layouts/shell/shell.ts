/** Wakes the shell: the menu, who is here, their chats, the theme. Small on purpose; it runs on every page. */
import { refreshSession } from '../../islands/shared/session-state.ts';
import { openSignIn } from '../../islands/sign-in/sign-in-state.ts';
import { wireAccount } from './account.ts';
import { wireHistory } from './history.ts';
import { rememberLanguage } from './language.ts';
import { wireMenu } from './menu.ts';
import { wireTheme } from './theme.ts';

wireMenu();
wireTheme();
wireAccount();
wireHistory();
rememberLanguage();

for (const button of document.querySelectorAll('[data-sign-in]')) {
  button.addEventListener('click', () => openSignIn({ reason: 'save' }));
}

void refreshSession();
