import type { AstroIntegration } from 'astro';

/** Puts the test people at /test-login; only builds for this machine and for tests have it. */
export function createTestLoginIntegration(): AstroIntegration {
  return {
    name: 'loreloom:test-login',
    hooks: {
      'astro:config:setup': ({ injectRoute }) => {
        injectRoute({
          pattern: '/test-login',
          entrypoint: './src/integrations/test-login/test-login.astro',
          prerender: false,
        });
      },
    },
  };
}
