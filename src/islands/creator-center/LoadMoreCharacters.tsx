import { useStore } from '@nanostores/react';
import { useTranslate } from '../shared/i18n.tsx';
import { ShowMore } from '../shared/ui/ShowMore.tsx';
import { creatorCenter, type CharacterListKind } from './center-state.ts';

/** Button that loads the rest of a list; renders nothing at the end. */
export function LoadMoreCharacters({ which, failed }: { which: CharacterListKind; failed: string }) {
  const { nextCursor, more } = useStore(creatorCenter.$center)[which];
  const words = useTranslate('center');
  if (nextCursor === null) return null;
  return (
    <ShowMore
      more={more}
      label={words(more === 'loading' ? 'loadingMore' : 'showMore')}
      failed={failed}
      show={() => void creatorCenter.showMore(which)}
    />
  );
}
