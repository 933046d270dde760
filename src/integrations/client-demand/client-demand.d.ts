import 'astro';

declare module 'astro' {
  interface AstroClientDirectives {
    /** Hydrates when the page requests the island by this name. */
    'client:ask'?: string;
  }
}
