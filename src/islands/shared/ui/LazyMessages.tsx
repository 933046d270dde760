import { useEffect, useState, type ReactNode } from 'react';
import { fetchWords, type WordFiles } from '../load-messages.ts';
import { Dictionaries, type Dictionary, type Namespace } from '../i18n.tsx';

/**
 * Gives an island that sleeps on every page its words when it wakes, so that no page carries them before.
 * @param name what the island is asked for by: asked again after a failure, it fetches again
 * @param onFailure called when they could not be fetched; the reader has been told
 */
export function FetchedWords<N extends Namespace>({
  name,
  lang,
  files,
  onFailure,
  children,
}: {
  name: string;
  lang: string;
  files: WordFiles<N>;
  onFailure?: () => void;
  children: ReactNode;
}) {
  const [words, setWords] = useState<Dictionary<N> | null>(null);
  useEffect(() => {
    let here = true;
    const { dataset } = document.documentElement;
    const ask = async () => {
      window.removeEventListener('loreloom:ask', onAsk);
      // The island itself is here by now: the wait goes on for its words.
      dataset['asking'] = '';
      try {
        const fetched = await fetchWords(files);
        if (here) setWords(() => fetched);
      } catch {
        window.dispatchEvent(new CustomEvent('loreloom:network-trouble', { detail: name }));
        onFailure?.();
        if (here) window.addEventListener('loreloom:ask', onAsk);
      } finally {
        delete dataset['asking'];
      }
    };
    const onAsk = (event: Event) => {
      if ((event as CustomEvent<string>).detail === name) void ask();
    };
    void ask();
    return () => {
      here = false;
      window.removeEventListener('loreloom:ask', onAsk);
    };
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- an island's name, language and files never change
  }, []);
  return words ? (
    <Dictionaries lang={lang} dictionary={words}>
      {children}
    </Dictionaries>
  ) : null;
}
