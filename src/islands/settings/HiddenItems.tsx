import { useStore } from '@nanostores/react';
import { useEffect, useRef } from 'react';
import { choose, syncWithSession } from '../saved-lists/saved-list-actions.ts';
import type { SavedItem } from '../saved-lists/saved-lists-api.ts';
import { savedLists } from '../saved-lists/saved-lists-state.ts';
import { TranslationProvider, type Dictionary, useLang, useTranslate } from '../shared/i18n.tsx';
import { LINK, SECONDARY } from '../shared/styles.ts';
import '../admin/admin-layout.css';

/** Names of the catalogue's tags in the reader's language. */
type TagNames = Readonly<Record<string, string>>;

/** Characters, creators and tags that the account hides, each with a button to show it again. */
export function HiddenItems({
  lang,
  dictionary,
  tags,
}: {
  lang: string;
  dictionary: Dictionary<'choices' | 'errors'>;
  tags: TagNames;
}) {
  return (
    <TranslationProvider lang={lang} dictionary={dictionary}>
      <HiddenItemsView tags={tags} />
    </TranslationProvider>
  );
}

function HiddenItemsView({ tags }: { tags: TagNames }) {
  const { hidden, hiddenFailed } = useStore(savedLists.$state, { ssr: 'initial' });
  const words = useTranslate('choices');
  const errors = useTranslate('errors');
  const lang = useLang();
  const list = useRef<HTMLDivElement>(null);
  useEffect(syncWithSession, []);

  if (hidden === null) {
    return hiddenFailed ? (
      <div role="alert" className="flex flex-col items-start gap-3">
        <p>{words('loadFailed')}</p>
        <button type="button" className={SECONDARY} onClick={() => void savedLists.loadHidden()}>
          {words('tryAgain')}
        </button>
      </div>
    ) : (
      <p role="status" className="text-text-quiet">
        {words('loading')}
      </p>
    );
  }
  const items: (SavedItem & { href: string })[] = [
    ...hidden.tags.map((id) => ({
      kind: 'tag' as const,
      id,
      name: tags[id] ?? id,
      href: `/${lang}/tag/${encodeURIComponent(id)}`,
    })),
    ...hidden.creators.map(({ id, name }) => ({
      kind: 'creator' as const,
      id,
      name,
      href: `/creator/${encodeURIComponent(id)}`,
    })),
  ];
  const show = async ({ kind, id, name }: SavedItem) => {
    await choose({ kind, id, name }, false, { lang, words, errors });
    // The pressed button is gone with its row.
    if (document.activeElement === document.body) list.current?.focus({ preventScroll: true });
  };
  return (
    <div ref={list} tabIndex={-1} className="outline-none">
      {items.length === 0 ? <p>{words('hiddenEmpty')}</p> : null}
      <ul className="rows">
        {items.map((item) => (
          <li key={`${item.kind} ${item.id}`} className="flex flex-wrap items-center gap-x-4 gap-y-1">
            <span className="min-w-48 flex-1">
              <a dir="auto" className={`${LINK} row-link`} href={item.href}>
                {item.name}
              </a>
              <span className="block text-sm text-text-quiet">{words(item.kind)}</span>
            </span>
            <button
              type="button"
              className={SECONDARY}
              aria-label={words('showAgainNamed', { name: item.name })}
              onClick={() => void show(item)}
            >
              {words('showAgain')}
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
