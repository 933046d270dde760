import { useStore } from '@nanostores/react';
import { countReplies } from '../../../features/conversation/messages/reply-view.ts';
import { $session } from '../../shared/session-state.ts';
import { useChatState } from '../chat-context.ts';
import { useHasPinnedHelp } from '../safety/MessageSafety.tsx';
import { $editing } from './edit-drafts.ts';
import { createLazyComponent } from '../LazyComponent.tsx';

const Line = createLazyComponent(async () => (await import('./GuestPromptLine.tsx')).GuestPromptLine);

/**
 * The line for guests above the composer. Its script loads after the first reply. It hides while a message is edited, which
 * needs the room on a phone, and while helplines are in its place.
 */
export function LazyGuestPrompt() {
  const user = useStore($session, { ssr: 'initial' }).auth?.user;
  const replyCount = useChatState(({ view }) => countReplies(view));
  const isEditing = useStore($editing, { ssr: 'initial' }).size > 0;
  const hasPinnedHelp = useHasPinnedHelp();
  // A user who has opened an earlier message reads there.
  const isAtEnd = useChatState(({ laterCursor }) => laterCursor === null);
  const isWanted = user?.is_anonymous === true && replyCount > 0 && isAtEnd && !hasPinnedHelp;
  return user && isWanted && !isEditing ? <Line user={user} replyCount={replyCount} /> : null;
}
