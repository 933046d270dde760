import { listChats } from '../features/conversation/conversation-list-store.ts';
import type { ServiceContext } from './context.ts';

/**
 * Closes the sockets of a session that is over, where they are as a rule: in its person's newest chats. Wherever else
 * there is one, it hears nothing and is closed with the next thing that it would be told.
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
