import { useStore } from '@nanostores/react';
import { useEffect, useState } from 'react';
import { languageOfText } from '../../locales/text-language.ts';
import { failureSentence } from '../shared/errors.ts';
import { useLang, useWords, type Words } from '../shared/i18n.tsx';
import { useChat } from './chat-context.ts';
import { $said } from './state/messages-state.ts';
import { noticedName } from './messages/noticed-name.ts';
import { createReplySpeech, heardReply, type HeardReply } from './messages/reply-announcer.ts';

/** In milliseconds: a listener hears no faster, and each look at a long reply takes a moment. */
const HEAR_EACH_MS = 600;

interface Line {
  id: number;
  text: string;
}

/**
 * Says a reply to those who listen: by sentences, while it is written, and how it ended. What the person did themself is
 * said beside it.
 */
export function Announcer({ name }: { name: string }) {
  return (
    <>
      <ReplySaid name={name} />
      <DeedSaid />
      <HelpSaid />
      <NoticeSaid name={name} />
    </>
  );
}

function ReplySaid({ name }: { name: string }) {
  const chat = useChat();
  const words = useWords('chat');
  const errors = useWords('errors');
  const lang = useLang();
  const [lines, setLines] = useState<readonly Line[]>([]);
  useEffect(() => {
    const speech = createReplySpeech(lang);
    let timer: ReturnType<typeof setTimeout> | undefined;
    let heard: string | null = null;
    let lastId = 0;
    const say = () => {
      clearTimeout(timer);
      timer = undefined;
      const reply = heardReply(chat.$chat.get());
      if (!reply) return;
      const { sentences, begins, ends } = speech(reply);
      const texts = begins
        ? [words('replySaid', { name, text: sentences[0] ?? '' }), ...sentences.slice(1)]
        : sentences;
      if (ends) texts.push(endOf(reply, words, (code) => failureSentence({ code, error: '' }, errors, lang)));
      if (texts.length === 0) return;
      const added = texts.map((text) => ({ id: ++lastId, text }));
      // What was said of the reply before is read by now, and stands among the messages.
      setLines((before) => (begins ? added : [...before, ...added]));
    };
    const stop = chat.$chat.listen((state) => {
      const { turn } = state.view;
      if (!turn) return;
      if (turn.id !== heard || turn.ended) {
        heard = turn.id;
        return say();
      }
      timer ??= setTimeout(say, HEAR_EACH_MS);
    });
    return () => {
      stop();
      clearTimeout(timer);
    };
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- an island's words and language never change
  }, [chat, name]);
  return (
    <div role="log" aria-live="polite" className="sr-only">
      {lines.map(({ id, text }) => (
        <p key={id} lang={languageOfText(text, lang)}>
          {text}
        </p>
      ))}
    </div>
  );
}

function endOf(
  { status, errorCode }: HeardReply,
  words: Words<'chat'>,
  sentenceOf: (code: string) => string,
): string {
  if (status === 'complete') return words('replyEnded');
  if (status === 'interrupted' && errorCode === undefined) return words('stopped');
  return `${sentenceOf(errorCode ?? 'reply_failed')} ${words('nothingCharged')}`;
}

/** Says once that help stands with a message that was sent just now. */
function HelpSaid() {
  const { helped } = useStore(useChat().$chat, { ssr: 'initial' });
  const words = useWords('chat');
  return (
    <p role="status" className="sr-only">
      {helped === null ? null : <span key={helped}>{words('crisisSaid')}</span>}
    </p>
  );
}

/** Says once that an AI answers, where the notice of it came with what was sent just now. */
function NoticeSaid({ name }: { name: string }) {
  const { noticed } = useStore(useChat().$chat, { ssr: 'initial' });
  const words = useWords('chat');
  return (
    <p role="status" className="sr-only">
      {noticed === null ? null : <span key={noticed}>{words('aiNotice', { name: noticedName(name) })}</span>}
    </p>
  );
}

function DeedSaid() {
  const said = useStore($said, { ssr: 'initial' });
  const words = useWords('chat');
  const [times, setTimes] = useState(0);
  useEffect(() => $said.listen(() => setTimes((before) => before + 1)), []);
  return (
    <p role="status" className="sr-only">
      {/* The same words again are said again only where they are a new element. */}
      {said ? <span key={times}>{words(said.key, said.values)}</span> : null}
    </p>
  );
}
