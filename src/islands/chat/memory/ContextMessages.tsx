import { useStore } from '@nanostores/react';
import { useCallback, useEffect, useState } from 'react';
import { buildChatHref } from '../../../features/conversation/conversation-link.ts';
import type { Message } from '../../../features/conversation/contract.ts';
import type { ContextSection } from '../../../features/conversation/memory/memory-contract.ts';
import { replaceMacros } from '../../../features/conversation/macro-names.ts';
import { toPlainText } from '../../../features/markup/parse-markup.ts';
import { chatApi } from '../../shared/chat-api.ts';
import { useTranslate } from '../../shared/i18n.tsx';
import { LINK, SECONDARY } from '../../shared/styles.ts';
import { useChat } from '../chat-context.ts';
import { listContextMessages, type ContextMessage } from './context-messages.ts';

/** Messages per page. */
const PAGE_SIZE = 20;
/** The length of an excerpt in UTF-16 units; fills more than two lines. */
const EXCERPT_CHARACTERS = 240;

interface Fetched {
  /** Oldest first. */
  messages: Message[];
  /** Cursor to earlier messages; null when all are loaded. */
  cursor: string | null;
  state: 'loading' | 'ready' | 'failed';
}

/** The messages that the model received verbatim, newest first, in pages. */
export function ContextMessages({
  told: recorded,
  conversationId,
  replyId,
  onClose,
}: {
  told: Extract<ContextSection, { kind: 'history' }>['messages'];
  conversationId: string;
  /** The reply that was written with this context. */
  replyId: string;
  onClose: () => void;
}) {
  const [{ messages, cursor, state }, setFetched] = useState<Fetched>({
    messages: [],
    cursor: replyId,
    state: 'loading',
  });
  const words = useTranslate('chat');
  const errors = useTranslate('errors');
  const load = useCallback(
    async (before: string) => {
      setFetched((fetched) => ({ ...fetched, state: 'loading' }));
      const answer = await chatApi.conversation(conversationId, { place: { before }, limit: PAGE_SIZE });
      setFetched((fetched) =>
        answer.ok
          ? {
              messages: [...answer.data.messages, ...fetched.messages],
              cursor: answer.data.next_cursor,
              state: 'ready',
            }
          : { ...fetched, state: 'failed' },
      );
    },
    [conversationId],
  );
  useEffect(() => void load(replyId), [load, replyId]);
  const seen = listContextMessages(recorded, messages, cursor === null);
  return (
    <>
      {seen.length > 0 ? (
        <ol className="flex flex-col border-t border-line">
          {seen.map((one) => (
            <ContextMessageItem key={one.id} seen={one} onClose={onClose} />
          ))}
        </ol>
      ) : null}
      <p role="alert" className="text-danger empty:hidden">
        {state === 'failed' ? errors('earlier_messages_failed') : null}
      </p>
      {cursor === null || (state !== 'failed' && seen.length === recorded.length) ? null : (
        <button
          type="button"
          className={`${SECONDARY} self-center`}
          aria-disabled={state === 'loading'}
          aria-busy={state === 'loading'}
          onClick={() => {
            if (state !== 'loading') void load(cursor);
          }}
        >
          {words(state === 'loading' ? 'loadingEarlier' : 'showEarlier')}
        </button>
      )}
    </>
  );
}

/** One message: its author, how it begins, and its tokens. */
function ContextMessageItem({ seen, onClose }: { seen: ContextMessage; onClose: () => void }) {
  const { message, tokens, isChanged } = seen;
  const chat = useChat();
  const { conversation } = useStore(chat.$chat);
  const words = useTranslate('chat');
  const char = conversation?.character_name ?? '';
  const user = conversation?.user_name ?? words('defaultName');
  const called = conversation?.character_nickname ?? char;
  // As in the message list: show the user's name only when it was a different one.
  const named = message?.role === 'user' && message.name === user ? null : message?.name;
  const speaker = named ?? (message?.role === 'user' ? words('you') : char);
  const at = message === null ? undefined : Date.parse(message.created_at);
  const filled = replaceMacros(seen.text, { user, char: called, ...(at === undefined ? {} : { at }) });
  const excerpt = toPlainText(filled.slice(0, EXCERPT_CHARACTERS));
  return (
    <li className="flex flex-col border-line py-2 not-first:border-t">
      <p className="flex items-baseline justify-between gap-4">
        <span className="min-w-0 break-words">{message === null ? words('contextDeleted') : speaker}</span>
        <span className="shrink-0">{words('contextTokens', { count: tokens })}</span>
      </p>
      {isChanged ? <p>{words('contextVersionChanged')}</p> : null}
      {message === null || conversation === null ? null : (
        <a
          dir="auto"
          className={`${LINK} row-link self-start`}
          href={`${buildChatHref(conversation)}&${new URLSearchParams({ message: message.id })}`}
          onClick={(event) => {
            if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
            event.preventDefault();
            onClose();
            void chat.showMessage(message.id);
          }}
        >
          <span className="line-clamp-2 break-words">{excerpt.trim() || words('showMessage')}</span>
        </a>
      )}
    </li>
  );
}
