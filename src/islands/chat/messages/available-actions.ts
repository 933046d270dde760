import type { Conversation, MessageVersion } from '../../../features/conversation/contract.ts';
import type { ReplyView, ViewMessage } from '../../../features/conversation/messages/reply-view.ts';
import type { ChatState } from '../chat.ts';
import { getUnavailableReason } from '../character-availability.ts';

/** What can be done with a message. */
export type MessageAction =
  | 'copy'
  | 'edit'
  | 'writeAnew'
  | 'goOn'
  | 'fork'
  | 'pin'
  | 'unpin'
  | 'context'
  | 'deleteFrom';

export interface AvailableAction {
  action: MessageAction;
  /** It can be done once the reply is finished that is being written. */
  disabled: boolean;
}

/** The version of a message that shows. */
export function getSelectedVersion({
  versions,
  selected_version_id: selected,
}: ViewMessage): MessageVersion | undefined {
  return versions.find(({ id }) => id === selected);
}

/** The model that wrote what shows; null for what a person or the character's creator wrote. */
export function getMessageModel(message: ViewMessage): string | null {
  return message.role === 'user' ? null : (getSelectedVersion(message)?.model ?? null);
}

/**
 * What a message offers, in the order in which it is offered; nothing while it is not stored.
 * @param idle no reply is being written in the conversation
 * @param canReply somebody answers in it
 */
export function listAvailableActions(
  message: ViewMessage,
  idle: boolean,
  canReply = true,
): AvailableAction[] {
  if (message.delivery !== 'stored') return [];
  const hasText = message.content.trim() !== '';
  const writing = message.status === 'streaming';
  const byModel = getMessageModel(message) !== null;
  const actions: (AvailableAction | false)[] = [
    hasText && { action: 'copy', disabled: false },
    hasText && { action: 'edit', disabled: writing },
    byModel && canReply && { action: 'writeAnew', disabled: !idle },
    hasText && canReply && message.role === 'character' && { action: 'goOn', disabled: !idle },
    { action: 'fork', disabled: writing },
    { action: message.pinned ? 'unpin' : 'pin', disabled: false },
    byModel && { action: 'context', disabled: writing },
    { action: 'deleteFrom', disabled: !idle },
  ];
  return actions.filter((offer) => offer !== false);
}

/**
 * Whether a message is the person's own and the newest of all, without a reply, so that one can be had for it.
 * @param idle no reply is being written in the conversation
 */
export function isAwaitingReply(
  { view, laterCursor }: Pick<ChatState, 'view' | 'laterCursor'>,
  key: string,
  idle: boolean,
): boolean {
  const last = view.messages.at(-1);
  return (
    idle && laterCursor === null && last?.key === key && last.role === 'user' && last.delivery === 'stored'
  );
}

/** The first messages to choose from, while a message is the only one, stands as it came and somebody answers. */
export function getGreetingChoices(
  { conversation, view }: Pick<ChatState, 'conversation' | 'view'>,
  message: ViewMessage,
): NonNullable<Conversation['greeting']> | null {
  const { greeting } = conversation ?? {};
  const alone = view.messages.length === 1 && view.messages[0]?.key === message.key;
  if (!greeting || !alone || message.versions.length !== 1 || getUnavailableReason(conversation) !== null)
    return null;
  return greeting;
}

/** Where the version that shows stands among all of its message, from 1, and its neighbours; null for an only one. */
export function getVersionPosition({
  versions,
  selected_version_id: selected,
}: Pick<ViewMessage, 'versions' | 'selected_version_id'>): {
  at: number;
  count: number;
  before: string | null;
  after: string | null;
} | null {
  const index = versions.findIndex(({ id }) => id === selected);
  if (versions.length < 2 || index === -1) return null;
  return {
    at: index + 1,
    count: versions.length,
    before: versions[index - 1]?.id ?? null,
    after: versions[index + 1]?.id ?? null,
  };
}

/**
 * How many messages stand after one.
 * @param more whether the history goes on after what is shown
 * @returns null when nobody here can count them
 */
export function countMessagesAfter(view: ReplyView, messageId: string, more: boolean): number | null {
  const stored = view.messages.filter(({ delivery }) => delivery === 'stored');
  const index = stored.findIndex(({ id }) => id === messageId);
  return more || index === -1 ? null : stored.length - 1 - index;
}
