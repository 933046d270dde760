import { PSEUDO_PARAMETER } from '../../locales/pseudo-parameter.ts';
import type { Dictionary, Namespace } from './i18n.tsx';

/**
 * The URLs of each namespace's texts. JSON instead of scripts: browsers may cache a failed module import until the page
 * is left, and a script loader would be larger than the texts.
 */
export type DictionaryUrls<N extends Namespace> = Record<N, string>;

/** @throws when loading fails or the answer is not JSON */
async function fetchNamespace(address: string): Promise<unknown> {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`The words answered ${answer.status}`);
  return answer.json();
}

/**
 * Loads the texts of some namespaces, for islands that start too late for their texts to be in every page.
 * @throws when loading fails
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
