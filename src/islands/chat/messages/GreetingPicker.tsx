import type { Conversation } from '../../../features/conversation/contract.ts';
import type { ViewMessage } from '../../../features/conversation/messages/reply-view.ts';
import { useTranslate } from '../../shared/i18n.tsx';
import { Stepper } from './VersionSwitcher.tsx';

/** The way through the first messages that a story may begin with: «‹ 1 / 3 ›», while nothing else was said in it. */
export function GreetingPicker({
  greeting,
  message,
  reachable,
  move,
}: {
  greeting: NonNullable<Conversation['greeting']>;
  message: ViewMessage;
  /** Tab stops at its buttons. */
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
      before={{ label: words('greetingBefore'), leads: before !== null }}
      after={{ label: words('greetingAfter'), leads: after !== null }}
      waits={message.status === 'streaming'}
      reachable={reachable}
      move={move}
    />
  );
}
