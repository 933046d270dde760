import { useEffect, useState, type ComponentType } from 'react';

/**
 * A dialog whose script is fetched when it is first opened; the page shows meanwhile that it waits. A script that does
 * not come is told about in a toast, the dialog stays closed, and opening it again tries again. Once here it stays, so
 * that closing it gives the focus back to where it was.
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
      // oxlint-disable-next-line react-hooks/exhaustive-deps -- how it is closed does not fetch it again
    }, [open, Dialog]);
    return Dialog ? <Dialog {...props} /> : null;
  };
}
