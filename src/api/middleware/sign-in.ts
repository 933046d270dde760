import type { Context } from 'hono';
import type { SignedIn } from '../../features/account/account-store.ts';
import { createSession } from '../../features/account/session.ts';
import { conversationIdsOf } from '../../features/conversation/found-conversations-store.ts';
import type { ApiEnv } from './context.ts';
import { endCallerSession, setSessionCookie } from './guards.ts';
import { moveSearch } from '../../services/move-search.ts';

/**
 * Lets somebody in who has shown who they are, whatever it was shown by: the guest of their browser becomes or joins
 * the account, and the browser gets a new session.
 * @param signIn finds or makes the account
 * @returns the account's id
 */
export async function admit(
  c: Context<ApiEnv>,
  signIn: (known: { guestId: string | null; now: number }) => Promise<SignedIn>,
): Promise<string> {
  const caller = await c.get('caller')();
  const guestId = caller?.user.is_anonymous === true ? caller.user.id : null;
  // Asked before they are handed over: afterwards nobody knows which were the guest's.
  const conversationIds = guestId === null ? [] : await conversationIdsOf(c.get('db'), guestId);
  const { userId, joined } = await signIn({ guestId, now: Date.now() });
  if (guestId !== null && joined) {
    c.executionCtx.waitUntil(moveSearch(c.env, { guestId, userId, conversationIds }));
  }
  // A new session for a new right: the old cookie, whoever knows it, opens nothing any more.
  await endCallerSession(c);
  await beginSession(c, userId);
  return userId;
}

/** Begins a session in the caller's browser. */
export async function beginSession(c: Context<ApiEnv>, userId: string): Promise<void> {
  const userAgent = c.req.header('user-agent') ?? '';
  setSessionCookie(c, await createSession(c.get('db'), { userId, userAgent, now: Date.now() }));
}
