import { useStore } from '@nanostores/react';
import { useEffect, useId, useRef, useState } from 'react';
import { AppealPrompt } from '../../safety/Appeal.tsx';
import { formatFailure } from '../../shared/errors.ts';
import { useLang, useTranslate } from '../../shared/i18n.tsx';
import { Modal } from '../../shared/ui/Modal.tsx';
import { DIALOG } from '../class-names.ts';
import { createReplySettingsForm, replySettingsApi, type ReplySettingsForm } from './reply-settings-state.ts';
import { FormButtons } from './FormButtons.tsx';
import { LoadFailed } from './LoadFailed.tsx';
import { ReplyStyleFields } from './ReplyStyleFields.tsx';
import { ReplyStyles } from './ReplyStyles.tsx';
import { UnsavedWarning } from './UnsavedWarning.tsx';

/** Lets the user choose how the model replies in this conversation. */
export function ReplySettingsDialog({
  open,
  onClose,
  conversationId,
}: {
  open: boolean;
  onClose: () => void;
  conversationId: string;
}) {
  const words = useTranslate('chat');
  const titleId = useId();
  const form = useRef<ReplySettingsForm | null>(null);
  const [warned, setWarned] = useState(false);
  const leave = () => {
    setWarned(false);
    onClose();
  };
  // One accidental click outside the dialog must not discard a text.
  const close = () => (form.current?.hasUnsaved() === true && !warned ? setWarned(true) : leave());
  return (
    <Modal open={open} onClose={close} labelledBy={titleId} closeOnBackdrop className={DIALOG}>
      <div className="flex flex-col gap-4 p-6">
        <h2 id={titleId} className="font-serif text-2xl">
          {words('replySettings')}
        </h2>
        <p className="text-text-quiet">{words('replySettingsIntro')}</p>
        <Settings
          key={conversationId}
          conversationId={conversationId}
          onCreated={(created) => {
            form.current = created;
          }}
          onEdit={() => setWarned(false)}
          onClose={leave}
        />
        {warned ? <UnsavedWarning onCancel={() => setWarned(false)} onLeave={leave} /> : null}
      </div>
    </Modal>
  );
}

/** Mounts with the dialog, so each opening loads the settings again. */
function Settings({
  conversationId,
  onCreated,
  onEdit,
  onClose,
}: {
  conversationId: string;
  onCreated: (form: ReplySettingsForm | null) => void;
  onEdit: () => void;
  onClose: () => void;
}) {
  const [form] = useState(() => createReplySettingsForm(replySettingsApi, conversationId));
  const { phase, edited, recommended, saving, problem } = useStore(form.$form);
  const words = useTranslate('chat');
  const errors = useTranslate('errors');
  const lang = useLang();
  const note = useRef<HTMLTextAreaElement>(null);
  const fields = useRef<HTMLFormElement>(null);
  /** How many styles were applied: each one replaces also numbers that are not valid yet. */
  const [applied, setApplied] = useState(0);
  useEffect(() => {
    onCreated(form);
    void form.load();
    return () => onCreated(null);
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- runs once per form
  }, [form]);
  if (phase === 'failed') {
    return (
      <LoadFailed
        text={words('replySettingsLoadFailed')}
        problem={problem}
        onRetry={() => void form.load()}
      />
    );
  }
  if (edited === null) {
    return (
      <p role="status" className="text-text-quiet">
        {words('replySettingsLoading')}
      </p>
    );
  }
  const save = async () => {
    if (await form.save()) return onClose();
    // The button loses the focus while it is disabled.
    note.current?.focus();
  };
  return (
    <>
      <ReplyStyles
        edited={edited}
        recommended={recommended}
        isValid={() => fields.current?.reportValidity() === true}
        onApply={(style) => {
          form.edit(style);
          setApplied(applied + 1);
          onEdit();
        }}
      />
      <form
        ref={fields}
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <ReplyStyleFields
          key={applied}
          style={edited}
          noteRef={note}
          onChange={(change) => {
            form.edit(change);
            onEdit();
          }}
        />
        <p role="alert" className="text-danger empty:hidden">
          {problem ? `${words('saveFailed')} ${formatFailure(problem, errors, lang)}` : null}
        </p>
        {problem?.refused === undefined ? null : (
          <AppealPrompt key={problem.refused.text} refused={{ place: 'message', ...problem.refused }} />
        )}
        <FormButtons label={words('save')} busy={saving} disabled={saving} onCancel={onClose} />
      </form>
    </>
  );
}
