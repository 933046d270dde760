import { useCallback, useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useStore } from '@nanostores/react';
import type { TrashItem } from '../../../features/conversation/contract.ts';
import { toPlainText } from '../../../features/markup/parse-markup.ts';
import { sanitizeText } from '../../../lib/sanitize-text.ts';
import { formatDate, formatDayAndTime, formatSpeakerLabel } from '../../../locales/format.ts';
import { detectTextLanguage } from '../../../locales/text-language.ts';
import { chatApi } from '../../shared/chat-api.ts';
import { formatFailure } from '../../shared/errors.ts';
import { useLang, useTranslate } from '../../shared/i18n.tsx';
import { QUIET, SECONDARY } from '../../shared/styles.ts';
import { ConfirmErase } from '../../shared/ui/ConfirmErase.tsx';
import type { ChatNotice } from '../chat.ts';
import { useChat } from '../chat-context.ts';
import { ChatDialog } from './ChatDialog.tsx';
import { toNotice } from '../state/chat-actions.ts';
import { $announcement } from '../state/messages-state.ts';
import { $undoable, TRASH_DAYS } from '../state/undo-state.ts';

/** Looks disabled but keeps focus. */
const EMPTY_TRASH = 'aria-disabled:cursor-not-allowed aria-disabled:opacity-50';

interface Trash {
  items: readonly TrashItem[];
  cursor: string | null;
  state: 'loading' | 'ready' | 'failed';
}

/** The deleted messages of this conversation, which can be restored or permanently deleted. */
export function TrashDialog({
  open,
  onClose,
  conversationId,
}: {
  open: boolean;
  onClose: () => void;
  conversationId: string;
}) {
  const words = useTranslate('chat');
  return (
    <ChatDialog open={open} onClose={onClose} title={words('trashMenu')}>
      <DeletedList conversationId={conversationId} onRestored={onClose} />
    </ChatDialog>
  );
}

function DeletedList({ conversationId, onRestored }: { conversationId: string; onRestored: () => void }) {
  const words = useTranslate('chat');
  const { items, cursor, state, load, without: removeItem } = useTrash(conversationId);
  const [erased, setErased] = useState<TrashItem | null>(null);
  const status = useRef<HTMLDivElement>(null);
  const handleDone = (item: TrashItem) => {
    removeItem(item.id);
    setErased(item);
    // The pressed button is gone with its row.
    status.current?.focus();
  };
  return (
    <>
      <p className="text-text-quiet">{words('trashIntro', { days: TRASH_DAYS })}</p>
      <div ref={status} role="status" tabIndex={-1} className="outline-none empty:-mt-4">
        {erased ? <p>{words('trashDeletedPermanently', { count: erased.message_count })}</p> : null}
        {state === 'loading' ? <p>{words('trashLoading')}</p> : null}
        {state === 'ready' && items.length === 0 && cursor === null ? <p>{words('trashEmpty')}</p> : null}
      </div>
      {items.length > 0 ? (
        <ul className="flex flex-col border-t border-line">
          {items.map((item) => (
            <DeletedItem
              key={item.id}
              item={item}
              conversationId={conversationId}
              onRestored={onRestored}
              onErased={() => handleDone(item)}
            />
          ))}
        </ul>
      ) : null}
      {state === 'failed' ? (
        <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
          <p role="alert" className="text-danger">
            {words('trashLoadFailed')}
          </p>
          <button type="button" className={SECONDARY} onClick={() => void load(cursor)}>
            {words('tryAgain')}
          </button>
        </div>
      ) : null}
      {state === 'ready' && cursor !== null ? (
        <button type="button" className={`${SECONDARY} self-center`} onClick={() => void load(cursor)}>
          {words('trashShowMore')}
        </button>
      ) : null}
    </>
  );
}

function useTrash(conversationId: string) {
  const [trash, setTrash] = useState<Trash>({ items: [], cursor: null, state: 'loading' });
  const load = useCallback(
    async (cursor: string | null) => {
      setTrash((before) => ({ ...before, state: 'loading' }));
      const answer = await chatApi.trash(conversationId, cursor ?? undefined);
      setTrash((before) =>
        answer.ok
          ? {
              items: cursor === null ? answer.data.items : [...before.items, ...answer.data.items],
              cursor: answer.data.next_cursor,
              state: 'ready',
            }
          : { ...before, state: 'failed' },
      );
    },
    [conversationId],
  );
  useEffect(() => void load(null), [load]);
  return {
    ...trash,
    load,
    without: (id: string) =>
      setTrash((before) => ({ ...before, items: before.items.filter((item) => item.id !== id) })),
  };
}

function DeletedItem({
  item,
  conversationId,
  onRestored,
  onErased,
}: {
  item: TrashItem;
  conversationId: string;
  onRestored: () => void;
  onErased: () => void;
}) {
  const chat = useChat();
  const { activity, conversation } = useStore(chat.$chat, { ssr: 'initial' });
  const words = useTranslate('chat');
  const errors = useTranslate('errors');
  const lang = useLang();
  const [state, setState] = useState<'here' | 'asks' | 'restoring' | 'erasing'>('here');
  const [problem, setProblem] = useState<ChatNotice | null>(null);
  const eraseButton = useRef<HTMLButtonElement>(null);
  const { role, excerpt } = item.first_message;
  const text = toPlainText(excerpt);
  const isDisabled = state !== 'here' || activity !== 'idle';
  const restore = async () => {
    if (isDisabled) return;
    setState('restoring');
    setProblem(null);
    if (await chat.restore(item.id)) {
      // A toast may still offer to undo this deletion.
      $undoable.set(null);
      $announcement.set({ key: 'messagesRestored', values: { count: item.message_count } });
      return onRestored();
    }
    const { notice } = chat.$chat.get();
    // Show the error in this dialog instead of on the page.
    chat.dismissNotice();
    setProblem(notice ?? { code: 'restore_failed', error: '' });
    setState('here');
  };
  const stopAsking = () => {
    flushSync(() => setState('here'));
    eraseButton.current?.focus();
  };
  const erase = async () => {
    setState('erasing');
    const answer = await chatApi.eraseTrashed(conversationId, item.id);
    if (answer.ok || answer.status === 404) {
      // A toast must not offer to undo a permanent deletion.
      if ($undoable.get()?.kind === 'deleted') $undoable.set(null);
      return onErased();
    }
    setProblem(toNotice(answer, 'erase_failed'));
    stopAsking();
  };
  return (
    <li className="flex flex-col gap-2 border-b border-line py-3">
      <div className="flex flex-col gap-1">
        <p className="line-clamp-2 break-words">
          <span className="text-text-quiet">
            {formatSpeakerLabel(
              role === 'user' ? words('you') : sanitizeText(conversation?.character_name ?? ''),
              lang,
            )}
          </span>
          <span lang={detectTextLanguage(text, lang)} dir="auto">
            {text}
          </span>
        </p>
        <p className="text-sm text-text-quiet">
          {words('messageCount', { count: item.message_count })} ·{' '}
          {words('trashDeletedAt', { time: formatDayAndTime(item.deleted_at, lang) })} ·{' '}
          {words('trashKeptUntil', { day: formatDate(item.expires_at, lang, { length: 'short' }) })}
        </p>
      </div>
      {state === 'asks' || state === 'erasing' ? (
        <ConfirmErase
          question={words('trashDeletePermanentlyText', { count: item.message_count })}
          keep={words('deletePermanentlyCancel')}
          erase={words('deletePermanently')}
          busy={state === 'erasing'}
          onKeep={stopAsking}
          onErase={() => void erase()}
        />
      ) : (
        <div className="flex flex-wrap justify-end gap-2">
          <button
            ref={eraseButton}
            type="button"
            className={`${QUIET} ${EMPTY_TRASH}`}
            aria-label={words('deletePermanentlyNamed', { name: text })}
            aria-disabled={isDisabled}
            onClick={() => {
              if (isDisabled) return;
              setProblem(null);
              setState('asks');
            }}
          >
            {words('deletePermanently')}
          </button>
          <button
            type="button"
            className={`${SECONDARY} ${EMPTY_TRASH}`}
            aria-label={words('trashRestoreNamed', { text })}
            aria-disabled={isDisabled}
            aria-busy={state === 'restoring'}
            onClick={() => void restore()}
          >
            {words('trashRestore')}
          </button>
        </div>
      )}
      <p role="alert" className="text-sm text-danger empty:hidden">
        {problem ? formatFailure(problem, errors, lang) : null}
      </p>
      {activity === 'idle' ? null : <p className="text-sm text-text-quiet">{words('afterReply')}</p>}
    </li>
  );
}
