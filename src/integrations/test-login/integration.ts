import type { AstroIntegration } from 'astro';

/** Adds the test users at /test-login to local and test builds only. */
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
