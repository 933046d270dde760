import { useId } from 'react';
import type { Persona } from '../../features/persona/contract.ts';
import { DialogHead, PANEL } from '../shared/ui/DialogHead.tsx';
import { useTranslate } from '../shared/i18n.tsx';
import { Modal } from '../shared/ui/Modal.tsx';
import { SECONDARY } from '../shared/styles.ts';

/** Asks for confirmation before deleting a persona that could not be restored. */
export function DeleteDialog({
  persona,
  onClose,
  onDelete,
}: {
  persona: Persona | null;
  onClose: () => void;
  onDelete: (persona: Persona) => void;
}) {
  const words = useTranslate('personas');
  const titleId = useId();
  return (
    <Modal open={persona !== null} onClose={onClose} labelledBy={titleId} closeOnBackdrop className={PANEL}>
      <DialogHead titleId={titleId} title={words('deleteTitle', { name: persona?.name ?? '' })} />
      <p>{words('deleteText')}</p>
      <div className="mt-5 flex flex-wrap gap-3">
        <button type="button" className={SECONDARY} onClick={onClose}>
          {words('deleteCancel')}
        </button>
        <button
          type="button"
          className={`${SECONDARY} button-danger`}
          onClick={() => persona && onDelete(persona)}
        >
          {words('deleteConfirm')}
        </button>
      </div>
    </Modal>
  );
}
