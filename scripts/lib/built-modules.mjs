// Reads the modules of a build for Miniflare.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const isBinary = (path) => path.endsWith('.bin');

/** Converts a module to Miniflare's format. @param {string} path @param {string | Uint8Array} contents */
export const readModule = (path, contents = readFileSync(path, isBinary(path) ? null : 'utf8')) => ({
  type: isBinary(path) ? 'Data' : 'ESModule',
  path,
  contents,
});

/**
 * Lists every module of a build, the entry first.
 * @param {string} entry path of the entry
 */
export function listModules(entry) {
  const rest = readdirSync(dirname(entry), { recursive: true, withFileTypes: true })
    .filter((file) => file.isFile() && /\.(?:m?js|bin)$/.test(file.name))
    .map((file) => join(file.parentPath, file.name))
    .filter((path) => path !== entry);
  return [readModule(entry), ...rest.map((path) => readModule(path))];
}
