/** True in local builds and in tests, which include the test language. The build replaces it with a constant. */
declare const __LOCAL_BUILD__: boolean | undefined;

declare namespace App {
  interface Locals {
    /** The page's language. */
    lang: import('./config/languages.ts').Language;
    /** Translates into the page's language: `t('home:title')`. */
    t: import('./locales/i18n.ts').Translate;
    /** Returns whole namespaces of texts, to pass to islands: `words(['chat', 'errors'])`. */
    words: import('./locales/i18n.ts').GetDictionary;
    /** Where the rendered page is kept, and its data. Set by `cachePublicly`. */
    kept?: { place: import('./layouts/kept-pages.ts').PagePlace; data: string };
    /** CSP nonce that lets PayPal's script add its own styles. Set on the payment page only. */
    paymentNonce?: string;
  }
}

interface Window {
  /** A control of the shell that was clicked before the shell's code was loaded. */
  earlyTap?: HTMLElement;
  /** Shows a returning user's newest chats on the home page (components/scripts/home-boot.js). */
  drawHome?: (rows: readonly import('./features/home/home-rows.ts').HomeRow[]) => void;
  /** Removes cards that the user has hidden from the page's lists (components/scripts/hide-cards.js). */
  hideCards?: {
    /** Sets the hidden tags and creators from now on; null hides nothing. */
    use(
      hidden: Pick<import('./features/character/contract.ts').HiddenList, 'tags' | 'creators'> | null,
    ): void;
    /** Applies the current list at once to the cards on the page. */
    mark(): void;
  };
}

/** A file that the runtime loads as bytes. */
declare module '*.bin' {
  const bytes: ArrayBuffer;
  export default bytes;
}
