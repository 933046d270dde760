import type { ReadableAtom } from 'nanostores';
import type { Conversation, LiveEvent, Message, ReplyRating } from '../../features/conversation/contract.ts';
import { createReplyView, type ReplyView } from '../../features/conversation/messages/reply-view.ts';
import type { ModelChoice } from '../../features/model/contract.ts';
import type { Helpline } from '../../features/safety/helplines.ts';
import type { PointsStatus } from '../../features/wallet/contract.ts';
import type { Failure } from '../shared/api.ts';
import type { ChatApi } from '../shared/chat-api.ts';
import type { Clock } from '../shared/clock.ts';
import type { Drafts } from './composer/drafts.ts';

/** An operation that failed: its code, the server's text if any, and values for the translated text. */
export type ChatNotice = Pick<
  Failure,
  'code' | 'error' | 'points' | 'retryAfter' | 'rule' | 'appealToken' | 'helplines'
> & {
  /** The text that a rule refused, kept for an appeal. */
  refusedText?: string;
};

export interface ChatState {
  /** `deleted`: in the trash and restorable. `not-found`: does not exist for this user. */
  phase: 'starting' | 'signed-out' | 'ready' | 'not-found' | 'failed' | 'deleted';
  /** Whether the user is asked to sign in before the chat is loaded, with the greeting behind the modal. */
  isSignInOpen: boolean;
  /** Why the chat could not be loaded. */
  problem: ChatNotice | null;
  conversation: Conversation | null;
  /** When a deleted conversation will be erased, UTC ISO 8601; null while the full retention time is left. */
  trashedUntil: string | null;
  view: ReplyView;
  /** `sending`: posted, no answer yet. `stopping`: the user asked to stop. */
  activity: 'idle' | 'sending' | 'replying' | 'stopping';
  /** False while reconnecting to a reply; the server continues to write it. */
  connected: boolean;
  notice: ChatNotice | null;
  /** Why messages could not be sent, by turn id. */
  unsent: Readonly<Record<string, ChatNotice>>;
  /** Cursor to earlier messages; null at the start of the conversation. */
  earlierCursor: string | null;
  earlier: 'idle' | 'loading' | 'failed';
  /** Cursor to later messages; null when the newest are shown. */
  laterCursor: string | null;
  later: 'idle' | 'loading' | 'failed';
  /** The message to scroll to; a new object for each request. */
  scrollTarget: { messageId: string } | null;
  /** Ids of messages with a change that the server has not confirmed yet. */
  changing: ReadonlySet<string>;
  /** The kind of writing help that was requested and has not arrived yet. */
  assisting: 'suggestions' | 'draft' | null;
  /** Next lines that the model suggested; cleared when something is sent. */
  suggestions: readonly string[];
  /** The text inserted into the composer last, not typed; a new object each time, null once something is sent. */
  boxed: InsertedText | null;
  startingNew: boolean;
  /** As of the last finished turn. */
  points: PointsStatus | null;
  /** Helplines for a message that could not be sent; those for a sent message are part of that message. */
  helplines: readonly Helpline[] | null;
  /** The last turn that got crisis help while the chat was open, to announce it once. */
  helpTurnId: string | null;
  /** The last turn that came with the AI notice while the chat was open, to announce it once. */
  noticeTurnId: string | null;
  /** Whether the provider refused the prompt of the last reply for its length, and a shorter one was sent. */
  wasShortened: boolean;
  /** When the provider that was too busy for the last reply can be asked again, in milliseconds since 1970. */
  busyUntil: number | null;
  /** The last reply that ended, successfully or not, while the chat was open, to announce it once. */
  finishedReply: Message | null;
}

/** A text that was inserted into the composer below its content. */
export interface InsertedText {
  /** The composer's content before. */
  before: string;
  /** The composer's content after. */
  after: string;
  /** Index in `after` at which the inserted text begins. */
  from: number;
}

export interface ChatTarget {
  characterId: string | null;
  conversationId: string | null;
  /** Starts a new conversation from the lines of the character that the home page shows. */
  scene?: 'home';
  /** The message to scroll to. */
  messageId?: string;
}

/** An action that can be undone. */
export interface Undoable {
  kind: 'edited' | 'deleted';
  /** How many messages were affected. */
  count: number;
  /** @returns whether the earlier state was restored */
  undo(): Promise<boolean>;
}

export interface ChatDeps {
  api: Omit<ChatApi, 'models' | 'trash' | 'eraseTrashed'>;
  clock: Clock;
  drafts: Drafts;
  /** Creates the id of a new turn. */
  createId(): string;
  /** The signed-in user's id, as the page knows it; null for none. */
  getUserId(): string | null;
  /**
   * Asks the user to sign in: `entry` to see the page at all, `again` when the session has ended.
   * @returns the id of the signed-in user; null for none
   */
  signIn(why: 'entry' | 'again'): Promise<string | null>;
  /** The selected model, used for messages that are sent automatically. */
  model(): ModelChoice;
  /** Whether the device reports a network. */
  isOnline(): boolean;
  /** Updates the page's address to the conversation. */
  updateAddress(conversation: Conversation): void;
  /** Called when the conversation list may have changed. */
  chatsChanged(): void;
  /** Called when another conversation was opened: the outbox sender must send the messages queued in the last one. */
  onConversationLeft?(): void;
  /** Offers to undo an action. */
  offerUndo(done: Undoable): void;
  /** Runs the function before the next frame; the deltas that arrive until then are drawn together. */
  beforeNextFrame(run: () => void): void;
}

/** Operations on messages. Each returns whether it succeeded; errors go to the notice. */
export interface MessageOperations {
  /** Saves a new version of a message. */
  edit(messageId: string, content: string): Promise<boolean>;
  /** Deletes a message and all later ones; can be undone. */
  deleteFrom(messageId: string): Promise<boolean>;
  /** Restores a deletion from the trash. */
  restore(trashId: string): Promise<boolean>;
  selectVersion(messageId: string, versionId: string): Promise<boolean>;
  pin(messageId: string, pinned: boolean): Promise<boolean>;
  /** Rates a version of a reply; null takes the rating back. It shows at once, and disappears if it cannot be saved. */
  rate(messageId: string, versionId: string, rating: ReplyRating | null): Promise<boolean>;
  /** Starts the conversation with another of the character's greetings, by index. */
  chooseGreeting(messageId: string, index: number): Promise<boolean>;
  /** Branches: opens a new conversation with all messages up to and including this one. */
  fork(messageId: string): Promise<boolean>;
}

/** Operations on the whole conversation. */
export interface ConversationOperations {
  rename(title: string): Promise<boolean>;
  setPersona(personaId: string | null): Promise<boolean>;
  /** Switches to this version of the character. */
  takeVersion(version: number): Promise<boolean>;
  /** Moves the conversation to the trash. */
  remove(): Promise<boolean>;
  /** Restores the conversation from the trash. */
  bringBack(): Promise<boolean>;
}

/** Moves through the history. */
export interface HistoryNavigation {
  showEarlier(): Promise<void>;
  showLater(): Promise<void>;
  /** Scrolls to a message; loads it with its neighbours when it is not in the list. */
  showMessage(messageId: string): Promise<void>;
  /** Shows the newest messages. */
  showNewest(): Promise<void>;
}

/** The public interface of a chat. */
export interface Chat extends MessageOperations, ConversationOperations, HistoryNavigation {
  $chat: ReadableAtom<ChatState>;
  /** The composer's text. */
  $draft: ReadableAtom<string>;
  start(target: ChatTarget): Promise<void>;
  /** Runs `start` again with the same target, and asks for a sign-in if one is needed. */
  restart(): Promise<void>;
  /** Loads again after a failure, or checks whether a missing conversation was restored. */
  reload(): Promise<void>;
  setDraft(text: string): void;
  /** Inserts a line into the composer below its content. Replaces the line inserted last if that is unchanged. */
  insertIntoComposer(line: string): void;
  /** Sends the composer's text, or the given one. Without a network the message is queued, as are those after it. */
  send(model: ModelChoice, text?: string): Promise<void>;
  /** Sends an unsent message again, with the same turn id. */
  retry(turnId: string, model: ModelChoice): Promise<void>;
  /** Moves an unsent message back into the composer, unless the server has received it. */
  takeBack(turnId: string): void;
  /** @param note instructions of the user for this reply alone */
  regenerate(messageId: string, model: ModelChoice, note?: string): Promise<void>;
  /** Requests a reply to the user's last message when it has none. */
  requestReply(messageId: string, model: ModelChoice): Promise<void>;
  continueReply(messageId: string, model: ModelChoice): Promise<void>;
  stop(): Promise<void>;
  /** Asks the model for three suggested next lines. */
  suggest(model: ModelChoice): Promise<void>;
  /** Asks the model to write the user's next message into the composer; nothing is sent. */
  draftMessage(model: ModelChoice): Promise<void>;
  dismissSuggestions(): void;
  startNew(): Promise<void>;
  dismissNotice(): void;
  /** Hides the helplines shown for a message that could not be sent. */
  dismissHelp(): void;
  /** Called when the network returns or the page becomes visible. Checks for a restored conversation too. */
  wake(): void;
  /** Handles a change to the conversation from another tab or device. */
  handleHint(hint: LiveEvent): void;
  dispose(): void;
}

/** The state of a chat before anything is loaded. */
export const EMPTY_CHAT: ChatState = {
  phase: 'starting',
  isSignInOpen: false,
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
  wasShortened: false,
  busyUntil: null,
  finishedReply: null,
};
