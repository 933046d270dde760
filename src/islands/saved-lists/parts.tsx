import { useStore } from '@nanostores/react';
import { useEffect, useRef, type ReactNode } from 'react';
import type { CharacterCard } from '../../features/character/contract.ts';
import { fillNames } from '../../features/conversation/conversation-names.ts';
import { sanitizeText } from '../../lib/visible-text.ts';
import { languageOfText } from '../../locales/text-language.ts';
import type { Language } from '../../config/languages.ts';
import { choose, type Telling } from './saved-list-actions.ts';
import { choices, isChosen } from './saved-lists-state.ts';
import type { Choice } from './saved-lists-api.ts';
import { Icon } from '../shared/ui/Icon.tsx';
import { useLang, useWords } from '../shared/i18n.tsx';
import { ShowMore } from '../shared/ui/ShowMore.tsx';
import { ICON, SECONDARY } from '../shared/styles.ts';
import type { Paged, PagedList } from '../shared/paged.ts';

/** Pages that come by themselves; after them one asks, so that the foot of the page can be reached. */
const PAGES_BY_THEMSELVES = 3;
/** The end is near when it is so far below the screen. */
const NEAR = '800px 0px';

/** What one's choices are told in. */
export function useTelling(): Telling {
  return { lang: useLang(), words: useWords('choices'), errors: useWords('errors') };
}

/** Whether something is chosen, and how that is changed. */
export function useChoice(choice: Choice): { on: boolean; press: () => void } {
  const state = useStore(choices.$choices, { ssr: 'initial' });
  const telling = useTelling();
  const on = isChosen(state, choice) ?? false;
  return { on, press: () => void choose(choice, !on, telling) };
}

/** Says whether something is chosen, and changes that. */
export function ChoiceButton({
  choice,
  className,
  label,
  title,
  children,
}: {
  choice: Choice;
  className: string;
  label: string;
  title?: string;
  children: ReactNode;
}) {
  const { on, press } = useChoice(choice);
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
function Heart({ id, name }: { id: string; name: string }) {
  const words = useWords('choices');
  return (
    <ChoiceButton
      choice={{ kind: 'favourite', id, name }}
      className={ICON}
      label={words('favouriteOf', { name })}
      title={words('favourite')}
    >
      <Icon name="heart" />
    </ChoiceButton>
  );
}

/** Characters as the catalogue draws them; with their hearts, where they can be taken out of the list. */
export function Cards({
  items,
  label,
  hearts = false,
}: {
  items: readonly CharacterCard[];
  label: string;
  hearts?: boolean;
}) {
  const words = useWords('choices');
  const lang = useLang();
  return (
    <ul className="card-grid" aria-label={label}>
      {items.map((character) => {
        const { id, name } = character;
        const oneliner = sanitizeText(fillNames(character.oneliner, { user: words('you'), char: name }));
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
              <span className="oneliner" lang={languageOfText(oneliner, lang as Language)}>
                {oneliner}
              </span>
            </a>
            {hearts ? <Heart id={id} name={name} /> : null}
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
export function MoreOf<Item>({
  list,
  pages,
  onlyAsked = false,
}: {
  list: Paged<Item>;
  pages: Pick<PagedList<Item>, 'showMore'>;
  onlyAsked?: boolean;
}) {
  const words = useWords('choices');
  const end = useRef<HTMLDivElement>(null);
  const { nextCursor, more, added } = list;
  const byItself = !onlyAsked && nextCursor !== null && more === 'idle' && added < PAGES_BY_THEMSELVES;
  useEffect(() => {
    if (!byItself || end.current === null) return;
    const seen = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) void pages.showMore();
      },
      { rootMargin: NEAR },
    );
    seen.observe(end.current);
    return () => seen.disconnect();
  }, [byItself, added, pages]);
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
export function Waiting<Item>({ list, retry }: { list: Paged<Item>; retry: () => void }) {
  const words = useWords('choices');
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
export function Empty({ title, text, children }: { title: string; text: string; children?: ReactNode }) {
  return (
    <div className="flex max-w-xl flex-col items-start gap-4 border-t border-line pt-6">
      <h2>{title}</h2>
      <p className="text-text-quiet">{text}</p>
      {children}
    </div>
  );
}
