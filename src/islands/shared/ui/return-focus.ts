import { useEffect, useRef } from 'react';

/**
 * After a dialog closes the browser gives the focus back to what opened it. That may be gone by now, such as a button
 * for those who are not logged in: reading then goes on with the page itself.
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
