import type { Context } from 'hono';
import { readEmail, type SignInResult } from '../../features/account/account-store.ts';
import { createSession, type ProofMethod } from '../../features/account/session/session.ts';
import { saveKnownBrowser } from './code-requester.ts';
import type { ApiEnv } from './context.ts';
import { endCallerSession, setSessionCookie } from './guards.ts';
import { indexMissingConversations } from '../../services/list-conversations.ts';

/**
 * Signs the caller in after authentication by any method: a guest becomes an account or is merged into it, and the
 * browser gets a new session.
 * @param provedBy the method
 * @param signIn finds or creates the account
 * @returns the account's id
 */
export async function signInCaller(
  c: Context<ApiEnv>,
  provedBy: ProofMethod,
  signIn: (known: { guestId: string | null; now: number }) => Promise<SignInResult>,
): Promise<string> {
  const caller = await c.get('caller')();
  const guestId = caller?.user.is_anonymous === true ? caller.user.id : null;
  const { userId, isGuestMerged: joined } = await signIn({ guestId, now: Date.now() });
  if (guestId !== null && joined) {
    c.executionCtx.waitUntil(indexMissingConversations({ env: c.env, db: c.get('db') }, userId));
    c.executionCtx.waitUntil(c.env.SEARCHES.get(c.env.SEARCHES.idFromName(guestId)).erase());
  }
  // Rotate the session after the change of rights, so that the old cookie is worthless.
  await endCallerSession(c);
  await startSession(c, userId, provedBy);
  const email = await readEmail(c.get('db'), userId);
  if (email !== null) await saveKnownBrowser(c, email);
  return userId;
}

/** Starts a session in the caller's browser. */
export async function startSession(c: Context<ApiEnv>, userId: string, provedBy: ProofMethod): Promise<void> {
  const userAgent = c.req.header('user-agent') ?? '';
  setSessionCookie(c, await createSession(c.get('db'), { userId, provedBy, userAgent, now: Date.now() }));
}
