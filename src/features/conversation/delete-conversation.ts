import type { Parts } from './compose-conversation.ts';
import type { Meta } from './conversation-store.ts';

/**
 * Brings all that goes on in a conversation to its end and pays what is owed, before it is erased. When this resolves,
 * nothing has begun since.
 * @param unlist has others forget the conversation; while they are told, something may begin again, and is ended too
 * @returns false while the wallet does not confirm what it is owed
 */
async function comeToRest(
  { engine, asks, keeper, chores, turns }: Parts,
  unlist: () => Promise<void>,
): Promise<boolean> {
  do {
    await engine.stop();
    await Promise.all([asks.stop(), keeper.stop()]);
    await chores.do();
    if (turns.settlements().length > 0) return false;
    chores.forgotten(true);
    await unlist();
  } while (engine.busy || turns.settlements().length > 0);
  return true;
}

export type Erased = { ok: true } | { ok: false; code: 'server_error' };

/** What an erasure needs of the world. */
interface ErasurePorts {
  /** Has others forget the conversation. */
  unlist(conversation: Meta): Promise<void>;
  /** Lets nobody in any more. */
  close(): void;
}

/** The end of a conversation: nothing is left of it here, nor in its person's search. */
export class Erasure {
  readonly #storage: DurableObjectStorage;
  readonly #ports: ErasurePorts;
  #running: Promise<Erased> | null = null;

  constructor(storage: DurableObjectStorage, ports: ErasurePorts) {
    this.#storage = storage;
    this.#ports = ports;
  }

  /** Whether it is being erased now. */
  get underWay(): boolean {
    return this.#running !== null;
  }

  /** Once, however often it is asked for at the same time. */
  of(parts: Parts): Promise<Erased> {
    this.#running ??= this.#erase(parts).finally(() => (this.#running = null));
    return this.#running;
  }

  async #erase(parts: Parts): Promise<Erased> {
    const meta = parts.store.meta() as Meta;
    let isAtRest = false;
    try {
      isAtRest = await comeToRest(parts, () => this.#ports.unlist(meta));
    } finally {
      // What stays is to be found again.
      if (!isAtRest) parts.chores.forgotten(false);
    }
    if (!isAtRest) return { ok: false, code: 'server_error' };
    parts.tabs.tell({ type: 'gone' }, null);
    this.#ports.close();
    await Promise.all([this.#storage.deleteAlarm(), this.#storage.deleteAll()]);
    return { ok: true };
  }
}

/** Erases messages and everything that was known of them. @returns how many are gone */
export function forgetMessages(
  { messages, memory, contexts }: Parts,
  storage: DurableObjectStorage,
  erase: () => string[],
): number {
  return storage.transactionSync(() => {
    const gone = erase();
    if (gone.length === 0) return 0;
    messages.changed(gone);
    memory.forget(gone);
    contexts.forgetGone();
    return gone.length;
  });
}
