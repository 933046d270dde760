import { memo } from 'react';
import type { ViewMessage } from '../../../features/conversation/messages/reply-view.ts';
import { useChat, useChatField, useChatState } from '../chat-context.ts';
import { CrisisHelp, PinnedCrisisHelp } from './CrisisHelp.tsx';
import { dismissHelp, useIsHelpDismissed } from './dismissed-help.ts';
import { focusComposer } from './message-focus.ts';

/** The newest message with helplines, unless the user dismissed them. */
function usePinnedMessage(): ViewMessage | null {
  const newest = useChatState(
    ({ view }) => view.messages.findLast(({ safety }) => safety?.helplines !== undefined) ?? null,
  );
  return useIsHelpDismissed(newest?.id ?? null) ? null : newest;
}

/**
 * Helplines below a message that sounds as if the user needs help, or below one whose reply meant them harm. Until they
 * are dismissed, the newest ones are above the composer instead, where a reply does not scroll them away.
 */
export function MessageHelp({ message }: { message: ViewMessage }) {
  const pinned = usePinnedMessage();
  if (message.safety?.helplines === undefined || pinned?.id === message.id) return null;
  return <CrisisHelp helplines={message.safety.helplines} />;
}

/** Helplines above the composer: for a message that could not be sent, else for the newest message that has some. */
export const PinnedHelp = memo(function PinnedHelp() {
  const chat = useChat();
  const unsent = useChatField('helplines');
  const message = usePinnedMessage();
  const helplines = unsent ?? message?.safety?.helplines;
  if (helplines === undefined) return null;
  const messageId = unsent === null ? (message?.id ?? null) : null;
  const dismiss = () => {
    if (messageId === null) chat.dismissHelp();
    else dismissHelp(messageId);
    focusComposer();
  };
  return (
    <PinnedCrisisHelp
      // Another message's helplines start compact.
      key={messageId}
      helplines={helplines}
      messageId={messageId}
      stop={chat.stop}
      onDismiss={dismiss}
    />
  );
});
