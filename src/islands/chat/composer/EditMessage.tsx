import { useStore } from '@nanostores/react';
import { useEffect, useId, useLayoutEffect, useRef, useState, type KeyboardEvent } from 'react';
import { TEXT_LIMITS } from '../../../config/text-limits.ts';
import type { ViewMessage } from '../../../features/conversation/messages/reply-view.ts';
import { joinSentences } from '../../../locales/format.ts';
import { isComposingKey } from '../../shared/ui/is-composing.ts';
import { useAutosize } from '../../shared/ui/use-autosize.ts';
import { useLang, useTranslate } from '../../shared/i18n.tsx';
import { FIELD, PRIMARY, QUIET, SECONDARY } from '../../shared/styles.ts';
import { useChat, useChatState, useMessageCommands } from '../chat-context.ts';
import { $editTexts, closeEdit, recordFocus, claimFocus, saveEditText, toEditKey } from './edit-drafts.ts';
import { focusComposer, focusMessage } from '../messages/message-focus.ts';
import { findReplyAfter, getMessageModel } from '../messages/available-actions.ts';
import { useScrollIntoView } from '../scroll/use-scroll-into-view.ts';

/** Length from which the counter shows. */
const COUNTER_FROM = TEXT_LIMITS.message * 0.9;

/**
 * Edits a message in place. The edited text is kept until it is saved or discarded; without changes the field shows the
 * message's content.
 */
export function EditMessage({ message }: { message: ViewMessage }) {
  const chat = useChat();
  const commands = useMessageCommands();
  const canRegenerate = useChatState((state) => findReplyAfter(state, message.id) !== undefined);
  const idle = useChatState(({ activity }) => activity === 'idle');
  const [edit] = useState(() => toEditKey(chat.$chat.get().conversation?.id ?? '', message.id));
  const words = useTranslate('chat');
  const lang = useLang();
  const id = useId();
  const form = useRef<HTMLFormElement>(null);
  const field = useRef<HTMLTextAreaElement>(null);
  const text = useStore($editTexts, { ssr: 'initial' }).get(edit) ?? message.content;
  const [isConfirming, setConfirming] = useState(false);
  const [saving, setSaving] = useState(false);
  const fromBox = useRef(false);
  const tooLong = text.length > TEXT_LIMITS.message;
  const changed = text !== message.content;
  const isDisabled = text.trim() === '' || tooLong || saving;

  useEffect(() => {
    const element = field.current;
    if (!element || !claimFocus(edit)) return;
    fromBox.current = document.activeElement?.closest('footer') !== null;
    element.focus({ preventScroll: true });
    element.setSelectionRange(element.value.length, element.value.length);
  }, [edit]);
  useLayoutEffect(() => {
    const element = form.current;
    return () => {
      if (element?.contains(document.activeElement)) recordFocus(edit);
    };
  }, [edit]);
  useScrollIntoView(form, () => void chat.showMessage(message.id));
  useAutosize(field, text);
  useLayoutEffect(() => {
    // Keep the buttons below the field in view as it grows.
    if (form.current?.contains(document.activeElement)) form.current.scrollIntoView({ block: 'nearest' });
  }, [text]);

  const close = () => {
    closeEdit(edit);
    if (fromBox.current) focusComposer();
    else focusMessage(message.key);
  };
  const saveBy = async (write: () => Promise<boolean>) => {
    setSaving(true);
    const saved = await write();
    setSaving(false);
    if (saved) close();
  };
  const save = async () => {
    if (isDisabled) return;
    if (changed) await saveBy(() => chat.edit(message.id, text));
    else close();
  };
  const saveAndRegenerate = async () => {
    if (!isDisabled && idle) await saveBy(() => commands.editAndRegenerate(message.id, text));
  };
  const discard = () => {
    if (changed) setConfirming(true);
    else close();
  };
  const continueEditing = () => {
    setConfirming(false);
    field.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (isComposingKey(event.nativeEvent)) return;
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey))
      void (event.shiftKey && canRegenerate ? saveAndRegenerate : save)();
    else if (event.key === 'Escape') (isConfirming ? continueEditing : discard)();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- handles keys of the field inside
    <form
      ref={form}
      aria-label={words('edit')}
      className="flex flex-col gap-2"
      onKeyDown={onKeyDown}
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <label htmlFor={id} className="sr-only">
        {words('editLabel')}
      </label>
      <textarea
        ref={field}
        id={id}
        dir="auto"
        rows={3}
        readOnly={saving}
        className={`${FIELD} field-sizing-content max-h-[40dvh] w-full resize-none overflow-y-auto px-3 py-2.5 leading-relaxed`}
        value={text}
        aria-describedby={`${id}-hint ${id}-count`}
        aria-invalid={tooLong}
        onChange={(event) => {
          saveEditText(edit, event.target.value === message.content ? null : event.target.value);
          setConfirming(false);
        }}
      />
      <p className="flex flex-wrap justify-between gap-x-4 text-sm text-text-quiet">
        <span id={`${id}-hint`}>
          {joinSentences(
            getMessageModel(message) === null
              ? [words('editHint')]
              : [words('editHint'), words('editStillAi')],
            lang,
          )}
        </span>
        <span id={`${id}-count`} className={tooLong ? 'text-danger' : ''}>
          {text.length > COUNTER_FROM
            ? words('textLength', { count: text.length, limit: TEXT_LIMITS.message })
            : null}
        </span>
      </p>
      {isConfirming ? (
        <Unsaved goOn={continueEditing} giveUp={close} />
      ) : (
        <div className="flex flex-wrap justify-end gap-2">
          <button type="button" className={QUIET} disabled={saving} onClick={discard}>
            {words('editCancel')}
          </button>
          {canRegenerate ? (
            <button
              type="button"
              className={`${SECONDARY} aria-disabled:cursor-not-allowed aria-disabled:opacity-50`}
              aria-disabled={isDisabled || !idle}
              onClick={() => void saveAndRegenerate()}
            >
              {words('editSaveAndRegenerate')}
            </button>
          ) : null}
          <button
            type="submit"
            className={`${PRIMARY} aria-disabled:cursor-not-allowed aria-disabled:opacity-50`}
            aria-disabled={isDisabled}
            aria-busy={saving}
          >
            {words('editSave')}
          </button>
        </div>
      )}
    </form>
  );
}

/** Asks for confirmation before changes are discarded. */
function Unsaved({ goOn, giveUp }: { goOn: () => void; giveUp: () => void }) {
  const words = useTranslate('chat');
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => button.current?.focus(), []);
  return (
    <div className="flex flex-wrap items-center justify-end gap-2">
      <p role="alert" className="me-auto text-sm">
        {words('editUnsavedText')}
      </p>
      <button type="button" className={QUIET} onClick={giveUp}>
        {words('editDiscard')}
      </button>
      <button ref={button} type="button" className={SECONDARY} onClick={goOn}>
        {words('editResume')}
      </button>
    </div>
  );
}
