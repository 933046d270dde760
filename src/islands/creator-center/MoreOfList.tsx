import { useStore } from '@nanostores/react';
import { useWords } from '../shared/i18n.tsx';
import { SECONDARY } from '../shared/styles.ts';
import { center, type Which } from './center-state.ts';

/** The way to the rest of a list, while there is one. */
export function MoreOfList({ which, failed }: { which: Which; failed: string }) {
  const { nextCursor, more } = useStore(center.$center)[which];
  const words = useWords('center');
  if (nextCursor === null) return null;
  return (
    <div className="flex flex-col items-center gap-2 pt-4">
      <p role="alert" className="text-harm empty:hidden">
        {more === 'failed' ? failed : null}
      </p>
      <button
        type="button"
        className={SECONDARY}
        aria-busy={more === 'loading'}
        onClick={() => void center.showMore(which)}
      >
        {words(more === 'loading' ? 'moreLoading' : 'more')}
      </button>
    </div>
  );
}
