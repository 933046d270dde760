import type { Conversation } from './contract.ts';
import { copyUpTo, type CopyTarget } from './conversation-copy.ts';
import type { ForkStore } from './fork-store.ts';

type ForkRefusal = { ok: false; code: 'not_found' | 'reply_in_progress' };
export type ForkResult = { ok: true; conversation: Conversation } | ForkRefusal;

export interface ForkRequest {
  userId: string;
  /** The last message to copy. */
  messageId: string;
  /** The id of the new conversation. */
  copyId: string;
  /** The client's idempotency key; the same key returns the same conversation. */
  clientId: string | null;
}

/** Access to the source conversation and to others. */
interface ForkPorts {
  getSource(): Parameters<typeof copyUpTo>[0];
  /** Returns why the conversation cannot be forked at this message; null when it can. */
  getRefusal(messageId: string): ForkRefusal | null;
  conversation(id: string): CopyTarget & {
    describe(userId: string): Promise<{ ok: true; conversation: Conversation } | { ok: false }>;
  };
}

/** Forks the conversation. A request with a known client id returns the fork that already exists. */
export class ConversationForks {
  readonly #store: ForkStore;
  readonly #ports: ForkPorts;
  readonly #pending = new Map<string, Promise<ForkResult>>();

  constructor(store: ForkStore, ports: ForkPorts) {
    this.#store = store;
    this.#ports = ports;
  }

  /** Whether the client's key has made a fork that exists, or is making one. */
  async hasMade({ userId, clientId }: Pick<ForkRequest, 'userId' | 'clientId'>): Promise<boolean> {
    if (clientId === null) return false;
    if (this.#pending.has(clientId)) return true;
    const made = this.#store.findFork(clientId);
    return made !== null && (await this.#ports.conversation(made).describe(userId)).ok;
  }

  /** Copies everything up to and including a message into a new conversation, memory included. */
  fork(request: ForkRequest): Promise<ForkResult> {
    const { clientId } = request;
    if (clientId === null) return this.#createFork(request);
    const pending =
      this.#pending.get(clientId) ??
      this.#forkOnce(request, clientId).finally(() => this.#pending.delete(clientId));
    this.#pending.set(clientId, pending);
    return pending;
  }

  async #forkOnce(request: ForkRequest, clientId: string): Promise<ForkResult> {
    const before = this.#store.findFork(clientId);
    if (before !== null) {
      const made = await this.#ports.conversation(before).describe(request.userId);
      // Otherwise the fork failed to be listed and was erased again, so create a new one.
      if (made.ok) return made;
    }
    const made = await this.#createFork(request);
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
