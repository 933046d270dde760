import { useEffect, useState, type ReactNode } from 'react';
import { fetchDictionary, type DictionaryUrls } from '../load-messages.ts';
import { TranslationProvider, type Dictionary, type Namespace } from '../i18n.tsx';

/**
 * Loads an island's texts when it starts, so that pages need not include them.
 * @param name the island's name in `loreloom:ask` events; such an event after a failure loads again
 * @param onFailure called when loading failed, after the user was notified
 */
export function LazyMessages<N extends Namespace>({
  name,
  lang,
  files,
  onFailure,
  children,
}: {
  name: string;
  lang: string;
  files: DictionaryUrls<N>;
  onFailure?: () => void;
  children: ReactNode;
}) {
  const [dictionary, setDictionary] = useState<Dictionary<N> | null>(null);
  useEffect(() => {
    let isMounted = true;
    const { dataset } = document.documentElement;
    const load = async () => {
      window.removeEventListener('loreloom:ask', onDemand);
      // The island's code is loaded; keep the wait indicator until its texts are.
      dataset['asking'] = '';
      try {
        const fetched = await fetchDictionary(files);
        if (isMounted) setDictionary(() => fetched);
      } catch {
        window.dispatchEvent(new CustomEvent('loreloom:network-trouble', { detail: name }));
        onFailure?.();
        if (isMounted) window.addEventListener('loreloom:ask', onDemand);
      } finally {
        delete dataset['asking'];
      }
    };
    const onDemand = (event: Event) => {
      if ((event as CustomEvent<string>).detail === name) void load();
    };
    void load();
    return () => {
      isMounted = false;
      window.removeEventListener('loreloom:ask', onDemand);
    };
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- an island's name, language and files never change
  }, []);
  return dictionary ? (
    <TranslationProvider lang={lang} dictionary={dictionary}>
      {children}
    </TranslationProvider>
  ) : null;
}
