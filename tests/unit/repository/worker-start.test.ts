import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

/** Imports and re-exports of values; types and `import()` are not part of a start. */
const STATIC_IMPORT = /^(?:import|export)(?! type\b)[^;']*?from '(\.[^']+)';/gm;

/** Returns the files that a file imports statically, directly or through others. */
function collectStaticImports(file: string, seen = new Set<string>()): Set<string> {
  if (seen.has(file) || !existsSync(file)) return seen;
  seen.add(file);
  for (const [, path] of readFileSync(file, 'utf8').matchAll(STATIC_IMPORT))
    collectStaticImports(join(file, '..', path as string), seen);
  return seen;
}

test('of the API a Worker starts with turns alone, and without the scheduled tasks, the pages and the texts of the interface', () => {
  const read = collectStaticImports('src/worker.ts');
  expect(read).toContain('src/features/conversation/conversation-object.ts');
  const late =
    /^src\/(?:api\/(?:app\.ts|areas\/(?!turns\.ts)|routes\/(?!characters\/media\.ts|conversations\/turns\.ts))|jobs\/|pages\/|islands\/|locales\/(?:i18n\.ts|[a-z]{2}\/)|features\/(?:billing|competition|moderation|stats)\/contract\.ts)/;
  expect([...read].filter((file) => late.test(file))).toEqual([]);
});
