import type { RefObject } from 'react';
import { useWords, type MessageKey } from '../../shared/i18n.tsx';
import { SECONDARY } from '../../shared/styles.ts';
import { useNear } from './use-near-edge.ts';

interface Names {
  show: MessageKey<'chat'>;
  loading: MessageKey<'chat'>;
  failed: MessageKey<'errors'>;
}

export const EARLIER: Names = {
  show: 'showEarlier',
  loading: 'loadingEarlier',
  failed: 'earlier_failed',
};
export const LATER: Names = { show: 'showLater', loading: 'loadingLater', failed: 'later_failed' };

/**
 * Where a history that is shown in part goes on. The next page comes by itself when one nears it; the button is for
 * keys, and for trying again.
 */
export function MorePages({
  scroller,
  cursor,
  state,
  names,
  load,
}: {
  scroller: RefObject<Element | null>;
  /** Leads to the next page; null when there is none. */
  cursor: string | null;
  state: 'idle' | 'loading' | 'failed';
  names: Names;
  load: () => void;
}) {
  const words = useWords('chat');
  const errors = useWords('errors');
  // What failed is not tried again by itself over and over.
  const place = useNear<HTMLDivElement>(scroller, state === 'failed' ? null : cursor, load);
  if (cursor === null) return null;
  return (
    <div ref={place} className="flex flex-col items-center gap-2">
      {state === 'failed' ? (
        <p role="alert" className="text-center text-sm text-harm">
          {errors(names.failed)}
        </p>
      ) : null}
      <button
        type="button"
        className={SECONDARY}
        aria-disabled={state === 'loading'}
        aria-busy={state === 'loading'}
        onClick={() => {
          if (state !== 'loading') load();
        }}
      >
        {words(state === 'loading' ? names.loading : names.show)}
      </button>
    </div>
  );
}
