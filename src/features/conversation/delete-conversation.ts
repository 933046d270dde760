import type { ConversationParts } from './compose-conversation.ts';
import type { ConversationMeta } from './conversation-store.ts';

/**
 * Stops all work in a conversation and settles with the wallet, before it is erased. When this resolves with true, no new
 * work has started.
 * @param unlist removes the conversation from the list and the search index; work that starts during it is stopped too
 * @returns false when the wallet does not confirm a settlement
 */
async function drainWork(
  { engine, assist: asks, summarizer, sync, turns }: ConversationParts,
  unlist: () => Promise<void>,
): Promise<boolean> {
  do {
    await engine.stop();
    await Promise.all([asks.stop(), summarizer.stop()]);
    // Before the flush: it waits for an update under way, which would arrive after the removal, and no other follows.
    sync.pauseIndex(true);
    await sync.flush();
    await sync.endSitting();
    if (turns.settlements().length > 0) return false;
    await unlist();
  } while (engine.isBusy || turns.settlements().length > 0);
  return true;
}

export type ConversationDeletionResult = { ok: true } | { ok: false; code: 'server_error' };

interface DeletionPorts {
  /** Removes the conversation from the list and the search index. */
  unlist(conversation: ConversationMeta): Promise<void>;
  /** Makes the conversation unavailable to further requests. */
  close(): void;
}

/** Erases a conversation, including its entries in the owner's search index. */
export class ConversationDeletion {
  readonly #storage: DurableObjectStorage;
  readonly #ports: DeletionPorts;
  #running: Promise<ConversationDeletionResult> | null = null;

  constructor(storage: DurableObjectStorage, ports: DeletionPorts) {
    this.#storage = storage;
    this.#ports = ports;
  }

  get isRunning(): boolean {
    return this.#running !== null;
  }

  /** Erases the conversation; parallel calls share one run. */
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
      // The conversation stays, so keep it searchable.
      if (!isDrained) parts.sync.pauseIndex(false);
    }
    if (!isDrained) return { ok: false, code: 'server_error' };
    parts.tabs.broadcast({ type: 'gone' }, null);
    this.#ports.close();
    await Promise.all([this.#storage.deleteAlarm(), this.#storage.deleteAll()]);
    return { ok: true };
  }
}

/**
 * Erases messages and the memory and prompt records that were derived from them.
 * @returns how many messages were erased
 */
export function eraseMessages(
  { store, messages, memory, contexts }: ConversationParts,
  erase: () => string[],
): number {
  return store.atomically(() => {
    const gone = erase();
    if (gone.length === 0) return 0;
    messages.notifyChanged(gone);
    memory.forgetMessages(gone);
    contexts.purgeDeleted();
    return gone.length;
  });
}
