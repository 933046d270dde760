import type { AstroIntegration } from 'astro';

/** Adds the gallery at /{lang}/gallery to local and test builds only. */
export function createGalleryIntegration(): AstroIntegration {
  return {
    name: 'loreloom:gallery',
    hooks: {
      'astro:config:setup': ({ injectRoute }) => {
        injectRoute({
          pattern: '/[lang]/gallery',
          entrypoint: './src/integrations/gallery/gallery.astro',
          prerender: false,
        });
      },
    },
  };
}
