// Finds a browser for the tests, or installs one if possible.
import { existsSync } from 'node:fs';
import { CliError } from './prepare.mjs';
import { run } from './process.mjs';

/** Headless Chromium: the same engine at half the processor time. */
const HEADLESS_SHELL = '/usr/bin/chromium-headless-shell';

const PLACES = [
  HEADLESS_SHELL,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** Arguments for tests on a small machine. */
export const CHROMIUM_ARGS = [
  '--no-sandbox',
  '--disable-dev-shm-usage',
  '--disable-gpu',
  '--in-process-gpu',
  // Render text as the full browser does.
  '--font-render-hinting=none',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
];

/** Returns the path of a Chromium: `CHROMIUM_PATH`, or an installed one. */
export const chromiumPath = () => process.env.CHROMIUM_PATH ?? PLACES.find((path) => existsSync(path));

/** Returns the path of a Chromium: `CHROMIUM_PATH`, Debian's headless one, installed if permitted, or any installed one. */
export async function findChromium(say) {
  const named = process.env.CHROMIUM_PATH;
  if (named && !existsSync(named)) throw new CliError(`CHROMIUM_PATH names ${named}, which does not exist.`);
  const mayInstall = process.getuid?.() === 0 && existsSync('/usr/bin/apt-get');
  if (!named && !existsSync(HEADLESS_SHELL) && mayInstall) {
    say('Installing Chromium for the browser tests …');
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    await run('apt-get', ['update', '-qq'], { env });
    const packages = ['chromium-headless-shell', 'fonts-noto-core', 'fonts-noto-cjk'];
    await run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...packages], { env });
  }
  const found = chromiumPath();
  if (found) return found;
  throw new CliError(
    'The browser tests need Chromium: install it (on Debian: apt-get install chromium-headless-shell), or set CHROMIUM_PATH.',
  );
}
