import type { IconName } from '../../components/icon-paths.ts';
import type { MessageKey } from '../shared/i18n.tsx';
import type { ChatState } from './chat.ts';

/** The actions of a chat's menu. */
export type ChatMenuAction =
  | 'info'
  | 'persona'
  | 'model'
  | 'new'
  | 'conversations'
  | 'memory'
  | 'reply'
  | 'appearance'
  | 'rename'
  | 'trash'
  | 'files'
  | 'keys'
  | 'report'
  | 'delete';

export interface ChatMenuItem {
  offer: ChatMenuAction;
  icon: IconName;
  label: MessageKey<'chat'>;
  /** Show it in the menu only on narrow screens; on wide ones it is in the bar. */
  narrowOnly?: boolean;
  /** Leave it out on phones, which have no keyboard. */
  keyboardOnly?: boolean;
  /** It deletes something. */
  isDanger?: boolean;
  /** Draw a separator above it. */
  startsGroup?: boolean;
  /** Disabled: its subject is not loaded yet, or a reply is being written. */
  disabled: boolean;
}

/** The chat's state that decides about the menu's items. */
export type ChatMenuState = Pick<ChatState, 'phase' | 'activity' | 'startingNew'> & {
  /** Whether the character is known. */
  hasCharacter: boolean;
};

/** Whether a new conversation cannot be started now. */
export const isNewConversationDisabled = ({
  phase,
  startingNew,
}: Pick<ChatState, 'phase' | 'startingNew'>): boolean =>
  startingNew || phase === 'starting' || phase === 'signed-out';

/** Builds the items of a chat's menu, in order. Leaves out items that cannot apply to the chat. */
export function buildChatMenu({
  phase,
  activity,
  startingNew,
  hasCharacter: hasFace,
}: ChatMenuState): ChatMenuItem[] {
  const open = phase === 'ready';
  const shown = open || phase === 'starting';
  const forConversation = (line: Omit<ChatMenuItem, 'disabled'>): ChatMenuItem[] =>
    shown ? [{ ...line, disabled: !open }] : [];
  const forCharacter = (line: Omit<ChatMenuItem, 'disabled'>): ChatMenuItem[] =>
    hasFace ? [{ ...line, disabled: false }] : [];
  return [
    ...forCharacter({ offer: 'info', icon: 'about', label: 'viewInfo' }),
    ...forConversation({ offer: 'persona', icon: 'persona', label: 'persona' }),
    { offer: 'model', icon: 'model', label: 'modelCurrent', narrowOnly: true, disabled: false },
    {
      offer: 'new',
      icon: 'create',
      label: 'newChat',
      narrowOnly: true,
      disabled: isNewConversationDisabled({ phase, startingNew }),
    },
    { offer: 'conversations', icon: 'history', label: 'chatsTitle', narrowOnly: true, disabled: false },
    ...forConversation({ offer: 'memory', icon: 'memory', label: 'memoryTitle', startsGroup: true }),
    ...forConversation({ offer: 'reply', icon: 'reply', label: 'replySettings' }),
    // It belongs to the device, so it does not wait for the conversation.
    ...(shown
      ? [{ offer: 'appearance', icon: 'text', label: 'appearanceTitle', disabled: false } as const]
      : []),
    ...forConversation({ offer: 'rename', icon: 'pencil', label: 'rename' }),
    ...forConversation({ offer: 'trash', icon: 'undo', label: 'trashMenu' }),
    ...forConversation({ offer: 'files', icon: 'file', label: 'filesMenu' }),
    ...(open
      ? forConversation({
          offer: 'keys',
          icon: 'keys',
          label: 'shortcutsMenu',
          keyboardOnly: true,
          startsGroup: true,
        })
      : []),
    ...forCharacter({
      offer: 'report',
      icon: 'report',
      label: 'report',
      ...(open ? {} : { startsGroup: true }),
    }),
    ...(shown
      ? [
          {
            offer: 'delete',
            icon: 'trash',
            label: 'deleteChat',
            isDanger: true,
            disabled: !open || activity !== 'idle',
          } as const,
        ]
      : []),
  ];
}
