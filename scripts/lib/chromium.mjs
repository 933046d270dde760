// Finds a browser for the tests, or brings one where that is possible.
import { existsSync } from 'node:fs';
import { Trouble } from './prepare.mjs';
import { run } from './process.mjs';

const PLACES = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** The path of a Chromium: `CHROMIUM_PATH`, an installed one, or Debian's, installed when we may. */
export async function findChromium(say) {
  const named = process.env.CHROMIUM_PATH;
  if (named) {
    if (existsSync(named)) return named;
    throw new Trouble(`CHROMIUM_PATH names ${named}, which does not exist.`);
  }
  const found = PLACES.find((path) => existsSync(path));
  if (found) return found;
  const mayInstall = process.getuid?.() === 0 && existsSync('/usr/bin/apt-get');
  if (mayInstall) {
    say('Installing Chromium for the browser tests …');
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    await run('apt-get', ['update', '-qq'], { env });
    await run(
      'apt-get',
      ['install', '-y', '-qq', '--no-install-recommends', 'chromium', 'fonts-noto-core', 'fonts-noto-cjk'],
      { env },
    );
    if (existsSync('/usr/bin/chromium')) return '/usr/bin/chromium';
  }
  throw new Trouble(
    'The browser tests need Chromium: install it (on Debian: apt-get install chromium), or set CHROMIUM_PATH.',
  );
}
