import { useStore } from '@nanostores/react';
import { useEffect, useId, useRef } from 'react';
import { TEXT_LIMITS } from '../../../config/text-limits.ts';
import { SendButton } from '../../chat/composer/SendButton.tsx';
import { useOnline } from '../../shared/online.ts';
import { hasCoarsePointer } from '../../shared/ui/has-coarse-pointer.ts';
import { submitOnEnter, useAutosize } from '../../shared/ui/use-autosize.ts';
import { Icon } from '../../shared/ui/Icon.tsx';
import { useTranslate } from '../../shared/i18n.tsx';
import { FIELD, ICON_SOLID } from '../../shared/styles.ts';
import { canSendMessage, type TestChat, validateForTest } from './test-chat-state.ts';
import { useCharacterForm } from '../use-field-errors.ts';

/** The message box of the test chat. @param name null while the character has none */
export function TestChatComposer({ chat, name }: { chat: TestChat; name: string | null }) {
  const words = useTranslate('chat');
  const form = useCharacterForm();
  const { draft, busy, points } = useStore(chat.$chat);
  const online = useOnline();
  const id = useId();
  const box = useRef<HTMLTextAreaElement>(null);
  const tooLong = draft.length > TEXT_LIMITS.message;
  const ready = online && validateForTest(form).length === 0;
  const isDisabled = !ready || busy || !canSendMessage(draft);
  useEffect(() => {
    // On touch devices the keyboard would cover the messages.
    if (!hasCoarsePointer()) box.current?.focus();
  }, []);
  useAutosize(box, draft);
  const send = () => {
    if (isDisabled) return;
    void chat.send();
    box.current?.focus();
  };
  return (
    <form
      className="flex flex-col gap-1"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <div className="flex items-end gap-1">
        <label htmlFor={id} className="sr-only">
          {name === null ? words('composerPlaceholder') : words('composerLabel', { name })}
        </label>
        <textarea
          ref={box}
          id={id}
          rows={1}
          dir="auto"
          className={`${FIELD} field-sizing-content max-h-[30dvh] min-w-0 flex-1 resize-none overflow-y-auto px-3 py-2.5 leading-normal`}
          placeholder={words('composerPlaceholder')}
          value={draft}
          aria-describedby={`${id}-count`}
          aria-invalid={tooLong}
          onChange={({ target }) => chat.write(target.value)}
          onKeyDown={(event) => submitOnEnter(event, send)}
        />
        {busy ? (
          <button
            key="stop"
            type="button"
            className={ICON_SOLID}
            aria-label={words('stop')}
            title={words('stop')}
            onClick={({ detail }) => {
              // Ignore the second click of a double click on «send».
              if (detail > 1) return;
              chat.stop();
              box.current?.focus();
            }}
          >
            <Icon name="stop" />
          </button>
        ) : (
          <SendButton key="send" disabled={isDisabled} />
        )}
      </div>
      <p className="flex min-h-5 flex-wrap justify-between gap-x-4 text-sm text-text-quiet">
        <span>
          {points === null
            ? null
            : words('pointsLeft', { count: points.current_points + points.permanent_points })}
        </span>
        <span id={`${id}-count`} className={tooLong ? 'text-danger' : ''}>
          {draft === '' ? null : words('textLength', { count: draft.length, limit: TEXT_LIMITS.message })}
        </span>
      </p>
    </form>
  );
}
