import { listChats } from '../features/conversation/conversation-list-store.ts';
import type { ServiceContext } from './context.ts';

/**
 * Closes a revoked session's WebSockets in the user's most recent chats. Sockets elsewhere receive nothing more and are
 * closed on the next broadcast.
 */
export async function closeSessionSockets(
  { env, db }: Pick<ServiceContext, 'env' | 'db'>,
  session: { userId: string; sessionPublicId: string },
): Promise<void> {
  const { chats } = await listChats(db, session.userId);
  const { CONVERSATIONS } = env;
  await Promise.allSettled(
    chats.map(({ id }) =>
      CONVERSATIONS.get(CONVERSATIONS.idFromName(id)).closeSession(session.sessionPublicId),
    ),
  );
}
