import { useStore } from '@nanostores/react';
import { useWords } from '../shared/i18n.tsx';
import { ShowMore } from '../shared/ui/ShowMore.tsx';
import { center, type Which } from './center-state.ts';

/** The way to the rest of a list, while there is one. */
export function MoreOfList({ which, failed }: { which: Which; failed: string }) {
  const { nextCursor, more } = useStore(center.$center)[which];
  const words = useWords('center');
  if (nextCursor === null) return null;
  return (
    <ShowMore
      more={more}
      label={words(more === 'loading' ? 'moreLoading' : 'more')}
      failed={failed}
      show={() => void center.showMore(which)}
    />
  );
}
