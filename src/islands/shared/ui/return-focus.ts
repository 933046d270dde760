import { useEffect, useRef } from 'react';

/**
 * Moves focus to the page when a dialog closes and its opener is gone, for example a button that only signed-out users
 * see. Otherwise the browser returns focus itself.
 */
export function useReturnFocus(open: boolean): void {
  const wasOpen = useRef(false);
  useEffect(() => {
    if (!open && wasOpen.current && document.activeElement === document.body) {
      document.getElementById('main')?.focus({ preventScroll: true });
    }
    wasOpen.current = open;
  }, [open]);
}
