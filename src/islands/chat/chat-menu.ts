import type { IconName } from '../../components/icon-paths.ts';
import type { MessageKey } from '../shared/i18n.tsx';
import type { ChatState } from './chat.ts';

/** What the menu of a chat offers. */
export type ChatOffer =
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

export interface ChatMenuLine {
  offer: ChatOffer;
  icon: IconName;
  label: MessageKey<'chat'>;
  /** It stands in the bar itself where there is room. */
  narrowOnly?: boolean;
  /** It begins a group of its own. */
  parted?: boolean;
  /** Not now: what it is about is not here yet, or a reply is being written. */
  rests: boolean;
}

/** What a menu needs to know of its chat. */
export type ChatMenuState = Pick<ChatState, 'phase' | 'activity' | 'startingNew'> & {
  /** Who it is with is known. */
  hasFace: boolean;
};

/** The lines of a chat's menu, in their order. What cannot be about anything here is left out. */
export function chatMenu({ phase, activity, startingNew, hasFace }: ChatMenuState): ChatMenuLine[] {
  const open = phase === 'ready';
  const shown = open || phase === 'starting';
  const ofChat = (line: Omit<ChatMenuLine, 'rests'>): ChatMenuLine[] =>
    shown ? [{ ...line, rests: !open }] : [];
  const ofFace = (line: Omit<ChatMenuLine, 'rests'>): ChatMenuLine[] =>
    hasFace ? [{ ...line, rests: false }] : [];
  return [
    ...ofFace({ offer: 'info', icon: 'about', label: 'viewInfo' }),
    ...ofChat({ offer: 'persona', icon: 'persona', label: 'persona' }),
    { offer: 'model', icon: 'model', label: 'modelChosen', narrowOnly: true, rests: false },
    {
      offer: 'new',
      icon: 'create',
      label: 'newConversation',
      narrowOnly: true,
      rests: startingNew || phase === 'starting' || phase === 'signed-out',
    },
    { offer: 'conversations', icon: 'history', label: 'conversations', narrowOnly: true, rests: false },
    ...ofChat({ offer: 'memory', icon: 'memory', label: 'memoryTitle', parted: true }),
    ...ofChat({ offer: 'rename', icon: 'pencil', label: 'rename' }),
    ...ofChat({ offer: 'trash', icon: 'undo', label: 'trashMenu' }),
    ...ofChat({ offer: 'files', icon: 'file', label: 'fileMenu' }),
    { offer: 'search', icon: 'search', label: 'searchChats', rests: false },
    ...(open ? ofChat({ offer: 'keys', icon: 'keys', label: 'keysMenu', parted: true }) : []),
    ...ofFace({ offer: 'report', icon: 'report', label: 'report', ...(open ? {} : { parted: true }) }),
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
