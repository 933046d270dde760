import { useStore } from '@nanostores/react';
import { useRef } from 'react';
import type { ViewMessage } from '../../../features/conversation/messages/reply-view.ts';
import { Icon } from '../../shared/ui/Icon.tsx';
import { useTranslate } from '../../shared/i18n.tsx';
import { recordOpeningPress } from '../../shared/ui/ignore-double-click.ts';
import { ICON } from '../../shared/styles.ts';
import type { MessageCommands } from '../state/message-commands.ts';
import { $copied, $messageMenu } from '../state/messages-state.ts';
import { useMessageCommands } from '../chat-context.ts';
import { getMessageModel } from './available-actions.ts';
import { ReplyBar } from './ReplyBar.tsx';

const ACTION =
  'hidden min-h-11 min-w-11 items-center justify-center rounded-md px-2 underline-offset-4 hover:text-text hover:underline focus-visible:outline-2 focus-visible:-outline-offset-2 focus-visible:outline-accent aria-disabled:cursor-not-allowed md:inline-flex';

/** Visible on hover, on focus and after a long press. */
const SHOWS =
  'pointer-events-none opacity-0 transition-opacity duration-(--quick) group-focus-within/message:pointer-events-auto group-focus-within/message:opacity-100 group-hover/message:pointer-events-auto group-hover/message:opacity-100 group-data-held/message:pointer-events-auto group-data-held/message:opacity-100 group-focus-within/message:aria-disabled:opacity-50 group-hover/message:aria-disabled:opacity-50 group-data-held/message:aria-disabled:opacity-50';

/** The same for actions that are always visible. */
const ALWAYS_SHOWS = 'aria-disabled:opacity-50';

/**
 * A message's actions: buttons for the most frequent ones on wide screens, and a menu with all. Below the newest reply they
 * are always visible, on every screen. Only the newest message's buttons are in the tab order; arrow keys lead to the
 * others (see `moveFocusByArrow`).
 */
export function MessageActions({
  message,
  newest,
  hasReplyBar,
  canReply,
  idle,
}: {
  message: ViewMessage;
  /** Whether its buttons are in the tab order. */
  newest: boolean;
  /** It is the newest reply. */
  hasReplyBar: boolean;
  /** Whether the character can reply in the conversation. */
  canReply: boolean;
  idle: boolean;
}) {
  const words = useTranslate('chat');
  const commands = useMessageCommands();
  const writing = message.status === 'streaming';
  const tabIndex = newest ? 0 : -1;
  const hasText = message.content !== '';
  const canRegenerate = canReply && getMessageModel(message) !== null;
  const shows = hasReplyBar ? ALWAYS_SHOWS : SHOWS;
  return (
    <>
      <div
        role="group"
        aria-label={words('messageActions')}
        data-actions=""
        className={`flex items-center ${hasReplyBar ? '-me-2' : ''}`}
      >
        <CopyButton message={message} tabIndex={tabIndex} commands={commands} shows={shows} />
        {hasText || writing ? (
          <button
            type="button"
            tabIndex={tabIndex}
            aria-disabled={writing}
            className={`${ACTION} ${shows}`}
            onClick={() => void commands.run('edit', message.key)}
          >
            {words('edit')}
          </button>
        ) : null}
        {hasReplyBar ? (
          <ReplyBar
            message={message}
            tabIndex={tabIndex}
            canReply={canReply}
            canRegenerate={canRegenerate}
            idle={idle}
          />
        ) : canRegenerate ? (
          <button
            type="button"
            tabIndex={tabIndex}
            aria-disabled={!idle}
            className={`${ACTION} ${SHOWS}`}
            onClick={() => void commands.run('regenerate', message.key)}
          >
            {words('regenerate')}
          </button>
        ) : null}
        <MoreButton message={message} tabIndex={tabIndex} shows={shows} />
      </div>
      <CopyNote messageKey={message.key} />
    </>
  );
}

/** Rendered for every message, even one without text, so that its focus is not lost. */
function CopyButton({
  message,
  tabIndex,
  commands,
  shows,
}: {
  message: ViewMessage;
  tabIndex: number;
  commands: MessageCommands;
  shows: string;
}) {
  const words = useTranslate('chat');
  return (
    <button
      type="button"
      data-action="copy"
      tabIndex={tabIndex}
      aria-disabled={message.content === ''}
      className={`${ACTION} ${shows}`}
      onClick={() => void commands.run('copy', message.key)}
    >
      {words('copy')}
    </button>
  );
}

/** Opens the menu. Always visible on touch screens. */
function MoreButton({ message, tabIndex, shows }: { message: ViewMessage; tabIndex: number; shows: string }) {
  const words = useTranslate('chat');
  const button = useRef<HTMLButtonElement>(null);
  const open = useStore($messageMenu, { ssr: 'initial' })?.key === message.key;
  return (
    <button
      ref={button}
      type="button"
      tabIndex={tabIndex}
      aria-label={words('moreActions')}
      title={words('moreActions')}
      aria-haspopup="menu"
      aria-expanded={open}
      className={`${ICON} [&_path]:stroke-3 ${shows} pointer-coarse:pointer-events-auto pointer-coarse:opacity-100`}
      onClick={(event) => {
        recordOpeningPress(event);
        const anchor = button.current?.getBoundingClientRect() ?? null;
        $messageMenu.set({ key: message.key, anchor });
      }}
    >
      <Icon name="more" />
    </button>
  );
}

/** Shows whether copying worked. Hidden from screen readers, which get an announcement. */
function CopyNote({ messageKey }: { messageKey: string }) {
  const words = useTranslate('chat');
  const copied = useStore($copied, { ssr: 'initial' });
  if (copied?.key !== messageKey) return null;
  return (
    <span aria-hidden="true" className={copied.done ? 'text-state' : 'text-danger'}>
      {words(copied.done ? 'copied' : 'copyFailed')}
    </span>
  );
}
