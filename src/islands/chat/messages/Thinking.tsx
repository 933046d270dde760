import { useState } from 'react';
import type { ViewMessage } from '../../../features/conversation/messages/reply-view.ts';
import { sanitizeText } from '../../../lib/sanitize-text.ts';
import { chatApi } from '../../shared/chat-api.ts';
import { useTranslate } from '../../shared/i18n.tsx';
import { Icon } from '../../shared/ui/Icon.tsx';
import { useChatState } from '../chat-context.ts';

/**
 * What the model thought before a reply, closed until the user opens it. The text of an older reply is fetched then. Events
 * bring that of a reply in progress, which is not announced.
 */
export function Thinking({ message }: { message: ViewMessage }) {
  const words = useTranslate('chat');
  const conversationId = useChatState(({ conversation }) => conversation?.id ?? '');
  const [answer, setAnswer] = useState<{ versionId: string; text: string | null } | null>(null);
  const versionId = message.selected_version_id;
  if (message.has_thinking === undefined && message.thinking === undefined) return null;
  const fetched = answer?.versionId === versionId ? answer.text : undefined;
  const text = message.thinking ?? fetched;
  const isThinking = message.status === 'streaming' && message.content === '';

  const load = async () => {
    if (text != null) return;
    setAnswer(null);
    const given = await chatApi.thinking(conversationId, message.id);
    setAnswer({ versionId, text: given.ok ? given.data.text : null });
  };
  return (
    <details
      // Another version has another text, which is loaded when the user asks for it.
      key={versionId}
      className="group mb-2 text-sm text-text-quiet"
      onToggle={({ currentTarget }) => {
        if (currentTarget.open) void load();
      }}
    >
      <summary className="flex min-h-11 w-fit cursor-pointer items-center gap-2 underline-offset-4 hover:text-text hover:underline focus-visible:outline-2 focus-visible:outline-accent">
        {words(isThinking ? 'thinkingNow' : 'thinkingTitle')}
        <span className="group-open:-scale-y-100">
          <Icon name="chevron" size={16} />
        </span>
      </summary>
      {text == null ? (
        <p role="status">{words(text === null ? 'thinkingFailed' : 'thinkingLoading')}</p>
      ) : (
        <p dir="auto" className="border-s-2 border-line ps-4 whitespace-pre-wrap wrap-anywhere">
          {sanitizeText(text)}
        </p>
      )}
    </details>
  );
}
