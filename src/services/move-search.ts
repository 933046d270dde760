/** Conversations that are reindexed in parallel. */
const MOVE_BATCH_SIZE = 6;

/**
 * Moves the search index of a guest's conversations to the account that they were merged into, and erases the guest's
 * index. A conversation that does not answer is reindexed when it is opened.
 */
export async function moveSearchIndex(
  env: Pick<Env, 'CONVERSATIONS' | 'SEARCHES'>,
  { guestId, userId, conversationIds }: { guestId: string; userId: string; conversationIds: string[] },
): Promise<void> {
  for (let start = 0; start < conversationIds.length; start += MOVE_BATCH_SIZE) {
    const batch = conversationIds.slice(start, start + MOVE_BATCH_SIZE);
    await Promise.allSettled(
      batch.map((id) => env.CONVERSATIONS.get(env.CONVERSATIONS.idFromName(id)).reindex(userId)),
    );
  }
  await env.SEARCHES.get(env.SEARCHES.idFromName(guestId)).erase();
}
