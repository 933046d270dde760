import { useStore } from '@nanostores/react';
import { useEffect, useRef, type ReactNode } from 'react';
import type { CharacterCard } from '../../features/character/contract.ts';
import { replaceMacros } from '../../features/conversation/macro-names.ts';
import { sanitizeText } from '../../lib/sanitize-text.ts';
import { detectTextLanguage } from '../../locales/text-language.ts';
import type { Language } from '../../config/languages.ts';
import { choose, type ActionMessages } from './saved-list-actions.ts';
import { savedLists, isSaved } from './saved-lists-state.ts';
import type { SavedItem } from './saved-lists-api.ts';
import { Icon } from '../shared/ui/Icon.tsx';
import { useLang, useTranslate } from '../shared/i18n.tsx';
import { ShowMore } from '../shared/ui/ShowMore.tsx';
import { ICON, SECONDARY } from '../shared/styles.ts';
import type { PagedState, PagedList } from '../shared/paged-list.ts';

/** Pages that come by themselves; after them one asks, so that the foot of the page can be reached. */
const MAX_AUTO_PAGES = 3;
/** The end is near when it is so far below the screen. */
const PRELOAD_MARGIN = '800px 0px';

/** What one's choices are told in. */
export function useActionMessages(): ActionMessages {
  return { lang: useLang(), words: useTranslate('choices'), errors: useTranslate('errors') };
}

/** Whether something is chosen, and how that is changed. */
export function useSavedItem(choice: SavedItem): { on: boolean; toggle: () => void } {
  const state = useStore(savedLists.$state, { ssr: 'initial' });
  const messages = useActionMessages();
  const on = isSaved(state, choice) ?? false;
  return { on, toggle: () => void choose(choice, !on, messages) };
}

/** Says whether something is chosen, and changes that. */
export function SavedItemButton({
  choice,
  className,
  label,
  title,
  children,
}: {
  choice: SavedItem;
  className: string;
  label: string;
  title?: string;
  children: ReactNode;
}) {
  const { on, toggle: press } = useSavedItem(choice);
  return (
    <button
      type="button"
      className={`choice ${className}`}
      data-choice-look={choice.kind === 'favourite' ? 'heart' : choice.kind}
      aria-pressed={on}
      aria-label={label}
      title={title}
      onClick={press}
    >
      {children}
    </button>
  );
}

/** The heart of a character. */
function FavouriteButton({ id, name }: { id: string; name: string }) {
  const words = useTranslate('choices');
  return (
    <SavedItemButton
      choice={{ kind: 'favourite', id, name }}
      className={ICON}
      label={words('favouriteOf', { name })}
      title={words('favourite')}
    >
      <Icon name="heart" />
    </SavedItemButton>
  );
}

/** Characters as the catalogue draws them; with their hearts, where they can be taken out of the list. */
export function CharacterCards({
  items,
  label,
  hearts: showFavourites = false,
}: {
  items: readonly CharacterCard[];
  label: string;
  hearts?: boolean;
}) {
  const words = useTranslate('choices');
  const lang = useLang();
  return (
    <ul className="card-grid" aria-label={label}>
      {items.map((character) => {
        const { id, name } = character;
        const oneliner = sanitizeText(replaceMacros(character.oneliner, { user: words('you'), char: name }));
        return (
          <li key={id}>
            <a className="character-card" href={`/${lang}/character-info/${encodeURIComponent(id)}`}>
              <span className="portrait">
                <img
                  src={character.avatar_url}
                  alt=""
                  width="480"
                  height="640"
                  loading="lazy"
                  decoding="async"
                />
                {character.nsfw_allowed ? <span className="badge">{words('adults')}</span> : null}
                <span className="name">{sanitizeText(name)}</span>
              </span>
              <span className="oneliner" lang={detectTextLanguage(oneliner, lang as Language)}>
                {oneliner}
              </span>
            </a>
            {showFavourites ? <FavouriteButton id={id} name={name} /> : null}
          </li>
        );
      })}
    </ul>
  );
}

/**
 * The way to the rest of a list. The first pages come by themselves when the end is near.
 * @param onlyAsked each page is asked for, because more stands below the list
 */
export function AutoShowMore<Item>({
  list,
  pages,
  onlyAsked: isManual = false,
}: {
  list: PagedState<Item>;
  pages: Pick<PagedList<Item>, 'showMore'>;
  onlyAsked?: boolean;
}) {
  const words = useTranslate('choices');
  const end = useRef<HTMLDivElement>(null);
  const { nextCursor, more, added } = list;
  const isAutomatic = !isManual && nextCursor !== null && more === 'idle' && added < MAX_AUTO_PAGES;
  useEffect(() => {
    if (!isAutomatic || end.current === null) return;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) void pages.showMore();
      },
      { rootMargin: PRELOAD_MARGIN },
    );
    observer.observe(end.current);
    return () => observer.disconnect();
  }, [isAutomatic, added, pages]);
  if (nextCursor === null) return null;
  return (
    <div ref={end} className="pt-2">
      <ShowMore
        more={more}
        label={words(more === 'loading' ? 'moreLoading' : 'more')}
        failed={words('moreFailed')}
        show={() => void pages.showMore()}
      />
    </div>
  );
}

/** A list while it is not here; nothing when it is. */
export function ListStatus<Item>({ list, retry }: { list: PagedState<Item>; retry: () => void }) {
  const words = useTranslate('choices');
  if (list.status === 'failed') {
    return (
      <div role="alert" className="flex flex-col items-start gap-3">
        <p>{words('loadFailed')}</p>
        <button type="button" className={SECONDARY} onClick={retry}>
          {words('tryAgain')}
        </button>
      </div>
    );
  }
  if (list.status === 'ready' || list.items.length > 0) return null;
  return (
    <p role="status" className="text-text-quiet">
      {words('loading')}
    </p>
  );
}

/** What stands in the place of an empty list. */
export function EmptyList({ title, text, children }: { title: string; text: string; children?: ReactNode }) {
  return (
    <div className="flex max-w-xl flex-col items-start gap-4 border-t border-line pt-6">
      <h2>{title}</h2>
      <p className="text-text-quiet">{text}</p>
      {children}
    </div>
  );
}
