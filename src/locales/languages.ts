import type { Language } from '../config/languages.ts';

/** Each language by its own name, as the switcher shows it: a reader must recognise it in any interface. */
export const LANGUAGE_NAMES: Record<Language, string> = {
  en: 'English',
  es: 'Español',
  fr: 'Français',
  de: 'Deutsch',
  it: 'Italiano',
  pt: 'Português',
  ru: 'Русский',
  ja: '日本語',
  hi: 'हिन्दी',
  pl: 'Polski',
  zh: '简体中文',
  id: 'Bahasa Indonesia',
};
