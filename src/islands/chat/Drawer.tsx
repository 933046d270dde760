import { useStore } from '@nanostores/react';
import { useEffect, useId, useState } from 'react';
import { groupByAge } from '../../features/conversation/recency.ts';
import { $chats, refreshChats } from '../shared/chats-state.ts';
import { useLang, useWords } from '../shared/i18n.tsx';
import { CloseIcon } from '../shared/icons.tsx';
import { Modal } from '../shared/Modal.tsx';
import { ICON, SECONDARY } from '../shared/styles.ts';

/** The conversations of the last days and before, each a link. */
export function Drawer({
  open,
  onClose,
  currentId,
}: {
  open: boolean;
  onClose: () => void;
  currentId: string | null;
}) {
  const words = useWords('chat');
  const titleId = useId();
  useEffect(() => {
    if (open) void refreshChats();
  }, [open]);
  return (
    <Modal
      open={open}
      onClose={onClose}
      labelledBy={titleId}
      closeOnBackdrop
      className="me-0 ms-auto my-0 h-dvh max-h-dvh w-[min(22rem,90vw)] overflow-y-auto overscroll-contain border-s border-line bg-surface shadow-2xl"
    >
      <div className="flex min-h-full flex-col gap-4 p-4">
        <header className="flex items-center">
          <h2 id={titleId} className="font-serif text-xl">
            {words('conversations')}
          </h2>
          <button type="button" className={`${ICON} ms-auto`} aria-label={words('close')} onClick={onClose}>
            <CloseIcon />
          </button>
        </header>
        <Chats currentId={currentId} />
      </div>
    </Modal>
  );
}

function Chats({ currentId }: { currentId: string | null }) {
  const { status, chats } = useStore($chats);
  const [now] = useState(Date.now);
  const words = useWords('chat');
  const errors = useWords('errors');
  const lang = useLang();
  if (status === 'failed') {
    return (
      <div className="flex flex-col items-start gap-3">
        <p role="alert" className="text-harm">
          {errors('conversations_failed')}
        </p>
        <button type="button" className={SECONDARY} onClick={() => void refreshChats()}>
          {words('tryAgain')}
        </button>
      </div>
    );
  }
  if (chats.length === 0) {
    return status === 'ready' ? (
      <div className="flex flex-col items-start gap-3">
        <p className="text-text-quiet">{words('noConversations')}</p>
        <a className={SECONDARY} href={`/${lang}/discover`}>
          {words('toDiscover')}
        </a>
      </div>
    ) : (
      <p role="status" className="text-text-quiet">
        {words('loadingConversations')}
      </p>
    );
  }
  return groupByAge(chats, now).map(({ group, chats: held }) => (
    <section key={group} aria-labelledby={`chats-${group}`}>
      <h3 id={`chats-${group}`} className="mb-1 text-sm text-text-quiet">
        {words(`age_${group}`)}
      </h3>
      <ul className="flex flex-col">
        {held.map((chat) => (
          <li key={chat.id}>
            <a
              href={`/character/${encodeURIComponent(chat.character_id)}?${new URLSearchParams({ conversation_id: chat.id })}`}
              aria-current={chat.id === currentId ? 'page' : undefined}
              className={`-mx-2 grid grid-cols-[auto_1fr] content-center gap-x-3 rounded-md px-2 py-1 text-text focus-visible:outline-2 focus-visible:outline-offset-2 focus-visible:outline-accent hover:bg-surface-2 aria-[current=page]:bg-surface-2`}
            >
              <img
                src={chat.avatar_url}
                alt=""
                width="36"
                height="48"
                loading="lazy"
                className="row-span-2 h-12 w-9 rounded-sm border border-line object-cover"
              />
              <span className="truncate">{chat.character_name}</span>
              <span className="truncate text-sm text-text-quiet">
                {words('messageCount', { count: chat.message_count })} · {dayOf(chat.last_message_time, lang)}
              </span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  ));
}

function dayOf(time: string, lang: string): string {
  const at = new Date(time);
  return Number.isNaN(at.getTime())
    ? ''
    : new Intl.DateTimeFormat(lang, {
        month: 'short',
        day: 'numeric',
        hour: 'numeric',
        minute: '2-digit',
      }).format(at);
}
