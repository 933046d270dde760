import type {
  Conversation,
  MessageVersion,
  CharacterState,
} from '../../../features/conversation/contract.ts';
import type { ReplyView, ViewMessage } from '../../../features/conversation/messages/reply-view.ts';
import type { ChatState } from '../chat.ts';

/** Why the character cannot reply in a conversation; null while it can, and while the conversation is not loaded. */
export function getUnavailableReason(
  conversation: Pick<Conversation, 'character_gone' | 'character_state'> | null,
): Exclude<CharacterState, 'shown'> | null {
  if (conversation === null) return null;
  if (conversation.character_gone === true) return 'gone';
  const { character_state: state } = conversation;
  return state === undefined || state === 'shown' ? null : state;
}

const UNAVAILABLE_CODES = new Set([
  'character_gone',
  'character_hidden',
  'character_removed',
  'character_deleted',
]);

/** Whether an error code says that the character can no longer reply, so the shown conversation is out of date. */
export const isUnavailableCode = (code: string): boolean => UNAVAILABLE_CODES.has(code);

/** An action on a message. */
export type MessageAction =
  | 'copy'
  | 'edit'
  | 'regenerate'
  | 'regenerateWithNote'
  | 'continue'
  | 'branchFrom'
  | 'pin'
  | 'unpin'
  | 'context'
  | 'deleteFrom';

export interface AvailableAction {
  action: MessageAction;
  /** Waits for the reply that is being written. */
  disabled: boolean;
}

/** The version of a message that is shown. */
export function getSelectedVersion({
  versions,
  selected_version_id: selected,
}: ViewMessage): MessageVersion | undefined {
  return versions.find(({ id }) => id === selected);
}

/** The model that wrote the shown version; null when the user or the character's creator wrote it. */
export function getMessageModel(message: ViewMessage): string | null {
  return message.role === 'user' ? null : (getSelectedVersion(message)?.model ?? null);
}

/**
 * Lists a message's actions, in display order; none for a message that is not stored.
 * @param idle no reply is being written in the conversation
 * @param canReply whether the character can reply in the conversation
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
    byModel && canReply && { action: 'regenerate', disabled: !idle },
    byModel && canReply && { action: 'regenerateWithNote', disabled: !idle },
    hasText && canReply && message.role === 'character' && { action: 'continue', disabled: !idle },
    { action: 'branchFrom', disabled: writing },
    { action: message.pinned ? 'unpin' : 'pin', disabled: false },
    byModel && { action: 'context', disabled: writing },
    { action: 'deleteFrom', disabled: !idle },
  ];
  return actions.filter((offer) => offer !== false);
}

/**
 * Whether a message is the user's own and the newest of all, so that a reply can be requested for it.
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

/**
 * The reply that follows the user's message directly, so that it can be regenerated after an edit.
 * @returns its id; null when the message is the newest of all and a reply to it can be requested; undefined when nothing
 *   can be requested for it
 */
export function findReplyAfter(
  { conversation, view, laterCursor }: Pick<ChatState, 'conversation' | 'view' | 'laterCursor'>,
  messageId: string,
): string | null | undefined {
  const stored = view.messages.filter(({ delivery }) => delivery === 'stored');
  const index = stored.findIndex(({ id }) => id === messageId);
  if (stored[index]?.role !== 'user' || getUnavailableReason(conversation) !== null) return undefined;
  const next = stored[index + 1];
  if (next === undefined) return laterCursor === null ? null : undefined;
  return getMessageModel(next) === null ? undefined : next.id;
}

/** The greetings to choose from, while the message is the only one, has no other version, and the character can reply. */
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

/** The position of the shown version among all versions, starting at 1, and its neighbours; null for a single version. */
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
 * Counts the stored messages after one.
 * @param more whether the history continues after the loaded messages
 * @returns null when the number is unknown
 */
export function countMessagesAfter(view: ReplyView, messageId: string, more: boolean): number | null {
  const stored = view.messages.filter(({ delivery }) => delivery === 'stored');
  const index = stored.findIndex(({ id }) => id === messageId);
  return more || index === -1 ? null : stored.length - 1 - index;
}
