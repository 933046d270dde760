import { useEffect, useId, useRef, useState } from 'react';
import { useTranslate } from '../../shared/i18n.tsx';
import { FIELD, QUIET, SECONDARY } from '../../shared/styles.ts';
import { useChat } from '../chat-context.ts';
import { claimLastFocus, saveEditText, getEditText, type EditKey, closeOrphanedEdit } from './edit-drafts.ts';
import { focusComposer } from '../messages/message-focus.ts';

/** An unsaved edit of a message that was deleted in the meantime: its text can be copied, moved to the composer or discarded. */
export function OrphanedEdit({ lost }: { lost: EditKey }) {
  const chat = useChat();
  const words = useTranslate('chat');
  const id = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  const [text, setText] = useState(() => getEditText(lost) ?? '');
  const [copied, setCopied] = useState<'copied' | 'copyFailed' | null>(null);
  useEffect(() => {
    // Restore focus to the edit that had it, unless another field has it now.
    const element = field.current;
    if (!element || !claimLastFocus(lost) || document.activeElement?.matches('input, textarea')) return;
    element.focus();
    element.setSelectionRange(element.value.length, element.value.length);
  }, [lost]);
  const copy = async () => {
    const done = await navigator.clipboard.writeText(text).then(
      () => true,
      () => false,
    );
    setCopied(done ? 'copied' : 'copyFailed');
  };
  return (
    <section aria-label={words('lostEditLabel')} className="flex flex-col gap-2">
      <p role="alert">{words('lostEditText')}</p>
      <label htmlFor={id} className="sr-only">
        {words('lostEditLabel')}
      </label>
      <textarea
        ref={field}
        id={id}
        dir="auto"
        rows={3}
        className={`${FIELD} field-sizing-content max-h-[40dvh] w-full resize-none overflow-y-auto px-3 py-2.5 leading-relaxed`}
        value={text}
        onChange={({ target }) => {
          setText(target.value);
          setCopied(null);
          saveEditText(lost, target.value);
        }}
      />
      <p role="status" className="text-sm text-text-quiet empty:hidden">
        {copied ? words(copied) : null}
      </p>
      <div className="flex flex-wrap justify-end gap-2">
        <button
          type="button"
          className={QUIET}
          onClick={() => {
            closeOrphanedEdit(lost);
            focusComposer();
          }}
        >
          {words('editDiscard')}
        </button>
        <button type="button" className={SECONDARY} onClick={() => void copy()}>
          {words('copy')}
        </button>
        <button
          type="button"
          className={SECONDARY}
          onClick={() => {
            chat.insertIntoComposer(text);
            closeOrphanedEdit(lost);
            focusComposer();
          }}
        >
          {words('lostEditMove')}
        </button>
      </div>
    </section>
  );
}
