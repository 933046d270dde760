// The modules of a build, as Miniflare takes them.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** @param {string} path @param {string} contents */
export const moduleOf = (path, contents = readFileSync(path, 'utf8')) => ({
  type: 'ESModule',
  path,
  contents,
});

/**
 * Every module of a build, the entry first.
 * @param {string} entry its path
 */
export function modulesOf(entry) {
  const rest = readdirSync(dirname(entry), { recursive: true, withFileTypes: true })
    .filter((file) => file.isFile() && /\.m?js$/.test(file.name))
    .map((file) => join(file.parentPath, file.name))
    .filter((path) => path !== entry);
  return [moduleOf(entry), ...rest.map((path) => moduleOf(path))];
}
