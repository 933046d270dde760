import { useStore } from '@nanostores/react';
import { useEffect, useMemo } from 'react';
import { replyKey } from '../../features/conversation/reply-view.ts';
import { useWords } from '../shared/i18n.tsx';
import { DownIcon } from '../shared/icons.tsx';
import { SECONDARY } from '../shared/styles.ts';
import type { ChatFace } from './Chat.tsx';
import { useChat } from './chat-context.ts';
import { useFollowNewest } from './follow-newest.ts';
import { MessageItem, TypingItem } from './MessageItem.tsx';
import { $selectedModel } from './models-state.ts';

/** The messages, oldest first. It follows the newest only for a reader who is there. */
export function MessageList({ face }: { face: ChatFace | null }) {
  const chat = useChat();
  const { phase, view, conversation, activity, connected, earlierCursor, earlier } = useStore(chat.$chat, {
    ssr: 'initial',
  });
  const words = useWords('chat');
  const errors = useWords('errors');
  const { messages } = view;
  const pending = messages.findLast(({ delivery }) => delivery === 'pending');
  const hasSpoken = messages.some(({ role }) => role === 'user');
  const keys = useMemo(() => messages.map(({ key }) => key), [messages]);
  // A new conversation is read from its beginning, one that goes on from its end.
  const { scroller, content, away, handlers, toNewest, stay, brace } = useFollowNewest(keys, {
    conversationId: conversation?.id,
    fromStart: !hasSpoken,
    sent: pending?.key,
  });
  useEffect(() => chat.$draft.listen(brace), [chat, brace]);

  return (
    <div className="relative flex min-h-0 flex-1 flex-col">
      <div
        ref={scroller}
        role="region"
        aria-label={words('messages')}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keyboard
        tabIndex={0}
        className="min-h-0 flex-1 overflow-y-auto overscroll-contain [overflow-anchor:none] focus-visible:outline-2 focus-visible:-outline-offset-2 focus-visible:outline-accent"
        {...handlers}
      >
        <div ref={content} className="mx-auto flex max-w-2xl flex-col gap-6 px-4 py-6">
          <p className="text-center text-sm text-text-quiet">{words('aiNote')}</p>
          {phase === 'starting' ? <Starting /> : null}
          {earlierCursor ? (
            <button
              type="button"
              className={`${SECONDARY} self-center`}
              disabled={earlier === 'loading'}
              aria-busy={earlier === 'loading'}
              onClick={() => {
                stay();
                void chat.showEarlier();
              }}
            >
              {words(earlier === 'loading' ? 'loadingEarlier' : 'showEarlier')}
            </button>
          ) : null}
          {earlier === 'failed' ? (
            <p role="alert" className="text-center text-sm text-harm">
              {errors('earlier_failed')}
            </p>
          ) : null}
          <ol aria-label={words('messages')} className="flex flex-col gap-6 empty:hidden">
            {messages.map((message) => (
              <MessageItem
                key={message.key}
                message={message}
                name={face?.name ?? ''}
                idle={activity === 'idle'}
              />
            ))}
            {pending ? <TypingItem key={replyKey(pending.key)} name={face?.name ?? ''} /> : null}
          </ol>
          {connected ? null : (
            <p role="status" className="text-sm text-state">
              {words('reconnecting')}
            </p>
          )}
          {phase === 'ready' && !hasSpoken && conversation ? (
            <Suggestions replies={conversation.suggested_replies} idle={activity === 'idle'} />
          ) : null}
        </div>
      </div>
      {away ? (
        <button
          type="button"
          className={`${SECONDARY} absolute inset-x-0 bottom-3 mx-auto w-fit bg-surface shadow-lg`}
          onClick={toNewest}
        >
          <DownIcon />
          {words('newest')}
        </button>
      ) : null}
    </div>
  );
}

function Starting() {
  const words = useWords('chat');
  return (
    <div role="status" className="flex flex-col gap-3">
      <span className="sr-only">{words('loading')}</span>
      <span className="h-4 w-24 rounded-sm bg-surface-2" />
      <span className="h-4 w-full rounded-sm bg-surface-2" />
      <span className="h-4 w-4/5 rounded-sm bg-surface-2" />
    </div>
  );
}

/** Ways to begin, as the character's creator wrote them. */
function Suggestions({ replies, idle }: { replies: readonly string[]; idle: boolean }) {
  const chat = useChat();
  const words = useWords('chat');
  if (replies.length === 0) return null;
  return (
    <ul aria-label={words('suggestions')} className="flex flex-wrap justify-end gap-2">
      {replies.map((reply) => (
        <li key={reply}>
          <button
            type="button"
            className={`${SECONDARY} text-start`}
            disabled={!idle}
            onClick={() => void chat.send($selectedModel.get(), reply)}
          >
            {reply}
          </button>
        </li>
      ))}
    </ul>
  );
}
