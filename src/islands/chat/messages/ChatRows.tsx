import { useStore } from '@nanostores/react';
import { useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { buildChatLink } from '../../../features/conversation/conversation-link.ts';
import type { ChatList } from '../../../features/conversation/contract.ts';
import {
  type CharacterChats,
  groupChats,
  selectShownChats,
} from '../../../features/conversation/age-groups.ts';
import { sanitizeText } from '../../../lib/sanitize-text.ts';
import { formatRelativeTime } from '../../../locales/format.ts';
import { $conversationList, refreshConversationList } from '../../shared/conversation-list-state.ts';
import { useLang, useTranslate } from '../../shared/i18n.tsx';
import { QUIET, SECONDARY } from '../../shared/styles.ts';
import { Icon } from '../../shared/ui/Icon.tsx';
import { getConversationTitle } from '../conversation-title.ts';
import { Menu, MenuItems } from '../Menu.tsx';
import { RowPortrait } from './RowPortrait.tsx';

export type ChatRow = ChatList['chats'][number];

/** The user's conversations, grouped by age and character, newest first. */
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
  const [now, setNow] = useState(Date.now);
  // The drawer loads the list each time it opens.
  useEffect(() => setNow(Date.now()), [chats]);
  const words = useTranslate('chat');
  const errors = useTranslate('errors');
  const lang = useLang();
  if (status === 'failed') {
    return (
      <div className="flex flex-col items-start gap-3">
        <p role="alert" className="text-danger">
          {errors('conversations_failed')}
        </p>
        <p className="text-text-quiet">{words('chatsLoadFailedNote')}</p>
        <button type="button" className={SECONDARY} onClick={() => void refreshConversationList()}>
          {words('tryAgain')}
        </button>
      </div>
    );
  }
  if (chats.length === 0) {
    return status === 'ready' ? (
      <div className="flex flex-col items-start gap-3">
        <p className="text-text-quiet">{words('chatsEmpty')}</p>
        <a className={SECONDARY} href={`/${lang}/discover`}>
          {words('findCharacter')}
        </a>
      </div>
    ) : (
      <p role="status" className="text-text-quiet">
        {words('chatsLoading')}
      </p>
    );
  }
  return groupChats(chats, now).map(({ group, characters }) => (
    <section key={group} aria-labelledby={`chats-${group}`}>
      <h3 id={`chats-${group}`} className="mb-1 text-sm text-text-quiet">
        {words(`chatGroup_${group}`)}
      </h3>
      {/* A vertical line joins the rows, with a knot at the open conversation. */}
      <div className="relative flex flex-col before:absolute before:inset-y-4 before:start-1 before:border-s before:border-line">
        {characters.map((held) => (
          <CharacterRows
            key={held[0].character_id}
            held={held}
            chats={chats}
            now={now}
            currentId={currentId}
            onRename={onRename}
            onDelete={onDelete}
          />
        ))}
      </div>
    </section>
  ));
}

/** The conversations with one character: the newest few, and all of them after a click. */
function CharacterRows({
  held,
  chats,
  now,
  currentId,
  onRename,
  onDelete,
}: {
  held: CharacterChats<ChatRow>;
  /** All conversations, to name the one that a branch began in. */
  chats: readonly ChatRow[];
  now: number;
  currentId: string | null;
  onRename: (row: ChatRow) => void;
  onDelete: (row: ChatRow) => void;
}) {
  const words = useTranslate('chat');
  const [isExpanded, setExpanded] = useState(false);
  const list = useRef<HTMLUListElement>(null);
  const shown = isExpanded ? held : selectShownChats(held, currentId);
  const expand = () => {
    flushSync(() => setExpanded(true));
    // The pressed button is gone.
    list.current?.children[shown.length]?.querySelector('a')?.focus();
  };
  return (
    <>
      <ul ref={list} className="flex flex-col">
        {shown.map((chat, index) => (
          <Row
            key={chat.id}
            chat={chat}
            isFirst={index === 0}
            source={chats.find(({ id }) => id === chat.branch_of) ?? null}
            now={now}
            current={chat.id === currentId}
            onRename={() => onRename(chat)}
            onDelete={() => onDelete(chat)}
          />
        ))}
      </ul>
      {shown.length < held.length ? (
        <button type="button" className={`${QUIET} ms-16 min-w-0 self-start text-sm`} onClick={expand}>
          <span className="truncate">{words('moreChats', { name: held[0].character_name })}</span>
        </button>
      ) : null}
    </>
  );
}

function Row({
  chat,
  isFirst,
  source,
  now,
  current,
  onRename,
  onDelete,
}: {
  chat: ChatRow;
  /** Only the first row with a character shows its picture and name. */
  isFirst: boolean;
  /** The conversation that it was branched from, if it is in the list. */
  source: ChatRow | null;
  now: number;
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
        className="grid min-h-11 min-w-0 flex-1 grid-cols-[2.25rem_1fr] items-center gap-x-3 rounded-md px-2 py-1 text-text hover:bg-surface-2 focus-visible:outline-2 focus-visible:outline-offset-2 focus-visible:outline-accent"
      >
        {isFirst ? <RowPortrait url={chat.avatar_url} /> : <span />}
        <span className="flex min-w-0 flex-col text-sm text-text-quiet">
          <span dir="auto" className={isFirst ? 'truncate text-base text-text' : 'sr-only'}>
            {sanitizeText(chat.character_name)}
          </span>
          <span className="flex items-baseline gap-2">
            <span dir="auto" className="min-w-0 flex-1 truncate text-text">
              {chat.title === null ? null : sanitizeText(chat.title)}
            </span>
            <time dateTime={chat.last_message_time} className="shrink-0">
              {formatRelativeTime(chat.last_message_time, lang, now)}
            </time>
          </span>
          {chat.branch_of === null ? null : (
            <span className="flex min-w-0 items-center gap-1">
              <Icon name="branch" size={14} />
              <span className="truncate">
                {source?.title
                  ? words('branchOfTitle', { title: sanitizeText(source.title) })
                  : words('branchBadge')}
              </span>
            </span>
          )}
          <span className="flex items-center gap-2">
            <span dir="auto" className="min-w-0 flex-1 truncate">
              {sanitizeText(chat.last_line)}
            </span>
            {chat.unread ? (
              <span
                role="img"
                aria-label={words('unreadReply')}
                className="size-2 shrink-0 rounded-full bg-accent"
              />
            ) : null}
          </span>
        </span>
      </a>
      <Menu label={words('chatActionsNamed', { name: getConversationTitle(chat) })}>
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
