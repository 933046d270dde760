import { useStore } from '@nanostores/react';
import { Fragment, useEffect, useLayoutEffect, useRef, useState, type FocusEvent } from 'react';
import { replyKey, type ViewMessage } from '../../../features/conversation/messages/reply-view.ts';
import { joinSentences } from '../../../locales/sentence-marks.ts';
import { useLang, useWords } from '../../shared/i18n.tsx';
import { Icon } from '../../shared/ui/Icon.tsx';
import { SECONDARY } from '../../shared/styles.ts';
import { AiNotice } from '../AiNotice.tsx';
import type { ChatFace } from '../Chat.tsx';
import type { ChatState } from '../chat.ts';
import { useChat } from '../chat-context.ts';
import { ContextMark } from '../messages/ContextMark.tsx';
import { useFollowNewest } from './use-stick-to-bottom.ts';
import { useHeldMessage } from '../messages/use-long-press.ts';
import { useKeyboardRoom } from '../use-keyboard-inset.ts';
import { COLUMN } from '../class-names.ts';
import { beginsDay, dayName } from '../messages/message-days.ts';
import { LostEdits } from '../composer/OrphanedEdits.tsx';
import { moveByArrow, rescueFocus } from '../messages/message-focus.ts';
import { MessageItem, TypingItem } from '../messages/MessageItem.tsx';
import { EARLIER, LATER, MorePages } from './LoadMore.tsx';
import { $selectedModel } from '../state/models-state.ts';
import { SuggestedReplies } from '../composer/SuggestedReplies.tsx';
import { nobodyBecause } from '../character-availability.ts';

/** The messages, oldest first. It follows the newest only for a reader who is there. */
export function MessageList({
  face,
  onOpenMemory,
}: {
  face: ChatFace | null;
  /** Shows what the model knows of what it no longer reads. */
  onOpenMemory?: () => void;
}) {
  const chat = useChat();
  const state = useStore(chat.$chat, { ssr: 'initial' });
  const { phase, view, conversation, activity, connected, earlierCursor, laterCursor } = state;
  const words = useWords('chat');
  const { messages } = view;
  const answers = nobodyBecause(conversation) === null;
  const pending = messages.findLast(({ delivery }) => delivery === 'pending');
  const hasSpoken = messages.some(({ role }) => role === 'user');
  const newestKey = messages.findLast(({ delivery }) => delivery === 'stored')?.key;
  const keys = useSame([...messages.map(({ key }) => key), ...(pending ? [replyKey(pending.key)] : [])]);
  const lookAt = useLookAt(state);
  // A new conversation is read from its beginning, one that goes on from its end.
  const { scroller, content, list, entries, away, handlers, toNewest, stay, brace } = useFollowNewest(keys, {
    conversationId: conversation?.id,
    fromStart: !hasSpoken && laterCursor === null,
    sent: pending?.key,
    newest: newestKey,
    more: { earlier: earlierCursor !== null, later: laterCursor !== null },
    total: conversation?.message_count ?? 0,
    lookAt,
  });
  useEffect(() => chat.$draft.listen(brace), [chat, brace]);
  useKeyboardRoom(scroller);
  const { held, holders } = useHeldMessage();
  const focusKept = useFocusKept();
  const lang = useLang();
  const [openedAt] = useState(Date.now);
  // A page left open past midnight learns of the new day with its next message.
  const now = Math.max(openedAt, Date.parse(messages.at(-1)?.created_at ?? '') || 0);
  const goToNewest = () => {
    void chat.showNewest().then(toNewest);
    // The button goes away: who pressed it with a key goes on from the messages.
    scroller.current?.focus({ preventScroll: true });
  };

  return (
    <div className="relative flex min-h-0 flex-1 flex-col">
      <div
        ref={scroller}
        role="region"
        aria-label={words('messages')}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keyboard
        tabIndex={0}
        className="relative min-h-0 flex-1 overflow-y-auto overscroll-contain [overflow-anchor:none] lg:[scrollbar-gutter:stable_both-edges] focus-visible:outline-2 focus-visible:-outline-offset-2 focus-visible:outline-accent"
        {...handlers}
        {...focusKept}
      >
        <div ref={content} className={`${COLUMN} flex flex-col gap-6 py-6`}>
          <p className="text-center text-sm text-text-quiet">
            {joinSentences([words('aiNote'), words('minorsNote')], lang)}
          </p>
          {phase === 'starting' ? <Starting /> : null}
          <MorePages
            scroller={scroller}
            cursor={earlierCursor}
            state={state.earlier}
            names={EARLIER}
            load={() => {
              stay();
              void chat.showEarlier();
            }}
          />
          {/* Where nobody has said anything yet, it stands there by itself. */}
          {phase === 'ready' && messages.length === 0 && earlierCursor === null ? (
            <AiNotice name={face?.name ?? ''} />
          ) : null}
          {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the keys and the touches of the messages' own buttons */}
          <ol
            ref={list}
            aria-label={words('messages')}
            className="chat-list empty:hidden"
            onKeyDown={(event) => {
              if (moveByArrow(event.currentTarget, event.key)) event.preventDefault();
            }}
            {...holders}
          >
            {entries.map((entry) => {
              if (entry.kind === 'gap')
                return (
                  <li key={`gap before ${keys[entry.to + 1] ?? 'the end'}`} aria-hidden="true" data-gap="" />
                );
              const { index } = entry;
              const message = messages[index];
              if (!message) return <TypingItem key={keys[index]} name={face?.name ?? ''} />;
              return (
                <Fragment key={message.key}>
                  {message.id === conversation?.context_start_id ? (
                    <ContextMark onOpenMemory={onOpenMemory} />
                  ) : null}
                  <MessageItem
                    message={message}
                    day={dayAbove(messages, index, now, lang)}
                    name={face?.name ?? ''}
                    char={conversation?.character_nickname ?? face?.name ?? ''}
                    opening={index === 0 && !earlierCursor}
                    newest={message.key === newestKey}
                    held={message.key === held}
                    answers={answers}
                    idle={activity === 'idle'}
                  />
                </Fragment>
              );
            })}
          </ol>
          <MorePages
            scroller={scroller}
            cursor={laterCursor}
            state={state.later}
            names={LATER}
            load={() => void chat.showLater()}
          />
          <LostEdits />
          {connected ? null : (
            <p role="status" className="text-sm text-state">
              {words('reconnecting')}
            </p>
          )}
          {phase === 'ready' && !hasSpoken && conversation && answers ? (
            <SuggestedReplies
              replies={conversation.suggested_replies}
              rests={activity !== 'idle'}
              send={(reply) => void chat.send($selectedModel.get(), reply)}
            />
          ) : null}
        </div>
      </div>
      {away && (hasSpoken || laterCursor !== null) ? (
        <button
          type="button"
          className={`${SECONDARY} absolute inset-x-0 bottom-3 mx-auto w-fit bg-surface shadow-lg`}
          onClick={goToNewest}
        >
          <Icon name="down" />
          {words('newest')}
        </button>
      ) : null}
    </div>
  );
}

/** Whoever was at a message that is gone goes on among the others. The answer goes to the element around them. */
function useFocusKept() {
  const within = useRef(false);
  useLayoutEffect(() => {
    if (!within.current || document.activeElement !== document.body) return;
    within.current = false;
    rescueFocus(null);
  });
  const [handlers] = useState(() => ({
    onFocus: () => void (within.current = true),
    onBlur: ({ currentTarget, relatedTarget }: FocusEvent) =>
      void (within.current = currentTarget.contains(relatedTarget)),
  }));
  return handlers;
}

/** The same array again as long as the same stands in it: what hangs on it need not be worked out anew. */
function useSame(latest: readonly string[]): readonly string[] {
  const [known, setKnown] = useState(latest);
  if (known.length === latest.length && known.every((one, index) => one === latest[index])) return known;
  setKnown(latest);
  return latest;
}

/** The row that is to be brought into sight; a new object each time that one is. */
function useLookAt({ lookAt, view }: ChatState): { key: string } | null {
  const [known, setKnown] = useState<{ asked: ChatState['lookAt']; row: { key: string } | null }>({
    asked: null,
    row: null,
  });
  if (known.asked === lookAt) return known.row;
  const key = view.messages.find(({ id }) => id === lookAt?.messageId)?.key;
  const row = key === undefined ? null : { key };
  setKnown({ asked: lookAt, row });
  return row;
}

/** The name of the day that begins with a message, if one does. */
function dayAbove(messages: readonly ViewMessage[], index: number, now: number, lang: string): string | null {
  const time = messages[index]?.created_at ?? '';
  const before = messages[index - 1]?.created_at ?? null;
  return beginsDay(time, before, now) ? dayName(time, lang, now) : null;
}

/** The shape of what is coming, in its place. */
function Starting() {
  const words = useWords('chat');
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
