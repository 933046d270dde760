declare namespace App {
  interface Locals {
    /** The language that this page is written in. */
    lang: import('./config.ts').Language;
    /** The texts of that language: `t('home:title')`. */
    t: import('./locales/i18n.ts').Translate;
  }
}
