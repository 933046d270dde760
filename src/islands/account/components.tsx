import { useStore } from '@nanostores/react';
import { useEffect, useId, useRef, useState, type ReactNode, type RefObject } from 'react';
import type { Failure } from '../shared/api.ts';
import { formatFailure } from '../shared/errors.ts';
import { useLang, useTranslate } from '../shared/i18n.tsx';
import { SECONDARY } from '../shared/styles.ts';
import { ERROR_TOAST_MS, showToast } from '../shared/toasts-state.ts';
import type { RemoteStore, RemoteState } from '../shared/remote-state.ts';

/** A section of the page, linked from the table of contents. */
export function Section({
  ref,
  id,
  title,
  children,
}: {
  ref?: RefObject<HTMLElement | null>;
  id: string;
  title: string;
  children: ReactNode;
}) {
  return (
    <section ref={ref} id={id} tabIndex={-1} aria-labelledby={`${id}-title`} className="part">
      <h2 id={`${id}-title`}>{title}</h2>
      {children}
    </section>
  );
}

/** Distance below the viewport at which content starts to load. */
const LOAD_MARGIN = '400px';

/** Runs a callback once, when an element nears the viewport. */
export function useOnceNearby(element: RefObject<Element | null>, onNear: () => void): void {
  const latest = useRef(onNear);
  useEffect(() => {
    latest.current = onNear;
  });
  useEffect(() => {
    if (element.current === null) return;
    const watched = new IntersectionObserver(
      (seen) => {
        if (!seen.some(({ isIntersecting }) => isIntersecting)) return;
        watched.disconnect();
        latest.current();
      },
      { rootMargin: LOAD_MARGIN },
    );
    watched.observe(element.current);
    return () => watched.disconnect();
  }, [element]);
}

/** Formats a failure in the page's language. */
export function useErrorMessage(): (failure: Failure) => string {
  const errors = useTranslate('errors');
  const lang = useLang();
  return (failure) => formatFailure(failure, errors, lang);
}

/** Shows failures as toasts. */
export function useErrorToast(): (failure: Failure) => void {
  const sentence = useErrorMessage();
  return (failure) => showToast({ text: sentence(failure), kind: 'danger', durationMs: ERROR_TOAST_MS });
}

/** Content that is fetched when it nears the viewport, with its loading and error states. */
export function RemoteContent<T>({
  remote,
  room,
  children,
}: {
  remote: RemoteStore<T>;
  /** Class with the least height of the content, so that what follows does not move when it comes. */
  room: string;
  children: (data: T) => ReactNode;
}) {
  const state = useStore(remote.$state, { ssr: 'initial' });
  const place = useRef<HTMLDivElement>(null);
  useOnceNearby(place, remote.loadIfStale);
  return (
    <div ref={place} className={room}>
      {state.data === null ? (
        <LoadingState state={state} again={() => void remote.load()} />
      ) : (
        children(state.data)
      )}
    </div>
  );
}

function LoadingState({ state, again }: { state: RemoteState<unknown>; again: () => void }) {
  const words = useTranslate('account');
  if (state.status === 'failed') return <LoadError again={again} />;
  return (
    <p role="status" className="text-text-quiet">
      {words('sectionLoading')}
    </p>
  );
}

export function LoadError({ again }: { again: () => void }) {
  const words = useTranslate('account');
  return (
    <div role="alert" className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <p>{words('sectionLoadFailed')}</p>
      <button type="button" className={SECONDARY} onClick={again}>
        {words('tryAgain')}
      </button>
    </div>
  );
}

/** A switch with an explanatory note. */
export function SwitchField({
  label,
  note,
  on,
  flip,
}: {
  label: string;
  note: string;
  on: boolean;
  flip: () => void;
}) {
  const id = useId();
  return (
    <div>
      <button
        type="button"
        role="switch"
        aria-checked={on}
        aria-labelledby={`${id}-label`}
        aria-describedby={`${id}-note`}
        className="switch"
        onClick={flip}
      >
        <span id={`${id}-label`}>{label}</span>
        <span className="switch-track" />
      </button>
      <p id={`${id}-note`} className="text-sm text-text-quiet">
        {note}
      </p>
    </div>
  );
}

/**
 * Moves the focus to the first new row of a list, unless the user has moved the focus elsewhere.
 * @param count number of rows currently drawn
 * @returns call it when the user asks for more rows
 */
export function useShowMore(list: RefObject<HTMLUListElement | null>, count: number): () => void {
  const from = useRef<number | null>(null);
  useEffect(() => {
    if (from.current === null || count <= from.current) return;
    const row = list.current?.children[from.current];
    from.current = null;
    const { activeElement } = document;
    const isHere =
      activeElement === document.body || list.current?.parentElement?.contains(activeElement) === true;
    if (!(row instanceof HTMLElement) || !isHere) return;
    row.setAttribute('tabindex', '-1');
    row.focus();
  }, [count, list]);
  return () => {
    from.current = count;
  };
}

/** Rows that a long list shows at first. */
const INITIAL_ROWS = 10;

/** A list that shows its first rows, and more on request. */
export function ExpandableList<T>({
  items,
  renderRow,
  label,
}: {
  items: readonly T[];
  renderRow: (item: T) => ReactNode;
  label: string;
}) {
  const words = useTranslate('account');
  const list = useRef<HTMLUListElement>(null);
  const [shown, setShown] = useState(INITIAL_ROWS);
  const goOn = useShowMore(list, Math.min(shown, items.length));
  return (
    <>
      <ul ref={list} aria-label={label} className="rows">
        {items.slice(0, shown).map(renderRow)}
      </ul>
      {shown < items.length ? (
        <button
          type="button"
          className={`${SECONDARY} mt-3`}
          onClick={() => {
            goOn();
            setShown(shown + INITIAL_ROWS);
          }}
        >
          {words('showMore')}
        </button>
      ) : null}
    </>
  );
}
