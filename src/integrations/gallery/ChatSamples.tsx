import type { ReactNode } from 'react';
import '../../islands/chat/chat.css';
import { TEXT_LIMITS } from '../../config/text-limits.ts';
import type { MessageVersion } from '../../features/conversation/contract.ts';
import { ChatBar } from '../../islands/chat/ChatBar.tsx';
import { ChatContext } from '../../islands/chat/chat-context.ts';
import { EMPTY_CHAT, type Chat, type ChatState } from '../../islands/chat/chat.ts';
import { ChatError } from '../../islands/chat/ChatError.tsx';
import { Composer } from '../../islands/chat/composer/Composer.tsx';
import { Drawer } from '../../islands/chat/Drawer.tsx';
import { EditMessage } from '../../islands/chat/composer/EditMessage.tsx';
import { formatMessageDay } from '../../islands/chat/messages/message-days.ts';
import { MessageActions } from '../../islands/chat/messages/MessageActions.tsx';
import { ITEM } from '../../islands/chat/Menu.tsx';
import { MessageItem, TypingItem } from '../../islands/chat/messages/MessageItem.tsx';
import { MessageText } from '../../islands/chat/messages/MessageText.tsx';
import { MessageList } from '../../islands/chat/scroll/MessageList.tsx';
import { ModelDialog } from '../../islands/chat/dialogs/ModelDialog.tsx';
import { $models, $modelsFailed, type ModelItem } from '../../islands/chat/state/models-state.ts';
import { PersonaDialog } from '../../islands/chat/dialogs/PersonaDialog.tsx';
import { VersionSwitcher } from '../../islands/chat/messages/VersionSwitcher.tsx';
import { $conversationList } from '../../islands/shared/conversation-list-state.ts';
import { DialogHead, PANEL } from '../../islands/shared/ui/DialogHead.tsx';
import { TranslationProvider, type Dictionary } from '../../islands/shared/i18n.tsx';
import { Icon } from '../../islands/shared/ui/Icon.tsx';
import { ICON } from '../../islands/shared/styles.ts';
import { CodeStep } from '../../islands/sign-in/CodeStep.tsx';
import { $signIn, CLOSED_SIGN_IN, type SignInState } from '../../islands/sign-in/sign-in-state.ts';
import type { IconName } from '../../components/icon-paths.ts';
import {
  createChats,
  createConversation,
  createSampleMessage,
  SAMPLE_MODELS,
  createStaticChat,
  SAMPLE_TIME,
  type SampleCharacter,
} from './samples.ts';

/** Props of every sample: the page's language, its translations and the character. */
export interface SampleProps {
  lang: string;
  words: Dictionary<'chat' | 'errors' | 'signin'>;
  face: SampleCharacter;
}

const noop = () => {};

/**
 * Renders the chat's views on the server without hydration. Global stores are set immediately before a view renders;
 * React renders the samples one after the other.
 */
export function Sample({
  lang,
  words,
  chat = createStaticChat(),
  given,
  children,
}: Omit<SampleProps, 'face'> & { chat?: Chat; given?: () => void; children: ReactNode }) {
  return (
    <TranslationProvider lang={lang} dictionary={words}>
      <ChatContext value={chat}>
        <SampleState set={given ?? noop}>{children}</SampleState>
      </ChatContext>
    </TranslationProvider>
  );
}

function SampleState({ set, children }: { set: () => void; children: ReactNode }) {
  set();
  return children;
}

/** Messages in every state, in a possible order. */
export function Messages({
  greeting,
  own,
  reply,
  ...props
}: SampleProps & { greeting: string; own: string; reply: string }) {
  const unsent = { unsent: { code: 'network', error: '' } };
  const messages = [
    createSampleMessage('greeting', { content: greeting }),
    createSampleMessage('sent', { role: 'user', content: own, edited: true }),
    createSampleMessage('reply', { content: reply, edited: true }),
    createSampleMessage('stopped', {
      content: reply.slice(0, reply.lastIndexOf('*') + 1),
      status: 'interrupted',
    }),
    createSampleMessage('failed', { content: '', status: 'failed', error_code: 'model_timed_out' }),
    createSampleMessage('writing', { content: reply.slice(0, reply.length / 3), status: 'streaming' }),
    createSampleMessage('waiting', { status: 'streaming' }),
    createSampleMessage('pending', { role: 'user', content: own, delivery: 'pending' }),
    createSampleMessage('queued', { role: 'user', content: own, delivery: 'waiting' }),
    createSampleMessage('unsent', { role: 'user', content: own, delivery: 'unsent' }),
  ];
  return (
    <Sample {...props} chat={createStaticChat({ unsent })}>
      <ol className="flex max-w-2xl flex-col gap-2">
        {messages.map((item, index) => (
          <MessageItem
            key={item.key}
            message={item}
            day={index === 0 ? formatMessageDay(SAMPLE_TIME, props.lang, Date.parse(SAMPLE_TIME)) : null}
            name={props.face.name}
            char={props.face.name}
            opening={index === 0}
            ending={item.key === 'reply'}
            newest={item.key === 'reply'}
            marked={item.key === 'reply'}
            held={item.key === 'sent' || item.key === 'reply'}
            answers
            idle
          />
        ))}
        <TypingItem name={props.face.name} />
      </ol>
    </Sample>
  );
}

/** A table wider than a phone, with each alignment. */
const SAMPLE_TABLE = [
  '| Guest | Room | Supper | Price |',
  '| :--- | :---: | --- | ---: |',
  '| Orla of the **northern** lighthouses | 3 | *Barley soup*, bread and ~~plum~~ pear cake | 12 |',
  '| Tam | 14 | | 7 |',
].join('\n');

/** A reply with each kind of markup, and a table whose delimiter row has not arrived. */
export function Markup(props: SampleProps) {
  const texts = [
    '*The ~~rain~~ snow falls.\n\nNobody has swept the steps.*\n\n**Who\n\ncomes?** `so_late`',
    `# Guests\n\n${SAMPLE_TABLE}\n\n> Quoted\n\n1. One\n2. Two\n\n---\n\n\`\`\`\nlet lamp = 1;\n\`\`\``,
  ];
  const growing = SAMPLE_TABLE.slice(0, SAMPLE_TABLE.indexOf(':---:'));
  return (
    <Sample {...props}>
      <div className="flex max-w-2xl flex-col gap-6">
        {texts.map((text) => (
          <div key={text} className="story">
            <MessageText text={text} growing={false} initial="" />
          </div>
        ))}
        <div className="story">
          <MessageText text={growing} growing initial="" />
        </div>
      </div>
    </Sample>
  );
}

/** A message's actions, as after a long press. */
export function Actions({ idle = true, ...props }: SampleProps & { idle?: boolean }) {
  const item = createSampleMessage('with-actions', { content: props.face.name });
  return (
    <Sample {...props}>
      <div className="group/message text-sm text-text-quiet" data-held="">
        <MessageActions message={item} newest hasReplyBar={false} canReply idle={idle} />
      </div>
    </Sample>
  );
}

/** The version switcher of three versions, at the first, middle and last one. */
export function VersionPositions(props: SampleProps) {
  const [version] = createSampleMessage('versions', {}).versions;
  const versions = ['first', 'middle', 'last'].map((id) => ({ ...version, id }) as MessageVersion);
  return (
    <Sample {...props}>
      <div className="flex flex-wrap gap-6 px-2 text-sm text-text-quiet">
        {versions.map(({ id }) => (
          <VersionSwitcher
            key={id}
            message={createSampleMessage(id, { versions, selected_version_id: id })}
            reachable
            move={noop}
          />
        ))}
      </div>
    </Sample>
  );
}

/** A message being edited: a reply, and a text over the limit. */
export function Edits({ text, ...props }: SampleProps & { text: string }) {
  const tooLong = text.repeat(Math.ceil(TEXT_LIMITS.message / text.length) + 1);
  return [
    createSampleMessage('edit', { content: text }),
    createSampleMessage('edit-too-long', {
      role: 'user',
      content: tooLong.slice(0, TEXT_LIMITS.message + 40),
    }),
  ].map((item) => (
    <Sample key={item.key} {...props}>
      <EditMessage message={item} />
    </Sample>
  ));
}

/** The bar above a chat. */
export function Bar(props: SampleProps) {
  const chat = createStaticChat();
  return (
    <Sample {...props} chat={chat}>
      <ChatBar face={props.face} />
    </Sample>
  );
}

/** The message list with the elements above and below it. `label` distinguishes the samples. */
export function ChatFrame({
  phase,
  label,
  suggested,
  ...props
}: SampleProps & { phase: 'starting' | 'ready'; label: string; suggested: readonly string[] }) {
  const ready: Partial<ChatState> = {
    conversation: createConversation(props.face, suggested),
    earlierCursor: 'earlier',
    earlier: 'failed',
    connected: false,
  };
  const words = { ...props.words, chat: { ...props.words.chat, messages: label } };
  return (
    <Sample {...props} words={words} chat={createStaticChat({ phase, ...(phase === 'ready' ? ready : {}) })}>
      <MessageList face={props.face} modelType={null} greeting={null} />
    </Sample>
  );
}

/** The composer: empty, filled, over the limit, while a reply is written, while it is stopped, and after a refusal. */
export function Composers({ draft, ...props }: SampleProps & { draft: string }) {
  const points = {
    current_points: 87,
    permanent_points: 0,
    daily_messages_used: 3,
    daily_message_limit: 50,
    refills_at: SAMPLE_TIME,
    daily_resets_at: SAMPLE_TIME,
    message_cost: 1,
    character_cost: 5,
    refill_to: 50,
    refill_hours: 8,
    unlimited: false,
    time_zone: null,
  };
  const tooLong = draft.repeat(Math.ceil(TEXT_LIMITS.message / draft.length) + 1);
  const states: readonly (readonly [string, Chat])[] = [
    ['empty', createStaticChat()],
    ['written', createStaticChat({ points }, draft)],
    ['too-long', createStaticChat({ points }, tooLong.slice(0, TEXT_LIMITS.message + 40))],
    ['replying', createStaticChat({ activity: 'replying' })],
    ['stopping', createStaticChat({ activity: 'stopping' })],
    ['refused', createStaticChat({ notice: { code: 'send_failed', error: '' } }, draft)],
  ];
  return states.map(([name, chat]) => (
    <Sample key={name} {...props} chat={chat}>
      <Composer face={props.face} modelType={null} />
    </Sample>
  ));
}

/** Error states of a chat. */
export function Troubles(props: SampleProps) {
  return (['failed', 'not-found', 'deleted', 'signed-out'] as const).map((phase) => (
    <Sample key={phase} {...props} chat={createStaticChat({ phase })}>
      <ChatError characterId={props.face.id} />
    </Sample>
  ));
}

/** A row of a chat's menu. */
export function MenuRow({ icon, label, menu }: { icon: IconName; label: string; menu: string }) {
  return (
    <div
      role="menu"
      aria-label={menu}
      className="w-max max-w-full min-w-56 rounded-md border border-line bg-surface py-1 shadow-2xl"
    >
      <button type="button" role="menuitem" className={ITEM}>
        <span className="text-text-quiet">
          <Icon name={icon} />
        </span>
        <span className="min-w-0 break-words">{label}</span>
      </button>
    </div>
  );
}

type Chats = ReturnType<typeof $conversationList.get>;

/** The drawer with a history whose first chat is open; or loading, failed or empty. */
export function Chats({
  status,
  count = 0,
  ...props
}: SampleProps & Pick<Chats, 'status'> & { count?: number }) {
  return (
    <Sample {...props} given={() => $conversationList.set({ status, chats: createChats(props.face, count) })}>
      <Drawer open onClose={noop} currentId={count > 1 ? 'sample' : null} />
      <SampleState set={() => $conversationList.set({ status: 'idle', chats: [] })}>{null}</SampleState>
    </Sample>
  );
}

/** The model dialog with some models, while loading, or after a failure. */
export function Models({
  ids,
  failed = false,
  ...props
}: SampleProps & { ids: readonly string[]; failed?: boolean }) {
  const given = (models: readonly ModelItem[], was: boolean) => () => {
    $models.set(models);
    $modelsFailed.set(was);
  };
  const models = SAMPLE_MODELS.filter(({ id }) => ids.includes(id));
  return (
    <Sample {...props} given={given(models, failed)}>
      <ModelDialog open onClose={noop} />
      <SampleState set={given([], false)}>{null}</SampleState>
    </Sample>
  );
}

/** The persona dialog of a chat in which the user has written. */
export function Persona(props: SampleProps) {
  const sent = createSampleMessage('sent', { role: 'user', content: '' });
  return (
    <Sample {...props} chat={createStaticChat({ view: { ...EMPTY_CHAT.view, messages: [sent] } })}>
      <PersonaDialog open onClose={noop} />
    </Sample>
  );
}

/** The code input with its dialog. */
export function Code({ busy, ...props }: SampleProps & { busy: boolean }) {
  const state: SignInState = {
    ...CLOSED_SIGN_IN,
    step: 'code',
    busy,
    canResend: busy,
    sent: { email: 'you@example.com', resendAt: Date.parse(SAMPLE_TIME) },
  };
  const titleId = busy ? 'code-busy' : 'code-rest';
  return (
    <Sample {...props} given={() => $signIn.set(state)}>
      <dialog aria-labelledby={titleId} className={`text-text ${PANEL}`}>
        <DialogHead
          titleId={titleId}
          title={props.words.signin.codeTitle}
          after={
            <button type="button" className={`${ICON} -me-3 -mt-2`} aria-label={props.words.signin.close}>
              <Icon name="close" />
            </button>
          }
        />
        <CodeStep />
      </dialog>
      <SampleState set={() => $signIn.set(CLOSED_SIGN_IN)}>{null}</SampleState>
    </Sample>
  );
}
