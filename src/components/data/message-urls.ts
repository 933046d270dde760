import type { Language } from '../../config/languages.ts';

const messageFiles = import.meta.glob<string>(
  '../../locales/*/{signin,onboarding,errors,chat,choices,create,returning}.json',
  {
    query: '?url&no-inline',
    import: 'default',
    eager: true,
  },
);

/**
 * Addresses of the translations for islands that load on demand, by namespace. The page passes them on, because the
 * addresses for all languages would be larger than one translation.
 */
export function getMessageUrls<
  N extends 'signin' | 'onboarding' | 'errors' | 'chat' | 'choices' | 'create' | 'returning',
>(lang: Language, namespaces: readonly N[]): Record<N, string> {
  const entries = namespaces.map((namespace) => [
    namespace,
    messageFiles[`../../locales/${lang}/${namespace}.json`],
  ]);
  return Object.fromEntries(entries) as Record<N, string>;
}
