import { useEffect, useRef } from 'react';
import { SECONDARY } from '../styles.ts';

/** Asks for confirmation before a permanent deletion. */
export function ConfirmErase({
  question,
  keep,
  erase,
  busy,
  onKeep: onCancel,
  onErase: onConfirm,
}: {
  /** Names what will be deleted. */
  question: string;
  /** Labels of the buttons. */
  keep: string;
  erase: string;
  busy: boolean;
  onKeep: () => void;
  onErase: () => void;
}) {
  const cancelButton = useRef<HTMLButtonElement>(null);
  useEffect(() => cancelButton.current?.focus(), []);
  return (
    <div role="alert" className="flex flex-col gap-2 border-s-2 border-danger ps-3">
      <p className="break-words">{question}</p>
      <div className="flex flex-wrap justify-end gap-2">
        <button ref={cancelButton} type="button" className={SECONDARY} disabled={busy} onClick={onCancel}>
          {keep}
        </button>
        <button
          type="button"
          className="button button-danger"
          aria-busy={busy}
          disabled={busy}
          onClick={onConfirm}
        >
          {erase}
        </button>
      </div>
    </div>
  );
}
