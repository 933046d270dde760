import type { Conversation } from './contract.ts';
import { copyUpTo, type CopyTarget } from './conversation-copy.ts';
import type { ForkStore } from './fork-store.ts';

type Refusal = { ok: false; code: 'not_found' | 'reply_in_progress' };
export type Fork = { ok: true; conversation: Conversation } | Refusal;

/** What a fork is asked with. */
export interface ForkWish {
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
  source(): Parameters<typeof copyUpTo>[0];
  /** Why it cannot be forked at this message; null when it can. */
  refusal(messageId: string): Refusal | null;
  conversation(id: string): CopyTarget & {
    describe(userId: string): Promise<{ ok: true; conversation: Conversation } | { ok: false }>;
  };
}

/** Makes new conversations of this one, each as often as it was wished for: a wish that is repeated is the same one. */
export class ConversationForks {
  readonly #store: ForkStore;
  readonly #ports: ForkPorts;
  readonly #underWay = new Map<string, Promise<Fork>>();

  constructor(store: ForkStore, ports: ForkPorts) {
    this.#store = store;
    this.#ports = ports;
  }

  /** Copies everything up to and with a message into a new conversation, memory included. */
  fork(wish: ForkWish): Promise<Fork> {
    const { clientId } = wish;
    if (clientId === null) return this.#make(wish);
    const underWay =
      this.#underWay.get(clientId) ??
      this.#once(wish, clientId).finally(() => this.#underWay.delete(clientId));
    this.#underWay.set(clientId, underWay);
    return underWay;
  }

  async #once(wish: ForkWish, clientId: string): Promise<Fork> {
    const before = this.#store.made(clientId);
    if (before !== null) {
      const made = await this.#ports.conversation(before).describe(wish.userId);
      // One that could not be listed was erased again.
      if (made.ok) return made;
    }
    const made = await this.#make(wish);
    if (made.ok) this.#store.keep(clientId, made.conversation.id);
    return made;
  }

  async #make({ userId, messageId, copyId }: ForkWish): Promise<Fork> {
    const refusal = this.#ports.refusal(messageId);
    if (refusal !== null) return refusal;
    const copy = this.#ports.conversation(copyId);
    if (!(await copyUpTo(this.#ports.source(), messageId, copyId, copy)))
      return { ok: false, code: 'not_found' };
    const made = await copy.describe(userId);
    return made.ok ? made : { ok: false, code: 'not_found' };
  }
}
