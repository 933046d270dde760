import { useStore } from '@nanostores/react';
import { useId, useLayoutEffect, useRef, type ReactNode, type RefObject } from 'react';
import { TEXT_LIMITS } from '../../../config/text-limits.ts';
import type { ModelType } from '../../../features/model/contract.ts';
import { AppealPrompt } from '../../safety/Appeal.tsx';
import { formatFailure } from '../../shared/errors.ts';
import { useLang, useTranslate } from '../../shared/i18n.tsx';
import { hasCoarsePointer } from '../../shared/ui/has-coarse-pointer.ts';
import { submitOnEnter, useAutosize } from '../../shared/ui/use-autosize.ts';
import { Icon } from '../../shared/ui/Icon.tsx';
import { FIELD, ICON, ICON_SOLID } from '../../shared/styles.ts';
import type { ChatCharacter } from '../Chat.tsx';
import { useChat } from '../chat-context.ts';
import { InsertedNotice, AssistMenu, Suggestions } from './AssistMenu.tsx';
import { ComposerHelp } from '../messages/MessageSafety.tsx';
import { OfflineLine, useIsReachable } from '../OfflineLine.tsx';
import { COLUMN } from '../class-names.ts';
import { SendButton } from './SendButton.tsx';
import { $models, $selectedModel, getDemoLabel } from '../state/models-state.ts';
import { useToastOffset } from '../use-toast-offset.ts';
import { UpgradePrompt } from './UpgradePrompt.tsx';

/** From here on the counter shows how much room is left. */
const COUNTER_FROM = TEXT_LIMITS.message * 0.9;

/** The box in which a message is written. It grows with its text and pushes the messages up, never over them. */
export function Composer({
  face,
  modelType,
  note,
}: {
  face: ChatCharacter | null;
  modelType: ModelType | null;
  /** What has to be known before one writes. */
  note?: ReactNode;
}) {
  const chat = useChat();
  const draft = useStore(chat.$draft, { ssr: 'initial' });
  const { activity, points, boxed } = useStore(chat.$chat, { ssr: 'initial' });
  const words = useTranslate('chat');
  const box = useRef<HTMLTextAreaElement>(null);
  const footer = useRef<HTMLElement>(null);
  /** Where one writes in the box. */
  const caret = useRef(0);
  useToastOffset(footer);
  const id = useId();
  const reachable = useIsReachable();
  const busy = activity !== 'idle';
  const tooLong = draft.length > TEXT_LIMITS.message;
  const rests = draft.trim() === '' || tooLong || busy;

  useLayoutEffect(() => {
    // Quick hands write before the page is awake.
    const early = box.current?.value ?? '';
    if (early !== '' && chat.$draft.get() === '') chat.setDraft(early);
  }, [chat]);
  useAutosize(box, draft);
  useLayoutEffect(() => {
    const element = box.current;
    if (!boxed || !element || !canTakeFocus(element)) return;
    if (boxed.from > 0 && document.activeElement === element) {
      // Whoever is writing goes on where they are: the line came in under it.
      const at = Math.min(caret.current, boxed.from - 1);
      element.setSelectionRange(at, at);
      return;
    }
    element.focus();
    // Under one's own words the new line is marked: one key takes it away.
    element.setSelectionRange(boxed.from > 0 ? boxed.from : boxed.after.length, boxed.after.length);
  }, [boxed]);

  const send = () => {
    if (rests) return;
    void chat.send($selectedModel.get());
    box.current?.focus();
  };

  return (
    <footer ref={footer} className="border-t border-line bg-bg pb-[env(safe-area-inset-bottom)]">
      <div className={`${COLUMN} flex flex-col gap-1 py-2`}>
        {note}
        <ComposerHelp />
        <Notice />
        <OfflineLine />
        <Suggestions />
        <InsertedNotice />
        <form
          className="flex items-end gap-1"
          onSubmit={(event) => {
            event.preventDefault();
            send();
          }}
        >
          <AssistMenu />
          <label htmlFor={id} className="sr-only">
            {words('composerLabel', { name: face?.name ?? '' })}
          </label>
          <textarea
            ref={box}
            id={id}
            rows={1}
            dir="auto"
            className={`${FIELD} field-sizing-content me-1 max-h-[40dvh] min-w-0 flex-1 resize-none overflow-y-auto px-3 py-2.5 leading-normal`}
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
            <StopButton key="stop" rests={activity === 'stopping'} box={box} />
          ) : (
            <SendButton key="send" rests={rests} />
          )}
        </form>
        <p
          className={`flex ${reachable ? 'min-h-5' : ''} flex-wrap justify-between gap-x-4 text-sm text-text-quiet`}
        >
          {/* Room for what may come, so that nothing moves then. */}
          <span className={reachable ? 'min-h-5' : ''}>
            {points && !points.unlimited
              ? words('pointsLeft', { count: points.current_points + points.permanent_points })
              : null}
          </span>
          <DemoNote modelType={modelType} />
          <span id={`${id}-count`} className={tooLong ? 'text-harm' : ''}>
            {draft.length > COUNTER_FROM
              ? words('lengthLeft', {
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

/** Stops the reply. It goes away with that: who was at it goes on from the box. */
function StopButton({ rests, box }: { rests: boolean; box: RefObject<HTMLTextAreaElement | null> }) {
  const chat = useChat();
  const words = useTranslate('chat');
  const button = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    const [element, place] = [button.current, box.current];
    return () => {
      // The reply ended by itself.
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
      disabled={rests}
      onClick={({ detail }) => {
        // The second half of a double click on «send» is not a wish to stop.
        if (detail > 1) return;
        if (detail === 0 || !hasCoarsePointer()) box.current?.focus();
        void chat.stop();
      }}
    >
      <Icon name="stop" />
    </button>
  );
}

/** Whether the box can take the focus without taking it from something else that one is at. */
function canTakeFocus(box: HTMLElement): boolean {
  const focused = document.activeElement;
  return focused === null || focused === document.body || box.closest('footer')?.contains(focused) === true;
}

/** Says all the time, next to where one writes, that no real model answers. */
function DemoNote({ modelType }: { modelType: ModelType | null }) {
  const { view } = useStore(useChat().$chat, { ssr: 'initial' });
  const models = useStore($models, { ssr: 'initial' });
  const selected = useStore($selectedModel, { ssr: 'initial' });
  const words = useTranslate('chat');
  const lastModel =
    view.messages.findLast(({ role }) => role === 'character')?.versions.at(-1)?.model ?? null;
  const label = getDemoLabel(models, selected, { modelType, lastModel });
  return label ? (
    <span className="order-first basis-full text-state sm:order-none sm:basis-auto">
      {words('demoNote', { label })}
    </span>
  ) : null;
}

/** What the last action met with. */
function Notice() {
  const chat = useChat();
  const { notice } = useStore(chat.$chat, { ssr: 'initial' });
  const words = useTranslate('chat');
  const errors = useTranslate('errors');
  const lang = useLang();
  const { rule, refusedText, appealToken } = notice ?? {};
  return (
    <>
      <div role="alert" className="flex items-start justify-between gap-2 text-sm text-harm empty:hidden">
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
        <AppealPrompt
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
