import { useStore } from '@nanostores/react';
import { useState } from 'react';
import { buildChatLink } from '../../../features/conversation/conversation-link.ts';
import type { ChatList } from '../../../features/conversation/contract.ts';
import { groupByAge } from '../../../features/conversation/age-groups.ts';
import { sanitizeText } from '../../../lib/sanitize-text.ts';
import { formatDayAndTime } from '../../../locales/format.ts';
import { $conversationList, refreshConversationList } from '../../shared/conversation-list-state.ts';
import { useLang, useTranslate } from '../../shared/i18n.tsx';
import { SECONDARY } from '../../shared/styles.ts';
import { getConversationTitle } from '../conversation-title.ts';
import { Menu, MenuItems } from '../Menu.tsx';
import { RowPortrait } from './RowPortrait.tsx';

export type ChatRow = ChatList['chats'][number];

/** The user's conversations, grouped by age, newest first. */
export function ChatRows({
  currentId,
  onRename,
  onDelete,
}: {
  currentId: string | null;
  onRename: (row: ChatRow) => void;
  onDelete: (row: ChatRow) => void;
}) {
  const { status, chats } = useStore($conversationList);
  const [now] = useState(Date.now);
  const words = useTranslate('chat');
  const errors = useTranslate('errors');
  const lang = useLang();
  if (status === 'failed') {
    return (
      <div className="flex flex-col items-start gap-3">
        <p role="alert" className="text-danger">
          {errors('conversations_failed')}
        </p>
        <p className="text-text-quiet">{words('conversationsSafe')}</p>
        <button type="button" className={SECONDARY} onClick={() => void refreshConversationList()}>
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
      {/* A vertical line joins the rows, with a knot at the open conversation. */}
      <ul className="relative flex flex-col before:absolute before:inset-y-4 before:start-1 before:border-s before:border-line">
        {held.map((chat) => (
          <Row
            key={chat.id}
            chat={chat}
            current={chat.id === currentId}
            onRename={() => onRename(chat)}
            onDelete={() => onDelete(chat)}
          />
        ))}
      </ul>
    </section>
  ));
}

function Row({
  chat,
  current,
  onRename,
  onDelete,
}: {
  chat: ChatRow;
  current: boolean;
  onRename: () => void;
  onDelete: () => void;
}) {
  const words = useTranslate('chat');
  const lang = useLang();
  return (
    <li className="relative flex items-center ps-5">
      {current ? (
        <span
          aria-hidden="true"
          className="absolute start-0 top-1/2 size-2.25 -translate-y-1/2 rounded-full border-2 border-accent bg-surface"
        />
      ) : null}
      <a
        href={buildChatLink(chat)}
        aria-current={current ? 'page' : undefined}
        className="grid min-w-0 flex-1 grid-cols-[auto_1fr] items-center gap-x-3 rounded-md px-2 py-1 text-text hover:bg-surface-2 focus-visible:outline-2 focus-visible:outline-offset-2 focus-visible:outline-accent"
      >
        <RowPortrait url={chat.avatar_url} />
        <span className="flex min-w-0 flex-col">
          <span dir="auto" className="truncate">
            {sanitizeText(chat.character_name)}
          </span>
          {chat.title === null ? null : (
            <span dir="auto" className="truncate text-sm">
              {sanitizeText(chat.title)}
            </span>
          )}
          <span className="text-sm text-text-quiet">
            {words('messageCount', { count: chat.message_count })} ·{' '}
            {formatDayAndTime(chat.last_message_time, lang)}
          </span>
        </span>
      </a>
      <Menu label={words('chatActions', { name: getConversationTitle(chat) })}>
        <MenuItems
          entries={[
            { icon: 'pencil', label: words('rename'), choose: onRename },
            { icon: 'trash', label: words('deleteChat'), choose: onDelete },
          ]}
        />
      </Menu>
    </li>
  );
}
