import { useStore } from '@nanostores/react';
import { useEffect, useState } from 'react';
import { detectTextLanguage } from '../../locales/text-language.ts';
import { formatFailure } from '../shared/errors.ts';
import { useLang, useTranslate, type TranslateFn } from '../shared/i18n.tsx';
import { getSecondsLeft } from '../shared/retry-wait.ts';
import { useChat, useChatField } from './chat-context.ts';
import { replaceMacros } from '../../features/conversation/macro-names.ts';
import { $announcement, $isReadingReplies } from './state/messages-state.ts';
import { sanitizeNoticeName } from './safety/AiNotice.tsx';
import {
  createReplyAnnouncer,
  getCurrentReply,
  watchReply,
  type AnnouncedReply,
} from './messages/reply-announcer.ts';

interface Line {
  id: number;
  text: string;
}

/**
 * Announces to screen readers: the reply, sentence by sentence while it is written, and how it ended; the results of the
 * user's own actions; crisis help; and the AI notice.
 */
export function Announcer({ name }: { name: string }) {
  return (
    <>
      <ReplyAnnouncement name={name} />
      <ActionAnnouncement />
      <CrisisHelpAnnouncement />
      <AiNoticeAnnouncement name={name} />
    </>
  );
}

function ReplyAnnouncement({ name }: { name: string }) {
  const chat = useChat();
  const words = useTranslate('chat');
  const errors = useTranslate('errors');
  const lang = useLang();
  const [lines, setLines] = useState<readonly Line[]>([]);
  useEffect(() => {
    const announceReply = createReplyAnnouncer(lang);
    let lastId = 0;
    return watchReply(chat, () => {
      const reply = getCurrentReply(chat.$chat.get());
      if (!reply) return;
      const { conversation, busyUntil } = chat.$chat.get();
      const user = conversation?.user_name ?? words('defaultName');
      const { sentences: written, isStart: begins, isEnd: ends } = announceReply(reply);
      // A reply that is read aloud would be spoken by two voices. Only what the first one does not say is announced.
      const isSilent = $isReadingReplies.get();
      const sentences = isSilent
        ? []
        : written.map((sentence) => replaceMacros(sentence, { user, char: name, at: reply.createdAt }));
      const texts =
        begins && !isSilent
          ? [words('replySpoken', { name, text: sentences[0] ?? '' }), ...sentences.slice(1)]
          : sentences;
      if (ends && !(isSilent && reply.status === 'complete' && !reply.isCut)) {
        const retryAfter = getSecondsLeft(busyUntil, Date.now());
        texts.push(
          formatReplyEnd(reply, words, (code) =>
            formatFailure({ code, error: '', retryAfter }, errors, lang),
          ),
        );
      }
      if (texts.length === 0) return;
      const added = texts.map((text) => ({ id: ++lastId, text }));
      // A new reply replaces the lines of the last one, which were read already and are in the message list.
      setLines((before) => (begins ? added : [...before, ...added]));
    });
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- an island's words and language never change
  }, [chat, name]);
  return (
    <div role="log" aria-live="polite" className="sr-only">
      {lines.map(({ id, text }) => (
        <p key={id} lang={detectTextLanguage(text, lang)}>
          {text}
        </p>
      ))}
    </div>
  );
}

function formatReplyEnd(
  { status, errorCode, isCut }: AnnouncedReply,
  words: TranslateFn<'chat'>,
  formatError: (code: string) => string,
): string {
  if (status === 'complete') return words(isCut ? 'lengthLimit' : 'replyFinished');
  if (status === 'interrupted' && errorCode === undefined) return words('stopped');
  return `${formatError(errorCode ?? 'reply_failed')} ${words('noPointsUsed')}`;
}

/** Announces once that crisis help was added to a message that was sent just now. */
function CrisisHelpAnnouncement() {
  const helped = useChatField('helpTurnId');
  const words = useTranslate('chat');
  return (
    <p role="status" className="sr-only">
      {helped === null ? null : <span key={helped}>{words('crisisSpoken')}</span>}
    </p>
  );
}

/** Announces the AI notice once when it arrives with a turn that was sent just now. */
function AiNoticeAnnouncement({ name }: { name: string }) {
  const noticed = useChatField('noticeTurnId');
  const words = useTranslate('chat');
  return (
    <p role="status" className="sr-only">
      {noticed === null ? null : (
        <span key={noticed}>{words('aiNotice', { name: sanitizeNoticeName(name) })}</span>
      )}
    </p>
  );
}

function ActionAnnouncement() {
  const said = useStore($announcement, { ssr: 'initial' });
  const words = useTranslate('chat');
  const [times, setTimes] = useState(0);
  useEffect(() => $announcement.listen(() => setTimes((before) => before + 1)), []);
  return (
    <p role="status" className="sr-only">
      {/* A live region repeats the same text only when it is in a new element, hence the key. */}
      {said ? <span key={times}>{words(said.key, said.values)}</span> : null}
    </p>
  );
}
