import type { RefObject } from 'react';
import { useTranslate, type MessageKey } from '../../shared/i18n.tsx';
import { SECONDARY } from '../../shared/styles.ts';
import { useNearEdge } from './use-near-edge.ts';

interface Labels {
  show: MessageKey<'chat'>;
  loading: MessageKey<'chat'>;
  failed: MessageKey<'errors'>;
}

export const EARLIER_LABELS: Labels = {
  show: 'showEarlier',
  loading: 'loadingEarlier',
  failed: 'earlier_messages_failed',
};
export const LATER_LABELS: Labels = {
  show: 'showLater',
  loading: 'loadingLater',
  failed: 'later_messages_failed',
};

/**
 * The end of a partly loaded history. Loads the next page automatically when the user scrolls near; the button is for
 * keyboard use and for retries.
 */
export function LoadMore({
  scroller,
  cursor,
  state,
  names: labels,
  load,
}: {
  scroller: RefObject<Element | null>;
  /** Cursor to the next page. */
  cursor: string;
  state: 'idle' | 'loading' | 'failed';
  names: Labels;
  load: () => void;
}) {
  const words = useTranslate('chat');
  const errors = useTranslate('errors');
  // Do not retry a failed page automatically.
  const place = useNearEdge<HTMLDivElement>(scroller, state === 'failed' ? null : cursor, load);
  return (
    <div ref={place} className="flex flex-col items-center gap-2">
      {state === 'failed' ? (
        <p role="alert" className="text-center text-sm text-danger">
          {errors(labels.failed)}
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
        {words(state === 'loading' ? labels.loading : labels.show)}
      </button>
    </div>
  );
}
