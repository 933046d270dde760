import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { LOGIN_CODE } from '../../src/features/account/limits.ts';
import { openDatabase } from '../../src/db/open.ts';
import { loginCodes, sessions } from '../../src/db/schema/core.ts';
import { saveLoginCode, removeExpiredLoginCodes } from '../../src/features/account/login-code-store.ts';
import { removeExpiredSessions } from '../../src/features/account/session.ts';
import { createEmail, signInGuest } from '../support/factories.ts';

describe('What cron clears away', () => {
  test('sessions whose time is over go, those that still hold stay', async () => {
    const db = openDatabase(env.DB);
    const [gone, stays] = [await signInGuest(), await signInGuest()];
    await env.DB.prepare('update sessions set expires_at = 1 where user_id = ?').bind(gone.id).run();
    await removeExpiredSessions(db);
    const left = (await db.select({ userId: sessions.userId }).from(sessions)).map(({ userId }) => userId);
    expect(left).not.toContain(gone.id);
    expect(left).toContain(stays.id);
    expect(await stays.ask('/api/auth/status')).toMatchObject({ is_authenticated: true });
  });

  test('login codes go once their address is free again, not before', async () => {
    const db = openDatabase(env.DB);
    const email = createEmail();
    const sentAt = Date.now();
    await saveLoginCode(db, { email, codeHash: 'hash', network: { own: 'a', wider: 'b' }, now: sentAt });
    const kept = async () => (await db.select().from(loginCodes)).some((row) => row.email === email);
    await removeExpiredLoginCodes(db, sentAt + LOGIN_CODE.lifetimeMs + 1);
    expect(await kept()).toBe(true);
    await removeExpiredLoginCodes(db, sentAt + LOGIN_CODE.lifetimeMs + LOGIN_CODE.resendAfterMs + 1);
    expect(await kept()).toBe(false);
  });
});
