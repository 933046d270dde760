import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AstroIntegration } from 'astro';
import { build } from 'vite';

/** A hash of all inputs of a build: the same sources produce the same worker. */
function computeBuildId(root: URL): string {
  const hash = createHash('sha256');
  for (const folder of ['src', 'public']) {
    const path = fileURLToPath(new URL(folder, root));
    const files = readdirSync(path, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .toSorted();
    for (const file of files) hash.update(file.slice(path.length)).update(readFileSync(file));
  }
  return hash
    .update(readFileSync(new URL('package-lock.json', root)))
    .digest('hex')
    .slice(0, 16);
}

/** Astro integration that bundles service-worker.ts into `/sw.js`; the path must be the same in every build. */
export function serviceWorker(): AstroIntegration {
  let root: URL;
  return {
    name: 'loreloom:service-worker',
    hooks: {
      'astro:config:done': ({ config }) => {
        root = config.root;
      },
      'astro:build:done': async ({ dir }) => {
        await build({
          configFile: false,
          root: fileURLToPath(root),
          publicDir: false,
          logLevel: 'warn',
          define: { __BUILD__: JSON.stringify(computeBuildId(root)) },
          build: {
            outDir: fileURLToPath(dir),
            emptyOutDir: false,
            target: 'es2022',
            modulePreload: false,
            rolldownOptions: {
              input: fileURLToPath(new URL('./service-worker.ts', import.meta.url)),
              output: { format: 'iife', entryFileNames: 'sw.js' },
            },
          },
        });
      },
    },
  };
}
