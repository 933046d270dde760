import { CHAT_LIST } from '../features/conversation/limits.ts';
import type { ServiceContext } from './context.ts';

/**
 * Closes a revoked session's WebSockets in the user's most recent chats. Sockets elsewhere receive nothing more and are
 * closed on the next broadcast.
 */
export async function closeSessionSockets(
  { env }: Pick<ServiceContext, 'env'>,
  session: { userId: string; sessionPublicId: string },
): Promise<void> {
  const { CONVERSATIONS, SEARCHES } = env;
  const newest = { from: 'chats', after: null, limit: CHAT_LIST.maxItems } as const;
  const { rows } = await SEARCHES.get(SEARCHES.idFromName(session.userId)).listConversations(newest);
  await Promise.allSettled(
    rows.map(({ id }) =>
      CONVERSATIONS.get(CONVERSATIONS.idFromName(id)).closeSession(session.sessionPublicId),
    ),
  );
}
