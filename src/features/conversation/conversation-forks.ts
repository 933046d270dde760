import type { Conversation } from './contract.ts';
import { copyUpTo, type CopyTarget } from './conversation-copy.ts';
import type { ForkStore } from './fork-store.ts';

type ForkRefusal = { ok: false; code: 'not_found' | 'reply_in_progress' };
export type ForkResult = { ok: true; conversation: Conversation } | ForkRefusal;

/** What a fork is asked with. */
export interface ForkRequest {
  userId: string;
  /** The last message that goes along. */
  messageId: string;
  /** The id of the new conversation. */
  copyId: string;
  /** The client's own id of this wish: the same again gives the conversation that was made for it. */
  clientId: string | null;
}

/** What forking needs of the conversation that is forked, and of the others. */
interface ForkPorts {
  getSource(): Parameters<typeof copyUpTo>[0];
  /** Why it cannot be forked at this message; null when it can. */
  getRefusal(messageId: string): ForkRefusal | null;
  conversation(id: string): CopyTarget & {
    describe(userId: string): Promise<{ ok: true; conversation: Conversation } | { ok: false }>;
  };
}

/** Makes new conversations of this one, each as often as it was wished for: a wish that is repeated is the same one. */
export class ConversationForks {
  readonly #store: ForkStore;
  readonly #ports: ForkPorts;
  readonly #pending = new Map<string, Promise<ForkResult>>();

  constructor(store: ForkStore, ports: ForkPorts) {
    this.#store = store;
    this.#ports = ports;
  }

  /** Copies everything up to and with a message into a new conversation, memory included. */
  fork(wish: ForkRequest): Promise<ForkResult> {
    const { clientId } = wish;
    if (clientId === null) return this.#createFork(wish);
    const pending =
      this.#pending.get(clientId) ??
      this.#forkOnce(wish, clientId).finally(() => this.#pending.delete(clientId));
    this.#pending.set(clientId, pending);
    return pending;
  }

  async #forkOnce(wish: ForkRequest, clientId: string): Promise<ForkResult> {
    const before = this.#store.findFork(clientId);
    if (before !== null) {
      const made = await this.#ports.conversation(before).describe(wish.userId);
      // One that could not be listed was erased again.
      if (made.ok) return made;
    }
    const made = await this.#createFork(wish);
    if (made.ok) this.#store.saveFork(clientId, made.conversation.id);
    return made;
  }

  async #createFork({ userId, messageId, copyId }: ForkRequest): Promise<ForkResult> {
    const refusal = this.#ports.getRefusal(messageId);
    if (refusal !== null) return refusal;
    const copy = this.#ports.conversation(copyId);
    if (!(await copyUpTo(this.#ports.getSource(), messageId, copyId, copy)))
      return { ok: false, code: 'not_found' };
    const made = await copy.describe(userId);
    return made.ok ? made : { ok: false, code: 'not_found' };
  }
}
