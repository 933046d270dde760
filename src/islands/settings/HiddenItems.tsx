import { useStore } from '@nanostores/react';
import { useEffect, useRef } from 'react';
import { choose, followChoices } from '../saved-lists/saved-list-actions.ts';
import type { Choice } from '../saved-lists/saved-lists-api.ts';
import { choices } from '../saved-lists/saved-lists-state.ts';
import { Dictionaries, type Dictionary, useLang, useWords } from '../shared/i18n.tsx';
import { LINK, SECONDARY } from '../shared/styles.ts';
import '../admin/admin-layout.css';

/** The tags of the catalogue as the reader's language calls them. */
type TagNames = Readonly<Record<string, string>>;

/** What one's account leaves out of lists, and the way back for each. */
export function HiddenThings({
  lang,
  dictionary,
  tags,
}: {
  lang: string;
  dictionary: Dictionary<'choices' | 'errors'>;
  tags: TagNames;
}) {
  return (
    <Dictionaries lang={lang} dictionary={dictionary}>
      <HiddenView tags={tags} />
    </Dictionaries>
  );
}

function HiddenView({ tags }: { tags: TagNames }) {
  const { hidden, hiddenFailed } = useStore(choices.$choices, { ssr: 'initial' });
  const words = useWords('choices');
  const errors = useWords('errors');
  const lang = useLang();
  const list = useRef<HTMLDivElement>(null);
  useEffect(followChoices, []);

  if (hidden === null) {
    return hiddenFailed ? (
      <div role="alert" className="flex flex-col items-start gap-3">
        <p>{words('loadFailed')}</p>
        <button type="button" className={SECONDARY} onClick={() => void choices.loadHidden()}>
          {words('tryAgain')}
        </button>
      </div>
    ) : (
      <p role="status" className="text-text-quiet">
        {words('hiddenLoading')}
      </p>
    );
  }
  const things: (Choice & { href: string })[] = [
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
  const show = async ({ kind, id, name }: Choice) => {
    await choose({ kind, id, name }, false, { lang, words, errors });
    // What was pressed is gone with its row.
    if (document.activeElement === document.body) list.current?.focus({ preventScroll: true });
  };
  return (
    <div ref={list} tabIndex={-1} className="outline-none">
      {things.length === 0 ? <p>{words('hiddenNone')}</p> : null}
      <ul className="rows">
        {things.map((thing) => (
          <li key={`${thing.kind} ${thing.id}`} className="flex flex-wrap items-center gap-x-4 gap-y-1">
            <span className="min-w-48 flex-1">
              <a dir="auto" className={`${LINK} row-link`} href={thing.href}>
                {thing.name}
              </a>
              <span className="block text-sm text-text-quiet">{words(thing.kind)}</span>
            </span>
            <button
              type="button"
              className={SECONDARY}
              aria-label={words('showAgainOf', { name: thing.name })}
              onClick={() => void show(thing)}
            >
              {words('showAgain')}
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
