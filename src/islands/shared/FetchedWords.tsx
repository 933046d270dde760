import { useEffect, useState, type ReactNode } from 'react';
import { PSEUDO_PARAMETER } from '../../locales/pseudo-parameter.ts';
import { Dictionaries, type Dictionary, type Namespace } from './i18n.tsx';

/**
 * Where the words of each namespace are. They come as data: scripts that could not be fetched once may be refused for as
 * long as the page stands, and a loader for them would weigh more than the words.
 */
export type WordFiles<N extends Namespace> = Record<N, string>;

/** @throws when it does not come, or is no dictionary */
async function fetchNamespace(address: string): Promise<unknown> {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`The words answered ${answer.status}`);
  return answer.json();
}

async function fetchWords<N extends Namespace>(files: WordFiles<N>): Promise<Dictionary<N>> {
  const entries = await Promise.all(
    Object.entries<string>(files).map(async ([namespace, address]) => [
      namespace,
      await fetchNamespace(address),
    ]),
  );
  const words = Object.fromEntries(entries) as Dictionary<N>;
  if (
    typeof __LOCAL_BUILD__ !== 'undefined' &&
    __LOCAL_BUILD__ &&
    new URLSearchParams(location.search).has(PSEUDO_PARAMETER)
  ) {
    const { pseudoMessages } = await import('../../locales/pseudo.ts');
    return pseudoMessages(words);
  }
  return words;
}

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
