import { useId, type ReactNode } from 'react';
import { useTranslate } from '../../shared/i18n.tsx';
import { Modal } from '../../shared/ui/Modal.tsx';
import { PRIMARY } from '../../shared/styles.ts';
import { DIALOG } from '../class-names.ts';

/** A dialog of the chat with a title and a button that closes it. */
export function ChatDialog({
  open,
  onClose,
  title,
  children,
}: {
  open: boolean;
  onClose: () => void;
  title: string;
  children: ReactNode;
}) {
  const words = useTranslate('chat');
  const titleId = useId();
  return (
    <Modal open={open} onClose={onClose} labelledBy={titleId} closeOnBackdrop className={DIALOG}>
      <div className="flex flex-col gap-4 p-6">
        <h2 id={titleId} className="font-serif text-2xl">
          {title}
        </h2>
        {children}
        <button type="button" className={`${PRIMARY} self-end`} onClick={onClose}>
          {words('done')}
        </button>
      </div>
    </Modal>
  );
}
