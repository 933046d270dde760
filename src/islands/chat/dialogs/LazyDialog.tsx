import { useEffect, useState, type ComponentType } from 'react';

/**
 * A dialog whose script loads when it is first opened; the page shows a wait state until then. If loading fails, a toast
 * says so and the dialog stays closed; opening it again retries. Once loaded it stays mounted, so that closing it can
 * return focus.
 */
export function createLazyDialog<P extends { open: boolean; onClose: () => void }>(
  load: () => Promise<ComponentType<P>>,
): ComponentType<P> {
  return function Fetched(props: P) {
    const [Dialog, setDialog] = useState<ComponentType<P> | null>(null);
    const { open, onClose } = props;
    useEffect(() => {
      if (!open || Dialog) return;
      let wanted = true;
      const { dataset } = document.documentElement;
      dataset['asking'] = '';
      load()
        .then(
          (loaded) => wanted && setDialog(() => loaded),
          () => {
            if (!wanted) return;
            window.dispatchEvent(new Event('loreloom:network-trouble'));
            onClose();
          },
        )
        .finally(() => delete dataset['asking']);
      return () => {
        wanted = false;
      };
      // oxlint-disable-next-line react-hooks/exhaustive-deps -- a new `onClose` must not load it again
    }, [open, Dialog]);
    return Dialog ? <Dialog {...props} /> : null;
  };
}
