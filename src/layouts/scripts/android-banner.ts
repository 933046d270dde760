/** The key in the browser's storage once the banner was sent away, or did what it is for. */
const DISMISSED_KEY = 'android-banner-dismissed';

/** What browsers that can install a page by themselves offer; no type knows it yet. */
interface InstallPrompt extends Event {
  prompt(): Promise<unknown>;
  readonly userChoice: Promise<{ outcome: 'accepted' | 'dismissed' }>;
}

function isDismissed(): boolean {
  try {
    return localStorage.getItem(DISMISSED_KEY) !== null;
  } catch {
    // Where nothing can be remembered, a banner would come back on every page.
    return true;
  }
}

/** Whether the device says that it runs Android. */
function isAndroid(): boolean {
  const { userAgentData, userAgent } = navigator as Navigator & { userAgentData?: { platform: string } };
  return userAgentData?.platform === 'Android' || /\bAndroid\b/.test(userAgent);
}

const isInstalled = () => matchMedia('(display-mode: standalone), (display-mode: fullscreen)').matches;

/**
 * The banner that offers to keep the product on the home screen: on Android alone, until it is sent away, never in
 * the installed app itself. It installs where the browser lets it, else it says where in the menu that is.
 */
export function setUpAndroidBanner(): void {
  const banner = document.querySelector<HTMLElement>('[data-android-banner]');
  if (!banner || !isAndroid() || isInstalled() || isDismissed()) return;
  const queryBanner = (name: string) => banner.querySelector(`[data-banner-${name}]`) as HTMLElement;
  let installPrompt: InstallPrompt | null = null;

  const dismiss = () => {
    banner.hidden = true;
    try {
      localStorage.setItem(DISMISSED_KEY, '1');
    } catch {
      // It stays away for this page.
    }
  };
  window.addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault();
    installPrompt = event as InstallPrompt;
  });
  window.addEventListener('appinstalled', dismiss);
  // Another tab may have sent it away meanwhile.
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
    // A browser lets an offer be used once.
    installPrompt = null;
    await usedPrompt.prompt();
    if ((await usedPrompt.userChoice).outcome === 'accepted') dismiss();
  });
  banner.hidden = false;
}
