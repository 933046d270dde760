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

/** The calls that make the model write: the user is waiting for the first word. */
const GENERATION_ROUTE =
  /^\/api\/conversations\/([^/]+)\/(?:messages|messages\/[^/]+\/(?:regenerate|continue)|reply)$/;

/**
 * Loads a conversation's character in parallel with the session, for calls that need both: one D1 round trip before the
 * first word instead of two. Nothing of it is returned before the session is verified.
 */
export const prefetchCharacter: MiddlewareHandler<ApiEnv> = async (c, next) => {
  const conversationId = c.req.method === 'POST' ? GENERATION_ROUTE.exec(c.req.path)?.[1] : undefined;
  // Without a session cookie the request will be refused, so skip D1.
  if (
    conversationId !== undefined &&
    isId(conversationId) &&
    getCookie(c, resolveCookieName(c, SESSION_COOKIE).name)
  ) {
    const character = findConversationCharacter(c.get('db'), conversationId);
    // Avoid an unhandled rejection: the route that awaits it gets the error, and a request refused earlier does not need
    // it.
    character.catch(() => {});
    c.set('story', { conversationId, character });
  }
  await next();
};

/** Returns the prefetched character of a conversation, or loads it. @see prefetchCharacter */
export function getPrefetchedCharacter(
  c: Context<ApiEnv>,
  conversationId: string,
): Promise<ConversationCharacter | null> {
  const prefetched = c.get('story');
  return prefetched?.conversationId === conversationId
    ? prefetched.character
    : findConversationCharacter(c.get('db'), conversationId);
}
