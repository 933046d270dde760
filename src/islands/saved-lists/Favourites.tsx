import { useStore } from '@nanostores/react';
import { useEffect, useState } from 'react';
import type { FollowedCreator } from '../../features/character/contract.ts';
import { useOnline } from '../shared/online.ts';
import { followChoices } from './saved-list-actions.ts';
import { choices } from './saved-lists-state.ts';
import { Icon } from '../shared/ui/Icon.tsx';
import { Dictionaries, useLang, useWords, type Dictionary } from '../shared/i18n.tsx';
import { PRIMARY, ROW_LINK, SECONDARY } from '../shared/styles.ts';
import { creators, favourites, LISTS, newest } from './favourites-state.ts';
import { Cards, ChoiceButton, Empty, MoreOf, Waiting } from './parts.tsx';
import '../admin/admin-layout.css';

/** One's favourites and whom one follows, for whoever has an account; others have the page's own words. */
export function Favourites({
  lang,
  dictionary,
}: {
  lang: string;
  dictionary: Dictionary<'choices' | 'errors'>;
}) {
  return (
    <Dictionaries lang={lang} dictionary={dictionary}>
      <FavouritesView />
    </Dictionaries>
  );
}

const SHOWN = ['favourites', 'following'] as const;
type Shown = (typeof SHOWN)[number];
const listsOf = (shown: Shown) => (shown === 'following' ? [creators, newest] : [favourites]);

/** Fetches what is shown of whoever is here, again when that changes or the network is back. */
function useLists(shown: Shown): void {
  const { owner } = useStore(choices.$choices, { ssr: 'initial' });
  useEffect(followChoices, []);
  useEffect(() => {
    for (const list of LISTS) list.forget();
  }, [owner]);
  useEffect(() => {
    if (owner === null) return;
    for (const list of listsOf(shown)) if (list.$list.get().status === 'idle') void list.load();
  }, [owner, shown]);
  useEffect(() => {
    const again = () => {
      for (const list of LISTS) if (list.$list.get().status === 'failed') void list.load();
    };
    window.addEventListener('online', again);
    return () => window.removeEventListener('online', again);
  }, []);
}

/** The list that the address names. */
function useShown(): Shown {
  const [shown, setShown] = useState<Shown>('favourites');
  useEffect(() => {
    const read = () => setShown(location.hash === '#following' ? 'following' : 'favourites');
    read();
    window.addEventListener('hashchange', read);
    return () => window.removeEventListener('hashchange', read);
  }, []);
  return shown;
}

function FavouritesView() {
  const shown = useShown();
  useLists(shown);
  const online = useOnline();
  const words = useWords('choices');
  return (
    <>
      {online ? null : (
        <p role="status" className="mb-4 border-s-2 border-state ps-3">
          {words('offline')}
        </p>
      )}
      <nav aria-label={words('lists')} className="mb-6 flex flex-wrap gap-2">
        {SHOWN.map((name) => (
          <a key={name} className="chip" href={`#${name}`} aria-current={name === shown ? 'true' : undefined}>
            {words(name)}
          </a>
        ))}
      </nav>
      {shown === 'favourites' ? <Kept /> : <Following />}
    </>
  );
}

function Kept() {
  const list = useStore(favourites.$list, { ssr: 'initial' });
  const words = useWords('choices');
  const lang = useLang();
  return (
    <section aria-label={words('favourites')}>
      <Waiting list={list} retry={() => void favourites.load()} />
      {list.status === 'ready' && list.items.length === 0 ? (
        <Empty title={words('emptyTitle')} text={words('emptyText')}>
          <a className={PRIMARY} href={`/${lang}/discover`}>
            {words('discover')}
          </a>
        </Empty>
      ) : null}
      {list.items.length > 0 ? <Cards items={list.items} label={words('favourites')} hearts /> : null}
      <MoreOf list={list} pages={favourites} />
    </section>
  );
}

function Following() {
  const whom = useStore(creators.$list, { ssr: 'initial' });
  const what = useStore(newest.$list, { ssr: 'initial' });
  const words = useWords('choices');
  const lang = useLang();
  if (whom.status === 'ready' && whom.items.length === 0) {
    return (
      <section aria-label={words('following')}>
        <Empty title={words('followingEmptyTitle')} text={words('followingEmptyText')}>
          <a className={PRIMARY} href={`/${lang}/discover`}>
            {words('discover')}
          </a>
        </Empty>
      </section>
    );
  }
  return (
    <>
      <section aria-labelledby="creators">
        <h2 id="creators" className="mb-2">
          {words('creators')}
        </h2>
        <Waiting list={whom} retry={() => void creators.load()} />
        {whom.items.length > 0 ? (
          <ul className="border-b border-line">
            {whom.items.map((creator) => (
              <Creator key={creator.id} creator={creator} />
            ))}
          </ul>
        ) : null}
        <MoreOf list={whom} pages={creators} onlyAsked />
      </section>
      <section aria-labelledby="newest" className="mt-10">
        <h2 id="newest" className="mb-4">
          {words('newest')}
        </h2>
        <Waiting list={what} retry={() => void newest.load()} />
        {what.status === 'ready' && what.items.length === 0 ? (
          <p className="text-text-quiet">{words('newestEmpty')}</p>
        ) : null}
        {what.items.length > 0 ? <Cards items={what.items} label={words('newest')} /> : null}
        <MoreOf list={what} pages={newest} />
      </section>
    </>
  );
}

function Creator({ creator: { id, name, avatar_url: avatar } }: { creator: FollowedCreator }) {
  const words = useWords('choices');
  const face = 'size-11 shrink-0 rounded-full bg-surface-2 object-cover';
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 border-t border-line py-2">
      <a
        className={`${ROW_LINK} min-h-11 min-w-0 flex-1 basis-40`}
        href={`/creator/${encodeURIComponent(id)}`}
      >
        {avatar === null ? (
          <span className={`${face} grid place-items-center font-serif`} aria-hidden="true">
            {[...name][0]?.toUpperCase()}
          </span>
        ) : (
          <img className={face} src={avatar} alt="" width="44" height="44" loading="lazy" decoding="async" />
        )}
        <span dir="auto" className="min-w-0 break-words">
          {name}
        </span>
      </a>
      <ChoiceButton
        choice={{ kind: 'follow', id, name }}
        className={SECONDARY}
        label={words('followOf', { name })}
      >
        <Icon name="check" />
        {words('follow')}
      </ChoiceButton>
    </li>
  );
}
