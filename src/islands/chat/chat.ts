import type { ReadableAtom } from 'nanostores';
import type { Conversation, LiveEvent, Message } from '../../features/conversation/contract.ts';
import { createReplyView, type ReplyView } from '../../features/conversation/messages/reply-view.ts';
import type { ModelChoice } from '../../features/model/contract.ts';
import type { Helpline } from '../../features/safety/helplines.ts';
import type { PointsStatus } from '../../features/wallet/contract.ts';
import type { Failure } from '../shared/api.ts';
import type { ChatApi } from '../shared/chat-api.ts';
import type { Clock } from '../shared/clock.ts';
import type { Drafts } from './composer/drafts.ts';

/** Something that went otherwise than asked: its code, the server's words if any, and what the words need. */
export type ChatNotice = Pick<
  Failure,
  'code' | 'error' | 'points' | 'retryAfter' | 'rule' | 'appealToken' | 'helplines'
> & {
  /** The text that a rule refused, for whoever wants to say something to it. */
  refusedText?: string;
};

export interface ChatState {
  /** `deleted`: it lies in the trash and can be taken back. `not-found`: it is not there for this person. */
  phase: 'starting' | 'signed-out' | 'ready' | 'not-found' | 'failed' | 'deleted';
  /** Why the chat could not be loaded. */
  problem: ChatNotice | null;
  conversation: Conversation | null;
  /** Until when a deleted conversation can be taken back, UTC ISO 8601; null where the whole time lies ahead. */
  trashedUntil: string | null;
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
  /** Leads to later messages; null where the newest are shown. */
  laterCursor: string | null;
  later: 'idle' | 'loading' | 'failed';
  /** A message that is to be brought into sight; a new object each time. */
  scrollTarget: { messageId: string } | null;
  /** Messages with which something is being done that the server has not answered yet. */
  changing: ReadonlySet<string>;
  /** What the model is being asked for beside messages. */
  assisting: 'suggestions' | 'draft' | null;
  /** Next lines that the model suggested, until something is sent. */
  suggestions: readonly string[];
  /** What was put into the box last, not typed; a new object each time, null once something is sent. */
  boxed: InsertedText | null;
  startingNew: boolean;
  /** As the last finished turn left them. */
  points: PointsStatus | null;
  /** Where help is, for somebody whose message could not be sent; else it stands with the message. */
  helplines: readonly Helpline[] | null;
  /** The turn in which somebody was told last where help is, while they were here: to be said once. */
  helpTurnId: string | null;
  /** The turn with which the notice that an AI answers came last, while they were here: to be said once. */
  noticeTurnId: string | null;
  /** The reply that ended last while the reader was here, well or not, to be said once. */
  finishedReply: Message | null;
}

/** A text that was put into the box under what stood there. */
export interface InsertedText {
  /** What stood in the box. */
  before: string;
  /** What stands there since. */
  after: string;
  /** Where in `after` the text begins. */
  from: number;
}

export interface ChatTarget {
  characterId: string | null;
  conversationId: string | null;
  /** Goes on from the lines that the home page shows of the character, in a new conversation. */
  scene?: 'home';
  /** Begins in sight of this message. */
  messageId?: string;
}

/** Something that was done and can be taken back. */
export interface Undoable {
  kind: 'edited' | 'deleted';
  /** How many messages went. */
  count: number;
  /** @returns whether it is as it was */
  undo(): Promise<boolean>;
}

export interface ChatDeps {
  api: Omit<ChatApi, 'models' | 'trash' | 'eraseTrashed'>;
  clock: Clock;
  drafts: Drafts;
  /** A new id of a turn. */
  createId(): string;
  /** Who is here, as far as the page knows; null for nobody. */
  getUserId(): string | null;
  /**
   * Has the person sign in: `entry` to see the page at all, `again` when the session ended meanwhile.
   * @returns who is here then; null for nobody
   */
  signIn(why: 'entry' | 'again'): Promise<string | null>;
  /** The model that the person has chosen, for what goes out by itself. */
  model(): ModelChoice;
  /** Whether the device has a network at all, as far as it knows. */
  isOnline(): boolean;
  /** The address of the page follows the conversation. */
  updateAddress(conversation: Conversation): void;
  /** The history list has something new. */
  chatsChanged(): void;
  /** Another conversation is shown now: what waits in the one before is for somebody else to send. */
  onConversationLeft?(): void;
  /** Offers to take something back. */
  offerUndo(done: Undoable): void;
  /** Runs before the next picture is drawn; deltas that arrive in between are drawn together. */
  beforeNextFrame(run: () => void): void;
}

/** What a person can do with what was said. Each says whether it was done; what went wrong is in the notice. */
export interface MessageOperations {
  /** Writes a new version over a message. */
  edit(messageId: string, content: string): Promise<boolean>;
  /** Deletes a message and everything after it; it can be taken back. */
  deleteFrom(messageId: string): Promise<boolean>;
  /** Takes a deletion out of the trash. */
  restore(trashId: string): Promise<boolean>;
  selectVersion(messageId: string, versionId: string): Promise<boolean>;
  pin(messageId: string, pinned: boolean): Promise<boolean>;
  /** Has the story begin with another of its character's first messages, by its index. */
  chooseGreeting(messageId: string, index: number): Promise<boolean>;
  /** Goes on in a new conversation that holds everything up to and with a message. */
  fork(messageId: string): Promise<boolean>;
}

/** What a person can do with the conversation as a whole. */
export interface ConversationOperations {
  rename(title: string): Promise<boolean>;
  setPersona(personaId: string | null): Promise<boolean>;
  /** Goes by the newest version of the character from now on. */
  takeVersion(version: number): Promise<boolean>;
  /** Deletes the conversation, to the trash. */
  remove(): Promise<boolean>;
  /** Takes the conversation out of the trash. */
  bringBack(): Promise<boolean>;
}

/** Where in the history one reads. */
export interface HistoryNavigation {
  showEarlier(): Promise<void>;
  showLater(): Promise<void>;
  /** Brings a message into sight, fetching it with its neighbours where it is not shown. */
  showMessage(messageId: string): Promise<void>;
  /** Shows the newest messages. */
  showNewest(): Promise<void>;
}

/** What a person can do in a chat. */
export interface Chat extends MessageOperations, ConversationOperations, HistoryNavigation {
  $chat: ReadableAtom<ChatState>;
  /** The text in the box. */
  $draft: ReadableAtom<string>;
  start(target: ChatTarget): Promise<void>;
  /** Begins again where it was meant to begin: asks for a sign-in where one is needed. */
  restart(): Promise<void>;
  /** Loads again after a failure; where the conversation was not there, looks whether it is back. */
  reload(): Promise<void>;
  setDraft(text: string): void;
  /** Puts a line into the box, under what stands there; a line put there before that nobody touched gives way. */
  insertIntoComposer(line: string): void;
  /** Sends the text in the box, or the one given. Without a network it waits, and what is sent after it too. */
  send(model: ModelChoice, text?: string): Promise<void>;
  /** Sends a message again that was not sent, under the same id. */
  retry(turnId: string, model: ModelChoice): Promise<void>;
  /** Takes a message that was not sent back into the box, unless the server has it after all. */
  takeBack(turnId: string): void;
  regenerate(messageId: string, model: ModelChoice): Promise<void>;
  /** Has the person's last message answered, where it stands without a reply. */
  requestReply(messageId: string, model: ModelChoice): Promise<void>;
  continueReply(messageId: string, model: ModelChoice): Promise<void>;
  stop(): Promise<void>;
  /** Has the model suggest three next lines. */
  suggest(model: ModelChoice): Promise<void>;
  /** Has the model write the person's next line into the box; nothing is sent. */
  draftMessage(model: ModelChoice): Promise<void>;
  /** Puts the suggested lines away. */
  dismissSuggestions(): void;
  startNew(): Promise<void>;
  dismissNotice(): void;
  /** Puts away where help is, shown to somebody whose message could not be sent. */
  dismissHelp(): void;
  /** The network is back, or the page is looked at again: also a conversation that was deleted may be back. */
  wake(): void;
  /** Something happened to the conversation in another tab or on another device. */
  handleHint(hint: LiveEvent): void;
  dispose(): void;
}

/** A chat before anything is known of it. */
export const EMPTY_CHAT: ChatState = {
  phase: 'starting',
  problem: null,
  conversation: null,
  trashedUntil: null,
  view: createReplyView([]),
  activity: 'idle',
  connected: true,
  notice: null,
  unsent: {},
  earlierCursor: null,
  earlier: 'idle',
  laterCursor: null,
  later: 'idle',
  scrollTarget: null,
  changing: new Set(),
  assisting: null,
  suggestions: [],
  boxed: null,
  startingNew: false,
  points: null,
  helplines: null,
  helpTurnId: null,
  noticeTurnId: null,
  finishedReply: null,
};
