import type { AstroIntegration } from 'astro';

/** Registers `client:ask="<name>"`, which hydrates an island on request, and `client:painted`, after the first frame. */
export function createClientDirectivesIntegration(): AstroIntegration {
  return {
    name: 'loreloom:client-directives',
    hooks: {
      'astro:config:setup': ({ addClientDirective }) => {
        const folder = './src/integrations/client-directives';
        addClientDirective({ name: 'ask', entrypoint: `${folder}/hydrate-on-demand.ts` });
        addClientDirective({ name: 'painted', entrypoint: `${folder}/hydrate-after-paint.ts` });
      },
    },
  };
}
