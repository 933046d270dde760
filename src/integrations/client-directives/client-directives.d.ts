import 'astro';

declare module 'astro' {
  interface AstroClientDirectives {
    /** Hydrates when the page requests the island by this name. */
    'client:ask'?: string;
    /** Hydrates after the first frame; the value has the paths of modules to preload then. */
    'client:painted'?: readonly string[];
  }
}
