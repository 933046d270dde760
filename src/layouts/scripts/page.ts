/** Scripts of every page, with or without the shell. */
import { setUpLanguage } from './language.ts';
import { setUpLanguageMenu } from './language-menu.ts';
import { loadOnboarding } from './load-parts.ts';
import { trackPageViews } from './page-views.ts';
import { registerServiceWorker } from './service-worker.ts';
import { syncTheme } from './theme.ts';
import { setUpToasts } from './toasts.ts';

syncTheme();
setUpToasts();
setUpLanguage();
setUpLanguageMenu();
trackPageViews();
registerServiceWorker();
void loadOnboarding();
