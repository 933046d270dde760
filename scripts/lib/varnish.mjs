// Finds Varnish for the tests of shared caches, or installs it if possible.
import { existsSync } from 'node:fs';
import { CliError } from './prepare.mjs';
import { run } from './process.mjs';

const PLACES = [
  '/usr/sbin/varnishd',
  '/usr/local/sbin/varnishd',
  '/opt/homebrew/sbin/varnishd',
  '/usr/bin/varnishd',
];

/** Returns the path of a Varnish: `VARNISHD_PATH`, or an installed one. */
export const varnishPath = () => process.env.VARNISHD_PATH ?? PLACES.find((path) => existsSync(path));

/** Returns the path of a Varnish, after installing Debian's if none is found and it is permitted. */
export async function findVarnish(say) {
  const mayInstall = process.getuid?.() === 0 && existsSync('/usr/bin/apt-get');
  if (varnishPath() === undefined && mayInstall) {
    say('Installing Varnish for the tests of shared caches …');
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    await run('apt-get', ['update', '-qq'], { env });
    await run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'varnish'], { env });
  }
  const found = varnishPath();
  if (found) return found;
  throw new CliError(
    'The tests of shared caches need Varnish: install it (on Debian: apt-get install varnish), or set VARNISHD_PATH.',
  );
}
