/** Names of a browser and its operating system; null for unknown. */
export interface Device {
  browser: string | null;
  system: string | null;
}

/** Order matters: user agents also contain the names of browsers further down. */
const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/\bEdgA?(?:iOS)?\//, 'Edge'],
  [/\bOPR\/|\bOPT\/|\bOpera\b/, 'Opera'],
  [/\bVivaldi\//, 'Vivaldi'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bYaBrowser\//, 'Yandex'],
  [/\bDuckDuckGo\/|\bDdg\//, 'DuckDuckGo'],
  [/\bFirefox\/|\bFxiOS\//, 'Firefox'],
  [/\bChrome\/|\bCriOS\/|\bChromium\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];

const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/\biPhone\b|\biPod\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMacintosh\b|\bMac OS X\b/, 'macOS'],
  [/\bLinux\b|\bX11\b/, 'Linux'],
];

const findName = (names: typeof BROWSERS, text: string): string | null =>
  names.find(([pattern]) => pattern.test(text))?.[1] ?? null;

/** Guesses browser and operating system from a user agent string. */
export function parseUserAgent(userAgent: string): Device {
  return { browser: findName(BROWSERS, userAgent), system: findName(SYSTEMS, userAgent) };
}
