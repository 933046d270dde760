import { useStore } from '@nanostores/react';
import { useId, useLayoutEffect, useRef, type ReactNode, type RefObject } from 'react';
import { TEXT_LIMITS } from '../../../config/text-limits.ts';
import type { ModelType } from '../../../features/model/contract.ts';
import { LazyAppeal } from '../../safety/LazyAppeal.tsx';
import { formatFailure } from '../../shared/errors.ts';
import { useLang, useTranslate } from '../../shared/i18n.tsx';
import { hasCoarsePointer } from '../../shared/ui/has-coarse-pointer.ts';
import { submitOnEnter, useAutosize } from '../../shared/ui/use-autosize.ts';
import { Icon } from '../../shared/ui/Icon.tsx';
import { FIELD, ICON, ICON_SOLID } from '../../shared/styles.ts';
import type { ChatCharacter } from '../Chat.tsx';
import { useChat, useChatField, useDemoLabel } from '../chat-context.ts';
import { InsertedNotice, AssistMenu, Suggestions } from './AssistMenu.tsx';
import { PinnedHelp } from '../safety/MessageSafety.tsx';
import { OfflineLine, useIsReachable } from '../OfflineLine.tsx';
import { COLUMN } from '../class-names.ts';
import { SendButton } from './SendButton.tsx';
import { $selectedModel } from '../state/models-state.ts';
import { useToastOffset } from '../use-bottom-inset.ts';
import { UpgradePrompt } from './UpgradePrompt.tsx';
import { useFocusOnOpen } from './use-focus-on-open.ts';

/** Length from which the counter shows. */
const COUNTER_FROM = TEXT_LIMITS.message * 0.9;

/** The field for a new message. It grows with its text and pushes the messages up without covering them. */
export function Composer({
  face,
  modelType,
  note,
}: {
  face: ChatCharacter | null;
  modelType: ModelType | null;
  /** Notices above the field. */
  note?: ReactNode;
}) {
  const chat = useChat();
  const draft = useStore(chat.$draft, { ssr: 'initial' });
  const activity = useChatField('activity');
  const points = useChatField('points');
  const boxed = useChatField('boxed');
  const words = useTranslate('chat');
  const box = useRef<HTMLTextAreaElement>(null);
  const footer = useRef<HTMLElement>(null);
  /** The caret's last position in the field. */
  const caret = useRef(0);
  useToastOffset(footer);
  const id = useId();
  const reachable = useIsReachable();
  const busy = activity !== 'idle';
  const tooLong = draft.length > TEXT_LIMITS.message;
  const isSendDisabled = draft.trim() === '' || tooLong || busy;

  useLayoutEffect(() => {
    // Keep text typed before hydration.
    const early = box.current?.value ?? '';
    if (early !== '' && chat.$draft.get() === '') chat.setDraft(early);
  }, [chat]);
  useAutosize(box, draft);
  useFocusOnOpen(box);
  useLayoutEffect(() => {
    const element = box.current;
    if (!boxed || !element || !canTakeFocus(element)) return;
    if (boxed.from > 0 && document.activeElement === element) {
      // The user is typing and the line was inserted below: keep the caret where it was.
      const at = Math.min(caret.current, boxed.from - 1);
      element.setSelectionRange(at, at);
      return;
    }
    element.focus();
    // Select a line inserted below the user's own text, so that one key deletes it.
    element.setSelectionRange(boxed.from > 0 ? boxed.from : boxed.after.length, boxed.after.length);
  }, [boxed]);

  const send = () => {
    if (isSendDisabled) return;
    void chat.send($selectedModel.get());
    box.current?.focus();
  };

  return (
    <footer ref={footer} className="border-t border-line bg-bg pb-[env(safe-area-inset-bottom)]">
      <div className={`${COLUMN} flex flex-col gap-1 py-2`}>
        {note}
        <PinnedHelp />
        <Notice />
        <OfflineLine />
        <ShortenedLine />
        <Suggestions />
        <InsertedNotice />
        <form
          className="-mx-2 flex items-end gap-1 sm:mx-0"
          onSubmit={(event) => {
            event.preventDefault();
            send();
          }}
        >
          {/* It is in the field, which would be narrow on a phone otherwise. */}
          <AssistMenu />
          <label htmlFor={id} className="sr-only">
            {words('composerLabel', { name: face?.name ?? '' })}
          </label>
          <textarea
            ref={box}
            id={id}
            rows={1}
            dir="auto"
            // The device keeps the draft; what the browser restores on Back could be of a user who has logged out.
            autoComplete="off"
            className={`${FIELD} field-sizing-content -ms-12 me-1 max-h-[40dvh] min-w-0 flex-1 resize-none overflow-y-auto ps-11 pe-3 py-2.5 leading-normal`}
            placeholder={words('composerPlaceholder')}
            value={draft}
            aria-describedby={`${id}-count`}
            aria-invalid={tooLong}
            onSelect={({ currentTarget }) => void (caret.current = currentTarget.selectionEnd)}
            onChange={({ target }) => {
              caret.current = target.selectionEnd;
              chat.setDraft(target.value);
            }}
            onKeyDown={(event) => submitOnEnter(event, send)}
          />
          {busy ? (
            <StopButton key="stop" disabled={activity === 'stopping'} box={box} />
          ) : (
            <SendButton key="send" disabled={isSendDisabled} />
          )}
        </form>
        <p
          className={`flex ${reachable ? 'min-h-5' : ''} flex-wrap justify-between gap-x-4 text-sm text-text-quiet`}
        >
          {/* Reserve the height, so that nothing moves when the points arrive. */}
          <span className={reachable ? 'min-h-5' : ''}>
            {points && !points.unlimited
              ? words('pointsLeft', { count: points.current_points + points.permanent_points })
              : null}
          </span>
          <DemoNote modelType={modelType} />
          <span id={`${id}-count`} className={tooLong ? 'text-danger' : ''}>
            {draft.length > COUNTER_FROM
              ? words('textLength', {
                  count: draft.length,
                  limit: TEXT_LIMITS.message,
                })
              : null}
          </span>
        </p>
      </div>
    </footer>
  );
}

/** Stops the reply. The button unmounts when the reply ends, so its focus moves to the composer. */
function StopButton({ disabled, box }: { disabled: boolean; box: RefObject<HTMLTextAreaElement | null> }) {
  const chat = useChat();
  const words = useTranslate('chat');
  const button = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    const [element, place] = [button.current, box.current];
    return () => {
      // The reply ended while the button had focus.
      if (document.activeElement === element) place?.focus();
    };
  }, [box]);
  return (
    <button
      ref={button}
      type="button"
      className={ICON_SOLID}
      aria-label={words('stop')}
      title={words('stop')}
      disabled={disabled}
      onClick={({ detail }) => {
        // Ignore the second click of a double click on "send".
        if (detail > 1) return;
        if (detail === 0 || !hasCoarsePointer()) box.current?.focus();
        void chat.stop();
      }}
    >
      <Icon name="stop" />
    </button>
  );
}

/** Whether the composer can take focus without taking it from another control in use. */
function canTakeFocus(box: HTMLElement): boolean {
  const focused = document.activeElement;
  return focused === null || focused === document.body || box.closest('footer')?.contains(focused) === true;
}

/** States permanently, next to the composer, that a demo model answers. */
function DemoNote({ modelType }: { modelType: ModelType | null }) {
  const words = useTranslate('chat');
  const label = useDemoLabel(modelType);
  return label ? (
    <span className="order-first basis-full text-state sm:order-none sm:basis-auto">{words('demoNote')}</span>
  ) : null;
}

/** Says that the last reply was written from a shorter prompt than the first one, which the provider refused. */
function ShortenedLine() {
  const wasShortened = useChatField('wasShortened');
  const words = useTranslate('chat');
  return (
    <p role="status" className="text-sm text-state empty:hidden">
      {wasShortened ? words('contextShortened') : null}
    </p>
  );
}

/** The error of the last action. */
function Notice() {
  const chat = useChat();
  const notice = useChatField('notice');
  const words = useTranslate('chat');
  const errors = useTranslate('errors');
  const lang = useLang();
  const { rule, refusedText, appealToken } = notice ?? {};
  return (
    <>
      <div role="alert" className="flex items-start justify-between gap-2 text-sm text-danger empty:hidden">
        {notice ? (
          <>
            <p className="py-2.5">
              <span>{formatFailure(notice, errors, lang)}</span>{' '}
              {rule === undefined || rule === 'unavailable' ? null : words(`refused_${rule}`)}{' '}
              <UpgradePrompt code={notice.code} />
            </p>
            <button type="button" className={ICON} aria-label={words('dismiss')} onClick={chat.dismissNotice}>
              <Icon name="close" />
            </button>
          </>
        ) : null}
      </div>
      {rule === undefined || refusedText === undefined || rule === 'unavailable' ? null : (
        <LazyAppeal
          key={refusedText}
          refused={{
            place: 'message',
            rule,
            text: refusedText,
            ...(appealToken === undefined ? {} : { token: appealToken }),
          }}
        />
      )}
    </>
  );
}
