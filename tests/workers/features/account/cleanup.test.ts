import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { LOGIN_CODE } from '../../../../src/features/account/limits.ts';
import { openDatabase } from '../../../../src/db/open.ts';
import { loginCodes, sessions } from '../../../../src/db/schema/core.ts';
import {
  saveLoginCode,
  removeExpiredLoginCodes,
} from '../../../../src/features/account/login-code/login-code-store.ts';
import { removeExpiredSessions } from '../../../../src/features/account/session/session.ts';
import { ensureSystemUser } from '../../../../src/features/account/deletion/character-erasure-store.ts';
import { removeOrphanedCharacters } from '../../../../src/features/account/deletion/erasure-store.ts';
import { createEmail, signInGuest } from '../../../support/factories.ts';
import { explainQueries } from '../../../support/query-stats.ts';

describe('Cron cleanup', () => {
  test('the cleanup deletes expired sessions and keeps valid ones', async () => {
    const db = openDatabase(env.DB);
    const [expired, active] = [await signInGuest(), await signInGuest()];
    await env.DB.prepare('update sessions set expires_at = 1 where user_id = ?').bind(expired.id).run();
    await removeExpiredSessions(db);
    const remaining = (await db.select({ userId: sessions.userId }).from(sessions)).map(
      ({ userId }) => userId,
    );
    expect(remaining).not.toContain(expired.id);
    expect(remaining).toContain(active.id);
    expect(await active.ask('/api/auth/status')).toMatchObject({ is_authenticated: true });
  });

  test('the cleanup deletes a login code a day after it was sent, when it no longer delays others', async () => {
    const db = openDatabase(env.DB);
    const email = createEmail();
    const sentAt = Date.now();
    const by = { requester: 'a network', isKnownBrowser: false };
    await saveLoginCode(db, { email, codeHash: 'hash', by, now: sentAt });
    const isStored = async () => (await db.select().from(loginCodes)).some((row) => row.email === email);
    await removeExpiredLoginCodes(db, sentAt + LOGIN_CODE.dayWaitMs - 1);
    expect(await isStored()).toBe(true);
    await removeExpiredLoginCodes(db, sentAt + LOGIN_CODE.dayWaitMs);
    expect(await isStored()).toBe(false);
  });

  test('looking for the system user, as every erasure does, reads no other users', async () => {
    await ensureSystemUser(openDatabase(env.DB), Date.now());
    const plans = await explainQueries(async (db) => {
      await ensureSystemUser(db, Date.now());
      await removeOrphanedCharacters(db);
    });
    expect(plans).toHaveLength(2);
    for (const plan of plans) expect(plan).toContain('users_system');
    expect(plans.join()).not.toMatch(/SCAN users(?! USING (?:COVERING )?INDEX users_system)/);
  });
});
