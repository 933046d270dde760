import { useStore } from '@nanostores/react';
import { useEffect, useRef, useState } from 'react';
import { sanitizeText } from '../../lib/sanitize-text.ts';
import { UserText } from '../shared/ui/UserText.tsx';
import { Icon } from '../shared/ui/Icon.tsx';
import { useLang, useTranslate } from '../shared/i18n.tsx';
import { ICON, QUIET, ROW_LINK } from '../shared/styles.ts';
import type { ChatCharacter } from './Chat.tsx';
import { useChat, useChatField } from './chat-context.ts';
import { buildChatMenu, isNewConversationDisabled, type ChatMenuAction } from './chat-menu.ts';
import { ChatDialogs } from './dialogs/ChatDialogs.tsx';
import { $chatDialog, openChatDialog } from './dialogs/dialog-state.ts';
import { Menu, MenuItems, type MenuEntry } from './Menu.tsx';
import { openKeyboardShortcuts, openTrash } from './state/messages-state.ts';
import { $models, $selectedModel, getSelectedLabel } from './state/models-state.ts';

/** Milliseconds for which the drawer's button ignores clicks after a click (docs/product.md). */
const DRAWER_LOCKOUT_MS = 1000;

/**
 * The page's only bar: the character, and links and buttons to everything else. Below 768 px it leaves room for the
 * shell's menu button at its start, and its menu holds the items that do not fit.
 */
export function ChatBar({ face }: { face: ChatCharacter | null }) {
  const chat = useChat();
  const phase = useChatField('phase');
  const isNewDisabled = isNewConversationDisabled({ phase, startingNew: useChatField('startingNew') });
  const conversation = useChatField('conversation');
  const title = phase === 'ready' ? (conversation?.title ?? null) : null;
  const words = useTranslate('chat');
  const lang = useLang();
  const { isLocked: isDrawerLocked, lock, button: drawerButton } = useDrawerLockout();
  const model = useModelLabel();

  const openDrawer = () => {
    openChatDialog('drawer');
    lock();
  };

  return (
    <header className="relative z-20 border-b border-line bg-bg pt-[env(safe-area-inset-top)]">
      <div className="mx-auto flex h-14 max-w-[max(42rem,var(--chat-width,42rem))] items-center gap-1 ps-14 pe-2 md:ps-4 md:pe-1">
        {face ? (
          <div className="flex min-w-0 flex-1 items-center gap-1">
            <a
              href={getInfoHref(face, lang)}
              className={`${ROW_LINK} min-h-11 min-w-0 hover:underline ${title ? 'md:max-w-3/5 md:shrink-0' : ''}`}
            >
              <img
                src={face.avatar_url}
                alt=""
                width="30"
                height="40"
                className="h-10 w-7.5 shrink-0 rounded-sm bg-surface-2 object-cover"
              />
              <span className="min-w-0">
                <h1 className={`truncate font-serif text-xl ${title ? 'leading-tight' : ''}`}>
                  <UserText text={face.name} />
                </h1>
                {title ? (
                  <span dir="auto" className="block truncate text-sm leading-tight text-text-quiet md:hidden">
                    {sanitizeText(title)}
                  </span>
                ) : null}
              </span>
            </a>
            {title ? (
              <button
                type="button"
                dir="auto"
                className={`${QUIET} hidden min-w-0 shrink justify-start hover:bg-surface-2 md:inline-flex`}
                aria-label={words('renameNamed', { title })}
                title={words('renameNamed', { title })}
                aria-haspopup="dialog"
                onClick={() => openChatDialog('rename')}
              >
                <span className="truncate text-sm">{sanitizeText(title)}</span>
              </button>
            ) : null}
          </div>
        ) : (
          <div className="flex flex-1 items-center gap-3">
            <span aria-hidden="true" className="h-10 w-7.5 rounded-sm bg-surface-2" />
            <h1 className="sr-only">{words('chatTitle')}</h1>
          </div>
        )}
        <div className="hidden items-center gap-1 md:flex">
          <button
            type="button"
            className={`${QUIET} max-w-48 hover:bg-surface-2`}
            aria-label={model.long}
            aria-haspopup="dialog"
            title={model.long}
            onClick={() => openChatDialog('model')}
          >
            <Icon name="model" />
            <span className="hidden truncate text-sm lg:block">{model.short}</span>
          </button>
          <button
            type="button"
            className={ICON}
            aria-label={words('newChat')}
            title={words('newChat')}
            disabled={isNewDisabled}
            onClick={() => void chat.startNew()}
          >
            <Icon name="create" />
          </button>
          <button
            ref={drawerButton}
            type="button"
            className={ICON}
            aria-label={words('chatsTitle')}
            title={words('chatsTitle')}
            aria-haspopup="dialog"
            disabled={isDrawerLocked}
            onClick={openDrawer}
          >
            <Icon name="history" />
          </button>
        </div>
        <Menu label={words('chatMenu')}>
          <ChatMenuItems face={face} isDrawerLocked={isDrawerLocked} openDrawer={openDrawer} />
        </Menu>
      </div>
      <ChatDialogs face={face} />
    </header>
  );
}

function ChatMenuItems({
  face,
  isDrawerLocked,
  openDrawer,
}: {
  face: ChatCharacter | null;
  isDrawerLocked: boolean;
  openDrawer: () => void;
}) {
  const chat = useChat();
  const state = useStore(chat.$chat);
  const words = useTranslate('chat');
  const lang = useLang();
  const model = useModelLabel();
  const handlers: Record<ChatMenuAction, { href: string } | { choose: () => void }> = {
    info: { href: face ? getInfoHref(face, lang) : '' },
    persona: { choose: () => openChatDialog('persona') },
    model: { choose: () => openChatDialog('model') },
    new: { choose: () => void chat.startNew() },
    conversations: { choose: openDrawer },
    memory: { choose: () => openChatDialog('memory') },
    reply: { choose: () => openChatDialog('reply') },
    appearance: { choose: () => openChatDialog('appearance') },
    rename: { choose: () => openChatDialog('rename') },
    trash: { choose: openTrash },
    files: { choose: () => openChatDialog('files') },
    keys: { choose: openKeyboardShortcuts },
    report: { href: face ? `/character/${encodeURIComponent(face.id)}/report` : '' },
    delete: { choose: () => void chat.remove() },
  };
  const entries = buildChatMenu({ ...state, hasCharacter: face !== null }).map(
    ({ offer, label, disabled, ...line }): MenuEntry => ({
      ...line,
      label: offer === 'model' ? model.long : words(label),
      disabled: disabled || (offer === 'conversations' && isDrawerLocked),
      ...handlers[offer],
    }),
  );
  return <MenuItems entries={entries} />;
}

const getInfoHref = ({ id }: ChatCharacter, lang: string) =>
  `/${lang}/character-info/${encodeURIComponent(id)}`;

/** The labels of the selected model: its name, and a longer label for the button that says what it is. */
function useModelLabel(): { short: string; long: string } {
  const models = useStore($models, { ssr: 'initial' });
  const selected = useStore($selectedModel, { ssr: 'initial' });
  const words = useTranslate('chat');
  const short = getSelectedLabel(models, selected) ?? words('recommended');
  return { short, long: words('modelCurrent', { label: short }) };
}

/** Disables the drawer's button for {@link DRAWER_LOCKOUT_MS} after each click. */
function useDrawerLockout() {
  const drawerOpen = useStore($chatDialog, { ssr: 'initial' }) === 'drawer';
  const [isLocked, setIsLocked] = useState(false);
  const wasOpen = useRef(false);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (drawerOpen) wasOpen.current = true;
    if (!isLocked) {
      // The closing drawer returns focus to its button, which could not take it while it was disabled.
      if (!drawerOpen && wasOpen.current && document.activeElement === document.body) button.current?.focus();
      return;
    }
    const timer = setTimeout(() => setIsLocked(false), DRAWER_LOCKOUT_MS);
    return () => clearTimeout(timer);
  }, [isLocked, drawerOpen]);
  return { isLocked, lock: () => setIsLocked(true), button };
}
