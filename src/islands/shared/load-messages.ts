import { PSEUDO_PARAMETER } from '../../locales/pseudo-parameter.ts';
import type { Dictionary, Namespace } from './i18n.tsx';

/**
 * Where the words of each namespace are. They come as data: scripts that could not be fetched once may be refused for as
 * long as the page stands, and a loader for them would weigh more than the words.
 */
export type DictionaryUrls<N extends Namespace> = Record<N, string>;

/** @throws when it does not come, or is no dictionary */
async function fetchNamespace(address: string): Promise<unknown> {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`The words answered ${answer.status}`);
  return answer.json();
}

/**
 * The words of some namespaces, for what wakes so late that no page should carry them.
 * @throws when they do not come
 */
export async function fetchDictionary<N extends Namespace>(files: DictionaryUrls<N>): Promise<Dictionary<N>> {
  const entries = await Promise.all(
    Object.entries<string>(files).map(async ([namespace, address]) => [
      namespace,
      await fetchNamespace(address),
    ]),
  );
  const dictionary = Object.fromEntries(entries) as Dictionary<N>;
  if (
    typeof __LOCAL_BUILD__ !== 'undefined' &&
    __LOCAL_BUILD__ &&
    new URLSearchParams(location.search).has(PSEUDO_PARAMETER)
  ) {
    const { toPseudoMessages: pseudoMessages } = await import('../../locales/pseudo.ts');
    return pseudoMessages(dictionary);
  }
  return dictionary;
}
