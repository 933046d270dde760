import { useEffect, type MouseEvent, type RefObject } from 'react';

/** Key in the browser's history state: the name of the control that led away from the page. */
const STATE_KEY = 'leftBy';

type HistoryState = Record<string, unknown> | null;

/** Whether a click on a link leaves this page, rather than opening another tab or window. */
export const isPlainClick = ({ button, ctrlKey, metaKey, shiftKey, altKey }: MouseEvent): boolean =>
  button === 0 && !ctrlKey && !metaKey && !shiftKey && !altKey;

/** Stores the control that leads away from this page, so that focus can return to it. */
export function rememberFocus(name: string): void {
  history.replaceState({ ...(history.state as HistoryState), [STATE_KEY]: name }, '');
}

/**
 * Focuses the control that led away from this page, when the user comes back by the browser's history to a page that
 * loads again. A page from the back/forward cache keeps its focus itself.
 * @param name of the control, as passed to {@link rememberFocus}
 */
export function useRestoreFocus(name: string, control: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const entry = history.state as HistoryState;
    if (entry?.[STATE_KEY] !== name) return;
    history.replaceState({ ...entry, [STATE_KEY]: undefined }, '');
    const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
    if (navigation?.type !== 'back_forward' || document.activeElement !== document.body) return;
    control.current?.focus({ preventScroll: true });
  }, [name, control]);
}
