/** What every page wakes, with the shell around it or without. */
import { wireOnboarding } from './invite.ts';
import { rememberLanguage } from './language.ts';
import { wireLanguageMenu } from './language-menu.ts';
import { countPageView } from './page-views.ts';
import { registerServiceWorker } from './service-worker.ts';
import { followTheme } from './theme.ts';
import { wireToasts } from './toasts.ts';

followTheme();
wireToasts();
rememberLanguage();
wireLanguageMenu();
countPageView();
registerServiceWorker();
void wireOnboarding();
