import { useEffect, useId, useRef, useState } from 'react';
import { APPEAL_LIMITS } from '../../features/safety/limits.ts';
import type { Failure, Result } from '../shared/api.ts';
import { useOnline } from '../shared/online.ts';
import { useTranslate } from '../shared/i18n.tsx';
import { FIELD, PRIMARY, SECONDARY } from '../shared/styles.ts';
import { showToast } from '../shared/toasts-state.ts';
import { useErrorMessage } from './components.tsx';

/** Form for an appeal against a moderation decision. The text stays in the field when sending fails. */
export function AppealForm({
  what,
  send,
  sent,
}: {
  /** The decision, in the reader's language. */
  what: string;
  send: (message: string) => Promise<Result<{ id: string }>>;
  sent: (id: string) => void;
}) {
  const words = useTranslate('cases');
  const sentence = useErrorMessage();
  const online = useOnline();
  const id = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  const opener = useRef<HTMLButtonElement>(null);
  const [open, setOpen] = useState(false);
  const [message, setMessage] = useState('');
  const [busy, setBusy] = useState(false);
  const [isSubmitted, setIsSubmitted] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const over = message.length > APPEAL_LIMITS.maxMessageChars;
  useEffect(() => {
    if (open) field.current?.focus();
  }, [open]);
  if (!open) {
    return (
      <button
        ref={opener}
        type="button"
        className={SECONDARY}
        aria-label={words('appealNamed', { what })}
        onClick={() => setOpen(true)}
      >
        {words('appeal')}
      </button>
    );
  }
  const submit = async () => {
    setIsSubmitted(true);
    if (message.trim() === '' || over) return field.current?.focus();
    setBusy(true);
    setFailure(null);
    const answer = await send(message.trim());
    setBusy(false);
    if (!answer.ok) return setFailure(answer);
    showToast({ text: words('appealSent') });
    sent(answer.data.id);
  };
  return (
    <form
      noValidate
      className="flex w-full max-w-[var(--measure)] flex-col gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <label htmlFor={id}>{words('appealLabel')}</label>
      <textarea
        ref={field}
        id={id}
        rows={4}
        dir="auto"
        className={`${FIELD} resize-y`}
        value={message}
        readOnly={busy}
        aria-invalid={over || (isSubmitted && message.trim() === '')}
        aria-describedby={`${id}-wrong ${id}-length`}
        onChange={(event) => setMessage(event.target.value)}
      />
      <p className="flex flex-wrap justify-between gap-x-4 text-sm">
        <span id={`${id}-wrong`} role="status" className="text-danger">
          {isSubmitted && message.trim() === '' ? words('appealMissing') : null}
        </span>
        <span id={`${id}-length`} className={`tabular-nums ${over ? 'text-danger' : 'text-text-quiet'}`}>
          {words('textLength', { used: message.length, limit: APPEAL_LIMITS.maxMessageChars })}
        </span>
      </p>
      <p role="alert" className="text-danger empty:hidden">
        {failure === null ? null : sentence(failure)}
      </p>
      <div className="flex flex-wrap gap-3">
        <button type="submit" className={PRIMARY} disabled={busy || !online} aria-busy={busy}>
          {words(busy ? 'sending' : 'appealSend')}
        </button>
        <button
          type="button"
          className={SECONDARY}
          onClick={() => {
            setOpen(false);
            requestAnimationFrame(() => opener.current?.focus());
          }}
        >
          {words('cancel')}
        </button>
      </div>
    </form>
  );
}
