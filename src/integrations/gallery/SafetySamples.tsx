import { APPEAL_LIMITS } from '../../features/safety/limits.ts';
import type { ViewMessage } from '../../features/conversation/messages/reply-view.ts';
import { getHelplines } from '../../features/safety/helplines.ts';
import { AiNotice } from '../../islands/chat/safety/AiNotice.tsx';
import { Composer } from '../../islands/chat/composer/Composer.tsx';
import { CrisisHelp, PinnedCrisisHelp } from '../../islands/chat/safety/CrisisHelp.tsx';
import { MessageItem } from '../../islands/chat/messages/MessageItem.tsx';
import { AppealTextForm } from '../../islands/safety/Appeal.tsx';
import { NETWORK_FAILURE } from '../../islands/shared/api.ts';
import { Sample, type SampleProps } from './ChatSamples.tsx';
import { createSampleMessage, createStaticChat } from './samples.ts';

const noop = () => {};

/** A single message. */
function SafetyMessage({ message: said, name }: { message: ViewMessage; name: string }) {
  return (
    <ol>
      <MessageItem
        message={said}
        day={null}
        name={name}
        char={name}
        opening={false}
        ending={false}
        newest={said.role === 'character'}
        marked
        held={false}
        answers
        idle
      />
    </ol>
  );
}

/** The AI notice, at the start of a conversation and before a later message. */
export function Notices({ own, ...props }: SampleProps & { own: string }) {
  const { name } = props.face;
  return (
    <Sample {...props}>
      <AiNotice name={name} form="bold" />
      <AiNotice name={name} form="calm" />
      <SafetyMessage
        message={createSampleMessage('noticed', { role: 'user', content: own, notice: true })}
        name={name}
      />
    </Sample>
  );
}

/** Helplines above the composer for a known country, and at their message for an unknown one. */
export function Help(props: SampleProps) {
  return (
    <>
      <Sample {...props}>
        <PinnedCrisisHelp
          helplines={getHelplines('US', props.lang)}
          messageId={null}
          stop={() => Promise.resolve()}
          onDismiss={noop}
        />
      </Sample>
      <Sample {...props}>
        <CrisisHelp helplines={getHelplines(null, props.lang)} />
      </Sample>
    </>
  );
}

/** Refused messages returned to the composer: by a rule, with helplines, and because moderation was unavailable. */
export function RefusedTexts({ draft, ...props }: SampleProps & { draft: string }) {
  const refused = { code: 'text_refused', error: '', refusedText: draft };
  const chats = [
    ['rule', { notice: { ...refused, rule: 'minors' as const } }],
    [
      'help',
      { notice: { ...refused, rule: 'violence' as const }, helplines: getHelplines('US', props.lang) },
    ],
    [
      'unavailable',
      {
        notice: {
          code: 'moderation_unavailable',
          error: '',
          rule: 'unavailable' as const,
          refusedText: draft,
        },
      },
    ],
  ] as const;
  return chats.map(([key, state]) => (
    <Sample key={key} {...props} chat={createStaticChat(state, draft)}>
      <Composer face={props.face} modelType={null} />
    </Sample>
  ));
}

/** A reply ended by a moderation rule. */
export function RefusedReply({ reply, ...props }: SampleProps & { reply: string }) {
  const { name } = props.face;
  return (
    <Sample {...props}>
      <SafetyMessage
        message={createSampleMessage('ended', {
          content: reply,
          status: 'interrupted',
          error_code: 'reply_refused',
          safety: { kind: 'refused', rule: 'sexual' },
        })}
        name={name}
      />
    </Sample>
  );
}

/** The appeal form: empty, over the limit, sending, and failed. */
export function Appeals({ why, ...props }: SampleProps & { why: string }) {
  const tooLong = why
    .repeat(Math.ceil(APPEAL_LIMITS.maxMessageChars / why.length) + 1)
    .slice(0, APPEAL_LIMITS.maxMessageChars + 40);
  const states = [
    { key: 'empty', text: '', busy: false, failure: null },
    { key: 'too-long', text: tooLong, busy: false, failure: null },
    { key: 'sending', text: why, busy: true, failure: null },
    { key: 'failed', text: why, busy: false, failure: NETWORK_FAILURE },
  ];
  return states.map(({ key, text, busy, failure }) => (
    <Sample key={key} {...props}>
      <AppealTextForm
        message={text}
        setMessage={noop}
        failure={failure}
        busy={busy}
        send={noop}
        leave={noop}
      />
    </Sample>
  ));
}
