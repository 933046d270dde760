import { useStore } from '@nanostores/react';
import { useEffect, useState } from 'react';
import type { FollowedCreator } from '../../features/character/contract.ts';
import { useOnline } from '../shared/online.ts';
import { syncWithSession } from './saved-list-actions.ts';
import { savedLists } from './saved-lists-state.ts';
import { Icon } from '../shared/ui/Icon.tsx';
import { TranslationProvider, useLang, useTranslate, type Dictionary } from '../shared/i18n.tsx';
import { PRIMARY, ROW_LINK, SECONDARY } from '../shared/styles.ts';
import { creators, favourites, FAVOURITE_LISTS, newestCharacters } from './favourites-state.ts';
import { CharacterCards, SavedItemButton, EmptyList, AutoShowMore, ListStatus } from './saved-list-parts.tsx';
import '../admin/admin-layout.css';

/** The user's favourites and followed creators. Needs an account; the page itself has the text for everyone else. */
export function Favourites({
  lang,
  dictionary,
}: {
  lang: string;
  dictionary: Dictionary<'choices' | 'errors'>;
}) {
  return (
    <TranslationProvider lang={lang} dictionary={dictionary}>
      <FavouritesView />
    </TranslationProvider>
  );
}

const TABS = ['favourites', 'following'] as const;
type TabName = (typeof TABS)[number];
const getLists = (shown: TabName) => (shown === 'following' ? [creators, newestCharacters] : [favourites]);

/** Loads the shown lists for the current user; again after a change of user or when the network returns. */
function useLists(shown: TabName): void {
  const { owner } = useStore(savedLists.$state, { ssr: 'initial' });
  useEffect(syncWithSession, []);
  useEffect(() => {
    for (const list of FAVOURITE_LISTS) list.reset();
  }, [owner]);
  useEffect(() => {
    if (owner === null) return;
    for (const list of getLists(shown)) list.loadIfStale();
  }, [owner, shown]);
  useEffect(() => {
    const retryFailed = () => {
      for (const list of FAVOURITE_LISTS) if (list.$list.get().status === 'failed') void list.load();
    };
    window.addEventListener('online', retryFailed);
    return () => window.removeEventListener('online', retryFailed);
  }, []);
}

/** The list named by the URL's fragment. */
function useTabName(): TabName {
  const [shown, setShown] = useState<TabName>('favourites');
  useEffect(() => {
    const read = () => setShown(location.hash === '#following' ? 'following' : 'favourites');
    read();
    window.addEventListener('hashchange', read);
    return () => window.removeEventListener('hashchange', read);
  }, []);
  return shown;
}

function FavouritesView() {
  const shown = useTabName();
  useLists(shown);
  const online = useOnline();
  const words = useTranslate('choices');
  return (
    <>
      {online ? null : (
        <p role="status" className="mb-4 border-s-2 border-state ps-3">
          {words('offline')}
        </p>
      )}
      <nav aria-label={words('listsLabel')} className="mb-6 flex flex-wrap gap-2">
        {TABS.map((name) => (
          <a key={name} className="chip" href={`#${name}`} aria-current={name === shown ? 'true' : undefined}>
            {words(name)}
          </a>
        ))}
      </nav>
      {shown === 'favourites' ? <FavouriteCharacters /> : <Following />}
    </>
  );
}

function FavouriteCharacters() {
  const list = useStore(favourites.$list, { ssr: 'initial' });
  const words = useTranslate('choices');
  const lang = useLang();
  return (
    <section aria-label={words('favourites')}>
      <ListStatus list={list} retry={() => void favourites.load()} />
      {list.status === 'ready' && list.items.length === 0 ? (
        <EmptyList title={words('emptyTitle')} text={words('emptyText')}>
          <a className={PRIMARY} href={`/${lang}/discover`}>
            {words('findCharacter')}
          </a>
        </EmptyList>
      ) : null}
      {list.items.length > 0 ? (
        <CharacterCards items={list.items} label={words('favourites')} hearts />
      ) : null}
      <AutoShowMore list={list} pages={favourites} />
    </section>
  );
}

function Following() {
  const creatorList = useStore(creators.$list, { ssr: 'initial' });
  const characterList = useStore(newestCharacters.$list, { ssr: 'initial' });
  const words = useTranslate('choices');
  const lang = useLang();
  if (creatorList.status === 'ready' && creatorList.items.length === 0) {
    return (
      <section aria-label={words('following')}>
        <EmptyList title={words('followingEmptyTitle')} text={words('followingEmptyText')}>
          <a className={PRIMARY} href={`/${lang}/discover`}>
            {words('findCharacter')}
          </a>
        </EmptyList>
      </section>
    );
  }
  return (
    <>
      <section aria-labelledby="creators">
        <h2 id="creators" className="mb-2">
          {words('creatorsTitle')}
        </h2>
        <ListStatus list={creatorList} retry={() => void creators.load()} />
        {creatorList.items.length > 0 ? (
          <ul className="border-b border-line">
            {creatorList.items.map((creator) => (
              <Creator key={creator.id} creator={creator} />
            ))}
          </ul>
        ) : null}
        <AutoShowMore list={creatorList} pages={creators} onlyAsked />
      </section>
      <section aria-labelledby="newest" className="mt-10">
        <h2 id="newest" className="mb-4">
          {words('newestTitle')}
        </h2>
        <ListStatus list={characterList} retry={() => void newestCharacters.load()} />
        {characterList.status === 'ready' && characterList.items.length === 0 ? (
          <p className="text-text-quiet">{words('newestEmpty')}</p>
        ) : null}
        {characterList.items.length > 0 ? (
          <CharacterCards items={characterList.items} label={words('newestTitle')} />
        ) : null}
        <AutoShowMore list={characterList} pages={newestCharacters} />
      </section>
    </>
  );
}

function Creator({ creator: { id, name, staff, avatar_url: avatar } }: { creator: FollowedCreator }) {
  const words = useTranslate('choices');
  const avatarClass = 'size-11 shrink-0 rounded-full bg-surface-2 object-cover';
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 border-t border-line py-2">
      <a
        className={`${ROW_LINK} min-h-11 min-w-0 flex-1 basis-40`}
        href={`/creator/${encodeURIComponent(id)}`}
      >
        {avatar === null ? (
          <span className={`${avatarClass} grid place-items-center font-serif`} aria-hidden="true">
            {[...name][0]?.toUpperCase()}
          </span>
        ) : (
          <img
            className={avatarClass}
            src={avatar}
            alt=""
            width="44"
            height="44"
            loading="lazy"
            decoding="async"
          />
        )}
        <span dir="auto" className="min-w-0 break-words">
          {name}
        </span>
        {staff ? <span className="badge badge-staff">{words('staffBadge')}</span> : null}
      </a>
      <SavedItemButton
        choice={{ kind: 'follow', id, name }}
        className={SECONDARY}
        label={words('followNamed', { name })}
        pressedLabel={words('followPressedNamed', { name })}
      >
        <Icon name="check" />
        <span data-unpressed>{words('follow')}</span>
        <span data-pressed>{words('followPressed')}</span>
      </SavedItemButton>
    </li>
  );
}
