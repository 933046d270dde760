import { listUnbegunConversations } from '../features/conversation/conversation-rows-store.ts';
import { CHAT_LIST } from '../features/conversation/limits.ts';
import type { ServiceContext } from './context.ts';

/**
 * Closes the WebSockets and reply streams of a session that has ended, in the user's most recent chats, listed or not.
 * Sockets elsewhere receive nothing more and are closed on the next broadcast, streams within seconds (`Followers`). Replies
 * go on.
 */
export async function closeSessionConnections(
  { env, db }: Pick<ServiceContext, 'env' | 'db'>,
  session: { userId: string; sessionPublicId: string },
): Promise<void> {
  const { CONVERSATIONS, SEARCHES } = env;
  const { userId: ownerId } = session;
  const limit = CHAT_LIST.maxItems;
  const [{ rows }, unbegun] = await Promise.all([
    SEARCHES.get(SEARCHES.idFromName(ownerId)).listConversations({ from: 'chats', after: null, limit }),
    listUnbegunConversations(db, { ownerId, limit }),
  ]);
  await Promise.allSettled(
    [...rows.map(({ id }) => id), ...unbegun].map((id) =>
      CONVERSATIONS.get(CONVERSATIONS.idFromName(id)).closeSession(session.sessionPublicId),
    ),
  );
}
