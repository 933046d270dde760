import type { AstroIntegration } from 'astro';

/** Registers `client:ask="<name>"`, which hydrates an island on request. */
export function createClientDemandIntegration(): AstroIntegration {
  return {
    name: 'loreloom:client-ask',
    hooks: {
      'astro:config:setup': ({ addClientDirective }) => {
        addClientDirective({ name: 'ask', entrypoint: './src/integrations/client-demand/directive.ts' });
      },
    },
  };
}
