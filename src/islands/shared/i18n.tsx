import { createInstance } from 'i18next';
import { createContext, use, useState, type ReactNode } from 'react';
import type chat from '../../locales/en/chat.json';
import type errors from '../../locales/en/errors.json';
import type signin from '../../locales/en/signin.json';

/** English is the type of every message. */
interface Namespaces {
  chat: typeof chat;
  errors: typeof errors;
  signin: typeof signin;
}
export type Namespace = keyof Namespaces;
export type Dictionary<N extends Namespace> = { [K in N]: Namespaces[K] };

type PluralKey<K> = K extends `${infer Base}_${'one' | 'other'}` ? Base | K : K;
export type MessageKey<N extends Namespace> = PluralKey<keyof Namespaces[N] & string>;

/** Looks a message up; `values` fill its {{places}}, `count` chooses its plural form. */
export type Words<N extends Namespace> = (
  key: MessageKey<N>,
  values?: Record<string, string | number>,
) => string;

interface Reader {
  lang: string;
  words<N extends Namespace>(namespace: N): Words<N>;
}

const Reading = createContext<Reader>({
  lang: 'en',
  words: () => {
    throw new Error('Words are read inside <Dictionaries> only');
  },
});

/** Gives an island its words: the dictionaries of its namespaces in the page's language. */
export function Dictionaries({
  lang,
  dictionary,
  children,
}: {
  lang: string;
  dictionary: Partial<Dictionary<Namespace>>;
  children: ReactNode;
}) {
  const [reading] = useState((): Reader => {
    const instance = createInstance();
    void instance.init({
      lng: lang,
      fallbackLng: false,
      resources: { [lang]: dictionary },
      ns: Object.keys(dictionary),
      initAsync: false,
      // A code such as `a.b` is one key, and a sentence may hold a colon.
      keySeparator: false,
      nsSeparator: false,
      // React draws text as text.
      interpolation: { escapeValue: false },
    });
    const words = new Map(
      Object.keys(dictionary).map((namespace) => [namespace, instance.getFixedT(lang, namespace as never)]),
    );
    return {
      lang,
      words: <N extends Namespace>(namespace: N) => words.get(namespace) as unknown as Words<N>,
    };
  });
  return <Reading value={reading}>{children}</Reading>;
}

export function useWords<N extends Namespace>(namespace: N): Words<N> {
  return use(Reading).words(namespace);
}

export function useLang(): string {
  return use(Reading).lang;
}
