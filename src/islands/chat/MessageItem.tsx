import { useStore } from '@nanostores/react';
import { memo, useId } from 'react';
import { BRAND } from '../../config.ts';
import type { ViewMessage } from '../../features/conversation/reply-view.ts';
import { failureSentence } from '../shared/errors.ts';
import { useLang, useWords } from '../shared/i18n.tsx';
import { SECONDARY, QUIET } from '../shared/styles.ts';
import { useChat } from './chat-context.ts';
import { $models, $selectedModel } from './models-state.ts';
import { stretchesOf } from './roleplay-marks.ts';

/** One message: who, when, its text, and what can be done when it went wrong. */
export const MessageItem = memo(function MessageItem({
  message,
  name,
  idle,
}: {
  message: ViewMessage;
  name: string;
  idle: boolean;
}) {
  const words = useWords('chat');
  const lang = useLang();
  const id = useId();
  const own = message.role === 'user';
  const streaming = message.status === 'streaming';
  return (
    <li aria-labelledby={id} className={own ? 'ms-auto max-w-[85%]' : ''}>
      <header
        id={id}
        className={`mb-1 flex items-baseline gap-2 text-sm text-text-quiet ${own ? 'justify-end' : ''}`}
      >
        <span className={own ? 'sr-only' : 'font-serif text-base text-text'}>
          {own ? words('you') : name}
        </span>
        {own ? null : <ReplyLabels message={message} />}
        {message.edited ? <span>{words('edited')}</span> : null}
        {message.delivery === 'stored' ? (
          <time dateTime={message.created_at}>{timeOf(message.created_at, lang)}</time>
        ) : (
          <span>{words(message.delivery === 'pending' ? 'onItsWay' : 'notSent')}</span>
        )}
      </header>
      <div
        dir="auto"
        className={
          own
            ? `rounded-lg rounded-ee-sm bg-surface-2 px-4 py-2.5 leading-relaxed break-words whitespace-pre-wrap ${message.delivery === 'stored' ? '' : 'text-text-quiet'}`
            : 'text-lg leading-relaxed break-words whitespace-pre-wrap'
        }
      >
        {streaming && message.content === '' ? (
          <TypingMark />
        ) : (
          stretchesOf(message.content, streaming).map(({ kind, text, at }) => {
            if (kind === 'action') return <em key={at}>{text}</em>;
            return kind === 'stress' ? <strong key={at}>{text}</strong> : text;
          })
        )}
      </div>
      {message.delivery === 'unsent' ? <NotSent message={message} idle={idle} /> : null}
      {message.status === 'failed' || message.status === 'interrupted' ? (
        <Unfinished message={message} idle={idle} />
      ) : null}
    </li>
  );
});

/** The place of a reply whose writing the server has not confirmed yet. */
export function TypingItem({ name }: { name: string }) {
  return (
    <li aria-label={name}>
      <header className="mb-1 font-serif text-base">{name}</header>
      <TypingMark />
    </li>
  );
}

function TypingMark() {
  const words = useWords('chat');
  return (
    <span className="flex h-7 items-center gap-1.5">
      <span className="sr-only">{words('typing')}</span>
      <span aria-hidden="true" className="size-1.5 rounded-full bg-state motion-safe:animate-pulse" />
      <span
        aria-hidden="true"
        className="size-1.5 rounded-full bg-state motion-safe:animate-pulse [animation-delay:200ms]"
      />
      <span
        aria-hidden="true"
        className="size-1.5 rounded-full bg-state motion-safe:animate-pulse [animation-delay:400ms]"
      />
    </span>
  );
}

/** Says that a machine wrote it, and which, when it is not the product's own. */
function ReplyLabels({ message }: { message: ViewMessage }) {
  const models = useStore($models);
  const words = useWords('chat');
  const model = message.versions.find((version) => version.id === message.selected_version_id)?.model ?? null;
  // A greeting that the character's creator wrote is no machine's.
  if (model === null) return null;
  const label = models.find(({ id }) => id === model)?.label ?? model;
  return (
    <>
      <abbr title={words('aiWritten')} className="rounded-sm border border-line px-1 text-xs no-underline">
        {words('ai')}
      </abbr>
      {model === BRAND.modelValue ? null : <span>{label}</span>}
    </>
  );
}

function NotSent({ message, idle }: { message: ViewMessage; idle: boolean }) {
  const chat = useChat();
  const { unsent } = useStore(chat.$chat);
  const words = useWords('chat');
  const errors = useWords('errors');
  const lang = useLang();
  const why = unsent[message.key];
  return (
    <div className="mt-2 flex flex-wrap items-center justify-end gap-2 text-sm">
      <p role="alert" className="text-harm">
        {errors('send_failed')}
        {why && why.code !== 'send_failed' ? ` ${failureSentence(why, errors, lang)}` : null}
      </p>
      <button type="button" className={QUIET} disabled={!idle} onClick={() => chat.takeBack(message.key)}>
        {words('takeBack')}
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

/** Under a reply that did not come to its end: why, what it cost, and another try. */
function Unfinished({ message, idle }: { message: ViewMessage; idle: boolean }) {
  const chat = useChat();
  const words = useWords('chat');
  const errors = useWords('errors');
  const lang = useLang();
  const code = message.error_code;
  // A reader who stopped a reply knows why it ends there.
  const stopped = message.status === 'interrupted' && code === undefined;
  return (
    <div className="mt-2 flex flex-wrap items-center gap-x-3 gap-y-2 text-sm">
      <p className={stopped ? 'text-text-quiet' : 'text-harm'}>
        {stopped
          ? words('stopped')
          : `${failureSentence({ code: code ?? 'reply_failed', error: '' }, errors, lang)} ${words('nothingCharged')}`}
      </p>
      <button
        type="button"
        className={SECONDARY}
        disabled={!idle}
        onClick={() => void chat.regenerate(message.id, $selectedModel.get())}
      >
        {words('tryAgain')}
      </button>
    </div>
  );
}

function timeOf(time: string, lang: string): string {
  const at = new Date(time);
  if (Number.isNaN(at.getTime())) return '';
  const today = at.toDateString() === new Date().toDateString();
  return new Intl.DateTimeFormat(lang, {
    hour: 'numeric',
    minute: '2-digit',
    ...(today ? {} : { month: 'short', day: 'numeric' }),
  }).format(at);
}
