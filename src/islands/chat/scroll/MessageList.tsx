import { useStore } from '@nanostores/react';
import { Fragment, useEffect, useLayoutEffect, useRef, useState, type FocusEvent } from 'react';
import { getReplyKey, type ViewMessage } from '../../../features/conversation/messages/reply-view.ts';
import type { ModelType } from '../../../features/model/contract.ts';
import { joinSentences } from '../../../locales/format.ts';
import { useLang, useTranslate } from '../../shared/i18n.tsx';
import { Icon } from '../../shared/ui/Icon.tsx';
import { ICON } from '../../shared/styles.ts';
import { AiNotice } from '../safety/AiNotice.tsx';
import type { ChatCharacter } from '../Chat.tsx';
import type { ChatState } from '../chat.ts';
import {
  useAiNoticeForm,
  useChat,
  useDemoLabel,
  useIsGreeting,
  useOpenedAt,
  useTimeZone,
} from '../chat-context.ts';
import { ContextMark } from '../messages/ContextMark.tsx';
import { useStickToBottom } from './use-stick-to-bottom.ts';
import { useLongPress } from '../gestures/use-long-press.ts';
import { useSwipe } from '../gestures/use-swipe.ts';
import { useKeyboardInset } from '../use-bottom-inset.ts';
import { COLUMN } from '../class-names.ts';
import { isFirstOfDay, formatMessageDay } from '../messages/message-days.ts';
import { OrphanedEdits } from '../composer/OrphanedEdits.tsx';
import { moveFocusByArrow, restoreLostFocus } from '../messages/message-focus.ts';
import { selectAiLabels } from '../state/ai-labels.ts';
import { MessageItem, TypingItem } from '../messages/MessageItem.tsx';
import { PublicGreeting } from '../messages/PublicGreeting.tsx';
import { EARLIER_LABELS, LATER_LABELS, LoadMore } from './LoadMore.tsx';
import { $selectedModel } from '../state/models-state.ts';
import { SuggestedReplies } from '../composer/SuggestedReplies.tsx';
import { getUnavailableReason } from '../messages/available-actions.ts';

/** The messages, oldest first. Scrolls along with new text only when the user is at the end. */
export function MessageList({
  face,
  modelType,
  greeting,
  onOpenMemory,
}: {
  face: ChatCharacter | null;
  modelType: ModelType | null;
  /** The character's first message, shown while there is no conversation; null when it is not public. */
  greeting: string | null;
  /** Opens the memory notes of the messages that no longer fit into the model's context. */
  onOpenMemory?: () => void;
}) {
  const chat = useChat();
  const state = useStore(chat.$chat, { ssr: 'initial' });
  const { phase, view, conversation, activity, connected, earlierCursor, laterCursor } = state;
  const words = useTranslate('chat');
  const { messages } = view;
  const canReply = getUnavailableReason(conversation) === null;
  const pending = messages.findLast(({ delivery }) => delivery === 'pending');
  const hasDemoNote = useDemoLabel(modelType) !== null;
  const labels = selectAiLabels(messages, { hasEarlier: earlierCursor !== null, hasDemoNote });
  const hasSpoken = messages.some(({ role }) => role === 'user');
  const newestKey = messages.findLast(({ delivery }) => delivery === 'stored')?.key;
  const keys = useStableArray([
    ...messages.map(({ key }) => key),
    ...(pending ? [getReplyKey(pending.key)] : []),
  ]);
  const lookAt = useScrollTarget(state);
  // A new conversation opens at its start, one with messages at its end.
  const fromStart = !hasSpoken && laterCursor === null;
  const {
    scroller,
    content,
    list,
    entries,
    away,
    handlers,
    scrollToNewest: toNewest,
    stopFollowing: stay,
    expectLayoutChange: brace,
  } = useStickToBottom(keys, {
    conversationId: conversation?.id,
    fromStart,
    sent: pending?.key,
    newest: newestKey,
    more: { earlier: earlierCursor !== null, later: laterCursor !== null },
    total: conversation?.message_count ?? 0,
    lookAt,
  });
  useEffect(() => chat.$draft.listen(brace), [chat, brace]);
  useKeyboardInset(scroller);
  const { pressedKey: held, pressHandlers: holders } = useLongPress();
  const swipe = useSwipe();
  const focusKept = useFocusRestore();
  const lang = useLang();
  const openedAt = useOpenedAt();
  const isGreeting = useIsGreeting();
  const timeZone = useTimeZone();
  const noticeForm = useAiNoticeForm();
  // A page left open past midnight gets the new day with its next message.
  const now = Math.max(openedAt, Date.parse(messages.at(-1)?.created_at ?? '') || 0);
  const goToNewest = () => {
    void chat.showNewest().then(toNewest);
    // The button unmounts, so keyboard focus moves to the list.
    scroller.current?.focus({ preventScroll: true });
  };

  return (
    <div className="relative flex min-h-0 flex-1 flex-col">
      {face ? (
        <img
          src={face.avatar_url}
          alt=""
          loading="lazy"
          className="chat-backdrop absolute inset-0 h-full w-full object-cover"
        />
      ) : null}
      <div
        ref={scroller}
        role="region"
        aria-label={words('messages')}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- keyboard users must be able to scroll
        tabIndex={0}
        // The page's HTML scrolls this list before its script runs (components/scripts/scroll-chat.js).
        data-ends={phase === 'ready' && !fromStart ? '' : undefined}
        className="relative min-h-0 flex-1 overflow-x-hidden overflow-y-auto overscroll-contain [overflow-anchor:none] lg:[scrollbar-gutter:stable_both-edges] focus-visible:outline-2 focus-visible:-outline-offset-2 focus-visible:outline-accent"
        {...handlers}
        {...focusKept}
      >
        <div ref={content} className={`${COLUMN} flex flex-col gap-6 py-6`}>
          <p className="text-center text-sm text-text-quiet">
            {joinSentences([words(labels.line), words('minorsNote')], lang)}
          </p>
          {phase === 'starting' ? (
            (isGreeting || state.isSignInOpen) && greeting ? (
              <PublicGreeting name={face?.name ?? ''} portrait={face?.avatar_url} text={greeting} />
            ) : (
              <Starting />
            )
          ) : null}
          {earlierCursor === null ? null : (
            <LoadMore
              scroller={scroller}
              cursor={earlierCursor}
              state={state.earlier}
              names={EARLIER_LABELS}
              load={() => {
                stay();
                void chat.showEarlier();
              }}
            />
          )}
          {/* Without messages the notice is shown on its own. */}
          {phase === 'ready' && messages.length === 0 && earlierCursor === null ? (
            <AiNotice name={face?.name ?? ''} form={noticeForm} />
          ) : null}
          {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- arrow keys, long press, swipe */}
          <ol
            ref={list}
            aria-label={words('messages')}
            className="chat-list empty:hidden"
            onKeyDown={(event) => {
              if (moveFocusByArrow(event.currentTarget, event.key)) event.preventDefault();
            }}
            {...holders}
            onPointerDown={(event) => {
              holders.onPointerDown?.(event);
              swipe.onPointerDown?.(event);
            }}
          >
            {entries.map((entry) => {
              if (entry.kind === 'gap')
                return (
                  <li key={`gap before ${keys[entry.to + 1] ?? 'the end'}`} aria-hidden="true" data-gap="" />
                );
              const { index } = entry;
              const message = messages[index];
              if (!message)
                return <TypingItem key={keys[index]} name={face?.name ?? ''} portrait={face?.avatar_url} />;
              return (
                <Fragment key={message.key}>
                  {message.id === conversation?.context_start_id ? (
                    <ContextMark onOpenMemory={onOpenMemory} />
                  ) : null}
                  <MessageItem
                    message={message}
                    day={getDayDivider(messages, index, { now, lang, timeZone })}
                    name={face?.name ?? ''}
                    portrait={face?.avatar_url}
                    char={conversation?.character_nickname ?? face?.name ?? ''}
                    opening={index === 0 && !earlierCursor}
                    ending={message.key === newestKey && laterCursor === null}
                    newest={message.key === newestKey}
                    marked={message.key === labels.markedKey}
                    held={message.key === held}
                    answers={canReply}
                    idle={activity === 'idle'}
                  />
                </Fragment>
              );
            })}
          </ol>
          {laterCursor === null ? null : (
            <LoadMore
              scroller={scroller}
              cursor={laterCursor}
              state={state.later}
              names={LATER_LABELS}
              load={() => void chat.showLater()}
            />
          )}
          <OrphanedEdits />
          {connected ? null : (
            <p role="status" className="text-sm text-state">
              {words('reconnecting')}
            </p>
          )}
          {phase === 'ready' && !hasSpoken && conversation && canReply ? (
            <SuggestedReplies
              replies={conversation.suggested_replies}
              disabled={activity !== 'idle'}
              send={(reply) => void chat.send($selectedModel.get(), reply)}
            />
          ) : null}
        </div>
      </div>
      {away && (hasSpoken || laterCursor !== null) ? (
        <button
          type="button"
          className={`${ICON} absolute end-3 bottom-3 rounded-full border border-edge bg-surface [box-shadow:var(--lift)]`}
          aria-label={words('toLatest')}
          title={words('toLatest')}
          onClick={goToNewest}
        >
          <Icon name="down" />
        </button>
      ) : null}
    </div>
  );
}

/**
 * Moves focus to another message when the focused one is removed.
 * @returns handlers for the element around the messages
 */
function useFocusRestore() {
  const within = useRef(false);
  useLayoutEffect(() => {
    if (!within.current || document.activeElement !== document.body) return;
    within.current = false;
    restoreLostFocus(null);
  });
  const [handlers] = useState(() => ({
    onFocus: () => void (within.current = true),
    onBlur: ({ currentTarget, relatedTarget }: FocusEvent) =>
      void (within.current = currentTarget.contains(relatedTarget)),
  }));
  return handlers;
}

/** Returns the previous array while its elements are the same, so that memoised values are kept. */
function useStableArray(latest: readonly string[]): readonly string[] {
  const [known, setKnown] = useState(latest);
  if (known.length === latest.length && known.every((one, index) => one === latest[index])) return known;
  setKnown(latest);
  return latest;
}

/** The row to scroll to; a new object for each request. */
function useScrollTarget({ scrollTarget: lookAt, view }: ChatState): { key: string } | null {
  const [known, setKnown] = useState<{ asked: ChatState['scrollTarget']; row: { key: string } | null }>({
    asked: null,
    row: null,
  });
  if (known.asked === lookAt) return known.row;
  const key = view.messages.find(({ id }) => id === lookAt?.messageId)?.key;
  const row = key === undefined ? null : { key };
  setKnown({ asked: lookAt, row });
  return row;
}

/** The name of a message's day when it is the first of that day; else null. */
function getDayDivider(
  messages: readonly ViewMessage[],
  index: number,
  { now, lang, timeZone }: { now: number; lang: string; timeZone: string },
): string | null {
  const time = messages[index]?.created_at ?? '';
  const before = messages[index - 1]?.created_at ?? null;
  return isFirstOfDay(time, before, now, timeZone) ? formatMessageDay(time, lang, now, timeZone) : null;
}

/** A skeleton of the messages while they load. */
function Starting() {
  const words = useTranslate('chat');
  return (
    <div role="status" className="flex flex-col gap-3">
      <span className="sr-only">{words('loading')}</span>
      <span className="h-4 w-24 rounded-sm bg-surface-2" />
      <span className="h-4 w-full rounded-sm bg-surface-2" />
      <span className="h-4 w-full rounded-sm bg-surface-2" />
      <span className="h-4 w-3/5 rounded-sm bg-surface-2" />
    </div>
  );
}
