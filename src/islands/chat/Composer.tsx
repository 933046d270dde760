import { useStore } from '@nanostores/react';
import { useId, useLayoutEffect, useRef, type KeyboardEvent } from 'react';
import { TEXT_LIMITS } from '../../config.ts';
import { failureSentence } from '../shared/errors.ts';
import { useLang, useWords } from '../shared/i18n.tsx';
import { CloseIcon, SendIcon, StopIcon } from '../shared/icons.tsx';
import { FIELD, ICON, ICON_PRIMARY, ICON_SOLID } from '../shared/styles.ts';
import type { ChatFace } from './Chat.tsx';
import { useChat } from './chat-context.ts';
import { $selectedModel } from './models-state.ts';

/** From here on the counter shows how much room is left. */
const COUNTER_FROM = TEXT_LIMITS.message * 0.9;

/** The box in which a message is written. It grows with its text and pushes the messages up, never over them. */
export function Composer({ face }: { face: ChatFace | null }) {
  const chat = useChat();
  const draft = useStore(chat.$draft, { ssr: 'initial' });
  const { activity, points } = useStore(chat.$chat, { ssr: 'initial' });
  const words = useWords('chat');
  const lang = useLang();
  const box = useRef<HTMLTextAreaElement>(null);
  const id = useId();
  const busy = activity !== 'idle';
  const tooLong = draft.length > TEXT_LIMITS.message;
  const rests = draft.trim() === '' || tooLong || busy;

  useLayoutEffect(() => {
    // Quick hands write before the page is awake.
    const early = box.current?.value ?? '';
    if (early !== '' && chat.$draft.get() === '') chat.setDraft(early);
  }, [chat]);
  useLayoutEffect(() => {
    // Browsers that size a field by its content need no help.
    if (!box.current || CSS.supports('field-sizing', 'content')) return;
    box.current.style.height = 'auto';
    box.current.style.height = `${box.current.scrollHeight}px`;
  }, [draft]);

  const send = () => {
    if (rests) return;
    void chat.send($selectedModel.get());
    box.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    // On a touch keyboard there is no other way to a new line.
    if (matchMedia('(pointer: coarse)').matches) return;
    event.preventDefault();
    send();
  };

  return (
    <footer className="border-t border-line bg-surface pb-[env(safe-area-inset-bottom)]">
      <div className="mx-auto flex max-w-2xl flex-col gap-1 px-4 py-2">
        <Notice />
        <form
          className="flex items-end gap-2"
          onSubmit={(event) => {
            event.preventDefault();
            send();
          }}
        >
          <label htmlFor={id} className="sr-only">
            {words('composerLabel', { name: face?.name ?? '' })}
          </label>
          <textarea
            ref={box}
            id={id}
            rows={1}
            dir="auto"
            className={`${FIELD} field-sizing-content max-h-[40dvh] min-w-0 flex-1 resize-none overflow-y-auto px-3 py-2.5 leading-normal`}
            placeholder={words('composerPlaceholder')}
            value={draft}
            aria-describedby={`${id}-count`}
            aria-invalid={tooLong}
            onChange={(event) => chat.setDraft(event.target.value)}
            onKeyDown={onKeyDown}
          />
          {busy ? (
            <button
              key="stop"
              type="button"
              className={ICON_SOLID}
              aria-label={words('stop')}
              title={words('stop')}
              disabled={activity === 'stopping'}
              onClick={(event) => {
                // The second half of a double click on «send» is not a wish to stop.
                if (event.detail <= 1) void chat.stop();
              }}
            >
              <StopIcon />
            </button>
          ) : (
            <button
              key="send"
              type="submit"
              className={ICON_PRIMARY}
              aria-label={words('send')}
              title={words('send')}
              disabled={rests}
            >
              <SendIcon />
            </button>
          )}
        </form>
        <p className="flex min-h-5 justify-between gap-4 text-sm text-text-quiet">
          <span>
            {points ? words('pointsLeft', { count: points.current_points + points.permanent_points }) : null}
          </span>
          <span id={`${id}-count`} className={tooLong ? 'text-harm' : ''}>
            {draft.length > COUNTER_FROM
              ? words('lengthLeft', {
                  count: draft.length.toLocaleString(lang),
                  limit: TEXT_LIMITS.message.toLocaleString(lang),
                })
              : null}
          </span>
        </p>
      </div>
    </footer>
  );
}

/** What the last action met with. */
function Notice() {
  const chat = useChat();
  const { notice } = useStore(chat.$chat, { ssr: 'initial' });
  const words = useWords('chat');
  const errors = useWords('errors');
  const lang = useLang();
  return (
    <div role="alert" className="flex items-start justify-between gap-2 text-sm text-harm empty:hidden">
      {notice ? (
        <>
          <p className="py-2.5">{failureSentence(notice, errors, lang)}</p>
          <button type="button" className={ICON} aria-label={words('dismiss')} onClick={chat.dismissNotice}>
            <CloseIcon />
          </button>
        </>
      ) : null}
    </div>
  );
}
