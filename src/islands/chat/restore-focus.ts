import { useEffect, type MouseEvent, type RefObject } from 'react';

/** Where a page's entry in the browser's history keeps what it was left by. */
const STATE_KEY = 'leftBy';

type HistoryState = Record<string, unknown> | null;

/** Whether a click on a link leads away from this page, not into another tab. */
export const isPlainClick = ({ button, ctrlKey, metaKey, shiftKey, altKey }: MouseEvent): boolean =>
  button === 0 && !ctrlKey && !metaKey && !shiftKey && !altKey;

/** Notes what this page is left by, for whoever comes back to it. */
export function rememberFocus(name: string): void {
  history.replaceState({ ...(history.state as HistoryState), [STATE_KEY]: name }, '');
}

/**
 * Gives the focus to what the page was left by, for whoever comes back by the browser's own way to a page that begins
 * anew. A page that was kept whole has kept its focus, too.
 * @param name of the control, as {@link rememberFocus} was told
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
