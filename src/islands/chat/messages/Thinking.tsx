import { useState } from 'react';
import type { ViewMessage } from '../../../features/conversation/messages/reply-view.ts';
import { chatApi } from '../../shared/chat-api.ts';
import { useChatState } from '../chat-context.ts';
import { ThinkingDetails } from './ThinkingDetails.tsx';

/**
 * What the model thought before a reply. The text of an older reply is fetched when the user opens it. Events bring that of a
 * reply in progress, which is not announced.
 */
export function Thinking({ message }: { message: ViewMessage }) {
  const conversationId = useChatState(({ conversation }) => conversation?.id ?? '');
  const [answer, setAnswer] = useState<{ versionId: string; text: string | null } | null>(null);
  const versionId = message.selected_version_id;
  if (message.has_thinking === undefined && message.thinking === undefined) return null;
  const fetched = answer?.versionId === versionId ? answer.text : undefined;
  const text = message.thinking ?? fetched;

  const load = async () => {
    if (text != null) return;
    setAnswer(null);
    const given = await chatApi.thinking(conversationId, message.id);
    setAnswer({ versionId, text: given.ok ? given.data.text : null });
  };
  return (
    <ThinkingDetails
      // Another version has another text, which is loaded when the user asks for it.
      key={versionId}
      text={text}
      isThinking={message.status === 'streaming' && message.content === ''}
      onOpen={() => void load()}
    />
  );
}
