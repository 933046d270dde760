import { useStore } from '@nanostores/react';
import type { ReactNode } from 'react';
import { useTranslate } from '../shared/i18n.tsx';
import { ShowMore } from '../shared/ui/ShowMore.tsx';
import { SECONDARY } from '../shared/styles.ts';
import type { PagedList } from '../shared/paged-list.ts';

/** A paginated list of entries with its loading, error and empty states. */
export function EntryList<Item, Page>({
  entries,
  failed,
  loading,
  empty,
  statusText,
  renderEntry,
}: {
  entries: PagedList<Item, Page>;
  failed: string;
  loading: string;
  /** Shown when there are no entries. */
  empty: ReactNode;
  /** Outcome of the last action on an entry. */
  statusText: string;
  renderEntry: (entry: Item) => ReactNode;
}) {
  const { status, items, nextCursor, more } = useStore(entries.$list, { ssr: 'initial' });
  const words = useTranslate('competition');
  return (
    <div className="flex flex-col gap-3">
      {status === 'failed' && items.length === 0 ? (
        <div role="alert" className="flex flex-col items-start gap-3">
          <p>{failed}</p>
          <button type="button" className={SECONDARY} onClick={() => void entries.load()}>
            {words('tryAgain')}
          </button>
        </div>
      ) : null}
      {items.length === 0 && status !== 'failed' && status !== 'ready' ? (
        <p role="status" className="text-text-quiet">
          {loading}
        </p>
      ) : null}
      {status === 'ready' && items.length === 0 ? empty : null}
      <p role="status" className="empty:hidden">
        {statusText}
      </p>
      {items.length > 0 ? <ul className="border-b border-line">{items.map(renderEntry)}</ul> : null}
      {nextCursor === null ? null : (
        <ShowMore
          more={more}
          label={words(more === 'loading' ? 'entriesLoadingMore' : 'entriesShowMore')}
          failed={failed}
          show={() => void entries.showMore()}
        />
      )}
    </div>
  );
}

/** An entry's picture; decorative, since the name follows it. */
export function EntryPicture({ src, large = false }: { src: string; large?: boolean }) {
  return (
    <img
      src={src}
      alt=""
      width={large ? 72 : 48}
      height={large ? 96 : 64}
      loading="lazy"
      decoding="async"
      className={`${large ? 'h-24 w-18' : 'h-16 w-12'} shrink-0 rounded-sm bg-surface-2 object-cover`}
    />
  );
}
