import type { ReadableAtom } from 'nanostores';
import type { Conversation, Message } from '../../features/conversation/contract.ts';
import { viewOf, type ReplyView } from '../../features/conversation/reply-view.ts';
import type { ModelChoice } from '../../features/model/contract.ts';
import type { PointsStatus } from '../../features/wallet/contract.ts';
import type { Failure } from '../shared/api.ts';
import type { ChatApi } from '../shared/chat-api.ts';
import type { Clock } from '../shared/clock.ts';
import type { Drafts } from './drafts.ts';

/** Something that went otherwise than asked: its code, the server's words if any, and what the words need. */
export type ChatNotice = Pick<Failure, 'code' | 'error' | 'points' | 'retryAfter'>;

export interface ChatState {
  phase: 'starting' | 'signed-out' | 'ready' | 'not-found' | 'failed';
  /** Why the chat could not be loaded. */
  problem: ChatNotice | null;
  conversation: Conversation | null;
  view: ReplyView;
  /** `sending`: posted, no word yet. `stopping`: asked to stop. */
  activity: 'idle' | 'sending' | 'replying' | 'stopping';
  /** False while a lost connection is being looked for again; the server goes on writing meanwhile. */
  connected: boolean;
  notice: ChatNotice | null;
  /** Why messages that were not sent were not, by turn. */
  unsent: Readonly<Record<string, ChatNotice>>;
  /** Leads to earlier messages; null at the beginning of the conversation. */
  earlierCursor: string | null;
  earlier: 'idle' | 'loading' | 'failed';
  startingNew: boolean;
  /** As the last finished turn left them. */
  points: PointsStatus | null;
  /** The reply that ended last while the reader was here, well or not, to be said once. */
  finished: Message | null;
}

export interface ChatTarget {
  characterId: string | null;
  conversationId: string | null;
}

export interface ChatDeps {
  api: Omit<ChatApi, 'models'>;
  clock: Clock;
  drafts: Drafts;
  /** A new id of a turn. */
  newId(): string;
  isSignedIn(): Promise<boolean>;
  /** Has the person sign in: `entry` to see the page at all, `again` when the session ended meanwhile. */
  signIn(why: 'entry' | 'again'): Promise<boolean>;
  /** The address of the page follows the conversation. */
  showAddress(conversation: Conversation): void;
  /** The history list has something new. */
  chatsChanged(): void;
  /** Runs before the next picture is drawn; deltas that arrive in between are drawn together. */
  beforeNextFrame(run: () => void): void;
}

/** What a person can do in a chat. */
export interface Chat {
  $chat: ReadableAtom<ChatState>;
  /** The text in the box. */
  $draft: ReadableAtom<string>;
  start(target: ChatTarget): Promise<void>;
  /** Begins again where it was meant to begin: asks for a sign-in where one is needed. */
  restart(): Promise<void>;
  /** Loads again after a failure. */
  reload(): Promise<void>;
  setDraft(text: string): void;
  /** Sends the text in the box, or the one given. */
  send(model: ModelChoice, text?: string): Promise<void>;
  /** Sends a message again that was not sent, under the same id. */
  retry(turnId: string, model: ModelChoice): Promise<void>;
  /** Takes a message that was not sent back into the box. */
  takeBack(turnId: string): void;
  regenerate(messageId: string, model: ModelChoice): Promise<void>;
  stop(): Promise<void>;
  showEarlier(): Promise<void>;
  startNew(): Promise<void>;
  dismissNotice(): void;
  /** The network is back, or the page is looked at again. */
  wake(): void;
  leave(): void;
}

/** A chat before anything is known of it. */
export const EMPTY_CHAT: ChatState = {
  phase: 'starting',
  problem: null,
  conversation: null,
  view: viewOf([]),
  activity: 'idle',
  connected: true,
  notice: null,
  unsent: {},
  earlierCursor: null,
  earlier: 'idle',
  startingNew: false,
  points: null,
  finished: null,
};
