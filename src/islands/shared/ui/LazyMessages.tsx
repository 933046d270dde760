import { useEffect, useState, type ReactNode } from 'react';
import { fetchDictionary, type DictionaryUrls } from '../load-messages.ts';
import { TranslationProvider, type Dictionary, type Namespace } from '../i18n.tsx';

/**
 * Gives an island that sleeps on every page its words when it wakes, so that no page carries them before.
 * @param name what the island is asked for by: asked again after a failure, it fetches again
 * @param onFailure called when they could not be fetched; the reader has been told
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
      // The island itself is here by now: the wait goes on for its words.
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
