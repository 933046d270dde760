import 'astro';

declare module 'astro' {
  interface AstroClientDirectives {
    /** Sleeps until the page asks for the island by this name. */
    'client:ask'?: string;
  }
}
