import { memo } from 'react';
import type { ViewMessage } from '../../../features/conversation/messages/reply-view.ts';
import type { Helpline } from '../../../features/safety/helplines.ts';
import { useChat, useChatField, useChatState } from '../chat-context.ts';
import { CrisisHelp, PinnedCrisisHelp } from './CrisisHelp.tsx';
import { dismissHelp, useIsHelpDismissed } from '../state/dismissed-help.ts';
import { focusComposer } from '../messages/message-focus.ts';

/** The newest message with helplines, and whether the user dismissed them; null while that is unknown. */
function useNewestHelp(): { message: ViewMessage | null; isDismissed: boolean | null } {
  const message = useChatState(
    ({ view }) => view.messages.findLast(({ safety }) => safety?.helplines !== undefined) ?? null,
  );
  return { message, isDismissed: useIsHelpDismissed(message?.id ?? null) };
}

/**
 * Helplines below a message that sounds as if the user needs help, or below one whose reply meant them harm. Until they
 * are dismissed, the newest ones are above the composer instead, where a reply does not scroll them away.
 */
export function MessageHelp({ message: { id, safety } }: { message: ViewMessage }) {
  const { message: newest, isDismissed } = useNewestHelp();
  if (safety?.helplines === undefined || (newest?.id === id && isDismissed === false)) return null;
  return <CrisisHelp helplines={safety.helplines} messageId={id} />;
}

/** Returns the helplines above the composer: for a message that could not be sent, else of the newest that has some. */
function usePinnedHelp(): { helplines: readonly Helpline[]; messageId: string | null } | null {
  const unsent = useChatField('helplines');
  const { message, isDismissed } = useNewestHelp();
  if (unsent !== null) return { helplines: unsent, messageId: null };
  const helplines = message?.safety?.helplines;
  return message === null || helplines === undefined || isDismissed === true
    ? null
    : { helplines, messageId: message.id };
}

/** Whether helplines are above the composer, where nothing else should be asked then. */
export const useHasPinnedHelp = (): boolean => usePinnedHelp() !== null;

/** Helplines above the composer until they are dismissed. */
export const PinnedHelp = memo(function PinnedHelp() {
  const chat = useChat();
  const pinned = usePinnedHelp();
  if (pinned === null) return null;
  const { helplines, messageId } = pinned;
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
