const notifyNetworkError = () => void dispatchEvent(new Event('loreloom:network-trouble'));

/**
 * Loads and sets up the parts of the shell for users with a session.
 * @param isFirst whether this page has had no known session yet
 * @returns false when they failed to load, which the page reports
 */
export async function loadSessionParts(isFirst: boolean): Promise<boolean> {
  try {
    const { setUpSessionParts } = await import('./session/session-parts.ts');
    setUpSessionParts(isFirst);
    return true;
  } catch {
    notifyNetworkError();
    return false;
  }
}

/** Opens the onboarding if the page's address asks for it. */
export async function loadOnboarding(): Promise<void> {
  if (new URLSearchParams(location.search).get('onboarding') !== 'display') return;
  try {
    const { setUpOnboarding } = await import('./onboarding.ts');
    await setUpOnboarding();
  } catch {
    notifyNetworkError();
  }
}

/** Loads the install banner on Android. */
export async function loadAndroidBanner(): Promise<void> {
  if (!isAndroid()) return;
  try {
    const { setUpAndroidBanner } = await import('./android-banner.ts');
    setUpAndroidBanner();
  } catch {
    // The banner can wait for the next page.
  }
}

/** Whether the device reports Android. */
function isAndroid(): boolean {
  const { userAgentData, userAgent } = navigator as Navigator & { userAgentData?: { platform: string } };
  return userAgentData?.platform === 'Android' || /\bAndroid\b/.test(userAgent);
}
