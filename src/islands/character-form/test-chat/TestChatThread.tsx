import { useStore } from '@nanostores/react';
import { type ReactNode, useEffect, useLayoutEffect, useRef } from 'react';
import { flushSync } from 'react-dom';
import { getSpokenNickname } from '../../../features/character/character-rules.ts';
import { toPlainText } from '../../../features/markup/parse-markup.ts';
import { replaceMacros } from '../../../features/conversation/macro-names.ts';
import { TEST_CHAT_MESSAGES } from '../../../features/conversation/turn/test-chat-rules.ts';
import type { AiNoticeForm } from '../../../features/conversation/messages/ai-notice-form.ts';
import { sanitizeText, hasVisibleText } from '../../../lib/sanitize-text.ts';
import { joinSentences } from '../../../locales/format.ts';
import { detectTextLanguage } from '../../../locales/text-language.ts';
import { AiNotice } from '../../chat/safety/AiNotice.tsx';
import { CrisisHelp } from '../../chat/safety/CrisisHelp.tsx';
import { sanitizeNoticeName } from '../../chat/safety/AiNotice.tsx';
import { RULE_ENDED } from '../../chat/messages/reply-announcer.ts';
import { MessageText } from '../../chat/messages/MessageText.tsx';
import { ThinkingDetails } from '../../chat/messages/ThinkingDetails.tsx';
import { SuggestedReplies } from '../../chat/composer/SuggestedReplies.tsx';
import { Loading } from '../../chat/Loading.tsx';
import { UpgradePrompt } from '../../chat/composer/UpgradePrompt.tsx';
import { useOnline } from '../../shared/online.ts';
import { AppealPrompt, type RefusedContent } from '../../safety/Appeal.tsx';
import { formatFailure } from '../../shared/errors.ts';
import { toRetryAfter } from '../../shared/retry-wait.ts';
import { UserText } from '../../shared/ui/UserText.tsx';
import { useSecondsLeft } from '../../shared/ui/use-seconds-left.ts';
import { useLang, useTranslate } from '../../shared/i18n.tsx';
import { $session } from '../../shared/session-state.ts';
import { LINK, QUIET, SECONDARY } from '../../shared/styles.ts';
import { getFieldId, focusField } from '../fields/field-focus.ts';
import { toCharacterBody } from '../form-rules.ts';
import { formatFieldError } from '../form-messages.ts';
import { TestChatComposer } from './TestChatComposer.tsx';
import {
  toTestCharacter,
  type TestChat,
  type TestChatState,
  type TestChatMessage,
  validateForTest,
} from './test-chat-state.ts';
import { useCharacterForm } from '../use-field-errors.ts';

/** Distance from the end, in pixels, within which the view follows a growing reply. */
const NEAR_END_PX = 80;

/** Names for the macros in a test chat. */
interface Names {
  user: string;
  /** A placeholder while the character has no name. */
  char: string;
  nameless: boolean;
}

function useNames(chat: TestChat): Names {
  const words = useTranslate('chat');
  const create = useTranslate('create');
  const { fields } = useCharacterForm();
  const { persona } = useStore(chat.$chat);
  const user = useStore($session).auth?.user;
  const { name, nickname } = toTestCharacter(fields);
  const char = getSpokenNickname(nickname) ?? sanitizeText(name);
  const nameless = !hasVisibleText(char);
  return {
    user: persona ?? user?.nickname ?? words('defaultName'),
    char: nameless ? create('namePreview') : char,
    nameless,
  };
}

/**
 * The messages of a test chat and its message box.
 * @param leave returns to the form when the test chat covers it
 */
export function TestChatThread({
  chat,
  titleId,
  close = null,
  leave,
}: {
  chat: TestChat;
  titleId: string;
  close?: ReactNode;
  leave?: () => void;
}) {
  const words = useTranslate('create');
  const names = useNames(chat);
  const { lines } = useStore(chat.$chat);
  useEffect(() => void chat.open(), [chat]);
  return (
    <>
      <header className="flex items-center gap-2">
        <h2 id={titleId} className="me-auto min-w-0 font-serif wrap-anywhere">
          {names.nameless ? words('testChatTitle') : words('testChatTitleNamed', { name: names.char })}
        </h2>
        {lines.length === 0 ? null : (
          <button type="button" className={QUIET} onClick={chat.startOver}>
            {words('testChatStartOver')}
          </button>
        )}
        {close}
      </header>
      <TestMessages chat={chat} names={names} titleId={titleId} />
      <MissingFields {...(leave === undefined ? {} : { leave })} />
      <OfflineNotice />
      <ShortenedNotice chat={chat} />
      <TestChatComposer chat={chat} name={names.nameless ? null : names.char} />
      <ReplyAnnouncer chat={chat} names={names} />
      <SafetyAnnouncer chat={chat} name={names.char} />
    </>
  );
}

/** The messages. Follows a growing reply while the user is at the end. */
function TestMessages({ chat, names, titleId }: { chat: TestChat; names: Names; titleId: string }) {
  const words = useTranslate('create');
  const errors = useTranslate('errors');
  const lang = useLang();
  const { fields } = useCharacterForm();
  const { lines, points, canGoBack } = useStore(chat.$chat);
  const place = useRef<HTMLDivElement>(null);
  const atEnd = useRef(true);
  useLayoutEffect(() => {
    const element = place.current;
    if (element !== null && atEnd.current) element.scrollTop = element.scrollHeight;
  }, [lines]);
  const opening = replaceMacros(fields.first_message, names);
  return (
    <div
      ref={place}
      role="region"
      aria-labelledby={titleId}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- makes the region scrollable by keyboard
      tabIndex={0}
      className="test-chat-message"
      onScroll={({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) => {
        atEnd.current = scrollHeight - scrollTop - clientHeight < NEAR_END_PX;
      }}
    >
      <p className="form-note">
        {joinSentences(
          [
            ...(points === null || points.message_cost === 0
              ? []
              : [words('testChatCost', { cost: errors('points_count', { count: points.message_cost }) })]),
            words('testChatNote'),
            words('testChatChangesNote'),
          ],
          lang,
        )}
      </p>
      {canGoBack ? (
        <p role="status" className="form-note">
          {words('testChatStartedOver')}{' '}
          <button type="button" className={`${LINK} row-link`} onClick={chat.goBack}>
            {words('undo')}
          </button>
        </p>
      ) : null}
      <AiNotice name={names.char} form={useAiNoticeForm()} />
      <ol className="test-chat-lines" aria-label={words('testChatMessagesLabel')}>
        {hasVisibleText(opening) ? (
          <TestMessage line={{ role: 'character', content: opening, status: 'complete' }} name={names.char} />
        ) : null}
        {lines.map((line) => (
          <TestMessage
            key={line.id}
            line={{ ...line, content: replaceMacros(line.content, names) }}
            name={names.char}
          />
        ))}
      </ol>
      {!hasVisibleText(opening) && lines.length === 0 ? (
        <p className="form-note">{words('testChatNoFirstMessage')}</p>
      ) : null}
      {lines.length > TEST_CHAT_MESSAGES ? (
        <p className="form-note">{words('testChatMessageLimit', { limit: TEST_CHAT_MESSAGES })}</p>
      ) : null}
      <ReplyError chat={chat} />
      <SuggestedReplyList chat={chat} names={names} />
    </div>
  );
}

/** How the AI notice looks for the user; bold until the server has said it. */
const useAiNoticeForm = (): AiNoticeForm => useStore($session).auth?.ai_notice ?? 'bold';

function TestMessage({
  line: { role, content, thinking = '', status, helplines, notice },
  name,
}: {
  line: Pick<TestChatMessage, 'role' | 'content' | 'thinking' | 'status' | 'helplines' | 'notice'>;
  name: string;
}) {
  const chat = useTranslate('chat');
  const lang = useLang();
  const noticeForm = useAiNoticeForm();
  const own = role === 'user';
  const streaming = status === 'streaming';
  return (
    <li className={own ? 'test-chat-own' : undefined}>
      {notice === true ? <AiNotice name={name} form={noticeForm} /> : null}
      <p className={own ? 'sr-only' : 'mb-1 flex items-baseline gap-2 font-serif wrap-anywhere'}>
        <UserText text={own ? chat('you') : name} />
        {own ? null : (
          <abbr
            title={chat('aiWritten')}
            className="rounded-sm border border-line px-1 font-sans text-xs text-text-quiet no-underline"
          >
            {chat('ai')}
          </abbr>
        )}
      </p>
      {thinking === '' ? null : <ThinkingDetails text={thinking} isThinking={streaming && content === ''} />}
      <div lang={detectTextLanguage(content, lang)} className="story leading-relaxed">
        {streaming && content === '' ? (
          <Loading />
        ) : (
          <MessageText text={content} growing={streaming} initial="" />
        )}
      </div>
      {helplines === undefined ? null : <CrisisHelp helplines={helplines} />}
    </li>
  );
}

/** Why there is no reply or why it ended early, with a retry button. */
function ReplyError({ chat }: { chat: TestChat }) {
  const words = useTranslate('chat');
  const errors = useTranslate('errors');
  const lang = useLang();
  const { lines, failure, busy, busyUntil } = useStore(chat.$chat);
  const isWaiting = useSecondsLeft(busyUntil) > 0;
  const last = lines.at(-1);
  if (busy || last === undefined) return null;
  const { status, rule } = last;
  const code = rule === undefined ? last.error_code : RULE_ENDED;
  const stopped = status === 'interrupted' && code === undefined;
  const broken = status === 'failed' || status === 'interrupted';
  if (failure === null && !broken) return null;
  const said =
    failure === null
      ? formatFailure(
          { ...toRetryAfter(last.retryAfter), code: code ?? 'reply_failed', error: '' },
          errors,
          lang,
        )
      : formatFailure(failure, errors, lang);
  const refused = findRefused(last, failure);
  // The cost of a reply interrupted in transit is unknown here.
  const free = failure === null && code !== undefined && code !== 'reply_interrupted';
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2 text-sm">
      {stopped && failure === null ? (
        <p className="text-text-quiet">{words('stopped')}</p>
      ) : (
        <p role="alert" className="text-danger">
          {joinSentences(
            [
              said,
              ...(failure === null && rule !== undefined ? [words(`refused_${rule}`)] : []),
              ...(free ? [words('noPointsUsed')] : []),
            ],
            lang,
          )}{' '}
          <UpgradePrompt code={failure?.code ?? ''} />
        </p>
      )}
      <button type="button" className={SECONDARY} disabled={isWaiting} onClick={() => void chat.retryReply()}>
        {words('tryAgain')}
      </button>
      {refused === null ? null : <AppealPrompt key={refused.text} refused={refused} />}
    </div>
  );
}

/**
 * The refused content: the user's message, a text of the character, or the reply; null if none, or if it has no text.
 */
function findRefused(last: TestChatMessage, failure: TestChatState['failure']): RefusedContent | null {
  if (failure !== null) {
    if (failure.refused === undefined) return null;
    const place = failure.fields !== undefined && 'messages' in failure.fields ? 'message' : 'character';
    return { place, ...failure.refused };
  }
  const { rule, content: text, appealToken: token } = last;
  if (rule === undefined || rule === 'unavailable' || text === '') return null;
  return { place: 'reply', rule, text, ...(token === undefined ? {} : { token }) };
}

/** The suggested replies as edited in the form. */
function SuggestedReplyList({ chat, names }: { chat: TestChat; names: Names }) {
  const form = useCharacterForm();
  const { lines } = useStore(chat.$chat);
  const replies = [...new Set(toCharacterBody(form.fields).suggested_replies)].map((reply) =>
    replaceMacros(reply, names),
  );
  if (lines.length > 0) return null;
  return (
    <SuggestedReplies
      replies={replies}
      disabled={validateForTest(form).length > 0}
      send={(reply) => void chat.send(reply)}
    />
  );
}

/** Fields that must be completed before the character can reply, each with a link. */
function MissingFields({ leave }: { leave?: () => void }) {
  const words = useTranslate('create');
  const troubles = validateForTest(useCharacterForm());
  return (
    <div role="status" className="test-chat-missing">
      {troubles.length === 0 ? null : (
        <>
          <p>{words('testChatMissingTitle')}</p>
          <ul>
            {troubles.map((trouble) => (
              <li key={getFieldId(trouble.field, trouble.index)}>
                <button
                  type="button"
                  className={`${LINK} row-link`}
                  onClick={() => {
                    // Close the modal first, so that it does not take the focus back.
                    if (leave !== undefined) flushSync(leave);
                    focusField(trouble.field, trouble.index);
                  }}
                >
                  {formatFieldError(trouble, words)}
                </button>
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}

function OfflineNotice() {
  const words = useTranslate('create');
  return (
    <p role="status" className="text-sm text-state empty:hidden">
      {useOnline() ? null : words('testChatOffline')}
    </p>
  );
}

/** Says that the last reply was written from a shorter prompt than the first one, which the provider refused. */
function ShortenedNotice({ chat }: { chat: TestChat }) {
  const words = useTranslate('chat');
  const { wasShortened } = useStore(chat.$chat);
  return (
    <p role="status" className="text-sm text-state empty:hidden">
      {wasShortened ? words('contextShortened') : null}
    </p>
  );
}

/** Announces to screen readers, once each, that help is shown next to a message and that the AI notice appeared. */
function SafetyAnnouncer({ chat, name }: { chat: TestChat; name: string }) {
  const words = useTranslate('chat');
  const { lines } = useStore(chat.$chat);
  const announcedHelp = lines.findLast(({ helplines }) => helplines !== undefined);
  const announcedNotice = lines.findLast(({ notice }) => notice === true);
  return (
    <p role="status" className="sr-only">
      {announcedHelp === undefined ? null : <span key={announcedHelp.id}>{words('crisisSpoken')}</span>}
      {announcedNotice === undefined ? null : (
        <span key={`${announcedNotice.id}-notice`}>
          {words('aiNotice', { name: sanitizeNoticeName(name) })}
        </span>
      )}
    </p>
  );
}

/** Announces a finished reply to screen readers. */
function ReplyAnnouncer({ chat, names }: { chat: TestChat; names: Names }) {
  const words = useTranslate('chat');
  const { lines, busy } = useStore(chat.$chat);
  const last = lines.at(-1);
  const said =
    !busy && last?.role === 'character' && last.content !== ''
      ? words('replySpoken', { name: names.char, text: toPlainText(replaceMacros(last.content, names)) })
      : '';
  return (
    <p aria-live="polite" className="sr-only">
      {said}
    </p>
  );
}
