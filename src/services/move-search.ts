/** Conversations asked at once to tell another person's index of themselves. */
const MOVE_BATCH_SIZE = 6;

/**
 * Has conversations that moved to another account told to its index, and forgets the index of the guest who had
 * them. A conversation that does not answer tells it when it is opened.
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
