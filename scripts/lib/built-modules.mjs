// The modules of a build, as Miniflare takes them.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const isBinary = (path) => path.endsWith('.bin');

/** @param {string} path @param {string | Uint8Array} contents */
export const moduleOf = (path, contents = readFileSync(path, isBinary(path) ? null : 'utf8')) => ({
  type: isBinary(path) ? 'Data' : 'ESModule',
  path,
  contents,
});

/**
 * Every module of a build, the entry first.
 * @param {string} entry its path
 */
export function modulesOf(entry) {
  const rest = readdirSync(dirname(entry), { recursive: true, withFileTypes: true })
    .filter((file) => file.isFile() && /\.(?:m?js|bin)$/.test(file.name))
    .map((file) => join(file.parentPath, file.name))
    .filter((path) => path !== entry);
  return [moduleOf(entry), ...rest.map((path) => moduleOf(path))];
}
