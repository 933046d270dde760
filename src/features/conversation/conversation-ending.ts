import type { Parts } from './conversation-ports.ts';

/**
 * Brings all that goes on in a conversation to its end and pays what is owed, before it is erased. When this resolves,
 * nothing has begun since.
 * @param unlist has others forget the conversation; while they are told, something may begin again, and is ended too
 * @returns false while the wallet does not confirm what it is owed
 */
export async function comeToRest(
  { engine, asks, keeper, chores, turns }: Parts,
  unlist: () => Promise<void>,
): Promise<boolean> {
  do {
    await engine.stop();
    await Promise.all([asks.stop(), keeper.stop()]);
    await chores.do();
    if (turns.settlements().length > 0) return false;
    await unlist();
  } while (engine.busy || turns.settlements().length > 0);
  return true;
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
