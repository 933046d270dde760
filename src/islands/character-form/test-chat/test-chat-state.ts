import { atom, type ReadableAtom } from 'nanostores';
import { isNoticeDue } from '../../../features/conversation/messages/ai-notice.ts';
import type { MessageStatus, ReplyEvent } from '../../../features/conversation/contract.ts';
import type { TestChatBody } from '../../../features/conversation/turn/test-chat-contract.ts';
import { TESTED, selectTestMessages } from '../../../features/conversation/turn/test-chat-rules.ts';
import { TEXT_LIMITS } from '../../../config/text-limits.ts';
import { hasVisibleText } from '../../../lib/sanitize-text.ts';
import type { Helpline } from '../../../features/safety/helplines.ts';
import type { RefusalRule } from '../../../features/safety/moderation.ts';
import type { PointsStatus } from '../../../features/wallet/contract.ts';
import type { Failure } from '../../shared/api.ts';
import type { Clock } from '../../shared/clock.ts';
import { getBusyUntil, toRetryAfter } from '../../shared/retry-wait.ts';
import type { ReplyStream } from '../../shared/sse.ts';
import { retryAfterSignIn, type SessionAccess } from '../../sign-in/reauthenticate.ts';
import { toCharacterBody, type CharacterFields, type FieldError } from '../form-rules.ts';
import { type FormState, validateForm } from '../form-state.ts';
import type { TestChatApi } from './test-chat-api.ts';

/** The form's character, reduced to the fields that a reply uses. */
export function toTestCharacter(fields: CharacterFields): TestChatBody['character'] {
  const body: Partial<Record<string, unknown>> = toCharacterBody(fields);
  const told = Object.keys(TESTED).filter((name) => body[name] !== undefined);
  return Object.fromEntries(told.map((name) => [name, body[name]])) as TestChatBody['character'];
}

/** The parts of the form that a test chat uses. */
export type TestChatForm = Pick<FormState, 'id' | 'fields' | 'kept' | 'card' | 'importId'>;

/** Errors that prevent a reply. Limits that an existing lorebook may exceed are no errors here either. */
export const validateForTest = (form: TestChatForm): FieldError[] =>
  validateForm(form).filter(({ field }) => Object.hasOwn(TESTED, field));

export const canSendMessage = (text: string): boolean =>
  hasVisibleText(text) && text.length <= TEXT_LIMITS.message;

/** A message of a test chat. `error_code` is set when a reply ended early. */
export interface TestChatMessage {
  id: string;
  role: 'user' | 'character';
  content: string;
  /** What the model thought before the reply; it is not sent back. */
  thinking?: string;
  status: MessageStatus;
  error_code?: string;
  /** How many seconds the provider asked to wait when the reply ended. */
  retryAfter?: number;
  /** The moderation rule that ended the reply. */
  rule?: RefusalRule;
  /** Proves the refusal in an appeal. */
  appealToken?: string;
  /** Helplines, if the user's message suggests that they need help. */
  helplines?: readonly Helpline[];
  /** The AI notice is shown before this message, as at the start of the chat. */
  notice?: true;
}

export interface TestChatState {
  /** Messages after the first message, oldest first. */
  lines: readonly TestChatMessage[];
  busy: boolean;
  draft: string;
  /** Why the last message got no reply. */
  failure: Failure | null;
  /** When the provider that was too busy for the last reply can be asked again, in milliseconds since 1970. */
  busyUntil: number | null;
  /** Whether the provider refused the prompt of the last reply for its length, and a shorter one was sent. */
  wasShortened: boolean;
  /** The last known points; null before the first answer. */
  points: PointsStatus | null;
  /** The name of the user's persona for the character; null for their own name. */
  persona: string | null;
  /** True after starting over: the previous messages can be restored. */
  canGoBack: boolean;
}

/** State of a test chat. Nothing is stored. */
export interface TestChat {
  $chat: ReadableAtom<TestChatState>;
  /** Fetches the user's persona and points. */
  open(): Promise<void>;
  write(draft: string): void;
  /** Sends the draft, or the given text instead. */
  send(text?: string): Promise<void>;
  /** Requests a reply to the last message again, replacing one that ended early. */
  retryReply(): Promise<void>;
  /** Stops the current reply; the text so far stays. */
  stop(): void;
  startOver(): void;
  goBack(): void;
}

export interface TestChatDeps {
  api: TestChatApi;
  asker: SessionAccess;
  clock: Clock;
  form(): TestChatForm;
  newId(): string;
  /** Points were spent or may have been. */
  onPointsSpent(): void;
}

/** Longest time that the server needs to settle points after a stop, in milliseconds. */
const MAX_SETTLE_MS = 1000;

/** The stream broke off; the rest of the reply is unknown. */
const REPLY_INTERRUPTED = 'reply_interrupted';

export function createTestChat({ api, asker, clock, form, newId, onPointsSpent }: TestChatDeps): TestChat {
  const $chat = atom<TestChatState>({
    lines: [],
    busy: false,
    draft: '',
    failure: null,
    busyUntil: null,
    wasShortened: false,
    points: null,
    persona: null,
    canGoBack: false,
  });
  const set = (part: Partial<TestChatState>) => $chat.set({ ...$chat.get(), ...part });
  let pendingRequest = new AbortController();
  let stream: ReplyStream | null = null;
  /** Id of a turn that got no response. The server may have it; repeating the id avoids a second charge. */
  let pendingMessages: string | null = null;
  /** When the AI notice was last shown, at the start or before a message (milliseconds since the epoch). */
  let noticedAt: number | null = null;
  let before: Pick<TestChatState, 'lines' | 'failure'> = { lines: [], failure: null };

  const updateLastMessage = (part: Partial<TestChatMessage>) => {
    const { lines } = $chat.get();
    const last = lines.at(-1);
    if (last !== undefined) set({ lines: [...lines.slice(0, -1), { ...last, ...part }] });
  };

  /** Attaches helplines to the user's last message. */
  const lastHelp = (helplines: readonly Helpline[]) => {
    const { lines } = $chat.get();
    const last = lines.findLast(({ role }) => role === 'user');
    set({ lines: lines.map((line) => (line === last ? { ...line, helplines } : line)) });
  };

  async function refreshPoints(): Promise<void> {
    const points = await api.points();
    if (points.ok) set({ points: points.data });
  }

  /** Requests a reply to the last message. */
  async function answer(): Promise<void> {
    const turn_id = pendingMessages ?? newId();
    pendingMessages = null;
    const { lines } = $chat.get();
    const reply: TestChatMessage = { id: newId(), role: 'character', content: '', status: 'streaming' };
    pendingRequest = new AbortController();
    const { signal } = pendingRequest;
    const said = lines.filter(({ content }) => content.trim() !== '');
    const messages = selectTestMessages(said).map(({ role, content }) => ({ role, content }));
    const { id: characterId, fields } = form();
    const character = toTestCharacter(fields);
    set({
      lines: [...lines, reply],
      busy: true,
      failure: null,
      busyUntil: null,
      wasShortened: false,
      canGoBack: false,
    });
    const begun = await retryAfterSignIn(
      () =>
        api.sendTestMessage(
          { turn_id, character, messages, ...(characterId === null ? {} : { character_id: characterId }) },
          signal,
        ),
      asker,
    );
    if (signal.aborted) {
      if (begun.ok) begun.data.close();
      return;
    }
    if (!begun.ok) {
      if (begun.status === 0) pendingMessages = turn_id;
      set({
        lines,
        busy: false,
        failure: begun,
        ...(begun.points === undefined ? {} : { points: begun.points }),
      });
      if (begun.helplines !== undefined) lastHelp(begun.helplines);
      return;
    }
    stream = begun.data;
    const ended = await follow(stream, signal);
    stream = null;
    if (signal.aborted) return;
    set({ busy: false });
    if (ended) return onPointsSpent();
    // The text so far may be charged: the server only stops when it notices that the client is gone.
    updateLastMessage({ status: 'interrupted', error_code: REPLY_INTERRUPTED });
    schedulePointsRefresh();
  }

  /** @returns true if the reply ended regularly */
  async function follow(events: ReplyStream, signal: AbortSignal): Promise<boolean> {
    for await (const { event } of events) {
      if (signal.aborted) return false;
      if (applyEvent(event)) return true;
    }
    return false;
  }

  /** @returns true for the final event */
  function applyEvent(event: ReplyEvent): boolean {
    switch (event.event) {
      case 'accepted':
        // A second one begins the reply again.
        updateLastMessage({ content: '', thinking: '' });
        return false;
      case 'thinking':
        updateLastMessage({ thinking: ($chat.get().lines.at(-1)?.thinking ?? '') + event.text });
        return false;
      case 'safety':
        if (event.helplines !== undefined) lastHelp(event.helplines);
        if (event.kind === 'refused')
          updateLastMessage({
            rule: event.rule,
            ...(event.appeal_token === undefined ? {} : { appealToken: event.appeal_token }),
          });
        return false;
      case 'delta':
        updateLastMessage({ content: ($chat.get().lines.at(-1)?.content ?? '') + event.text });
        return false;
      case 'done':
        updateLastMessage({ status: event.reply.status });
        set({ wasShortened: event.context_shortened === true });
        if (event.points !== null) set({ points: event.points });
        return true;
      case 'error':
        set({ busyUntil: getBusyUntil(event.retry_after, clock.now()) });
        updateLastMessage({
          status: event.reply?.status ?? 'failed',
          error_code: event.code,
          ...toRetryAfter(event.retry_after),
        });
        return true;
    }
  }

  function schedulePointsRefresh(): void {
    clock.after(MAX_SETTLE_MS, () => {
      onPointsSpent();
      void refreshPoints();
    });
  }

  function stop(): void {
    if (!$chat.get().busy) return;
    pendingRequest.abort();
    stream?.close();
    stream = null;
    set({ busy: false });
    updateLastMessage({ status: 'interrupted' });
    schedulePointsRefresh();
  }

  const canReply = () => !$chat.get().busy && validateForTest(form()).length === 0;

  return {
    $chat,
    async open() {
      const [persona] = await Promise.all([api.persona(form().id), refreshPoints()]);
      if (persona.ok) set({ persona: persona.data });
    },
    write: (draft) => set({ draft }),
    async send(text) {
      const { draft, lines } = $chat.get();
      // Replace lone surrogates: the server would refuse them in this request and in every later one that contains the
      // message.
      const content = (text ?? draft).toWellFormed();
      if (!canReply() || !canSendMessage(content)) return;
      pendingMessages = null;
      const now = clock.now();
      const isDue = lines.length > 0 && isNoticeDue(noticedAt, now);
      if (isDue || lines.length === 0) noticedAt = now;
      const notice = isDue ? { notice: true as const } : {};
      set({
        lines: [...lines, { id: newId(), role: 'user', content, status: 'complete', ...notice }],
        ...(text === undefined ? { draft: '' } : {}),
      });
      await answer();
    },
    async retryReply() {
      const { lines } = $chat.get();
      if (!canReply() || lines.length === 0) return;
      if (lines.at(-1)?.role === 'character') set({ lines: lines.slice(0, -1) });
      await answer();
    },
    stop,
    startOver() {
      stop();
      const { lines, failure } = $chat.get();
      before = { lines, failure };
      pendingMessages = null;
      set({ lines: [], failure: null, wasShortened: false, canGoBack: lines.length > 0 });
    },
    goBack: () => set({ ...before, canGoBack: false }),
  };
}
