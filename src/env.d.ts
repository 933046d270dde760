/** True in builds for this machine and for tests, which carry the test language; replaced by the build. */
declare const __LOCAL_BUILD__: boolean | undefined;

declare namespace App {
  interface Locals {
    /** The language that this page is written in. */
    lang: import('./config/languages.ts').Language;
    /** The texts of that language: `t('home:title')`. */
    t: import('./locales/i18n.ts').Translate;
    /** Whole namespaces of them, for islands: `words(['chat', 'errors'])`. */
    words: import('./locales/i18n.ts').GetDictionary;
    /** By which PayPal's script may write its own styles into the page on which people pay; on that page alone. */
    paymentNonce?: string;
  }
}

interface Window {
  /** A control of the shell that was pressed before the shell's code was there. */
  earlyTap?: HTMLElement;
  /** A chat's messages, asked for before the chat's code was there (components/scripts/prefetch-chat.js). */
  earlyAnswer?: { address: string; answer: Promise<Response> };
  /** Leaves out of the page's lists what somebody hides (components/scripts/hide-cards.js). */
  hideCards?: {
    /** From now on these are left out; null: nothing is. */
    use(
      hidden: Pick<import('./features/character/contract.ts').HiddenList, 'tags' | 'creators'> | null,
    ): void;
    /** Looks at the cards that are there now, at once. */
    mark(): void;
  };
}

/** A file that the runtime loads as bytes. */
declare module '*.bin' {
  const bytes: ArrayBuffer;
  export default bytes;
}
