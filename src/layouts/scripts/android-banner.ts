/** Storage key, set once the banner was dismissed or the product installed. */
const DISMISSED_KEY = 'android-banner-dismissed';

/** The `beforeinstallprompt` event, which TypeScript does not define. */
interface InstallPrompt extends Event {
  prompt(): Promise<unknown>;
  readonly userChoice: Promise<{ outcome: 'accepted' | 'dismissed' }>;
}

function isDismissed(): boolean {
  try {
    return localStorage.getItem(DISMISSED_KEY) !== null;
  } catch {
    // If the dismissal cannot be stored, the banner would return on every page.
    return true;
  }
}

const isInstalled = () => matchMedia('(display-mode: standalone), (display-mode: fullscreen)').matches;

/**
 * Shows the install banner until it is dismissed, but never in the installed app. The button opens the
 * browser's install prompt, or explains where to find it in the menu.
 */
export function setUpAndroidBanner(): void {
  const banner = document.querySelector<HTMLElement>('[data-android-banner]');
  if (!banner || isInstalled() || isDismissed()) return;
  const queryBanner = (name: string) => banner.querySelector(`[data-banner-${name}]`) as HTMLElement;
  let installPrompt: InstallPrompt | null = null;

  const dismiss = () => {
    banner.hidden = true;
    try {
      localStorage.setItem(DISMISSED_KEY, '1');
    } catch {
      // Storage is blocked: the banner is dismissed for this page only.
    }
  };
  window.addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault();
    installPrompt = event as InstallPrompt;
  });
  window.addEventListener('appinstalled', dismiss);
  // Another tab may have dismissed the banner.
  window.addEventListener('storage', ({ key }) => {
    if (key === DISMISSED_KEY) banner.hidden = isDismissed();
  });
  queryBanner('dismiss').addEventListener('click', dismiss);
  queryBanner('add').addEventListener('click', async () => {
    if (installPrompt === null) {
      queryBanner('how').hidden = false;
      queryBanner('add').hidden = true;
      queryBanner('dismiss').focus();
      return;
    }
    const usedPrompt = installPrompt;
    // The browser allows a prompt to be used once.
    installPrompt = null;
    await usedPrompt.prompt();
    if ((await usedPrompt.userChoice).outcome === 'accepted') dismiss();
  });
  banner.hidden = false;
}
