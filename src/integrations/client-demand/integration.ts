import type { AstroIntegration } from 'astro';

/** Registers `client:ask="<name>"`: an island that sleeps until the page asks for it by name. */
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
