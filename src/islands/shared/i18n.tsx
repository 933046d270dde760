import { createContext, use, useState, type ReactNode } from 'react';
import type account from '../../locales/en/account.json';
import type admin from '../../locales/en/admin.json';
import type adminReports from '../../locales/en/adminReports.json';
import type cases from '../../locales/en/cases.json';
import type adminStats from '../../locales/en/adminStats.json';
import type center from '../../locales/en/center.json';
import type chat from '../../locales/en/chat.json';
import type choices from '../../locales/en/choices.json';
import type returning from '../../locales/en/returning.json';
import type competition from '../../locales/en/competition.json';
import type create from '../../locales/en/create.json';
import type deletion from '../../locales/en/deletion.json';
import type errors from '../../locales/en/errors.json';
import type feedback from '../../locales/en/feedback.json';
import type membership from '../../locales/en/membership.json';
import type moveIn from '../../locales/en/moveIn.json';
import type onboarding from '../../locales/en/onboarding.json';
import type personas from '../../locales/en/personas.json';
import type picture from '../../locales/en/picture.json';
import type report from '../../locales/en/report.json';
import type search from '../../locales/en/search.json';
import type settings from '../../locales/en/settings.json';
import type signin from '../../locales/en/signin.json';
import { createTranslator } from './translator.ts';

/** The English texts define the types of all languages. */
interface Namespaces {
  chat: typeof chat;
  deletion: typeof deletion;
  errors: typeof errors;
  signin: typeof signin;
  onboarding: typeof onboarding;
  personas: typeof personas;
  search: typeof search;
  account: typeof account;
  settings: typeof settings;
  feedback: typeof feedback;
  picture: typeof picture;
  create: typeof create;
  moveIn: typeof moveIn;
  center: typeof center;
  report: typeof report;
  choices: typeof choices;
  returning: typeof returning;
  competition: typeof competition;
  membership: typeof membership;
  admin: typeof admin;
  adminReports: typeof adminReports;
  cases: typeof cases;
  adminStats: typeof adminStats;
}
export type Namespace = keyof Namespaces;
export type Dictionary<N extends Namespace> = { [K in N]: Namespaces[K] };

type PluralKey<K> = K extends `${infer Base}_${'one' | 'other'}` ? Base | K : K;
export type MessageKey<N extends Namespace> = PluralKey<keyof Namespaces[N] & string>;

/** Translates a key; `values` fill its {{placeholders}}, `count` selects the plural form. */
export type TranslateFn<N extends Namespace> = (
  key: MessageKey<N>,
  values?: Record<string, string | number>,
) => string;

interface TranslationScope {
  lang: string;
  getTranslate<N extends Namespace>(namespace: N): TranslateFn<N>;
}

const TranslationContext = createContext<TranslationScope>({
  lang: 'en',
  getTranslate: () => {
    throw new Error('Words are read inside <Dictionaries> only');
  },
});

/** Provides an island's dictionaries, in the page's language. Nested providers add namespaces to those around them. */
export function TranslationProvider({
  lang,
  dictionary,
  children,
}: {
  lang: string;
  dictionary: Partial<Dictionary<Namespace>>;
  children: ReactNode;
}) {
  const parent = use(TranslationContext);
  const [scope] = useState((): TranslationScope => {
    const words = new Map(
      Object.entries(dictionary).map(([namespace, messages]) => [
        namespace,
        createTranslator(lang, messages),
      ]),
    );
    return {
      lang,
      getTranslate: <N extends Namespace>(namespace: N) =>
        (words.get(namespace) as unknown as TranslateFn<N> | undefined) ?? parent.getTranslate(namespace),
    };
  });
  return <TranslationContext value={scope}>{children}</TranslationContext>;
}

export function useTranslate<N extends Namespace>(namespace: N): TranslateFn<N> {
  return use(TranslationContext).getTranslate(namespace);
}

export function useLang(): string {
  return use(TranslationContext).lang;
}
