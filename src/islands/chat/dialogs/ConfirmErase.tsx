import { useEffect, useRef } from 'react';
import { useWords } from '../../shared/i18n.tsx';
import { SECONDARY } from '../../shared/styles.ts';

/** Asks before something is deleted for good, once, because nothing can take it back. */
export function EraseSure({
  question,
  busy,
  onKeep,
  onErase,
}: {
  /** Says what will be gone. */
  question: string;
  busy: boolean;
  onKeep: () => void;
  onErase: () => void;
}) {
  const words = useWords('chat');
  const keep = useRef<HTMLButtonElement>(null);
  useEffect(() => keep.current?.focus(), []);
  return (
    <div role="alert" className="flex flex-col gap-2 border-s-2 border-harm ps-3">
      <p className="break-words">{question}</p>
      <div className="flex flex-wrap justify-end gap-2">
        <button ref={keep} type="button" className={SECONDARY} disabled={busy} onClick={onKeep}>
          {words('eraseKeep')}
        </button>
        <button
          type="button"
          className="button button-harm"
          aria-busy={busy}
          disabled={busy}
          onClick={onErase}
        >
          {words('erase')}
        </button>
      </div>
    </div>
  );
}
