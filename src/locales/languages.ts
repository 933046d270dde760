import type { Language } from '../config/languages.ts';

/** Languages by their own names, so that readers recognise theirs in any interface language. */
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
