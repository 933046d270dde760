import { useId, useRef, useState } from 'react';
import { TEXT_LIMITS } from '../../../config/text-limits.ts';
import { AppealPrompt } from '../../safety/Appeal.tsx';
import { formatFailure } from '../../shared/errors.ts';
import { useLang, useTranslate } from '../../shared/i18n.tsx';
import { FIELD } from '../../shared/styles.ts';
import { Modal } from '../../shared/ui/Modal.tsx';
import { useChat } from '../chat-context.ts';
import type { ChatNotice } from '../chat.ts';
import { DIALOG } from '../class-names.ts';
import { FormButtons } from './FormButtons.tsx';
import { UpgradePrompt } from '../composer/UpgradePrompt.tsx';
import { $selectedModel } from '../state/models-state.ts';
import { getNoteDraft, requestWithNote, setNoteDraft } from './regenerate-with-note.ts';

/** Asks for instructions with which a reply is regenerated. Open while there is a message id. */
export function RegenerateDialog({ messageId, onClose }: { messageId: string | null; onClose: () => void }) {
  const words = useTranslate('chat');
  const titleId = useId();
  return (
    <Modal
      open={messageId !== null}
      onClose={onClose}
      labelledBy={titleId}
      closeOnBackdrop
      className={DIALOG}
    >
      <div className="flex flex-col gap-4 p-6">
        <h2 id={titleId} className="font-serif text-2xl">
          {words('regenerateWithNote')}
        </h2>
        {messageId === null ? null : <NoteForm key={messageId} messageId={messageId} onClose={onClose} />}
      </div>
    </Modal>
  );
}

function NoteForm({ messageId, onClose }: { messageId: string; onClose: () => void }) {
  const chat = useChat();
  const words = useTranslate('chat');
  const errors = useTranslate('errors');
  const lang = useLang();
  const id = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  const [note, setNote] = useState(() => getNoteDraft(chat, messageId));
  const [sending, setSending] = useState(false);
  const [refused, setRefused] = useState<{ problem: ChatNotice; note: string } | null>(null);
  const sent = note.trim();
  const isDisabled = sending || sent === '';
  const { problem } = refused ?? {};
  // `unavailable` means that the note could not be checked, which the problem's own text says.
  const rule = problem?.rule === 'unavailable' ? undefined : problem?.rule;

  const regenerate = async () => {
    if (isDisabled) return;
    setSending(true);
    setRefused(null);
    const failure = await requestWithNote(chat, messageId, $selectedModel.get(), sent);
    setSending(false);
    if (failure === null) return onClose();
    setRefused({ problem: failure, note: sent });
    field.current?.focus();
  };
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        void regenerate();
      }}
    >
      <div className="flex flex-col gap-1">
        <label htmlFor={id}>{words('regenerateWithNoteLabel')}</label>
        <textarea
          ref={field}
          id={id}
          rows={3}
          dir="auto"
          maxLength={TEXT_LIMITS.regenerateNote}
          className={FIELD}
          value={note}
          readOnly={sending}
          aria-describedby={`${id}-hint`}
          onChange={({ target }) => {
            setNote(target.value);
            setNoteDraft(messageId, target.value);
          }}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void regenerate();
          }}
        />
        <p id={`${id}-hint`} className="text-sm text-text-quiet">
          {words('regenerateWithNoteHint', { limit: TEXT_LIMITS.regenerateNote })}
        </p>
      </div>
      <p role="alert" className="text-danger empty:hidden">
        {problem === undefined ? null : (
          <>
            {formatFailure(problem, errors, lang)} {rule === undefined ? null : words(`refused_${rule}`)}{' '}
            <UpgradePrompt code={problem.code} />
          </>
        )}
      </p>
      {refused === null || rule === undefined ? null : (
        <AppealPrompt
          key={refused.note}
          refused={{
            place: 'message',
            rule,
            text: refused.note,
            ...(refused.problem.appealToken === undefined ? {} : { token: refused.problem.appealToken }),
          }}
        />
      )}
      <FormButtons label={words('regenerate')} busy={sending} disabled={isDisabled} onCancel={onClose} />
    </form>
  );
}
