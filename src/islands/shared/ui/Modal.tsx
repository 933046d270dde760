import { useEffect, useLayoutEffect, useRef, type ReactNode } from 'react';
import { isRepeatedPress } from './ignore-double-click.ts';

/**
 * A modal dialog, the browser's own: it traps focus, closes with Escape and returns focus. Its content is rendered only
 * while it is open.
 */
export function Modal({
  open,
  onClose,
  labelledBy,
  className,
  closeOnBackdrop = false,
  children,
}: {
  open: boolean;
  onClose: () => void;
  labelledBy: string;
  className: string;
  closeOnBackdrop?: boolean;
  children: ReactNode;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  // Open it before effects of its content run, so that those can move the focus. Runs after every render, because a
  // browser may close a dialog whose Escape handler kept it open.
  useLayoutEffect(() => {
    const element = dialog.current;
    if (!element) return;
    if (open && !element.open) element.showModal();
    if (!open && element.open) element.close();
  });
  // Clicks on the backdrop have the dialog as target. Keyboard users have Escape.
  useEffect(() => {
    const element = dialog.current;
    if (!element || !closeOnBackdrop) return;
    const onClick = (event: MouseEvent) => {
      if (event.target === element && !isRepeatedPress(event)) onClose();
    };
    const onMouseDown = (event: MouseEvent) => {
      // The second press of a double click must not move the focus.
      if (event.target === element && event.detail > 1) event.preventDefault();
    };
    element.addEventListener('click', onClick);
    element.addEventListener('mousedown', onMouseDown);
    return () => {
      element.removeEventListener('click', onClick);
      element.removeEventListener('mousedown', onMouseDown);
    };
  }, [closeOnBackdrop, onClose]);
  return (
    <dialog
      ref={dialog}
      aria-labelledby={labelledBy}
      className={`text-text backdrop:bg-black/60 ${className}`}
      // A dialog inside this one sends both events, too, and a file input without a choice the first.
      onCancel={(event) => {
        if (event.target !== event.currentTarget) return;
        event.preventDefault();
        onClose();
      }}
      // A browser may close a dialog without a cancel event; update the state then.
      onClose={(event) => event.target === event.currentTarget && open && onClose()}
    >
      {open ? children : null}
    </dialog>
  );
}
