import { useId, useRef, useState } from 'react';
import { TEXT_LIMITS } from '../../../config/text-limits.ts';
import { formatFailure } from '../../shared/errors.ts';
import { useLang, useTranslate } from '../../shared/i18n.tsx';
import { Modal } from '../../shared/ui/Modal.tsx';
import { FIELD } from '../../shared/styles.ts';
import type { ChatNotice } from '../chat.ts';
import { DIALOG } from '../class-names.ts';
import { FormButtons } from './FormButtons.tsx';

/** Renames a conversation. */
export function RenameDialog({
  open,
  onClose,
  chat,
  rename,
}: {
  open: boolean;
  onClose: () => void;
  chat: { title: string | null; character_name: string };
  /** @returns the error; null on success */
  rename: (title: string) => Promise<ChatNotice | null>;
}) {
  const titleId = useId();
  const words = useTranslate('chat');
  return (
    <Modal open={open} onClose={onClose} labelledBy={titleId} closeOnBackdrop className={DIALOG}>
      <div className="flex flex-col gap-4 p-6">
        <h2 id={titleId} className="font-serif text-2xl break-words">
          {words('renameTitle')}
        </h2>
        <Form onClose={onClose} chat={chat} rename={rename} />
      </div>
    </Modal>
  );
}

function Form({ onClose, chat, rename }: Omit<Parameters<typeof RenameDialog>[0], 'open'>) {
  const words = useTranslate('chat');
  const errors = useTranslate('errors');
  const lang = useLang();
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const entered = useRef(false);
  const [title, setTitle] = useState(chat.title ?? '');
  const [saving, setSaving] = useState(false);
  const [problem, setProblem] = useState<ChatNotice | null>(null);
  const isDisabled = title.trim() === '' || saving;

  const save = async () => {
    if (isDisabled) return;
    if (title.trim() === chat.title) return onClose();
    setSaving(true);
    setProblem(null);
    const failure = await rename(title.trim());
    setSaving(false);
    if (!failure) return onClose();
    setProblem(failure);
    field.current?.focus();
  };
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <div className="flex flex-col gap-1">
        <label htmlFor={id}>{words('renameLabel')}</label>
        <input
          ref={field}
          id={id}
          type="text"
          dir="auto"
          autoComplete="off"
          maxLength={TEXT_LIMITS.title}
          className={FIELD}
          value={title}
          readOnly={saving}
          aria-describedby={`${id}-hint`}
          onChange={(event) => setTitle(event.target.value)}
          // Select on focus, not later: a letter typed before the selection would be replaced.
          onFocus={({ currentTarget }) => {
            if (!entered.current) currentTarget.select();
            entered.current = true;
          }}
        />
        <p id={`${id}-hint`} className="text-sm text-text-quiet">
          {words('renameHint', { name: chat.character_name })}
        </p>
      </div>
      <p role="alert" className="text-danger empty:hidden">
        {problem ? formatFailure(problem, errors, lang) : null}
      </p>
      <FormButtons label={words('renameSave')} busy={saving} disabled={isDisabled} onCancel={onClose} />
    </form>
  );
}
