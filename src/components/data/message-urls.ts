import type { Language } from '../../config/languages.ts';

const messageFiles = import.meta.glob<string>(
  '../../locales/*/{signin,onboarding,errors,chat,choices}.json',
  {
    query: '?url&no-inline',
    import: 'default',
    eager: true,
  },
);

/**
 * Where the words of what sleeps on a page are, by namespace, for it to fetch when it wakes. The page tells
 * it: the addresses of all languages would weigh more than the words of one.
 */
export function getMessageUrls<N extends 'signin' | 'onboarding' | 'errors' | 'chat' | 'choices'>(
  lang: Language,
  namespaces: readonly N[],
): Record<N, string> {
  const entries = namespaces.map((namespace) => [
    namespace,
    messageFiles[`../../locales/${lang}/${namespace}.json`],
  ]);
  return Object.fromEntries(entries) as Record<N, string>;
}
