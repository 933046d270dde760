import type { Conversation } from '../../../features/conversation/contract.ts';
import type { ViewMessage } from '../../../features/conversation/messages/reply-view.ts';
import { useTranslate } from '../../shared/i18n.tsx';
import { Stepper } from './VersionSwitcher.tsx';

/** Switches between the character's greetings («‹ 1 / 3 ›») while the conversation has no other message. */
export function GreetingPicker({
  greeting,
  message,
  reachable,
  move,
}: {
  greeting: NonNullable<Conversation['greeting']>;
  message: ViewMessage;
  /** Whether its buttons are in the tab order. */
  reachable: boolean;
  move: (step: -1 | 1) => void;
}) {
  const words = useTranslate('chat');
  const { at, count, before, after } = greeting;
  return (
    <Stepper
      label={words('greetings')}
      at={at}
      count={count}
      said={words('greetingAt', { at, count })}
      before={{ label: words('greetingPrevious'), leads: before !== null }}
      after={{ label: words('greetingNext'), leads: after !== null }}
      waits={message.status === 'streaming'}
      reachable={reachable}
      move={move}
    />
  );
}
