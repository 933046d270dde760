import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { QUIET, SECONDARY } from '../styles.ts';
import { ConfirmErase } from './ConfirmErase.tsx';

/**
 * The buttons of an item in the trash: one restores it, one deletes it permanently after a question.
 * @param onErase deletes the item; false if that failed, so that the buttons return
 */
export function TrashActions({
  labels,
  busy,
  onRestore,
  onErase,
}: {
  labels: Record<'question' | 'keep' | 'erase' | 'eraseNamed' | 'restore' | 'restoreNamed', string>;
  busy: boolean;
  onRestore: () => void;
  onErase: () => Promise<boolean>;
}) {
  const [isConfirming, setConfirming] = useState(false);
  const eraseButton = useRef<HTMLButtonElement>(null);
  const stopAsking = () => {
    flushSync(() => setConfirming(false));
    eraseButton.current?.focus();
  };
  const erase = async () => {
    if (!(await onErase())) stopAsking();
  };
  return isConfirming ? (
    <ConfirmErase
      question={labels.question}
      keep={labels.keep}
      erase={labels.erase}
      busy={busy}
      onKeep={stopAsking}
      onErase={() => void erase()}
    />
  ) : (
    <div className="flex flex-wrap justify-end gap-2">
      <button
        ref={eraseButton}
        type="button"
        className={QUIET}
        aria-label={labels.eraseNamed}
        disabled={busy}
        onClick={() => setConfirming(true)}
      >
        {labels.erase}
      </button>
      <button
        type="button"
        className={SECONDARY}
        aria-label={labels.restoreNamed}
        aria-busy={busy}
        disabled={busy}
        onClick={onRestore}
      >
        {labels.restore}
      </button>
    </div>
  );
}
