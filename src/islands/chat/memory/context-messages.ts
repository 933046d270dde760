import type { Message } from '../../../features/conversation/contract.ts';
import type { ContextSection } from '../../../features/conversation/memory/memory-contract.ts';

type RecordedMessages = Extract<ContextSection, { kind: 'history' }>['messages'];

/** A message from a context record, with its current state. */
export interface ContextMessage {
  id: string;
  tokens: number;
  /** Null when the message was deleted. */
  message: Message | null;
  /** The text that the model received. */
  text: string;
  /** Another version is selected now. */
  isChanged: boolean;
}

/**
 * Lists the messages of a context record, newest first, back to the oldest one whose history is loaded.
 * @param recorded from the record, oldest first
 * @param fetched the messages before the reply, oldest first, without gaps
 * @param isWhole whether `fetched` goes back to the start of the conversation
 */
export function listContextMessages(
  recorded: RecordedMessages,
  fetched: readonly Message[],
  isWhole: boolean,
): ContextMessage[] {
  const currentMessages = new Map(fetched.map((message) => [message.id, message]));
  const first = recorded.findIndex(({ message_id: id }) => currentMessages.has(id));
  const from = isWhole ? 0 : first === -1 ? recorded.length : first;
  return recorded
    .slice(from)
    .map(({ message_id: id, version_id: versionId, tokens }) => {
      const message = currentMessages.get(id) ?? null;
      return {
        id,
        tokens,
        message,
        text: message?.versions.find((version) => version.id === versionId)?.content ?? '',
        isChanged: message !== null && message.selected_version_id !== versionId,
      };
    })
    .toReversed();
}
