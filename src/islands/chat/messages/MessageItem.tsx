import { useStore } from '@nanostores/react';
import { memo, useId, useState } from 'react';
import { BRAND } from '../../../config/brand.ts';
import { UNKNOWN_MODEL } from '../../../features/conversation/files/chat-record.ts';
import { replaceMacros } from '../../../features/conversation/macro-names.ts';
import type { ViewMessage } from '../../../features/conversation/messages/reply-view.ts';
import { sanitizeText } from '../../../lib/sanitize-text.ts';
import { detectTextLanguage } from '../../../locales/text-language.ts';
import { UserText } from '../../shared/ui/UserText.tsx';
import { useLang, useTranslate } from '../../shared/i18n.tsx';
import { AiNotice } from '../safety/AiNotice.tsx';
import { useAiNoticeForm, useChat, useChatState, useMessageCommands, useTimeZone } from '../chat-context.ts';
import { getInitialClass } from '../class-names.ts';
import { EditMessage } from '../composer/EditMessage.tsx';
import { $editing, toEditKey } from '../composer/edit-drafts.ts';
import { formatMessageTime } from './message-days.ts';
import { GreetingPicker } from './GreetingPicker.tsx';
import { MessageActions } from './MessageActions.tsx';
import { getGreetingChoices, getMessageModel, isAwaitingReply } from './available-actions.ts';
import { MessageHelp } from '../safety/MessageSafety.tsx';
import { CutReply, UnsentMessage, UnfinishedReply } from './MessageError.tsx';
import { $models, $selectedModel } from '../state/models-state.ts';
import { SECONDARY } from '../../shared/styles.ts';
import { MessageText } from './MessageText.tsx';
import { Portrait } from './Portrait.tsx';
import { Thinking } from './Thinking.tsx';
import { VersionSwitcher } from './VersionSwitcher.tsx';
import { Loading } from '../Loading.tsx';

/** A message: its text, author, time and actions. */
export const MessageItem = memo(function MessageItem({
  message,
  day,
  name,
  portrait,
  char,
  opening,
  ending,
  newest,
  marked: isMarked,
  held: isPressed,
  answers: canReply,
  idle,
}: {
  message: ViewMessage;
  /** The day's name when the message is the first of its day; else null. */
  day: string | null;
  name: string;
  /** The address of the character's picture. */
  portrait?: string | undefined;
  /** The value of `{{char}}`. */
  char: string;
  /** It is the first message of the conversation. */
  opening: boolean;
  /** It is the last message of the conversation. */
  ending: boolean;
  /** It is the newest of the loaded messages that the server has stored. */
  newest: boolean;
  /** Whether the mark of the AI shows at all times, not only with the actions. */
  marked: boolean;
  /** After a long press; shows the actions. */
  held: boolean;
  /** Whether the character can reply in this conversation. */
  answers: boolean;
  idle: boolean;
}) {
  const words = useTranslate('chat');
  const lang = useLang();
  const timeZone = useTimeZone();
  const noticeForm = useAiNoticeForm();
  const id = useId();
  const commands = useMessageCommands();
  const edit = toEditKey(useConversationId(), message.id);
  const editing = useStore($editing, { ssr: 'initial' }).has(edit);
  const changing = useChanging(message.id);
  const [inside, setInside] = useState(false);
  const own = message.role === 'user';
  const streaming = message.status === 'streaming';
  const stored = message.delivery === 'stored';
  const text = useFilledText(message, char);
  const greeting = useGreeting(message);
  const initial = opening && !own ? getInitialClass(text) : '';
  const reachable = newest || inside;
  const hasReplyBar = ending && !own && stored && !editing;
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- only tracks the focus
    <li
      aria-labelledby={`${id} ${id}-time`}
      data-message={message.key}
      data-held={isPressed ? '' : undefined}
      data-swipe={hasReplyBar ? '' : undefined}
      aria-busy={changing}
      className="group/message transition-opacity aria-busy:opacity-60 aria-busy:delay-300"
      onFocus={() => setInside(true)}
      onBlur={({ currentTarget, relatedTarget }) => setInside(currentTarget.contains(relatedTarget))}
    >
      {message.notice === true || opening ? <AiNotice name={name} form={noticeForm} /> : null}
      {day ? (
        <p className="flex items-center gap-4 pt-2 pb-6 text-sm text-text-quiet before:flex-1 before:border-t before:border-line after:flex-1 after:border-t after:border-line">
          <time dateTime={message.created_at} className="inline-block first-letter:uppercase">
            {day}
          </time>
        </p>
      ) : null}
      <div
        className={
          own
            ? editing
              ? ''
              : 'chat-own ms-auto flex w-fit max-w-[85%] flex-col items-end'
            : 'chat-reply relative'
        }
      >
        {own ? null : <Portrait url={portrait} />}
        <Speaker id={id} message={message} name={name} isMarked={isMarked} />
        <Thinking message={message} />
        {editing && stored && !streaming ? (
          <EditMessage key={edit} message={message} />
        ) : (
          <div
            lang={detectTextLanguage(text, lang)}
            className={`story text-[length:var(--step-1)] leading-relaxed ${own ? 'border-e-2 border-edge pe-4' : ''}`}
          >
            {streaming && message.content === '' ? (
              <Loading />
            ) : (
              <MessageText text={text} growing={streaming} initial={initial} />
            )}
          </div>
        )}
        <div
          className={`chat-meta flex min-h-11 flex-wrap items-center gap-x-3 text-sm text-text-quiet ${own ? 'flex-row-reverse' : ''} ${hasReplyBar ? 'max-sm:pt-2' : ''}`}
        >
          <span id={`${id}-time`}>
            {message.delivery === 'stored' ? (
              <time dateTime={message.created_at}>
                {formatMessageTime(message.created_at, lang, timeZone)}
              </time>
            ) : (
              words(DELIVERIES[message.delivery])
            )}
            {message.edited ? ` · ${words('stateEdited')}` : null}
            {message.pinned ? <span className="text-state"> · {words('statePinned')}</span> : null}
          </span>
          {own ? null : <ModelName message={message} />}
          {/* On a phone the bar takes a row of its own. */}
          {hasReplyBar ? <span className="basis-full sm:hidden" /> : null}
          {stored && greeting ? (
            <GreetingPicker
              greeting={greeting}
              message={message}
              reachable={reachable}
              move={(step) => void commands.moveVersion(message.key, step)}
            />
          ) : null}
          {stored && !greeting ? (
            <VersionSwitcher
              message={message}
              reachable={reachable}
              isAlways={hasReplyBar && getMessageModel(message) !== null}
              move={(step) => void commands.moveVersion(message.key, step)}
            />
          ) : null}
          {stored && !editing ? (
            <MessageActions
              message={message}
              newest={reachable}
              hasReplyBar={hasReplyBar}
              canReply={canReply}
              idle={idle}
            />
          ) : null}
        </div>
      </div>
      {message.safety?.helplines === undefined ? null : <MessageHelp message={message} />}
      {canReply ? <GetReplyButton message={message} idle={idle} /> : null}
      {message.delivery === 'unsent' || message.delivery === 'waiting' ? (
        <UnsentMessage message={message} idle={idle} />
      ) : null}
      {message.length_reached && stored ? (
        <CutReply message={message} hasReplyBar={hasReplyBar} idle={idle && canReply} />
      ) : null}
      {message.status === 'failed' || message.status === 'interrupted' ? (
        <UnfinishedReply message={message} idle={idle && canReply} />
      ) : null}
    </li>
  );
});

const SHOWN_WITH_ACTIONS =
  'opacity-0 transition-opacity duration-(--quick) group-focus-within/message:opacity-100 group-hover/message:opacity-100 group-data-held/message:opacity-100';

/** The label in place of the time for a message that is not stored. */
const DELIVERIES = { pending: 'stateSending', waiting: 'stateWaiting', unsent: 'stateNotSent' } as const;

/** The author, by the name they had then. The user's own name shows only when it has changed since. */
function Speaker({
  id,
  message,
  name,
  isMarked,
}: {
  id: string;
  message: ViewMessage;
  name: string;
  isMarked: boolean;
}) {
  const words = useTranslate('chat');
  const nameNow = useOwnName();
  if (message.role === 'character')
    return (
      <p id={id} className="mb-1 flex items-baseline gap-2 font-serif wrap-anywhere">
        <UserText text={message.name ?? name} />
        <WrittenByAi message={message} isMarked={isMarked} />
      </p>
    );
  const then = message.name !== undefined && message.name !== nameNow ? message.name : null;
  return (
    <p id={id} className={then === null ? 'sr-only' : 'mb-1 font-serif text-text-quiet wrap-anywhere'}>
      <UserText text={then ?? words('you')} />
    </p>
  );
}

/** Requests a reply to the last message when it has none, because the reply was deleted or a branch ends there. */
function GetReplyButton({ message, idle }: { message: ViewMessage; idle: boolean }) {
  const chat = useChat();
  const words = useTranslate('chat');
  if (!useChatState((state) => isAwaitingReply(state, message.key, idle))) return null;
  return (
    <div className="flex justify-end">
      <button
        type="button"
        className={SECONDARY}
        onClick={() => void chat.requestReply(message.id, $selectedModel.get())}
      >
        {words('getReply')}
      </button>
    </div>
  );
}

/** Whether a change to the message awaits the server's answer. Most answers arrive before this shows. */
const useChanging = (messageId: string): boolean => useChatState(({ changing }) => changing.has(messageId));

/** The greetings to choose from, when this message is one that can still be replaced. */
const useGreeting = (message: ViewMessage) => useChatState((state) => getGreetingChoices(state, message));

/** The open conversation's id. */
const useConversationId = (): string => useChatState(({ conversation }) => conversation?.id ?? '');

/** The text with macros replaced by names; the stored and edited text keeps the macros. */
function useFilledText({ content, created_at: at }: ViewMessage, char: string): string {
  const words = useTranslate('chat');
  const user = useOwnName() ?? words('defaultName');
  return replaceMacros(content, { user, char, at: Date.parse(at) });
}

/** The user's current name. */
const useOwnName = (): string | undefined => useChatState(({ conversation }) => conversation?.user_name);

/** The placeholder for a reply that the server has not confirmed yet. */
export function TypingItem({ name, portrait }: { name: string; portrait?: string | undefined }) {
  return (
    <li aria-label={sanitizeText(name)}>
      <div className="chat-reply relative">
        <Portrait url={portrait} />
        <p className="mb-1 font-serif">
          <UserText text={name} />
        </p>
        <Loading />
      </div>
    </li>
  );
}

/** Says to screen readers at all times that an AI wrote a reply; the visible mark is one of several labels (ai-labels.ts). */
function WrittenByAi({ message, isMarked }: { message: ViewMessage; isMarked: boolean }) {
  const words = useTranslate('chat');
  if (getMessageModel(message) === null) return null;
  return (
    <span
      title={words('aiWritten')}
      className={`rounded-sm border border-line px-1 font-sans text-xs text-text-quiet no-underline ${isMarked ? '' : SHOWN_WITH_ACTIONS}`}
    >
      <span aria-hidden="true">{words('ai')}</span>
      <span className="sr-only">{words('aiWritten')}</span>
    </span>
  );
}

/** The model that wrote the reply, unless it is the product's own. */
function ModelName({ message }: { message: ViewMessage }) {
  const models = useStore($models);
  const model = getMessageModel(message);
  // The model of an imported reply may be unknown.
  if (model === null || model === BRAND.modelValue || model === UNKNOWN_MODEL) return null;
  return (
    <span className="wrap-anywhere">
      <UserText text={models.find(({ id }) => id === model)?.label ?? model} />
    </span>
  );
}
