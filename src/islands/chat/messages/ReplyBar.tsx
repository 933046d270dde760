import { MESSAGE_ICON_PATHS } from '../../../components/message-icon-paths.ts';
import type { ReplyRating } from '../../../features/conversation/contract.ts';
import type { ViewMessage } from '../../../features/conversation/messages/reply-view.ts';
import { IconPath } from '../../shared/ui/IconPath.tsx';
import { useTranslate } from '../../shared/i18n.tsx';
import { ICON } from '../../shared/styles.ts';
import { useMessageCommands } from '../chat-context.ts';
import { getMessageModel, getSelectedVersion } from './available-actions.ts';

/**
 * The actions of the newest reply that are pressed nearly every turn, as icons that fit into one row of a phone. While the
 * reply is written they are disabled, not left out, so that nothing moves when it ends.
 */
export function ReplyBar({
  message,
  tabIndex,
  canReply,
  canRegenerate,
  idle,
}: {
  message: ViewMessage;
  tabIndex: number;
  canReply: boolean;
  canRegenerate: boolean;
  idle: boolean;
}) {
  const button = { message, tabIndex, idle };
  return (
    <>
      {canRegenerate ? <BarButton action="regenerate" {...button} /> : null}
      {canReply ? <BarButton action="continue" {...button} /> : null}
      {getMessageModel(message) === null ? null : (
        <>
          <RatingButton rating="up" message={message} tabIndex={tabIndex} />
          <RatingButton rating="down" message={message} tabIndex={tabIndex} />
        </>
      )}
    </>
  );
}

function BarButton({
  action,
  message,
  tabIndex,
  idle,
}: {
  action: 'regenerate' | 'continue';
  message: ViewMessage;
  tabIndex: number;
  idle: boolean;
}) {
  const words = useTranslate('chat');
  const commands = useMessageCommands();
  // There is nothing to continue in a reply that failed before its first word.
  const isDisabled = !idle || (action === 'continue' && message.content.trim() === '');
  return (
    <button
      type="button"
      tabIndex={tabIndex}
      aria-label={words(action)}
      title={words(action)}
      aria-disabled={isDisabled}
      className={`${ICON} aria-disabled:cursor-not-allowed aria-disabled:opacity-50`}
      onClick={() => void commands.run(action, message.key)}
    >
      <IconPath path={MESSAGE_ICON_PATHS[action]} />
    </button>
  );
}

/** Rates the shown version; pressed again it takes the rating back. */
function RatingButton({
  rating,
  message,
  tabIndex,
}: {
  rating: ReplyRating;
  message: ViewMessage;
  tabIndex: number;
}) {
  const words = useTranslate('chat');
  const commands = useMessageCommands();
  const label = words(rating === 'up' ? 'rateUp' : 'rateDown');
  return (
    <button
      type="button"
      tabIndex={tabIndex}
      aria-label={label}
      aria-pressed={getSelectedVersion(message)?.rating === rating}
      title={`${label}\n${words('rateNote')}`}
      aria-disabled={message.status === 'streaming'}
      className={`${ICON} aria-disabled:cursor-not-allowed aria-disabled:opacity-50`}
      onClick={() => void commands.rate(message.key, rating)}
    >
      <IconPath path={MESSAGE_ICON_PATHS[rating]} />
    </button>
  );
}
