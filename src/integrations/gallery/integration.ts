import type { AstroIntegration } from 'astro';

/** Puts the gallery at /{lang}/gallery; only builds for this machine and for tests have it. */
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
