import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { eq, sql } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { api } from '../../src/api/app.ts';
import { logQueueMetrics } from '../../src/jobs/queue-metrics.ts';
import { runSyntheticChecks, type MonitorDeps } from '../../src/jobs/synthetic-monitor.ts';
import { CHECK_LIMITS } from '../../src/features/status/limits.ts';
import { characterDays, characterListings } from '../../src/db/schema/character.ts';
import { openDatabase } from '../../src/db/open.ts';
import { conversations, erasures, mails, sessions, users } from '../../src/db/schema/core.ts';
import { turnHours } from '../../src/db/schema/stats.ts';
import { checkDays, checks } from '../../src/db/schema/status.ts';
import { listIdleGuests } from '../../src/features/account/deletion/erasure-store.ts';
import { saveCheck } from '../../src/features/status/check-store.ts';
import type { Check, StatusView } from '../../src/features/status/contract.ts';
import { SYNTHETIC_CHARACTER_ID, SYNTHETIC_USER_ID } from '../../src/features/account/synthetic-user.ts';
import {
  METRIC_QUERIES,
  MAX_ROWS_PER_RUN,
  buildTableSumQuery,
} from '../../src/features/stats/metrics-store.ts';
import { listUserIdsAfter } from '../../src/features/wallet/ledger-audit-store.ts';
import { createId } from '../../src/lib/ids.ts';
import { signInGuest, Visitor } from '../support/factories.ts';

const db = openDatabase(env.DB);
const FRONT = async () => new Response('<!doctype html>');

/** Goes through the product as cron does, at a time of its own: each of the models has its turn. */
async function check(
  at: number,
  { site = env, ports = {} }: { site?: Env; ports?: Partial<MonitorDeps> } = {},
): Promise<Check | null> {
  const context = createExecutionContext();
  const calls: MonitorDeps = {
    api: (request) => api.fetch(request, site, context),
    page: FRONT,
    ...ports,
  };
  const found = await runSyntheticChecks(site, calls, at);
  await waitOnExecutionContext(context);
  return found;
}

/** A moment now at which the model of that number is asked. */
function turnOf(number: number): number {
  const step = Math.floor(Date.now() / CHECK_LIMITS.everyMs);
  const models = 3;
  return (
    (step - (step % models) + number) * CHECK_LIMITS.everyMs +
    Math.floor(Math.random() * CHECK_LIMITS.everyMs)
  );
}
const ROLEPLAY = 0;
const DEEPSEEK = 2;

const told = (part: string, of: Check | null) => of?.parts.find((one) => one.part === part);
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

describe('The synthetic conversation', () => {
  test('finds everything well: the site, coming in, a chat, and a reply', async () => {
    const found = await check(turnOf(ROLEPLAY));
    expect(found?.parts.map(({ part, is }) => `${part} ${is}`)).toEqual([
      'site up',
      'sign_in up',
      'replies:loreloom up',
      'chats up',
    ]);
    for (const part of found?.parts ?? []) expect(part.ms).toBeGreaterThanOrEqual(0);
    expect(logged('check_done')).toHaveLength(1);
    expect(logged('check_failed')).toEqual([]);
  });

  test('leaves nothing behind, and moves no figure', async () => {
    const hours = await db.select().from(turnHours);
    await check(turnOf(ROLEPLAY));
    await check(turnOf(ROLEPLAY) + 1);
    const owned = eq(conversations.ownerId, SYNTHETIC_USER_ID);
    expect(await db.select().from(conversations).where(owned)).toEqual([]);
    expect(await db.select().from(sessions).where(eq(sessions.userId, SYNTHETIC_USER_ID))).toEqual([]);
    expect(await db.select().from(turnHours)).toEqual(hours);
    const ofIt = (table: typeof characterDays | typeof characterListings) =>
      db.select().from(table).where(eq(table.characterId, SYNTHETIC_CHARACTER_ID));
    expect(await ofIt(characterDays)).toEqual([]);
    // Nobody finds whom it talks with.
    expect((await new Visitor().call(`/api/characters/${SYNTHETIC_CHARACTER_ID}`)).status).toBe(404);
    // Neither among guests nor among those who were here, nor where points are counted, nor where guests go.
    const [row] = await db.all<{ guests: number }>(buildTableSumQuery('users', ''));
    // A run counts so many, by their ids; the house's visitor is the first of all.
    const counted = await db.select().from(users).orderBy(users.id).limit(MAX_ROWS_PER_RUN);
    expect(counted[0]?.id).toBe(SYNTHETIC_USER_ID);
    expect(row?.guests).toBe(counted.filter(({ isAnonymous }) => isAnonymous).length - 1);
    const [now] = await db.all<{ active: number }>(METRIC_QUERIES.now(Date.now()));
    const here = await db
      .select()
      .from(users)
      .where(sql`seen_at >= ${Math.floor(Date.now() / 86_400_000) * 86_400_000}`);
    expect(here.map(({ id }) => id)).toContain(SYNTHETIC_USER_ID);
    expect(now?.active).toBe(here.length - 1);
    expect(await listUserIdsAfter(db, '', 5)).not.toContain(SYNTHETIC_USER_ID);
    await db.update(users).set({ seenAt: 1 }).where(eq(users.id, SYNTHETIC_USER_ID));
    expect(await listIdleGuests(db, { now: Date.now(), limit: 5 })).not.toContain(SYNTHETIC_USER_ID);
  });

  test('tells a model that cannot be reached from a chat that works', async () => {
    const found = await check(turnOf(DEEPSEEK));
    expect(told('replies:deepseek', found)).toMatchObject({ is: 'down', ms: null });
    expect(told('chats', found)).toMatchObject({ is: 'up' });
    expect(logged('check_failed')).toEqual([
      expect.objectContaining({ part: 'replies:deepseek', level: 'error', code: expect.any(String) }),
    ]);
  });

  test('says of a message that is not kept that chats are down, and nothing of the model', async () => {
    const context = createExecutionContext();
    const found = await check(turnOf(ROLEPLAY), {
      ports: {
        api: (request) =>
          request.url.endsWith('/messages')
            ? Response.json({ error: 'No.', code: 'server_error' }, { status: 500 })
            : api.fetch(request, env, context),
      },
    });
    expect(told('chats', found)).toEqual({ part: 'chats', is: 'down', ms: null, code: 'server_error' });
    expect(told('replies:loreloom', found)).toBeUndefined();
  });

  test('says nothing of what a store that is down keeps it from finding out', async () => {
    const site = {
      ...env,
      KV: { get: () => Promise.reject(new Error('down')), put: env.KV.put.bind(env.KV) },
    };
    const found = await check(turnOf(ROLEPLAY), { site: site as unknown as Env });
    expect(found?.parts).toEqual([{ part: 'site', is: 'down', ms: null, code: 'keys' }]);
  });

  test('finds the site down when its front page is no page', async () => {
    const found = await check(turnOf(ROLEPLAY), {
      ports: { page: async () => new Response('', { status: 500 }) },
    });
    expect(told('site', found)).toMatchObject({ is: 'down', code: 'page' });
  });

  test('takes away what an earlier one that was cut short left behind', async () => {
    await check(turnOf(ROLEPLAY), {
      ports: {
        api: (request) =>
          request.method === 'DELETE'
            ? new Response(null, { status: 500 })
            : api.fetch(request, env, createExecutionContext()),
      },
    });
    expect(logged('check_not_cleared')).toHaveLength(1);
    const owned = eq(conversations.ownerId, SYNTHETIC_USER_ID);
    expect(await db.select().from(conversations).where(owned)).toHaveLength(1);
    await check(turnOf(ROLEPLAY));
    expect(await db.select().from(conversations).where(owned)).toEqual([]);
  });

  test('is not had where the operator wants none', async () => {
    const site = { ...env, SYNTHETIC_CHECKS: 'off' } as unknown as Env;
    expect(await check(turnOf(ROLEPLAY), { site })).toBeNull();
    expect(await db.select().from(checks)).toEqual([]);
    expect(lines).toEqual([]);
  });
});

describe('What was found', () => {
  test('is kept once, and what it comes to in a day with it', async () => {
    const at = turnOf(ROLEPLAY);
    const one: Check = { at, parts: [{ part: 'site', is: 'slow', ms: 3000 }] };
    for (let again = 0; again < 3; again += 1)
      expect(await saveCheck(env, db, { check: one, now: at })).toBe(true);
    expect(await db.select().from(checks)).toEqual([one]);
    expect(await db.select().from(checkDays)).toMatchObject([{ part: 'site', checks: 1, slow: 1, down: 0 }]);
  });

  test('waits while the database takes nothing, and is written with the next one', async () => {
    const at = turnOf(ROLEPLAY);
    const broken = openDatabase({
      prepare: () => {
        throw new Error('down');
      },
    } as unknown as D1Database);
    const missed: Check = { at, parts: [{ part: 'site', is: 'down', ms: null, code: 'database' }] };
    expect(await saveCheck(env, broken, { check: missed, now: at })).toBe(true);
    expect(await db.select().from(checks)).toEqual([]);
    const next: Check = { at: at + 1, parts: [{ part: 'site', is: 'up', ms: 4 }] };
    await saveCheck(env, db, { check: next, now: at + 1 });
    expect(await db.select().from(checks).orderBy(checks.at)).toEqual([missed, next]);
    // Nothing of it waits any more.
    await saveCheck(env, db, { check: { at: at + 2, parts: [] }, now: at + 2 });
    expect(await db.select().from(checkDays)).toMatchObject([{ checks: 2, down: 1 }]);
  });

  test('is forgotten after three months', async () => {
    const now = Date.now();
    const old = now - (CHECK_LIMITS.retentionDays + 1) * 86_400_000;
    await saveCheck(env, db, { check: { at: old, parts: [{ part: 'site', is: 'up', ms: 1 }] }, now: old });
    await saveCheck(env, db, { check: { at: now, parts: [{ part: 'site', is: 'up', ms: 1 }] }, now });
    expect((await db.select().from(checks)).map(({ at }) => at)).toEqual([now]);
    expect(await db.select().from(checkDays)).toHaveLength(1);
  });
});

describe('GET /api/status', () => {
  test('says that nothing was measured where nothing was', async () => {
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

  test('says what the last checks found, to everybody, and may be kept for a minute', async () => {
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
    // What the operator alone needs is not told.
    expect(JSON.stringify(view)).not.toContain('"code"');
  });
});

describe('What waits to be done', () => {
  test('is told, and aloud when it has waited for too long', async () => {
    const { id: userId } = await signInGuest();
    const now = Date.now();
    const mail = { address: 'a@example.test', language: 'en', kind: 'account_of_before', details: {} };
    await db.insert(mails).values({
      id: createId(now),
      userId,
      ...mail,
      about: createId(now),
      createdAt: now,
      tryAt: now - 7_200_000,
    });
    await db.insert(erasures).values({
      ...{ userId: createId(now), conversationIds: [], pictureKeys: [] },
      ...{ begunAt: now - 1000, tryAt: now + 86_400_000 },
    });
    await logQueueMetrics(env, db, now);
    expect(logged('backlog_old')).toEqual([
      expect.objectContaining({ kind: 'mails', level: 'error', oldest_ms: 7_200_000 }),
    ]);
    expect(logged('backlog')).toContainEqual(expect.objectContaining({ kind: 'erasures', level: 'info' }));
    expect(logged('database_seen')).toEqual([
      expect.objectContaining({ bytes: expect.any(Number), ms: expect.any(Number) }),
    ]);
    await db.delete(mails).where(eq(mails.userId, userId));
    await db.delete(erasures).where(sql`try_at > ${now + 1000}`);
  });
});
