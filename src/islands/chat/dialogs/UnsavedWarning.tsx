import { useEffect, useRef } from 'react';
import { useTranslate } from '../../shared/i18n.tsx';
import { QUIET, SECONDARY } from '../../shared/styles.ts';

/** Asks for confirmation before unsaved text is discarded. */
export function UnsavedWarning({ onCancel, onLeave }: { onCancel: () => void; onLeave: () => void }) {
  const words = useTranslate('chat');
  const stay = useRef<HTMLButtonElement>(null);
  const focusedBefore = useRef<Element | null>(null);
  // Closing with Escape may have happened far up in the dialog.
  useEffect(() => {
    focusedBefore.current = document.activeElement;
    stay.current?.focus();
  }, []);
  const cancel = () => {
    if (focusedBefore.current instanceof HTMLElement) focusedBefore.current.focus();
    onCancel();
  };
  return (
    <div role="alert" className="flex flex-col items-start gap-2 border-s-2 border-accent ps-3">
      <p>{words('unsavedText')}</p>
      <div className="flex flex-wrap gap-2">
        <button ref={stay} type="button" className={SECONDARY} onClick={cancel}>
          {words('unsavedKeepEditing')}
        </button>
        <button type="button" className={QUIET} onClick={onLeave}>
          {words('unsavedDiscard')}
        </button>
      </div>
    </div>
  );
}
