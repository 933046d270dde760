import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { eq, sql } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { api } from '../../../../src/api/app.ts';
import { logQueueMetrics } from '../../../../src/jobs/queue-metrics.ts';
import { runSyntheticChecks, type MonitorDeps } from '../../../../src/jobs/synthetic-monitor.ts';
import { CHECK_LIMITS } from '../../../../src/features/status/limits.ts';
import { characterDays, characterListings } from '../../../../src/db/schema/character.ts';
import { openDatabase } from '../../../../src/db/open.ts';
import { conversations, erasures, mails, sessions, users } from '../../../../src/db/schema/core.ts';
import { checkDays, checks } from '../../../../src/db/schema/status.ts';
import { listIdleGuests } from '../../../../src/features/account/deletion/erasure-store.ts';
import { saveCheck } from '../../../../src/features/status/check-store.ts';
import type { Check, StatusView } from '../../../../src/features/status/contract.ts';
import {
  SYNTHETIC_CHARACTER_ID,
  SYNTHETIC_USER_ID,
} from '../../../../src/features/account/synthetic-user.ts';
import {
  METRIC_QUERIES,
  MAX_ROWS_PER_RUN,
  buildTableSumQuery,
} from '../../../../src/features/stats/metrics-store.ts';
import { listUserIdsAfter } from '../../../../src/features/wallet/ledger-audit-store.ts';
import { createId } from '../../../../src/lib/ids.ts';
import { signInGuest, Visitor } from '../../../support/factories.ts';

const db = openDatabase(env.DB);
const FRONT_PAGE = async () => new Response('<!doctype html>');

/** Runs the synthetic checks as cron does, at a given time; each run probes one of the models. */
async function check(
  at: number,
  { site = env, ports = {} }: { site?: Env; ports?: Partial<MonitorDeps> } = {},
): Promise<Check | null> {
  const context = createExecutionContext();
  const calls: MonitorDeps = {
    api: (request) => api.fetch(request, site, context),
    page: FRONT_PAGE,
    ...ports,
  };
  const result = await runSyntheticChecks(site, calls, at);
  await waitOnExecutionContext(context);
  return result;
}

/** A time of today at which the model with this number is probed. */
function getProbeTime(number: number): number {
  const step = Math.floor(Date.now() / CHECK_LIMITS.everyMs);
  const models = 3;
  return (
    (step - (step % models) + number) * CHECK_LIMITS.everyMs +
    Math.floor(Math.random() * CHECK_LIMITS.everyMs)
  );
}
const ROLEPLAY = 0;
const DEEPSEEK = 2;

const getPart = (part: string, of: Check | null) => of?.parts.find((one) => one.part === part);
const status = () => new Visitor().ask<StatusView>('/api/status');

let lines: string[] = [];
beforeEach(async () => {
  lines = [];
  for (const way of ['log', 'warn', 'error'] as const)
    vi.spyOn(console, way).mockImplementation((line) => {
      lines.push(String(line));
    });
  await db.delete(checks);
  await db.delete(checkDays);
});
afterEach(() => vi.restoreAllMocks());
const logged = (event: string) =>
  lines.map((line) => JSON.parse(line) as Record<string, unknown>).filter((line) => line['event'] === event);

describe('Synthetic checks', () => {
  test('the synthetic checks find the site, the login, chats and a model working', async () => {
    const result = await check(getProbeTime(ROLEPLAY));
    expect(result?.parts.map(({ part, is }) => `${part} ${is}`)).toEqual([
      'site up',
      'sign_in up',
      'replies:loreloom up',
      'chats up',
    ]);
    for (const part of result?.parts ?? []) expect(part.ms).toBeGreaterThanOrEqual(0);
    expect(logged('check_done')).toHaveLength(1);
    expect(logged('check_failed')).toEqual([]);
  });

  test('the synthetic checks leave no conversation, session or counts behind', async () => {
    await check(getProbeTime(ROLEPLAY));
    await check(getProbeTime(ROLEPLAY) + 1);
    const owned = eq(conversations.ownerId, SYNTHETIC_USER_ID);
    expect(await db.select().from(conversations).where(owned)).toEqual([]);
    expect(await db.select().from(sessions).where(eq(sessions.userId, SYNTHETIC_USER_ID))).toEqual([]);
    const readSynthetic = (table: typeof characterDays | typeof characterListings) =>
      db.select().from(table).where(eq(table.characterId, SYNTHETIC_CHARACTER_ID));
    expect(await readSynthetic(characterDays)).toEqual([]);
    // The synthetic character cannot be found.
    expect((await new Visitor().call(`/api/characters/${SYNTHETIC_CHARACTER_ID}`)).status).toBe(404);
    // The synthetic user is left out of the counts of guests and active users, of the ledger audit and of the guest cleanup.
    const [row] = await db.all<{ guests: number }>(buildTableSumQuery('users', ''));
    // One run counts a limited number of users in the order of their ids; the synthetic user is the first of them.
    const counted = await db.select().from(users).orderBy(users.id).limit(MAX_ROWS_PER_RUN);
    expect(counted[0]?.id).toBe(SYNTHETIC_USER_ID);
    expect(row?.guests).toBe(counted.filter(({ isAnonymous }) => isAnonymous).length - 1);
    const [now] = await db.all<{ active: number }>(METRIC_QUERIES.now(Date.now()));
    const activeUsers = await db
      .select()
      .from(users)
      .where(sql`last_seen_at >= ${Math.floor(Date.now() / 86_400_000) * 86_400_000}`);
    expect(activeUsers.map(({ id }) => id)).toContain(SYNTHETIC_USER_ID);
    expect(now?.active).toBe(activeUsers.length - 1);
    expect(await listUserIdsAfter(db, '', 5)).not.toContain(SYNTHETIC_USER_ID);
    await db.update(users).set({ lastSeenAt: 1 }).where(eq(users.id, SYNTHETIC_USER_ID));
    expect(await listIdleGuests(db, { now: Date.now(), limit: 5 })).not.toContain(SYNTHETIC_USER_ID);
  });

  test('the synthetic checks report an unreachable model separately from working chats', async () => {
    const result = await check(getProbeTime(DEEPSEEK));
    expect(getPart('replies:deepseek', result)).toMatchObject({ is: 'down', ms: null });
    expect(getPart('chats', result)).toMatchObject({ is: 'up' });
    expect(logged('check_failed')).toEqual([
      expect.objectContaining({ part: 'replies:deepseek', level: 'error', code: expect.any(String) }),
    ]);
  });

  test('a message that is not stored is reported as chats down, without a result for the model', async () => {
    const context = createExecutionContext();
    const result = await check(getProbeTime(ROLEPLAY), {
      ports: {
        api: (request) =>
          request.url.endsWith('/messages')
            ? Response.json({ error: 'No.', code: 'server_error' }, { status: 500 })
            : api.fetch(request, env, context),
      },
    });
    expect(getPart('chats', result)).toEqual({ part: 'chats', is: 'down', ms: null, code: 'server_error' });
    expect(getPart('replies:loreloom', result)).toBeUndefined();
  });

  test('only the site is reported as down when the key store fails', async () => {
    const site = {
      ...env,
      KV: { get: () => Promise.reject(new Error('down')), put: env.KV.put.bind(env.KV) },
    };
    const result = await check(getProbeTime(ROLEPLAY), { site: site as unknown as Env });
    expect(result?.parts).toEqual([{ part: 'site', is: 'down', ms: null, code: 'keys' }]);
  });

  test('the site is reported as down when its front page fails', async () => {
    const result = await check(getProbeTime(ROLEPLAY), {
      ports: { page: async () => new Response('', { status: 500 }) },
    });
    expect(getPart('site', result)).toMatchObject({ is: 'down', code: 'page' });
  });

  test('the synthetic checks remove the conversation of an earlier interrupted run', async () => {
    await check(getProbeTime(ROLEPLAY), {
      ports: {
        api: (request) =>
          request.method === 'DELETE'
            ? new Response(null, { status: 500 })
            : api.fetch(request, env, createExecutionContext()),
      },
    });
    expect(logged('check_cleanup_failed')).toHaveLength(1);
    const owned = eq(conversations.ownerId, SYNTHETIC_USER_ID);
    expect(await db.select().from(conversations).where(owned)).toHaveLength(1);
    await check(getProbeTime(ROLEPLAY));
    expect(await db.select().from(conversations).where(owned)).toEqual([]);
  });

  test('no synthetic checks run where the operator switched them off', async () => {
    const site = { ...env, SYNTHETIC_CHECKS: 'off' } as unknown as Env;
    expect(await check(getProbeTime(ROLEPLAY), { site })).toBeNull();
    expect(await db.select().from(checks)).toEqual([]);
    expect(lines).toEqual([]);
  });
});

describe('Check results', () => {
  test('a check result is stored once and counted in its day', async () => {
    const at = getProbeTime(ROLEPLAY);
    const one: Check = { at, parts: [{ part: 'site', is: 'slow', ms: 3000 }] };
    for (let again = 0; again < 3; again += 1)
      expect(await saveCheck(env, db, { check: one, now: at })).toBe(true);
    expect(await db.select().from(checks)).toEqual([one]);
    expect(await db.select().from(checkDays)).toMatchObject([{ part: 'site', checks: 1, slow: 1, down: 0 }]);
  });

  test('a check result waits while the database is down and is stored with the next one', async () => {
    const at = getProbeTime(ROLEPLAY);
    const broken = openDatabase({
      prepare: () => {
        throw new Error('down');
      },
    } as unknown as D1Database);
    const failed: Check = { at, parts: [{ part: 'site', is: 'down', ms: null, code: 'database' }] };
    expect(await saveCheck(env, broken, { check: failed, now: at })).toBe(true);
    expect(await db.select().from(checks)).toEqual([]);
    const next: Check = { at: at + 1, parts: [{ part: 'site', is: 'up', ms: 4 }] };
    await saveCheck(env, db, { check: next, now: at + 1 });
    expect(await db.select().from(checks).orderBy(checks.at)).toEqual([failed, next]);
    // No result is waiting any more.
    await saveCheck(env, db, { check: { at: at + 2, parts: [] }, now: at + 2 });
    expect(await db.select().from(checkDays)).toMatchObject([{ checks: 2, down: 1 }]);
  });

  test('a check result is removed after three months', async () => {
    const now = Date.now();
    const old = now - (CHECK_LIMITS.retentionDays + 1) * 86_400_000;
    await saveCheck(env, db, { check: { at: old, parts: [{ part: 'site', is: 'up', ms: 1 }] }, now: old });
    await saveCheck(env, db, { check: { at: now, parts: [{ part: 'site', is: 'up', ms: 1 }] }, now });
    expect((await db.select().from(checks)).map(({ at }) => at)).toEqual([now]);
    expect(await db.select().from(checkDays)).toHaveLength(1);
  });
});

describe('GET /api/status', () => {
  test('the status is unknown before the first check', async () => {
    const view = await status();
    expect(view).toMatchObject({ now: 'unknown', checked_at: null, stale: true, checking: true });
    expect(view.parts.map(({ id, now }) => `${id} ${now}`)).toEqual([
      'site unknown',
      'sign_in unknown',
      'chats unknown',
      'replies:loreloom unknown',
      'replies:chatgpt unknown',
      'replies:deepseek unknown',
    ]);
  });

  test('the status shows the last check to everyone and can be cached for a minute', async () => {
    const now = Date.now();
    await saveCheck(env, db, {
      check: { at: now - 60_000, parts: [{ part: 'site', is: 'up', ms: 9 }] },
      now,
    });
    const answer = await new Visitor().call('/api/status');
    expect(answer.headers.get('cache-control')).toBe('public, max-age=60, stale-if-error=0');
    const view = await answer.json<StatusView>();
    expect(view).toMatchObject({ stale: false, checked_at: new Date(now - 60_000).toISOString() });
    expect(view.parts[0]).toMatchObject({ id: 'site', now: 'up' });
    expect(view.parts[0]?.days.at(-1)).toMatchObject({ checks: 1, slow: 0, down: 0 });
    // Error codes are for the operator only.
    expect(JSON.stringify(view)).not.toContain('"code"');
  });
});

describe('Queue metrics', () => {
  test('waiting work is logged, as an error when it has waited too long', async () => {
    const { id: userId } = await signInGuest();
    // Other tests leave mails that nothing sends.
    await db.delete(mails);
    const now = Date.now();
    const mail = { address: 'a@example.test', language: 'en', kind: 'account_of_before', variables: {} };
    await db.insert(mails).values({
      id: createId(now),
      userId,
      ...mail,
      dedupeKey: createId(now),
      createdAt: now,
      retryAt: now - 7_200_000,
    });
    await db.insert(erasures).values({
      ...{ userId: createId(now), conversationIds: [], pictureKeys: [] },
      ...{ startedAt: now - 1000, retryAt: now + 86_400_000 },
    });
    await logQueueMetrics(env, db, now);
    expect(logged('queue_stalled')).toEqual([
      expect.objectContaining({ kind: 'mails', level: 'error', oldest_ms: 7_200_000 }),
    ]);
    expect(logged('backlog')).toContainEqual(expect.objectContaining({ kind: 'erasures', level: 'info' }));
    expect(logged('database_stats')).toEqual([
      expect.objectContaining({ bytes: expect.any(Number), ms: expect.any(Number) }),
    ]);
    await db.delete(mails).where(eq(mails.userId, userId));
    await db.delete(erasures).where(sql`retry_at > ${now + 1000}`);
  });
});
