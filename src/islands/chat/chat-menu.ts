import type { IconName } from '../../components/icon-paths.ts';
import type { MessageKey } from '../shared/i18n.tsx';
import type { ChatState } from './chat.ts';

/** What the menu of a chat offers. */
export type ChatMenuAction =
  | 'info'
  | 'persona'
  | 'model'
  | 'new'
  | 'conversations'
  | 'memory'
  | 'rename'
  | 'trash'
  | 'files'
  | 'search'
  | 'keys'
  | 'report'
  | 'delete';

export interface ChatMenuItem {
  offer: ChatMenuAction;
  icon: IconName;
  label: MessageKey<'chat'>;
  /** It stands in the bar itself where there is room. */
  narrowOnly?: boolean;
  /** It begins a group of its own. */
  startsGroup?: boolean;
  /** Not now: what it is about is not here yet, or a reply is being written. */
  rests: boolean;
}

/** What a menu needs to know of its chat. */
export type ChatMenuState = Pick<ChatState, 'phase' | 'activity' | 'startingNew'> & {
  /** Who it is with is known. */
  hasCharacter: boolean;
};

/** The lines of a chat's menu, in their order. What cannot be about anything here is left out. */
export function buildChatMenu({
  phase,
  activity,
  startingNew,
  hasCharacter: hasFace,
}: ChatMenuState): ChatMenuItem[] {
  const open = phase === 'ready';
  const shown = open || phase === 'starting';
  const forConversation = (line: Omit<ChatMenuItem, 'rests'>): ChatMenuItem[] =>
    shown ? [{ ...line, rests: !open }] : [];
  const forCharacter = (line: Omit<ChatMenuItem, 'rests'>): ChatMenuItem[] =>
    hasFace ? [{ ...line, rests: false }] : [];
  return [
    ...forCharacter({ offer: 'info', icon: 'about', label: 'viewInfo' }),
    ...forConversation({ offer: 'persona', icon: 'persona', label: 'persona' }),
    { offer: 'model', icon: 'model', label: 'modelChosen', narrowOnly: true, rests: false },
    {
      offer: 'new',
      icon: 'create',
      label: 'newConversation',
      narrowOnly: true,
      rests: startingNew || phase === 'starting' || phase === 'signed-out',
    },
    { offer: 'conversations', icon: 'history', label: 'conversations', narrowOnly: true, rests: false },
    ...forConversation({ offer: 'memory', icon: 'memory', label: 'memoryTitle', startsGroup: true }),
    ...forConversation({ offer: 'rename', icon: 'pencil', label: 'rename' }),
    ...forConversation({ offer: 'trash', icon: 'undo', label: 'trashMenu' }),
    ...forConversation({ offer: 'files', icon: 'file', label: 'fileMenu' }),
    { offer: 'search', icon: 'search', label: 'searchChats', rests: false },
    ...(open ? forConversation({ offer: 'keys', icon: 'keys', label: 'keysMenu', startsGroup: true }) : []),
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
            rests: !open || activity !== 'idle',
          } as const,
        ]
      : []),
  ];
}
