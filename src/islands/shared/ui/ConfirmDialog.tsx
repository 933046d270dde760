import { useId } from 'react';
import { DialogHead, PANEL } from './DialogHead.tsx';
import { Modal } from './Modal.tsx';
import { useReturnFocus } from './return-focus.ts';
import { SECONDARY } from '../styles.ts';

/** Asks for confirmation before an action that cannot be undone. */
export function ConfirmDialog({
  open,
  title,
  text,
  stay: cancelLabel,
  go: confirmLabel,
  onStay: onCancel,
  onGo: onConfirm,
}: {
  open: boolean;
  title: string;
  text: string;
  stay: string;
  go: string;
  onStay: () => void;
  onGo: () => void;
}) {
  const titleId = useId();
  useReturnFocus(open);
  return (
    <Modal open={open} onClose={onCancel} labelledBy={titleId} closeOnBackdrop className={PANEL}>
      <DialogHead titleId={titleId} title={title} />
      <p>{text}</p>
      <div className="mt-5 flex flex-wrap gap-3">
        <button type="button" className={SECONDARY} onClick={onCancel}>
          {cancelLabel}
        </button>
        <button type="button" className={`${SECONDARY} button-danger`} onClick={onConfirm}>
          {confirmLabel}
        </button>
      </div>
    </Modal>
  );
}
