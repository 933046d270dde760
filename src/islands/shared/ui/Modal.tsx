import { useEffect, useLayoutEffect, useRef, type ReactNode } from 'react';
import { isRepeatedPress } from './ignore-double-click.ts';

/**
 * A modal over the page: the browser's own dialog, which keeps the focus inside, closes by Escape and gives the focus
 * back. It is drawn only while it is open.
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
  // Open before its content's effects run: a step that wants the focus can take it then. After each drawing, because
  // a browser may have closed what was to answer Escape in another way and stay open.
  useLayoutEffect(() => {
    const element = dialog.current;
    if (!element) return;
    if (open && !element.open) element.showModal();
    if (!open && element.open) element.close();
  });
  // The backdrop belongs to the dialog itself; by keyboard, Escape does the same.
  useEffect(() => {
    const element = dialog.current;
    if (!element || !closeOnBackdrop) return;
    const onClick = (event: MouseEvent) => {
      if (event.target === element && !isRepeatedPress(event)) onClose();
    };
    const onMouseDown = (event: MouseEvent) => {
      // The second press of a double click takes the focus from nothing.
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
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      // A browser may close a dialog without asking first; the state then has to follow.
      onClose={() => open && onClose()}
    >
      {open ? children : null}
    </dialog>
  );
}
