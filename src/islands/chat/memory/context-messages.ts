import type { Message } from '../../../features/conversation/contract.ts';
import type { ContextSection } from '../../../features/conversation/memory/memory-contract.ts';

type RecordedMessages = Extract<ContextSection, { kind: 'history' }>['messages'];

/** A message that a model was told, and what has become of it. */
export interface ContextMessage {
  id: string;
  tokens: number;
  /** Null when it is not there any more. */
  message: Message | null;
  /** As the model read it. */
  text: string;
  /** Another version of it is shown now. */
  isChanged: boolean;
}

/**
 * What a model was told of a chat, newest first, as far back as the history is known.
 * @param recorded as the record has it, oldest first
 * @param fetched the history before the reply, oldest first, from some message on
 * @param isWhole nothing comes before what was fetched
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
