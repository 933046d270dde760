import type { Context } from 'hono';
import type { SignInResult } from '../../features/account/account-store.ts';
import { createSession } from '../../features/account/session.ts';
import { listConversationIds } from '../../features/conversation/found-conversations-store.ts';
import type { ApiEnv } from './context.ts';
import { endCallerSession, setSessionCookie } from './guards.ts';
import { moveSearchIndex } from '../../services/move-search.ts';

/**
 * Lets somebody in who has shown who they are, whatever it was shown by: the guest of their browser becomes or joins
 * the account, and the browser gets a new session.
 * @param signIn finds or makes the account
 * @returns the account's id
 */
export async function signInCaller(
  c: Context<ApiEnv>,
  signIn: (known: { guestId: string | null; now: number }) => Promise<SignInResult>,
): Promise<string> {
  const caller = await c.get('caller')();
  const guestId = caller?.user.is_anonymous === true ? caller.user.id : null;
  // Asked before they are handed over: afterwards nobody knows which were the guest's.
  const conversationIds = guestId === null ? [] : await listConversationIds(c.get('db'), guestId);
  const { userId, isGuestMerged: joined } = await signIn({ guestId, now: Date.now() });
  if (guestId !== null && joined) {
    c.executionCtx.waitUntil(moveSearchIndex(c.env, { guestId, userId, conversationIds }));
  }
  // A new session for a new right: the old cookie, whoever knows it, opens nothing any more.
  await endCallerSession(c);
  await startSession(c, userId);
  return userId;
}

/** Begins a session in the caller's browser. */
export async function startSession(c: Context<ApiEnv>, userId: string): Promise<void> {
  const userAgent = c.req.header('user-agent') ?? '';
  setSessionCookie(c, await createSession(c.get('db'), { userId, userAgent, now: Date.now() }));
}
