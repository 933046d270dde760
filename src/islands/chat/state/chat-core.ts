import type { ConversationPage } from '../../../features/conversation/contract.ts';
import type { ReplyView } from '../../../features/conversation/messages/reply-view.ts';
import type { Failure } from '../../shared/api.ts';
import type { ChatDeps, ChatState } from '../chat.ts';

/** How catching up with the history ended: whether a reply is being written there, or it could not be had. */
export type SyncResult = 'settled' | 'streaming' | 'gone' | 'failed';

/**
 * Keeps answers about the history and what happens here in one order: an answer that was asked for before anything was
 * drawn or done here may be older than what is shown. It is not drawn but asked for anew.
 */
export interface RequestOrder {
  /** Something was drawn. */
  markDrawn(): void;
  /** Does something to the conversation. Until it is done, nothing is asked of the history. */
  withWrite<T>(act: () => Promise<T>): Promise<T>;
  /**
   * Asks something of the history, as often as it takes.
   * @param isWanted false ends that: another conversation is shown, or the page was left
   * @param take draws the answer
   * @returns what came of it; null when it was not wanted any more
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

/** What the parts of a chat share: its state, and the few ways in which it changes. */
export interface ChatCore {
  deps: ChatDeps;
  state(): ChatState;
  change(part: Partial<ChatState>): void;
  /** The newest view; it runs ahead of the state between two pictures. */
  view(): ReplyView;
  draw(view: ReplyView): void;
  order: RequestOrder;
  getConversationId(): string | null;
  /**
   * The session ended: has the person sign in again for whom the conversation is shown.
   * @returns null where they are here, and what was refused can be done again; else why it cannot
   */
  signInAgain(refusal: Failure): Promise<Failure | null>;
  /** The conversation that the page is for, shown or not; null while that is to be found out. */
  getTargetId(): string | null;
  /** Fetches what is shown anew, wherever in the history that is; once the reply that is followed has ended. */
  syncHistory(): Promise<SyncResult>;
  /** Takes up what happened to messages; none named: to the end, or to the conversation itself. */
  syncMessages(messageIds: readonly string[]): Promise<void>;
  /** Shows the newest page, also while a reply is followed. */
  syncNewest(): Promise<SyncResult>;
  /** Follows the reply that is being written, if it is shown: whoever draws something of the history calls it. */
  followShown(): void;
  /** Shows a conversation from the beginning of its being open. */
  show(page: ConversationPage): void;
  /** The conversation was not found: finds out whether it lies in the trash, and says so. */
  handleNotFound(): Promise<void>;
}

/** Whether something may have been done though no answer says so: whoever asked for it is told by nobody else. */
export const isOutcomeUnknown = ({ status }: Failure) => status === 0 || status >= 500;

/** What is shown of a text that was not taken: what is to be known of a rule, and where help is, with nothing to stand with. */
export function toRefusalState(failure: Failure, text: string, turnId: string): Partial<ChatState> {
  const { rule, helplines } = failure;
  return {
    notice: rule === undefined ? failure : { ...failure, refusedText: text },
    ...(helplines === undefined ? {} : { helplines, helpTurnId: turnId }),
  };
}

/** What a person did and the server refused: the notice says it, by the deed's own code where the server said nothing. */
export function showFailureNotice(core: ChatCore, failure: Failure, code: string): false {
  if (failure.status === 401) core.change({ notice: { code: 'unauthenticated', error: '' } });
  else core.change({ notice: failure.status === 0 || failure.status >= 500 ? { code, error: '' } : failure });
  return false;
}
