import { useStore } from '@nanostores/react';
import { useEffect, useRef, useState, type RefObject } from 'react';
import { TEXT_LIMITS } from '../../config/text-limits.ts';
import { formatFailure } from '../shared/errors.ts';
import { TranslationProvider, useLang, useTranslate, type Dictionary } from '../shared/i18n.tsx';
import { Icon } from '../shared/ui/Icon.tsx';
import { $session } from '../shared/session-state.ts';
import { FIELD, PRIMARY, SECONDARY } from '../shared/styles.ts';
import { createBrowserSearch } from './browser-search.ts';
import { SearchResults } from './SearchResults.tsx';
import '../admin/admin-layout.css';
import './search.css';
import type { MessageSearch as SearchMachine, SearchState } from './search-state.ts';

/** Search over all of the user's chats. The query is part of the address, so that the back button restores it. */
export function SearchPage({
  lang,
  dictionary,
  query,
}: {
  lang: string;
  dictionary: Dictionary<'search' | 'errors'>;
  /** The query from the address. */
  query: string;
}) {
  return (
    <TranslationProvider lang={lang} dictionary={dictionary}>
      <SearchView query={query} />
    </TranslationProvider>
  );
}

/** Searches the current user's chats, again when the user changes or the network returns. */
function useMessageSearch(input: RefObject<HTMLInputElement | null>): SearchMachine {
  const [search] = useState(createBrowserSearch);
  const { auth } = useStore($session, { ssr: 'initial' });
  const userId = auth?.user?.id ?? null;
  const previousUserId = useRef({ id: userId, gone: false });
  useEffect(() => {
    search.reset();
    const { id, gone } = previousUserId.current;
    previousUserId.current = { id: userId ?? id, gone: userId === null };
    if (userId === null) return;
    // Do not run one user's query on another user's chats. A guest who logs in keeps theirs.
    if (gone && id !== null && id !== userId) clearInput(input.current);
    search.submit(input.current?.value ?? '');
  }, [search, userId, input]);
  useEffect(() => {
    const again = () => search.retry();
    window.addEventListener('online', again);
    return () => window.removeEventListener('online', again);
  }, [search]);
  useEffect(
    () =>
      search.$search.listen(({ asked, status }) => {
        if (status === 'searching') writeQueryToUrl(asked);
      }),
    [search],
  );
  return search;
}

function clearInput(box: HTMLInputElement | null): void {
  if (box !== null) box.value = '';
  writeQueryToUrl('');
}

function writeQueryToUrl(query: string): void {
  const address = query === '' ? '' : `?${new URLSearchParams({ q: query })}`;
  history.replaceState(history.state, '', location.pathname + address);
}

function SearchView({ query }: { query: string }) {
  const input = useRef<HTMLInputElement>(null);
  const search = useMessageSearch(input);
  useEffect(() => {
    // Focus the empty field for a new search, but not when the user returns to results.
    if (query === '' && document.activeElement === document.body)
      input.current?.focus({ preventScroll: true });
  }, [query]);
  const state = useStore(search.$search, { ssr: 'initial' });
  const words = useTranslate('search');
  return (
    <>
      <search>
        <form
          className="chat-search"
          action="/chats/search"
          method="get"
          onSubmit={(event) => {
            event.preventDefault();
            search.submit(input.current?.value ?? '');
          }}
        >
          <span className="chat-search-field">
            <Icon name="search" size={22} />
            <input
              ref={input}
              className={FIELD}
              type="search"
              name="q"
              defaultValue={query}
              onChange={({ target }) => {
                if (target.value.trim() === '') writeQueryToUrl('');
                search.setQuery(target.value);
              }}
              maxLength={TEXT_LIMITS.searchQuery}
              aria-label={words('searchLabel')}
              placeholder={words('searchPlaceholder')}
              enterKeyHint="search"
              autoComplete="off"
              autoCapitalize="none"
            />
          </span>
          <button type="submit" className={PRIMARY}>
            {words('searchButton')}
          </button>
        </form>
      </search>
      <p role="status" className="chat-search-status">
        {useSearchStatus(state)}
      </p>
      <SearchOutcome search={search} state={state} />
    </>
  );
}

/** A short status of the search for the user. */
function useSearchStatus({ status, items, nextCursor, asked }: SearchState): string {
  const words = useTranslate('search');
  if (status === 'idle') return words('searchHint');
  if (status === 'searching') return words('searching');
  if (status === 'failed') return '';
  if (items.length === 0) return words('noResults', { query: asked });
  return words(nextCursor === null ? 'resultCount' : 'resultCountSoFar', { count: items.length });
}

function SearchOutcome({ search, state }: { search: SearchMachine; state: SearchState }) {
  const words = useTranslate('search');
  const { status, items, nextCursor, more } = state;
  const list = useRef<HTMLOListElement>(null);
  const previousCount = useRef(0);
  useEffect(() => {
    // The pressed button is gone; focus the first of the new results.
    if (previousCount.current > 0 && document.activeElement === document.body) {
      list.current?.children[previousCount.current]?.querySelector('a')?.focus();
    }
    previousCount.current = 0;
  }, [items]);
  if (status === 'failed')
    return <SearchError search={search} state={state} sentence={words('searchFailed')} />;
  if (status === 'found' && items.length === 0 && nextCursor === null) {
    return <p className="chat-search-advice">{words('noResultsText')}</p>;
  }
  return (
    <>
      {items.length > 0 ? <SearchResults ref={list} items={items} waiting={status === 'searching'} /> : null}
      {more === 'failed' ? (
        <SearchError search={search} state={state} sentence={words('loadOlderFailed')} />
      ) : null}
      {status === 'found' && nextCursor !== null && more !== 'failed' ? (
        <button
          type="button"
          className={SECONDARY}
          aria-disabled={more === 'loading'}
          onClick={() => {
            previousCount.current = items.length;
            void search.showMore();
          }}
        >
          {words(more === 'loading' ? 'loadingOlder' : 'showOlder')}
        </button>
      ) : null}
    </>
  );
}

/** Shows the failure's own text if its code has one, else the given sentence. */
function SearchError({
  search,
  state: { failure },
  sentence,
}: {
  search: SearchMachine;
  state: SearchState;
  sentence: string;
}) {
  const words = useTranslate('search');
  const errors = useTranslate('errors');
  const lang = useLang();
  const known = failure?.code === 'too_many_requests' || failure?.status === 401;
  return (
    <div className="chat-search-trouble">
      <p role="alert">
        {failure?.code === 'network'
          ? words('offline')
          : failure && known
            ? formatFailure(failure, errors, lang)
            : sentence}
      </p>
      <button type="button" className={SECONDARY} onClick={search.retry}>
        {words('tryAgain')}
      </button>
    </div>
  );
}
