import { useStore } from '@nanostores/react';
import { useEffect, useId, useRef, type KeyboardEvent } from 'react';
import type { ViewMessage } from '../../../features/conversation/messages/reply-view.ts';
import { sanitizeText } from '../../../lib/sanitize-text.ts';
import { truncateText } from '../../../lib/truncate-text.ts';
import { useTranslate, type TranslateFn } from '../../shared/i18n.tsx';
import { Modal } from '../../shared/ui/Modal.tsx';
import { isRepeatedPress } from '../../shared/ui/ignore-double-click.ts';
import { getMessageReportHref } from '../../report/report-target.ts';
import type { ChatState } from '../chat.ts';
import { showToast } from '../../shared/toasts-state.ts';
import { useChat, useShownMessage, useMessageCommands } from '../chat-context.ts';
import { ITEM, moveFocus, listMenuItems } from '../Menu.tsx';
import { getMenuPosition } from '../menu-position.ts';
import { ACTION_KEYS } from './message-keys.ts';
import {
  countMessagesAfter,
  getMessageModel,
  getSelectedVersion,
  listAvailableActions,
  type MessageAction,
  getUnavailableReason,
} from './available-actions.ts';
import { $messageMenu, $readMessageId, type MessageMenuState } from '../state/messages-state.ts';
import { TRASH_DAYS } from '../state/undo-state.ts';

/** How much of a note the menu shows, in UTF-16 units: two lines. */
const MAX_NOTE_CHARS = 80;

/** Below 768 px a sheet at the bottom of the window, in reach of the thumb; otherwise a small menu next to its button. */
const SHEET =
  'mx-auto mt-auto mb-0 max-h-[85dvh] w-full max-w-xl overflow-y-auto overscroll-contain rounded-t-lg select-none border border-line bg-surface pb-[env(safe-area-inset-bottom)] [box-shadow:var(--lift)] transition-[translate] duration-(--quick) starting:translate-y-4 md:m-0 md:w-80 md:rounded-md md:pb-0 md:backdrop:bg-transparent md:starting:translate-y-0';

/** The menu with all actions of a message. There is one per chat; it opens for one message at a time. */
export function MessageMenu({ open, onClose }: { open: boolean; onClose: () => void }) {
  const place = useStore($messageMenu, { ssr: 'initial' });
  const id = useId();
  const message = useShownMessage(place?.key);
  return (
    <Modal
      open={open && message !== undefined}
      onClose={onClose}
      labelledBy={id}
      closeOnBackdrop
      className={SHEET}
    >
      {place && message ? <MenuEntries id={id} place={place} message={message} close={onClose} /> : null}
    </Modal>
  );
}

function MenuEntries({
  id,
  place,
  message,
  close,
}: {
  id: string;
  place: MessageMenuState;
  message: ViewMessage;
  close: () => void;
}) {
  const { $chat } = useChat();
  const state = useStore($chat, { ssr: 'initial' });
  const words = useTranslate('chat');
  const commands = useMessageCommands();
  const menu = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const dialog = menu.current?.closest('dialog');
    return dialog ? positionMenu(dialog, place.anchor, close) : undefined;
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- `close` changes with every render; only the place matters
  }, [place]);
  useEffect(() => listMenuItems(menu.current)[0]?.focus(), []);

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Tab') close();
    else if (!moveFocus(menu.current, event)) return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <>
      <p id={id} className="px-4 pt-4 pb-1 text-sm text-text-quiet md:sr-only">
        {words('messageActions')}
      </p>
      <div ref={menu} role="menu" tabIndex={-1} aria-labelledby={id} onKeyDown={onKeyDown} className="py-1">
        {listAvailableActions(
          message,
          state.activity === 'idle',
          getUnavailableReason(state.conversation) === null,
        ).map(({ action, disabled: waits }) => {
          const note = waits ? words('afterReply') : getActionNote(action, message, state, words);
          return (
            <button
              key={action}
              type="button"
              role="menuitem"
              tabIndex={-1}
              aria-disabled={waits}
              className={`${ITEM} justify-between aria-disabled:cursor-not-allowed`}
              onClick={(event) => {
                if (waits || isRepeatedPress(event)) return;
                close();
                void commands.run(action, message.key);
              }}
            >
              <span className="min-w-0 break-words">
                <span className={waits ? 'text-text-quiet' : action === 'deleteFrom' ? 'text-danger' : ''}>
                  {getActionLabel(action, words)}
                </span>
                {note ? <span className="block text-sm text-text-quiet"> {note}</span> : null}
              </span>
              {action === 'regenerateWithNote' ? null : (
                <kbd
                  aria-hidden="true"
                  className="hidden min-w-6 shrink-0 rounded-sm border border-line px-1 text-center font-sans text-xs text-text-quiet pointer-fine:block"
                >
                  {action === 'deleteFrom' ? words('keyDelete') : ACTION_KEYS[action]}
                </kbd>
              )}
            </button>
          );
        })}
        <ReadAloudEntry message={message} close={close} />
        <ReportEntry message={message} state={state} />
      </div>
    </>
  );
}

/** Reads a reply aloud, or stops reading it, where the browser has voices. */
function ReadAloudEntry({ message, close }: { message: ViewMessage; close: () => void }) {
  const words = useTranslate('chat');
  const isReading = useStore($readMessageId, { ssr: 'initial' }) === message.id;
  const isReadable =
    message.role === 'character' && message.status !== 'streaming' && message.content.trim() !== '';
  if (!isReadable || !('speechSynthesis' in globalThis)) return null;
  const toggle = () => {
    close();
    import('../read-aloud/reader.ts').then(
      async ({ toggleReading }) => {
        if (!(await toggleReading(message))) showToast({ text: words('readAloudUnavailable') });
      },
      () => window.dispatchEvent(new Event('loreloom:network-trouble')),
    );
  };
  return (
    <button
      type="button"
      role="menuitem"
      tabIndex={-1}
      className={ITEM}
      onClick={(event) => {
        if (!isRepeatedPress(event)) toggle();
      }}
    >
      {words(isReading ? 'readAloudStop' : 'readAloud')}
    </button>
  );
}

/** Links to the form that reports a character's message. Messages that were never stored cannot be reported. */
function ReportEntry({ message, state }: { message: ViewMessage; state: ChatState }) {
  const words = useTranslate('chat');
  const { conversation } = state;
  if (conversation === null || message.delivery !== 'stored' || getMessageModel(message) === null)
    return null;
  const href = getMessageReportHref({
    characterId: conversation.character_id,
    conversationId: conversation.id,
    messageId: message.id,
  });
  return (
    <a role="menuitem" tabIndex={-1} className={`${ITEM} justify-between`} href={href}>
      {words('report')}
    </a>
  );
}

function getActionLabel(action: MessageAction, words: TranslateFn<'chat'>): string {
  return words(action === 'context' ? 'contextTitle' : action);
}

const shortenNote = (note: string): string =>
  note.length <= MAX_NOTE_CHARS ? note : `${truncateText(note, MAX_NOTE_CHARS)}…`;

/** What the action does to other messages, if anything; for a note, the one of the shown version. */
function getActionNote(
  action: MessageAction,
  message: ViewMessage,
  state: ChatState,
  words: TranslateFn<'chat'>,
): string | null {
  const after = countMessagesAfter(state.view, message.id, state.laterCursor !== null);
  switch (action) {
    case 'regenerate':
      return words(after === 0 ? 'regenerateNote' : 'regenerateNoteLater');
    case 'regenerateWithNote': {
      const note = getSelectedVersion(message)?.regenerate_note;
      return note === undefined
        ? words('regenerateWithNoteNote')
        : words('regenerateWithNotePrevious', { note: shortenNote(sanitizeText(note)) });
    }
    case 'continue':
      return after === 0 ? null : words('laterKept');
    case 'branchFrom':
      return words('branchFromNote');
    case 'pin':
      return words('pinNote');
    case 'deleteFrom':
      if (after === null) return words('deleteNoteAll', { days: TRASH_DAYS });
      return after === 0
        ? words('deleteNoteSingle', { days: TRASH_DAYS })
        : words('deleteNote', { count: after, days: TRASH_DAYS });
    default:
      return null;
  }
}

/**
 * Positions the menu next to its anchor, within the window. On narrow screens CSS puts it at the bottom.
 * @returns a function that removes the position and the listener
 */
function positionMenu(
  dialog: HTMLDialogElement,
  anchor: MessageMenuState['anchor'],
  close: () => void,
): () => void {
  const { style } = dialog;
  const wide = matchMedia('(min-width: 48rem)').matches;
  if (!wide) return () => {};
  // Respect the page's padding for a camera cutout.
  const { paddingLeft, paddingRight } = getComputedStyle(document.body);
  const start = Number.parseFloat(paddingLeft);
  const room = {
    width: window.innerWidth - start - Number.parseFloat(paddingRight),
    height: window.innerHeight,
  };
  // A DOMRect has its values in getters of its prototype, which spreading does not copy.
  const from = anchor && {
    top: anchor.top,
    bottom: anchor.bottom,
    left: anchor.left - start,
    right: anchor.right - start,
  };
  const { top, left } = getMenuPosition(from, dialog.getBoundingClientRect(), room);
  style.top = `${top}px`;
  style.left = `${start + left}px`;
  // The anchor may move when the window is resized.
  window.addEventListener('resize', close);
  return () => {
    window.removeEventListener('resize', close);
    style.removeProperty('top');
    style.removeProperty('left');
  };
}
