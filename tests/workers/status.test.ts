import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { eq, sql } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { api } from '../../src/api/app.ts';
import { tellBacklogs } from '../../src/jobs/queue-metrics.ts';
import { checkAll, type CheckPorts } from '../../src/jobs/synthetic-monitor.ts';
import { CHECKS } from '../../src/features/status/limits.ts';
import { characterDays, characterListings } from '../../src/db/schema/character.ts';
import { openDatabase } from '../../src/db/open.ts';
import { conversations, erasures, mails, sessions, users } from '../../src/db/schema/core.ts';
import { turnHours } from '../../src/db/schema/stats.ts';
import { checkDays, checks } from '../../src/db/schema/status.ts';
import { idleGuests } from '../../src/features/account/deletion/erasure-store.ts';
import { keepCheck } from '../../src/features/status/check-store.ts';
import type { Check, StatusView } from '../../src/features/status/contract.ts';
import { HOUSE_CHARACTER, HOUSE_VISITOR } from '../../src/features/account/synthetic-user.ts';
import { ASKED, COUNTED_PER_RUN, someOf } from '../../src/features/stats/metrics-store.ts';
import { peopleAfter } from '../../src/features/wallet/ledger-check-store.ts';
import { newId } from '../../src/lib/ids.ts';
import { guest, Visitor } from '../support/makers.ts';

const db = openDatabase(env.DB);
const FRONT = async () => new Response('<!doctype html>');

/** Goes through the product as cron does, at a time of its own: each of the models has its turn. */
async function check(
  at: number,
  { site = env, ports = {} }: { site?: Env; ports?: Partial<CheckPorts> } = {},
): Promise<Check | null> {
  const context = createExecutionContext();
  const calls: CheckPorts = {
    api: (request) => api.fetch(request, site, context),
    page: FRONT,
    ...ports,
  };
  const found = await checkAll(site, calls, at);
  await waitOnExecutionContext(context);
  return found;
}

/** A moment now at which the model of that number is asked. */
function turnOf(number: number): number {
  const step = Math.floor(Date.now() / CHECKS.everyMs);
  const models = 3;
  return (step - (step % models) + number) * CHECKS.everyMs + Math.floor(Math.random() * CHECKS.everyMs);
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
    const owned = eq(conversations.ownerId, HOUSE_VISITOR);
    expect(await db.select().from(conversations).where(owned)).toEqual([]);
    expect(await db.select().from(sessions).where(eq(sessions.userId, HOUSE_VISITOR))).toEqual([]);
    expect(await db.select().from(turnHours)).toEqual(hours);
    const ofIt = (table: typeof characterDays | typeof characterListings) =>
      db.select().from(table).where(eq(table.characterId, HOUSE_CHARACTER));
    expect(await ofIt(characterDays)).toEqual([]);
    // Nobody finds whom it talks with.
    expect((await new Visitor().call(`/api/characters/${HOUSE_CHARACTER}`)).status).toBe(404);
    // Neither among guests nor among those who were here, nor where points are counted, nor where guests go.
    const [row] = await db.all<{ guests: number }>(someOf('users', ''));
    // A run counts so many, by their ids; the house's visitor is the first of all.
    const counted = await db.select().from(users).orderBy(users.id).limit(COUNTED_PER_RUN);
    expect(counted[0]?.id).toBe(HOUSE_VISITOR);
    expect(row?.guests).toBe(counted.filter(({ isAnonymous }) => isAnonymous).length - 1);
    const [now] = await db.all<{ active: number }>(ASKED.now(Date.now()));
    const here = await db
      .select()
      .from(users)
      .where(sql`seen_at >= ${Math.floor(Date.now() / 86_400_000) * 86_400_000}`);
    expect(here.map(({ id }) => id)).toContain(HOUSE_VISITOR);
    expect(now?.active).toBe(here.length - 1);
    expect(await peopleAfter(db, '', 5)).not.toContain(HOUSE_VISITOR);
    await db.update(users).set({ seenAt: 1 }).where(eq(users.id, HOUSE_VISITOR));
    expect(await idleGuests(db, { now: Date.now(), limit: 5 })).not.toContain(HOUSE_VISITOR);
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
    const owned = eq(conversations.ownerId, HOUSE_VISITOR);
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
      expect(await keepCheck(env, db, { check: one, now: at })).toBe(true);
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
    expect(await keepCheck(env, broken, { check: missed, now: at })).toBe(true);
    expect(await db.select().from(checks)).toEqual([]);
    const next: Check = { at: at + 1, parts: [{ part: 'site', is: 'up', ms: 4 }] };
    await keepCheck(env, db, { check: next, now: at + 1 });
    expect(await db.select().from(checks).orderBy(checks.at)).toEqual([missed, next]);
    // Nothing of it waits any more.
    await keepCheck(env, db, { check: { at: at + 2, parts: [] }, now: at + 2 });
    expect(await db.select().from(checkDays)).toMatchObject([{ checks: 2, down: 1 }]);
  });

  test('is forgotten after three months', async () => {
    const now = Date.now();
    const old = now - (CHECKS.daysKept + 1) * 86_400_000;
    await keepCheck(env, db, { check: { at: old, parts: [{ part: 'site', is: 'up', ms: 1 }] }, now: old });
    await keepCheck(env, db, { check: { at: now, parts: [{ part: 'site', is: 'up', ms: 1 }] }, now });
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
    await keepCheck(env, db, {
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
    const { id: userId } = await guest();
    const now = Date.now();
    const mail = { address: 'a@example.test', language: 'en', kind: 'account_of_before', details: {} };
    await db
      .insert(mails)
      .values({ id: newId(now), userId, ...mail, about: newId(now), createdAt: now, tryAt: now - 7_200_000 });
    await db.insert(erasures).values({
      ...{ userId: newId(now), conversationIds: [], pictureKeys: [] },
      ...{ begunAt: now - 1000, tryAt: now + 86_400_000 },
    });
    await tellBacklogs(env, db, now);
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
