import { useStore } from '@nanostores/react';
import { useEffect, useRef, type ReactNode } from 'react';
import type { CharacterCard } from '../../features/character/contract.ts';
import { getListPictureUrl } from '../../features/character/portrait.ts';
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

/** Pages that load automatically. After that the user must ask, so that the page's footer is reachable. */
const MAX_AUTO_PAGES = 3;
/** Distance below the viewport at which the next page loads, as a root margin. */
const PRELOAD_MARGIN = '800px 0px';

/** Returns the texts and language for the toasts of saved-list actions. */
export function useActionMessages(): ActionMessages {
  return { lang: useLang(), words: useTranslate('choices'), errors: useTranslate('errors') };
}

/** Whether an item is saved, and a function that toggles it. */
export function useSavedItem(choice: SavedItem): { on: boolean; toggle: () => void } {
  const state = useStore(savedLists.$state, { ssr: 'initial' });
  const messages = useActionMessages();
  const on = isSaved(state, choice) ?? false;
  return { on, toggle: () => void choose(choice, !on, messages) };
}

/** A toggle button that saves or removes an item. */
export function SavedItemButton({
  choice,
  className,
  label,
  pressedLabel = label,
  title,
  children,
}: {
  choice: SavedItem;
  className: string;
  label: string;
  /** Its label while it is pressed, if the visible text changes. */
  pressedLabel?: string;
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
      aria-label={on ? pressedLabel : label}
      title={title}
      onClick={press}
    >
      {children}
    </button>
  );
}

/** The button that adds a character to the favourites or removes it. */
function FavouriteButton({ id, name }: { id: string; name: string }) {
  const words = useTranslate('choices');
  return (
    <SavedItemButton
      choice={{ kind: 'favourite', id, name }}
      className={ICON}
      label={words('favouriteNamed', { name })}
      title={words('favourite')}
    >
      <Icon name="heart" />
    </SavedItemButton>
  );
}

/** Character cards as in the catalogue, optionally with a favourite button. */
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
        const oneliner = sanitizeText(
          replaceMacros(character.oneliner, { user: words('userInTagline'), char: name }),
        );
        return (
          <li key={id}>
            <a className="character-card" href={`/${lang}/character-info/${encodeURIComponent(id)}`}>
              <span className="portrait">
                <img
                  src={getListPictureUrl(character.avatar_url)}
                  alt=""
                  width="480"
                  height="640"
                  loading="lazy"
                  decoding="async"
                />
                {character.nsfw_allowed ? <span className="badge">{words('adultsBadge')}</span> : null}
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
 * Loads the next pages of a list: the first few automatically near its end, later ones with a button.
 * @param onlyAsked load every page with the button, because there is more content below the list
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
        label={words(more === 'loading' ? 'loadingMore' : 'showMore')}
        failed={words('loadMoreFailed')}
        show={() => void pages.showMore()}
      />
    </div>
  );
}

/** The loading or error state of a list; nothing once it has items or is loaded. */
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

/** The placeholder for an empty list. */
export function EmptyList({ title, text, children }: { title: string; text: string; children?: ReactNode }) {
  return (
    <div className="flex max-w-xl flex-col items-start gap-4 border-t border-line pt-6">
      <h2>{title}</h2>
      <p className="text-text-quiet">{text}</p>
      {children}
    </div>
  );
}
