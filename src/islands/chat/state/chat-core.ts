import type { ConversationPage } from '../../../features/conversation/contract.ts';
import type { ReplyView } from '../../../features/conversation/messages/reply-view.ts';
import type { Failure } from '../../shared/api.ts';
import type { ChatDeps, ChatState } from '../chat.ts';

/** The result of loading the history: no reply or a reply being written, not found, or failed. */
export type SyncResult = 'settled' | 'streaming' | 'gone' | 'failed';

/**
 * Orders history requests and writes. An answer requested before the last rendering or write may be outdated, so it is
 * dropped and requested again.
 */
export interface RequestOrder {
  /** Records that messages were rendered. */
  markDrawn(): void;
  /** Runs a write. History requests wait until all writes are done. */
  withWrite<T>(act: () => Promise<T>): Promise<T>;
  /**
   * Requests history, repeatedly if necessary.
   * @param isWanted false stops: another conversation is shown, or the page was left
   * @param take renders the answer
   * @returns the result of `take`; null when no longer wanted
   */
  fetchInOrder<T, R>(
    call: () => Promise<T>,
    isWanted: () => boolean,
    take: (answer: T) => R,
  ): Promise<R | null>;
}

export function createRequestOrder(): RequestOrder {
  let revision = 0;
  let pendingWrites = 0;
  let idle: Promise<void> | null = null;
  let resolveIdle = () => {};
  return {
    markDrawn: () => void (revision += 1),
    async withWrite(act) {
      revision += 1;
      pendingWrites += 1;
      idle ??= new Promise((resolve) => (resolveIdle = resolve));
      try {
        return await act();
      } finally {
        revision += 1;
        pendingWrites -= 1;
        if (pendingWrites === 0) {
          idle = null;
          resolveIdle();
        }
      }
    },
    async fetchInOrder(call, isWanted, take) {
      for (;;) {
        while (idle !== null) await idle;
        if (!isWanted()) return null;
        const asked = revision;
        const answer = await call();
        if (!isWanted()) return null;
        if (revision === asked) return take(answer);
      }
    },
  };
}

/** The state and operations that the parts of a chat share. */
export interface ChatCore {
  deps: ChatDeps;
  state(): ChatState;
  change(part: Partial<ChatState>): void;
  /** The newest view. Between two frames it is ahead of the state. */
  view(): ReplyView;
  draw(view: ReplyView): void;
  order: RequestOrder;
  getConversationId(): string | null;
  /**
   * After a session ended, asks the user of the shown conversation to sign in again.
   * @returns null when they are signed in and the refused request can be repeated; else the error
   */
  signInAgain(refusal: Failure): Promise<Failure | null>;
  /** The id of the page's conversation, shown or not; null while unknown. */
  getTargetId(): string | null;
  /** Loads the shown part of the history again, after the followed reply has ended. */
  syncHistory(): Promise<SyncResult>;
  /** Loads changes to messages. Without ids, the changes are at the end or in the conversation itself. */
  syncMessages(messageIds: readonly string[]): Promise<void>;
  /** Shows the newest page, even while a reply is followed. */
  syncNewest(): Promise<SyncResult>;
  /** Follows the reply that is being written, if it is shown. Call it after every rendering of history. */
  followShown(): void;
  /** Opens a conversation with its first page. */
  show(page: ConversationPage): void;
  /** Handles a missing conversation: finds out whether it is in the trash and shows that. */
  handleNotFound(): Promise<void>;
}

/** Whether a request may have been carried out without an answer, so that the state must be loaded. */
export const isOutcomeUnknown = ({ status }: Failure) => status === 0 || status >= 500;

/** Whether the server gave no reason for a failure: it did not answer, or failed itself. */
export const isUnexplained = ({ status, code }: Failure) => status === 0 || code === 'server_error';

/** The state after a refused text: the rule with the text, and helplines if any, since no message can hold them. */
export function toRefusalState(failure: Failure, text: string, turnId: string): Partial<ChatState> {
  const { rule, helplines } = failure;
  return {
    notice: rule === undefined ? failure : { ...failure, refusedText: text },
    ...(helplines === undefined ? {} : { helplines, helpTurnId: turnId }),
  };
}

/** Shows a refused operation in the notice, with the operation's own code when the server gave no reason. */
export function showFailureNotice(core: ChatCore, failure: Failure, code: string): false {
  if (failure.status === 401) core.change({ notice: { code: 'unauthenticated', error: '' } });
  else core.change({ notice: failure.status === 0 || failure.status >= 500 ? { code, error: '' } : failure });
  return false;
}
