import { useEffect, useRef } from 'react';
import { useTranslate } from '../../shared/i18n.tsx';
import { SECONDARY } from '../../shared/styles.ts';

/** Asks for confirmation before a permanent deletion. */
export function ConfirmErase({
  question,
  busy,
  onKeep: onCancel,
  onErase: onConfirm,
}: {
  /** Names what will be deleted. */
  question: string;
  busy: boolean;
  onKeep: () => void;
  onErase: () => void;
}) {
  const words = useTranslate('chat');
  const cancelButton = useRef<HTMLButtonElement>(null);
  useEffect(() => cancelButton.current?.focus(), []);
  return (
    <div role="alert" className="flex flex-col gap-2 border-s-2 border-danger ps-3">
      <p className="break-words">{question}</p>
      <div className="flex flex-wrap justify-end gap-2">
        <button ref={cancelButton} type="button" className={SECONDARY} disabled={busy} onClick={onCancel}>
          {words('eraseKeep')}
        </button>
        <button
          type="button"
          className="button button-danger"
          aria-busy={busy}
          disabled={busy}
          onClick={onConfirm}
        >
          {words('erase')}
        </button>
      </div>
    </div>
  );
}
