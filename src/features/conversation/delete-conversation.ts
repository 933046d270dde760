import type { ConversationParts } from './compose-conversation.ts';
import type { ConversationMeta } from './conversation-store.ts';

/**
 * Brings all that goes on in a conversation to its end and pays what is owed, before it is erased. When this resolves,
 * nothing has begun since.
 * @param unlist has others forget the conversation; while they are told, something may begin again, and is ended too
 * @returns false while the wallet does not confirm what it is owed
 */
async function drainWork(
  { engine, assist: asks, summarizer: keeper, sync: chores, turns }: ConversationParts,
  unlist: () => Promise<void>,
): Promise<boolean> {
  do {
    await engine.stop();
    await Promise.all([asks.stop(), keeper.stop()]);
    await chores.flush();
    if (turns.settlements().length > 0) return false;
    chores.pauseSearch(true);
    await unlist();
  } while (engine.busy || turns.settlements().length > 0);
  return true;
}

export type ConversationDeletionResult = { ok: true } | { ok: false; code: 'server_error' };

/** What an erasure needs of the world. */
interface DeletionPorts {
  /** Has others forget the conversation. */
  unlist(conversation: ConversationMeta): Promise<void>;
  /** Lets nobody in any more. */
  close(): void;
}

/** The end of a conversation: nothing is left of it here, nor in its person's search. */
export class ConversationDeletion {
  readonly #storage: DurableObjectStorage;
  readonly #ports: DeletionPorts;
  #running: Promise<ConversationDeletionResult> | null = null;

  constructor(storage: DurableObjectStorage, ports: DeletionPorts) {
    this.#storage = storage;
    this.#ports = ports;
  }

  /** Whether it is being erased now. */
  get isRunning(): boolean {
    return this.#running !== null;
  }

  /** Once, however often it is asked for at the same time. */
  run(parts: ConversationParts): Promise<ConversationDeletionResult> {
    this.#running ??= this.#erase(parts).finally(() => (this.#running = null));
    return this.#running;
  }

  async #erase(parts: ConversationParts): Promise<ConversationDeletionResult> {
    const meta = parts.store.getMeta() as ConversationMeta;
    let isDrained = false;
    try {
      isDrained = await drainWork(parts, () => this.#ports.unlist(meta));
    } finally {
      // What stays is to be found again.
      if (!isDrained) parts.sync.pauseSearch(false);
    }
    if (!isDrained) return { ok: false, code: 'server_error' };
    parts.tabs.broadcast({ type: 'gone' }, null);
    this.#ports.close();
    await Promise.all([this.#storage.deleteAlarm(), this.#storage.deleteAll()]);
    return { ok: true };
  }
}

/** Erases messages and everything that was known of them. @returns how many are gone */
export function eraseMessages(
  { messages, memory, contexts }: ConversationParts,
  storage: DurableObjectStorage,
  erase: () => string[],
): number {
  return storage.transactionSync(() => {
    const gone = erase();
    if (gone.length === 0) return 0;
    messages.notifyChanged(gone);
    memory.forgetMessages(gone);
    contexts.purgeDeleted();
    return gone.length;
  });
}
