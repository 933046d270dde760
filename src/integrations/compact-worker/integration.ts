import type { AstroIntegration } from 'astro';
import { compactSource } from './compact-source.ts';

/** React's renderer for plain strings. Islands are rendered by the other one, but the package has both in one entry. */
const UNUSED_RENDERER = /\/react-dom-server-legacy\./;

/**
 * Makes the Worker's scripts small in memory: without comments, white space and a renderer that is not used, and in one
 * byte a character where that is less. The platform keeps the text of every script of a Worker in the memory that its
 * requests and objects share. Names stay as they are, so that logged errors can be read.
 */
export function createCompactWorkerIntegration(): AstroIntegration {
  return {
    name: 'loreloom:compact-worker',
    hooks: {
      'astro:config:setup': ({ command, updateConfig }) => {
        if (command !== 'build') return;
        updateConfig({
          vite: {
            environments: {
              ssr: {
                build: {
                  rolldownOptions: {
                    output: {
                      minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
                    },
                  },
                },
              },
            },
            plugins: [
              {
                name: 'loreloom:compact-source',
                applyToEnvironment: ({ name }) => name === 'ssr',
                load: (id) => (UNUSED_RENDERER.test(id) ? 'module.exports = {};' : undefined),
                generateBundle(_, bundle) {
                  for (const file of Object.values(bundle))
                    if (file.type === 'chunk') file.code = compactSource(file.code);
                },
              },
            ],
          },
        });
      },
    },
  };
}
