import { useStore } from '@nanostores/react';
import { atom } from 'nanostores';
import { memo } from 'react';
import type { ViewMessage } from '../../../features/conversation/messages/reply-view.ts';
import { useChat, useChatField, useChatState } from '../chat-context.ts';
import { CrisisHelp } from './CrisisHelp.tsx';
import { focusComposer } from './message-focus.ts';

/** Ids of messages after which the user chose to continue. */
const $dismissedHelp = atom<ReadonlySet<string>>(new Set());

/**
 * Helplines below a message that sounds as if the user needs help, or below one whose reply meant them harm. While it is
 * the newest, offers to leave or continue.
 */
export function MessageHelp({ message }: { message: ViewMessage }) {
  const { stop } = useChat();
  const newest = useChatState(
    ({ view }) => view.messages.findLast(({ role }) => role === 'user')?.id === message.id,
  );
  const goneOn = useStore($dismissedHelp, { ssr: 'initial' }).has(message.id);
  if (message.safety?.helplines === undefined) return null;
  const goOn = () => {
    $dismissedHelp.set(new Set([...$dismissedHelp.get(), message.id]));
    focusComposer();
  };
  return (
    <CrisisHelp helplines={message.safety.helplines} choice={newest && !goneOn ? { stop, goOn } : null} />
  );
}

/** Helplines above the composer, for a message that could not be sent. */
export const ComposerHelp = memo(function ComposerHelp() {
  const chat = useChat();
  const helplines = useChatField('helplines');
  if (helplines === null) return null;
  const goOn = () => {
    chat.dismissHelp();
    focusComposer();
  };
  return (
    <div className="max-h-[50dvh] overflow-y-auto">
      <CrisisHelp helplines={helplines} choice={{ stop: chat.stop, goOn }} />
    </div>
  );
});
