import { useStore } from '@nanostores/react';
import { useEffect } from 'react';
import type { ViewMessage } from '../../../features/conversation/messages/reply-view.ts';
import { joinSentences } from '../../../locales/format.ts';
import { LazyAppeal } from '../../safety/LazyAppeal.tsx';
import { formatFailure } from '../../shared/errors.ts';
import { useLang, useTranslate } from '../../shared/i18n.tsx';
import { QUIET, SECONDARY } from '../../shared/styles.ts';
import { useSecondsLeft } from '../../shared/ui/use-seconds-left.ts';
import { useChat, useChatField, useChatState, useMessageCommands } from '../chat-context.ts';
import { isQuotaExceeded } from '../scroll/quota-refusals.ts';
import {
  $models,
  $selectedModel,
  getSavedNote,
  isModelError,
  refreshModels,
  listOtherModels,
} from '../state/models-state.ts';
import { getSelectedVersion } from './available-actions.ts';
import { getEndReason } from './reply-announcer.ts';
import { UpgradePrompt } from '../composer/UpgradePrompt.tsx';

/**
 * Below a message that was not sent: the reason, or that it will be sent automatically, and buttons to take it back or
 * send it again.
 */
export function UnsentMessage({ message, idle }: { message: ViewMessage; idle: boolean }) {
  const chat = useChat();
  const unsent = useChatField('unsent');
  const words = useTranslate('chat');
  const errors = useTranslate('errors');
  const lang = useLang();
  const reason = unsent[message.key];
  return (
    <div className="mb-4 flex flex-wrap items-center justify-end gap-2 text-sm">
      {message.delivery === 'waiting' ? (
        <p role="status" className="text-state">
          {words('sentWhenOnline')}
        </p>
      ) : (
        <p role="alert" className="text-danger">
          {reason && isQuotaExceeded(reason.code) ? null : `${errors('send_failed')} `}
          {reason && reason.code !== 'send_failed' ? `${formatFailure(reason, errors, lang)} ` : null}
          <UpgradePrompt code={reason?.code ?? ''} />
        </p>
      )}
      <button type="button" className={QUIET} disabled={!idle} onClick={() => chat.takeBack(message.key)}>
        {words('editUnsent')}
      </button>
      <button
        type="button"
        className={SECONDARY}
        disabled={!idle}
        onClick={() => void chat.retry(message.key, $selectedModel.get())}
      >
        {words('sendAgain')}
      </button>
    </div>
  );
}

/**
 * Offers the models that can reply when the chosen one failed; several of them unfold from one button. Nothing switches
 * automatically; a click regenerates this one reply.
 */
function OtherModels({ message, idle }: { message: ViewMessage; idle: boolean }) {
  const chat = useChat();
  const words = useTranslate('chat');
  const models = useStore($models, { ssr: 'initial' });
  const version = getSelectedVersion(message);
  const failed = version?.model ?? null;
  useEffect(() => refreshModels('trouble'), [message.selected_version_id]);
  const buttons = listOtherModels(models, failed).map(({ id, label }) => (
    <button
      key={id}
      type="button"
      className={QUIET}
      disabled={!idle}
      onClick={() => void chat.regenerate(message.id, id, version?.regenerate_note)}
    >
      {words('tryWith', { model: label })}
    </button>
  ));
  if (buttons.length < 2) return buttons;
  return (
    <details>
      <summary className={QUIET}>{words('tryOtherModel')}</summary>
      <div className="flex flex-wrap gap-x-3">{buttons}</div>
    </details>
  );
}

/** Below a reply that reached the model's limit: offers to continue it, unless its bar does. */
export function CutReply({
  message,
  hasReplyBar,
  idle,
}: {
  message: ViewMessage;
  hasReplyBar: boolean;
  idle: boolean;
}) {
  const commands = useMessageCommands();
  const words = useTranslate('chat');
  return (
    <div className="mb-4 flex flex-wrap items-center gap-x-3 gap-y-2 text-sm">
      <p className="text-text-quiet">{words('lengthLimit')}</p>
      {hasReplyBar ? null : (
        <button
          type="button"
          className={SECONDARY}
          disabled={!idle}
          onClick={() => void commands.run('continue', message.key)}
        >
          {words('continue')}
        </button>
      )}
    </div>
  );
}

/** Below an incomplete reply: the reason, that nothing was charged, and a retry, once a busy provider takes requests again. */
export function UnfinishedReply({ message, idle }: { message: ViewMessage; idle: boolean }) {
  const chat = useChat();
  const words = useTranslate('chat');
  const errors = useTranslate('errors');
  const lang = useLang();
  const conversation = useChatField('conversation');
  const models = useStore($models, { ssr: 'initial' });
  const rule = message.safety?.kind === 'refused' ? message.safety.rule : undefined;
  const code = getEndReason(message);
  const busyUntil = useChatState(({ view, busyUntil: until }) =>
    view.turn?.replyId === message.id ? until : null,
  );
  const retryAfter = useSecondsLeft(busyUntil);
  const others = listOtherModels(models, getSelectedVersion(message)?.model ?? null);
  const saved = getSavedNote(code, others.length > 0);
  // Needs no reason: the user stopped the reply.
  const stopped = message.status === 'interrupted' && code === undefined;
  const regenerateAgain = () =>
    chat.regenerate(message.id, $selectedModel.get(), getSelectedVersion(message)?.regenerate_note);
  return (
    <div className="mb-4 flex flex-wrap items-center gap-x-3 gap-y-2 text-sm">
      <p className={stopped ? 'text-text-quiet' : 'text-danger'}>
        {stopped
          ? words('stopped')
          : joinSentences(
              [
                formatFailure({ code: code ?? 'reply_failed', error: '', retryAfter }, errors, lang),
                ...(rule === undefined ? [] : [words(`refused_${rule}`)]),
                ...(saved === null ? [] : [words(saved)]),
                words('noPointsUsed'),
              ],
              lang,
            )}
      </p>
      <button
        type="button"
        className={SECONDARY}
        disabled={!idle || retryAfter > 0}
        onClick={() => void regenerateAgain()}
      >
        {words('tryAgain')}
      </button>
      {isModelError(code) ? <OtherModels message={message} idle={idle} /> : null}
      {rule === undefined || rule === 'unavailable' || message.content === '' ? null : (
        <LazyAppeal
          refused={{
            place: 'reply',
            rule,
            text: message.content,
            ...(conversation === null
              ? {}
              : { reply: { conversationId: conversation.id, messageId: message.id } }),
          }}
        />
      )}
    </div>
  );
}
