import { useStore } from '@nanostores/react';
import { type ReactNode, useEffect, useLayoutEffect, useRef } from 'react';
import { flushSync } from 'react-dom';
import { spokenNickname } from '../../../features/character/character-rules.ts';
import { plainText } from '../../../features/markup/parse-markup.ts';
import { fillNames } from '../../../features/conversation/conversation-names.ts';
import { TEST_CHAT_MESSAGES } from '../../../features/conversation/turn/test-chat-rules.ts';
import { sanitizeText, hasVisibleText } from '../../../lib/visible-text.ts';
import { joinSentences } from '../../../locales/sentence-marks.ts';
import { languageOfText } from '../../../locales/text-language.ts';
import { AiNotice } from '../../chat/AiNotice.tsx';
import { CrisisHelp } from '../../chat/messages/CrisisHelp.tsx';
import { noticedName } from '../../chat/messages/noticed-name.ts';
import { RULE_ENDED } from '../../chat/messages/reply-announcer.ts';
import { StoryText } from '../../chat/messages/MessageText.tsx';
import { SuggestedReplies } from '../../chat/composer/SuggestedReplies.tsx';
import { Waiting } from '../../chat/Loading.tsx';
import { WayToMore } from '../../chat/composer/UpgradePrompt.tsx';
import { useOnline } from '../../shared/online.ts';
import { Appeal, type Refused } from '../../safety/Appeal.tsx';
import { failureSentence } from '../../shared/errors.ts';
import { FreeText } from '../../shared/ui/UserText.tsx';
import { useLang, useWords } from '../../shared/i18n.tsx';
import { $session } from '../../shared/session-state.ts';
import { LINK, QUIET, SECONDARY } from '../../shared/styles.ts';
import { fieldId, goToField } from '../fields/field-places.ts';
import { bodyOf } from '../form-rules.ts';
import { troubleSentence } from '../sentences.ts';
import { TestBox } from './TestChatComposer.tsx';
import {
  testedCharacter,
  type TestChat,
  type TestChatState,
  type TestLine,
  testTroubles,
} from './test-chat-state.ts';
import { useForm } from '../use-field-errors.ts';

/** Closer to the end than this one reads what is written, in pixels. */
const NEAR_END_PX = 80;

/** What people are called in a test chat now. */
interface Names {
  user: string;
  /** A word in its place while the character has none. */
  char: string;
  nameless: boolean;
}

function useNames(chat: TestChat): Names {
  const words = useWords('chat');
  const create = useWords('create');
  const { fields } = useForm();
  const { persona } = useStore(chat.$chat);
  const user = useStore($session).auth?.user;
  const { name, nickname } = testedCharacter(fields);
  const char = spokenNickname(nickname) ?? sanitizeText(name);
  const nameless = !hasVisibleText(char);
  return {
    user: persona ?? user?.nickname ?? words('nameless'),
    char: nameless ? create('nameEmpty') : char,
    nameless,
  };
}

/**
 * What is said in a test chat, and the box in which one goes on.
 * @param leave goes back to the form, where the test chat lies over it
 */
export function TestTalk({
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
  const words = useWords('create');
  const names = useNames(chat);
  const { lines } = useStore(chat.$chat);
  useEffect(() => void chat.open(), [chat]);
  return (
    <>
      <header className="flex items-center gap-2">
        <h2 id={titleId} className="me-auto min-w-0 font-serif wrap-anywhere">
          {names.nameless ? words('tryTitle') : words('tryWith', { name: names.char })}
        </h2>
        {lines.length === 0 ? null : (
          <button type="button" className={QUIET} onClick={chat.startOver}>
            {words('tryOver')}
          </button>
        )}
        {close}
      </header>
      <Said chat={chat} names={names} titleId={titleId} />
      <Missing {...(leave === undefined ? {} : { leave })} />
      <Offline />
      <TestBox chat={chat} name={names.nameless ? null : names.char} />
      <Announced chat={chat} names={names} />
      <SafetySaid chat={chat} name={names.char} />
    </>
  );
}

/** The messages. While they grow, the end stays in sight of whoever reads there. */
function Said({ chat, names, titleId }: { chat: TestChat; names: Names; titleId: string }) {
  const words = useWords('create');
  const errors = useWords('errors');
  const lang = useLang();
  const { fields } = useForm();
  const { lines, points, canGoBack } = useStore(chat.$chat);
  const place = useRef<HTMLDivElement>(null);
  const atEnd = useRef(true);
  useLayoutEffect(() => {
    const element = place.current;
    if (element !== null && atEnd.current) element.scrollTop = element.scrollHeight;
  }, [lines]);
  const opening = fillNames(fields.first_message, names);
  return (
    <div
      ref={place}
      role="region"
      aria-labelledby={titleId}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, which keys must be able to do
      tabIndex={0}
      className="test-chat-said"
      onScroll={({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) => {
        atEnd.current = scrollHeight - scrollTop - clientHeight < NEAR_END_PX;
      }}
    >
      <p className="form-note">
        {joinSentences(
          [
            ...(points === null || points.message_cost === 0
              ? []
              : [words('tryCost', { cost: errors('points_count', { count: points.message_cost }) })]),
            words('tryNote'),
            words('tryNow'),
          ],
          lang,
        )}
      </p>
      {canGoBack ? (
        <p role="status" className="form-note">
          {words('tryStarted')}{' '}
          <button type="button" className={`${LINK} row-link`} onClick={chat.goBack}>
            {words('undo')}
          </button>
        </p>
      ) : null}
      <AiNotice name={names.char} />
      <ol className="test-chat-lines" aria-label={words('tryMessages')}>
        {hasVisibleText(opening) ? (
          <Line line={{ role: 'character', content: opening, status: 'complete' }} name={names.char} />
        ) : null}
        {lines.map((line) => (
          <Line key={line.id} line={{ ...line, content: fillNames(line.content, names) }} name={names.char} />
        ))}
      </ol>
      {!hasVisibleText(opening) && lines.length === 0 ? (
        <p className="form-note">{words('tryBegin')}</p>
      ) : null}
      {lines.length > TEST_CHAT_MESSAGES ? (
        <p className="form-note">{words('tryLimit', { limit: TEST_CHAT_MESSAGES })}</p>
      ) : null}
      <HowItEnded chat={chat} />
      <Beginnings chat={chat} names={names} />
    </div>
  );
}

function Line({
  line: { role, content, status, helplines, notice },
  name,
}: {
  line: Pick<TestLine, 'role' | 'content' | 'status' | 'helplines' | 'notice'>;
  name: string;
}) {
  const chat = useWords('chat');
  const lang = useLang();
  const own = role === 'user';
  const streaming = status === 'streaming';
  return (
    <li className={own ? 'test-chat-own' : undefined}>
      {notice === true ? <AiNotice name={name} /> : null}
      <p className={own ? 'sr-only' : 'mb-1 flex items-baseline gap-2 font-serif wrap-anywhere'}>
        <FreeText text={own ? chat('you') : name} />
        {own ? null : (
          <abbr
            title={chat('aiWritten')}
            className="rounded-sm border border-line px-1 font-sans text-xs text-text-quiet no-underline"
          >
            {chat('ai')}
          </abbr>
        )}
      </p>
      <div lang={languageOfText(content, lang)} className="story leading-relaxed">
        {streaming && content === '' ? (
          <Waiting />
        ) : (
          <StoryText text={content} growing={streaming} initial="" />
        )}
      </div>
      {helplines === undefined ? null : <CrisisHelp helplines={helplines} />}
    </li>
  );
}

/** Why there is no reply, or why it ends where it does; and another try. */
function HowItEnded({ chat }: { chat: TestChat }) {
  const words = useWords('chat');
  const errors = useWords('errors');
  const lang = useLang();
  const { lines, failure, busy } = useStore(chat.$chat);
  const last = lines.at(-1);
  if (busy || last === undefined) return null;
  const { status, rule } = last;
  const code = rule === undefined ? last.error_code : RULE_ENDED;
  const stopped = status === 'interrupted' && code === undefined;
  const broken = status === 'failed' || status === 'interrupted';
  if (failure === null && !broken) return null;
  const said =
    failure === null
      ? failureSentence({ code: code ?? 'reply_failed', error: '' }, errors, lang)
      : failureSentence(failure, errors, lang);
  const refused = refusedIn(last, failure);
  // Of a reply that was lost on its way nobody here knows what it cost.
  const free = failure === null && code !== undefined && code !== 'reply_interrupted';
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2 text-sm">
      {stopped && failure === null ? (
        <p className="text-text-quiet">{words('stopped')}</p>
      ) : (
        <p role="alert" className="text-harm">
          {joinSentences(
            [
              said,
              ...(failure === null && rule !== undefined ? [words(`refused_${rule}`)] : []),
              ...(free ? [words('nothingCharged')] : []),
            ],
            lang,
          )}{' '}
          <WayToMore code={failure?.code ?? ''} />
        </p>
      )}
      <button type="button" className={SECONDARY} onClick={() => void chat.again()}>
        {words('tryAgain')}
      </button>
      {refused === null ? null : <Appeal key={refused.text} refused={refused} />}
    </div>
  );
}

/** What was refused: the message, a text of the character itself, or the reply; null where none was, or nothing of it is there. */
function refusedIn(last: TestLine, failure: TestChatState['failure']): Refused | null {
  if (failure !== null) {
    if (failure.refused === undefined) return null;
    const place = failure.fields !== undefined && 'messages' in failure.fields ? 'message' : 'character';
    return { place, ...failure.refused };
  }
  const { rule, content: text, appealToken: token } = last;
  if (rule === undefined || rule === 'unavailable' || text === '') return null;
  return { place: 'reply', rule, text, ...(token === undefined ? {} : { token }) };
}

/** What one might say first, as it stands in the form. */
function Beginnings({ chat, names }: { chat: TestChat; names: Names }) {
  const form = useForm();
  const { lines } = useStore(chat.$chat);
  const replies = [...new Set(bodyOf(form.fields).suggested_replies)].map((reply) => fillNames(reply, names));
  if (lines.length > 0) return null;
  return (
    <SuggestedReplies
      replies={replies}
      rests={testTroubles(form).length > 0}
      send={(reply) => void chat.send(reply)}
    />
  );
}

/** What the form still lacks before anybody can answer, each leading to where it is. */
function Missing({ leave }: { leave?: () => void }) {
  const words = useWords('create');
  const troubles = testTroubles(useForm());
  return (
    <div role="status" className="test-chat-missing">
      {troubles.length === 0 ? null : (
        <>
          <p>{words('tryMissing')}</p>
          <ul>
            {troubles.map((trouble) => (
              <li key={fieldId(trouble.field, trouble.index)}>
                <button
                  type="button"
                  className={`${LINK} row-link`}
                  onClick={() => {
                    // What lies over the form is gone before the focus goes there.
                    if (leave !== undefined) flushSync(leave);
                    goToField(trouble.field, trouble.index);
                  }}
                >
                  {troubleSentence(trouble, words)}
                </button>
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}

function Offline() {
  const words = useWords('create');
  return (
    <p role="status" className="text-sm text-state empty:hidden">
      {useOnline() ? null : words('tryOffline')}
    </p>
  );
}

/** Says to those who listen, once each, that help stands with what they sent, and that the notice of an AI came with it. */
function SafetySaid({ chat, name }: { chat: TestChat; name: string }) {
  const words = useWords('chat');
  const { lines } = useStore(chat.$chat);
  const helped = lines.findLast(({ helplines }) => helplines !== undefined);
  const noticed = lines.findLast(({ notice }) => notice === true);
  return (
    <p role="status" className="sr-only">
      {helped === undefined ? null : <span key={helped.id}>{words('crisisSaid')}</span>}
      {noticed === undefined ? null : (
        <span key={`${noticed.id}-notice`}>{words('aiNotice', { name: noticedName(name) })}</span>
      )}
    </p>
  );
}

/** Says a reply to those who listen, once it is finished. */
function Announced({ chat, names }: { chat: TestChat; names: Names }) {
  const words = useWords('chat');
  const { lines, busy } = useStore(chat.$chat);
  const last = lines.at(-1);
  const said =
    !busy && last?.role === 'character' && last.content !== ''
      ? words('replySaid', { name: names.char, text: plainText(fillNames(last.content, names)) })
      : '';
  return (
    <p aria-live="polite" className="sr-only">
      {said}
    </p>
  );
}
