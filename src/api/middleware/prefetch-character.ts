import type { Context, MiddlewareHandler } from 'hono';
import { getCookie } from 'hono/cookie';
import { SESSION_COOKIE } from '../../features/account/cookie-name.ts';
import {
  findConversationCharacter,
  type ConversationCharacter,
} from '../../features/conversation/character/conversation-character-store.ts';
import { isId } from '../../lib/ids.ts';
import type { ApiEnv } from './context.ts';
import { resolveCookieName } from './guards.ts';

/** The calls that have a model write in a conversation: whoever makes one waits for its first word. */
const GENERATION_ROUTE =
  /^\/api\/conversations\/([^/]+)\/(?:messages|messages\/[^/]+\/(?:regenerate|continue)|reply)$/;

/**
 * Begins to read a conversation's character beside the session, for the calls that need both: one trip to D1 before the
 * first word in place of two. Nothing of it is told before the session says to whom.
 */
export const prefetchCharacter: MiddlewareHandler<ApiEnv> = async (c, next) => {
  const conversationId = c.req.method === 'POST' ? GENERATION_ROUTE.exec(c.req.path)?.[1] : undefined;
  // Whoever brings no session is refused, and D1 need not be asked.
  if (
    conversationId !== undefined &&
    isId(conversationId) &&
    getCookie(c, resolveCookieName(c, SESSION_COOKIE).name)
  ) {
    const character = findConversationCharacter(c.get('db'), conversationId);
    // Whoever asks for it hears why it failed; a call that is refused before that does not.
    character.catch(() => {});
    c.set('story', { conversationId, character });
  }
  await next();
};

/** The character of a conversation, from what was begun to be read, or read now. @see prefetchCharacter */
export function getPrefetchedCharacter(
  c: Context<ApiEnv>,
  conversationId: string,
): Promise<ConversationCharacter | null> {
  const prefetched = c.get('story');
  return prefetched?.conversationId === conversationId
    ? prefetched.character
    : findConversationCharacter(c.get('db'), conversationId);
}
