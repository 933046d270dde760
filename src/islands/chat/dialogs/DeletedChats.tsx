import { useCallback, useEffect, useRef, useState } from 'react';
import { TRASH } from '../../../features/character/limits.ts';
import { buildChatLink } from '../../../features/conversation/conversation-link.ts';
import type { TrashedChats } from '../../../features/conversation/contract.ts';
import { sanitizeText } from '../../../lib/sanitize-text.ts';
import { formatDate, formatDayAndTime } from '../../../locales/format.ts';
import { chatApi } from '../../shared/chat-api.ts';
import { formatFailure } from '../../shared/errors.ts';
import { useLang, useTranslate } from '../../shared/i18n.tsx';
import { LINK, SECONDARY } from '../../shared/styles.ts';
import { TrashActions } from '../../shared/ui/TrashActions.tsx';
import type { ChatNotice } from '../chat.ts';
import { useChat } from '../chat-context.ts';
import { ChatDialog } from './ChatDialog.tsx';
import { getConversationTitle } from '../conversation-title.ts';
import { restoreConversation, toNotice } from '../state/chat-actions.ts';
import { RowPortrait } from '../messages/RowPortrait.tsx';

type TrashedConversation = TrashedChats['items'][number];

const DAY_MS = 24 * 60 * 60 * 1000;
const TRASH_DAYS = TRASH.retentionMs / DAY_MS;

/** The conversations in the trash. Each can be restored or permanently deleted. */
export function DeletedChats({ open, onClose }: { open: boolean; onClose: () => void }) {
  const words = useTranslate('chat');
  return (
    <ChatDialog open={open} onClose={onClose} title={words('deletedChatsTitle')}>
      <p className="text-text-quiet">{words('deletedChatsIntro', { count: TRASH_DAYS })}</p>
      <List />
    </ChatDialog>
  );
}

function List() {
  const words = useTranslate('chat');
  const errors = useTranslate('errors');
  const lang = useLang();
  const { items, problem, load, without: removeItem } = useTrashedConversations();
  const [done, setDone] = useState<{ item: TrashedConversation; erased: boolean } | null>(null);
  const status = useRef<HTMLDivElement>(null);
  const handleDone = (item: TrashedConversation, erased: boolean) => {
    removeItem(item.id);
    setDone({ item, erased });
    // The pressed button is gone with its row.
    status.current?.focus();
  };
  return (
    <>
      <div
        ref={status}
        role="status"
        tabIndex={-1}
        className="flex flex-col items-start outline-none empty:-mt-4"
      >
        {items === null && problem === null ? words('deletedChatsLoading') : null}
        {done ? (
          <>
            <p className="break-words">
              {words(done.erased ? 'chatDeletedPermanently' : 'chatRestored', {
                name: getConversationTitle(done.item),
              })}
            </p>
            {done.erased ? null : (
              <a className={`${LINK} row-link`} href={buildChatLink(done.item)}>
                {words('openChat')}
              </a>
            )}
          </>
        ) : null}
        {items?.length === 0 ? <p>{words('deletedChatsEmpty')}</p> : null}
      </div>
      {problem ? (
        <div className="flex flex-col items-start gap-3">
          <p role="alert" className="text-danger">
            {formatFailure(problem, errors, lang)}
          </p>
          <p className="text-text-quiet">{words('deletedChatsLoadFailedNote')}</p>
          <button type="button" className={SECONDARY} onClick={() => void load()}>
            {words('tryAgain')}
          </button>
        </div>
      ) : null}
      {items && items.length > 0 ? (
        <ul className="flex flex-col border-t border-line">
          {items.map((item) => (
            <Row key={item.id} item={item} onDone={handleDone} />
          ))}
        </ul>
      ) : null}
    </>
  );
}

function useTrashedConversations() {
  const [items, setItems] = useState<readonly TrashedConversation[] | null>(null);
  const [problem, setProblem] = useState<ChatNotice | null>(null);
  const load = useCallback(async () => {
    setProblem(null);
    const answer = await chatApi.trashedConversations();
    if (answer.ok) setItems(answer.data.items);
    else setProblem(toNotice(answer, 'conversations_failed'));
  }, []);
  useEffect(() => void load(), [load]);
  return {
    items,
    problem,
    load,
    without: (id: string) => setItems((before) => before?.filter((item) => item.id !== id) ?? null),
  };
}

function Row({
  item,
  onDone,
}: {
  item: TrashedConversation;
  onDone: (item: TrashedConversation, erased: boolean) => void;
}) {
  const chat = useChat();
  const words = useTranslate('chat');
  const errors = useTranslate('errors');
  const lang = useLang();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<ChatNotice | null>(null);
  const name = getConversationTitle(item);

  const restore = async () => {
    const { phase, conversation } = chat.$chat.get();
    setBusy(true);
    setProblem(null);
    const done = await restoreConversation(item.id);
    setBusy(false);
    if (!done) return setProblem({ code: 'restore_failed', error: '' });
    // The page still shows its error for this conversation, so load it again.
    if (phase !== 'ready' && conversation?.id === item.id) void chat.reload();
    onDone(item, false);
  };
  const erase = async () => {
    setBusy(true);
    setProblem(null);
    const answer = await chatApi.deleteConversation(item.id, true);
    setBusy(false);
    if (answer.ok || answer.status === 404) {
      onDone(item, true);
      return true;
    }
    setProblem(toNotice(answer, 'erase_failed'));
    return false;
  };
  return (
    <li className="flex flex-col gap-2 border-b border-line py-3">
      <div className="flex min-w-0 items-center gap-3">
        <RowPortrait url={item.avatar_url} />
        <div className="min-w-0">
          <p dir="auto" className="break-words">
            {sanitizeText(item.character_name)}
          </p>
          {item.title === null ? null : (
            <p dir="auto" className="text-sm break-words">
              {sanitizeText(item.title)}
            </p>
          )}
          <p className="text-sm text-text-quiet">
            {words('messageCount', { count: item.message_count })} ·{' '}
            {words('deletedChatsDeletedAt', { time: formatDayAndTime(item.deleted_at, lang) })}
          </p>
          <p className="text-sm text-text-quiet">
            {words('deletedChatsKeptUntil', { day: formatDate(item.expires_at, lang, { length: 'short' }) })}
          </p>
        </div>
      </div>
      <TrashActions
        labels={{
          question: words('deletePermanentlyText', { name }),
          keep: words('deletePermanentlyCancel'),
          erase: words('deletePermanently'),
          eraseNamed: words('deletePermanentlyNamed', { name }),
          restore: words('restoreChat'),
          restoreNamed: words('restoreChatNamed', { name }),
        }}
        busy={busy}
        onRestore={() => void restore()}
        onErase={erase}
      />
      <p role="alert" className="text-sm text-danger empty:hidden">
        {problem ? formatFailure(problem, errors, lang) : null}
      </p>
    </li>
  );
}
