// Over 400 lines: one seeded database and every metric that is computed from it.
import { runDurableObjectAlarm } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { sql } from 'drizzle-orm';
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest';
import { commissions, payments, payouts, subscriptions } from '../../../../src/db/schema/billing.ts';
import { cards, characterDays } from '../../../../src/db/schema/character.ts';
import { openDatabase } from '../../../../src/db/open.ts';
import { crisisDays } from '../../../../src/db/schema/safety.ts';
import { characters, pictures, users } from '../../../../src/db/schema/core.ts';
import { statDays, hourlyModelUsage } from '../../../../src/db/schema/stats.ts';
import type { TurnFigures } from '../../../../src/features/conversation/turn/turn-figures.ts';
import { addFigures } from '../../../../src/features/conversation/turn/turn-figures-store.ts';
import type { Stats } from '../../../../src/features/stats/contract.ts';
import {
  METRIC_QUERIES,
  updateMetrics,
  savePointsHeld,
  buildTableSumQuery,
  STORED_METRIC_QUERIES,
} from '../../../../src/features/stats/metrics-store.ts';
import { createId } from '../../../../src/lib/ids.ts';
import { ConfiguredVisitor } from '../../../support/configured-visitor.ts';
import {
  startTurn,
  addCharacter,
  startConversation,
  getConversationStub,
  signInGuest,
  sendMessage,
  createAccount,
  Visitor,
} from '../../../support/factories.ts';
import { reportCharacter, createStaffUser } from '../../../support/staff.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const db = openDatabase(env.DB);
/** Other tests write to the same tables between two reads. */
const BUSY = { timeout: 15_000, interval: 50 };

/** A day on which no other test writes, five minutes before its end. */
const LATE = Date.UTC(2061, 2, 10, 23, 55);
const DAY = Math.floor(LATE / DAY_MS);
const on = (days: number, hours = 12): number => (DAY - days) * DAY_MS + hours * HOUR_MS;

/** Returns a KV namespace of its own, so that no other test changes the stored metrics. */
function createIsolatedKv() {
  const values = new Map<string, string>();
  const KV = {
    get: async (key: string) => JSON.parse(values.get(key) ?? 'null') as unknown,
    put: async (key: string, value: string) => void values.set(key, value),
  };
  return { KV: KV as unknown as KVNamespace };
}

/** Reads the stats as an administrator on the following day. */
async function readStats(days = 5): Promise<Stats> {
  vi.useFakeTimers({ toFake: ['Date'], now: LATE + HOUR_MS });
  const answer = await (await createStaffUser()).ask<Stats>(`/api/admin/stats?days=${days}`);
  vi.useRealTimers();
  return answer;
}

/** The users that tests created on a future day; they are deleted at the end. */
const createdUserIds: string[] = [];

async function addUser(fields: Partial<typeof users.$inferInsert>): Promise<string> {
  const id = createId(Date.now());
  const at = fields.createdAt ?? on(20);
  const isAnonymous = fields.isAnonymous ?? false;
  const email = isAnonymous ? null : `${id}@example.test`;
  await db.insert(users).values({
    id,
    username: `p-${id}`,
    email,
    isAnonymous,
    lastSeenAt: at,
    registeredAt: isAnonymous ? null : at,
    createdAt: at,
    updatedAt: at,
    ...fields,
  });
  createdUserIds.push(id);
  return id;
}

const turn = (fields: Partial<TurnFigures>): TurnFigures => ({
  ...{
    at: on(0),
    model: 'loreloom',
    end: 'finished',
    promptTokens: 0,
    cachedTokens: 0,
    replyTokens: 0,
    points: 0,
  },
  firstMs: null,
  ...fields,
});

afterEach(() => vi.useRealTimers());
// Rows of future days would otherwise disturb other tests.
afterAll(async () => {
  for (const id of createdUserIds) await db.delete(users).where(sql`${users.id} = ${id}`);
  await db.delete(characterDays).where(sql`${characterDays.day} >= ${DAY - 40}`);
  await db.delete(crisisDays).where(sql`${crisisDays.day} >= ${DAY - 40}`);
  await db.delete(statDays).where(sql`${statDays.day} >= ${DAY - 40}`);
  await db.delete(hourlyModelUsage).where(sql`${hourlyModelUsage.hour} >= ${(DAY - 100) * 24}`);
});

describe('Admin stats', () => {
  test('the stats of a seeded database equal figures counted by hand', async () => {
    // Other files leave users who were last seen in a later year.
    await db
      .update(users)
      .set({ lastSeenAt: on(30) })
      .where(sql`${users.lastSeenAt} > ${on(30)}`);
    await db.insert(statDays).values([
      { day: DAY, name: 'model:loreloom:liked', value: 1 },
      { day: DAY - 3, name: 'model:loreloom:liked', value: 3 },
      { day: DAY - 3, name: 'model:loreloom:disliked', value: 1 },
      { day: DAY - 6, name: 'model:loreloom:liked', value: 5 },
    ]);
    // Users: two accounts and a guest joined on the day before; one account and two guests joined on the day.
    const paying = await addUser({
      createdAt: on(1),
      plan: 'storyteller',
      planUntil: on(-20),
      lastSeenAt: on(1),
    });
    await addUser({ createdAt: on(1), lastSeenAt: on(0) });
    await addUser({ createdAt: on(1), lastSeenAt: on(1), isAnonymous: true });
    await addUser({ createdAt: on(0) });
    await addUser({ createdAt: on(0), isAnonymous: true });
    await addUser({ createdAt: on(0), isAnonymous: true });
    // Older users: one was seen five days ago, one eight days ago.
    await addUser({ lastSeenAt: on(5) });
    await addUser({ lastSeenAt: on(8) });
    // Conversations.
    const [mira, vesper] = [await addCharacter(), await addCharacter()];
    await db.insert(characterDays).values([
      { day: DAY - 1, characterId: mira, chats: 3 },
      { day: DAY, characterId: mira, chats: 2 },
      { day: DAY, characterId: vesper, chats: 1 },
    ]);
    await addFigures(db, [
      turn({ promptTokens: 1000, cachedTokens: 600, replyTokens: 100, points: 1, firstMs: 200 }),
      turn({ promptTokens: 2000, replyTokens: 300, points: 1, firstMs: 700 }),
    ]);
    await addFigures(db, [
      turn({ promptTokens: 500, end: 'failed' }),
      turn({ promptTokens: 400, replyTokens: 20, points: 1, end: 'stopped', firstMs: 300 }),
      turn({ promptTokens: 300, replyTokens: 10, end: 'refused', firstMs: 9000 }),
      turn({ at: on(1), promptTokens: 50, replyTokens: 5, points: 2, firstMs: 260 }),
      turn({ model: 'deepseek', promptTokens: 7, end: 'failed' }),
    ]);
    // Revenue.
    const subscription = `I-${createId(Date.now())}`;
    const agreed = {
      plan: 'storyteller',
      status: 'active',
      periodEnd: on(-20),
      reconciledAt: on(0),
    } as const;
    await db
      .insert(subscriptions)
      .values({ id: subscription, userId: paying, ...agreed, createdAt: on(1), updatedAt: on(1) });
    const paid = (fields: Partial<typeof payments.$inferInsert>) =>
      db.insert(payments).values({
        id: createId(Date.now()),
        subscriptionId: subscription,
        userId: paying,
        amountCents: 1299,
        currency: 'USD',
        status: 'completed',
        paidAt: on(0),
        createdAt: on(0),
        ...fields,
      });
    await db.batch([
      paid({}),
      paid({ paidAt: on(1), refundedCents: 300 }),
      paid({ paidAt: on(1), refundedCents: 1299, status: 'reversed' }),
      paid({ paidAt: on(0), currency: 'EUR' }),
      paid({ paidAt: on(40) }),
    ]);
    await db.insert(crisisDays).values([
      { day: DAY, kind: 'suicide', referrals: 2 },
      { day: DAY, kind: 'self_harm', referrals: 1 },
      { day: DAY - 1, kind: 'harm_to_others', referrals: 4 },
      { day: DAY - 6, kind: 'suicide', referrals: 9 },
    ]);

    await updateMetrics(createIsolatedKv(), db, LATE);
    const answer = await readStats();
    const zeros = { conversations: 0, messages: 0, revenue_cents: 0, points_spent: 0, referrals: 0 };
    const emptyDay = {
      accounts_new: 0,
      guests_new: 0,
      active: null,
      active_week: null,
      members: null,
      ...zeros,
    };
    expect(answer.days).toEqual([
      { day: '2061-03-07', ...emptyDay },
      { day: '2061-03-08', ...emptyDay },
      {
        day: '2061-03-09',
        ...{ ...emptyDay, accounts_new: 2, guests_new: 1, conversations: 3, messages: 1, points_spent: 2 },
        ...{ revenue_cents: 999, referrals: 4 },
      },
      {
        day: '2061-03-10',
        ...{ accounts_new: 1, guests_new: 2, active: 4, active_week: 7, conversations: 3, messages: 6 },
        ...{ revenue_cents: 1299, points_spent: 3, referrals: 3, members: expect.any(Number) },
      },
      { day: '2061-03-11', ...emptyDay },
    ]);
    expect(answer.generated_at).toBe(new Date(LATE).toISOString());
    expect(answer.models).toEqual([
      {
        ...{ id: 'loreloom', label: 'Roleplay', turns: 6, failed: 1, stopped: 1, refused: 1 },
        ...{ prompt_tokens: 4250, reply_tokens: 435, cached_tokens: 600, cost_usd: null, error_rate: 1 / 6 },
        // 200 | 260 300 | 700 | 9000: half of the five is in the middle of those from 250 to 500.
        first_token_ms: { p50: 438, p95: 5000 },
        // Of replies that were written on these days.
        ...{ liked: 4, disliked: 1 },
      },
      expect.objectContaining({ id: 'chatgpt', turns: 0, error_rate: 0 }),
      {
        ...{ id: 'deepseek', label: 'Deepseek V3 (685B)', turns: 1, failed: 1, stopped: 0, refused: 0 },
        ...{ prompt_tokens: 7, reply_tokens: 0, cached_tokens: 0, cost_usd: null, error_rate: 1 },
        first_token_ms: { p50: null, p95: null },
        ...{ liked: 0, disliked: 0 },
      },
    ]);
    expect(answer.totals).toMatchObject({
      revenue_cents: 2298,
      referrals: { suicide: 2, self_harm: 1, harm_to_others: 4 },
    });
    // A longer range includes the earlier days.
    expect((await readStats(8)).totals.referrals.suicide).toBe(11);
  });

  test('computing the stats of a day twice gives the same rows, and a past day keeps its active users', async () => {
    const seen = await addUser({ createdAt: on(20), lastSeenAt: on(0) });
    const at = createIsolatedKv();
    const readRows = () =>
      db
        .select()
        .from(statDays)
        .where(sql`${statDays.day} between ${DAY - 40} and ${DAY + 1}`);
    // Large tables are summed over several runs; their gauges appear with the last one.
    await vi.waitFor(async () => {
      await updateMetrics(at, db, LATE);
      expect((await readRows()).map(({ name }) => name)).toContain('accounts');
    }, BUSY);
    const once = await readRows();
    await updateMetrics(at, db, LATE);
    expect(await readRows()).toEqual(once);
    expect(once.length).toBeGreaterThan(20);
    // The user returns the next day; the figures of the day before must not change.
    await db
      .update(users)
      .set({ lastSeenAt: on(-1) })
      .where(sql`${users.id} = ${seen}`);
    await updateMetrics(at, db, LATE + DAY_MS);
    const active = (rows: typeof once) =>
      rows.find(({ day, name }) => day === DAY && name === 'active')?.value;
    expect(active(await readRows())).toBe(active(once));
    expect(active(once)).toBeGreaterThan(0);
  });

  test('the stats totals of users, files and commissions equal the sums of the tables', async () => {
    const owner = await addUser({ plan: 'storyteller' });
    const invitee = await addUser({});
    await addUser({ isAnonymous: true });
    await db
      .insert(pictures)
      .values({ key: `${createId(Date.now())}.webp`, ownerId: owner, bytes: 1234, createdAt: on(0) });
    const id = () => createId(Date.now());
    const card = { ownerId: owner, objectKey: id(), bytes: 77, draft: '{}', createdAt: on(0) };
    await db.insert(cards).values({ id: id(), ...card });
    const payout = id();
    await db
      .insert(payouts)
      .values({ id: payout, userId: owner, amountCents: 50, currency: 'USD', note: '', createdAt: on(0) });
    const owed = (amountCents: number, fields: object) => ({
      ...{ id: id(), inviterId: owner, inviteeId: invitee, paymentId: id(), amountCents, currency: 'USD' },
      ...{ status: 'due' as const, createdAt: on(0) },
      ...fields,
    });
    await db.insert(commissions).values([
      owed(195, {}),
      owed(40, { status: 'paid', payoutId: payout }),
      // A commission that was paid out and then reversed is deducted from what is due.
      owed(10, { status: 'reversed', payoutId: payout }),
      owed(20, { status: 'reversed' }),
    ]);
    await reportCharacter(await createAccount(), await addCharacter());
    const at = createIsolatedKv();
    const sum = async (query: string) => (await env.DB.prepare(query).first<{ n: number }>())?.n;
    await vi.waitFor(async () => {
      await updateMetrics(at, db, LATE + HOUR_MS);
      const expected = {
        accounts: await sum('select count(*) as n from users where is_anonymous = 0 and is_system = 0'),
        guests: await sum('select count(*) as n from users where is_anonymous = 1'),
        members: await sum(
          `select count(*) as n from users where plan <> 'free' and is_system = 0 and is_anonymous = 0
             and (plan_until is null or plan_until > ${LATE + HOUR_MS})`,
        ),
        storage_bytes: await sum(
          'select (select sum(bytes) from pictures) + (select sum(bytes) from cards) as n',
        ),
        commissions_due_cents: await sum(
          `select sum(amount_cents) - (select coalesce(sum(amount_cents), 0) from commissions
             where status = 'reversed' and payout_id is not null and clawback_payout_id is null) as n
           from commissions where status = 'due'`,
        ),
        commissions_paid_cents: await sum(
          "select sum(amount_cents) as n from commissions where status = 'paid'",
        ),
        open_reports: await sum("select count(*) as n from reports where status = 'open'"),
      };
      expect((await readStats()).totals).toMatchObject(expected);
    }, BUSY);
  });

  test('the stats include the points that all wallets hold', async () => {
    await savePointsHeld(db, { points: 4321, day: DAY });
    expect((await readStats()).totals.points_held).toBe(4321);
  });

  test('hourly rows are deleted after they are summed up by day', async () => {
    const countHours = () =>
      db.$count(
        hourlyModelUsage,
        sql`${hourlyModelUsage.hour} between ${(DAY - 96) * 24} and ${(DAY - 80) * 24}`,
      );
    await addFigures(db, [turn({ at: on(95) }), turn({ at: on(85) })]);
    await updateMetrics(createIsolatedKv(), db, LATE);
    expect(await countHours()).toBe(1);
  });

  test('the stats are computed and read through indexes alone', async () => {
    const plans = [
      ...[
        METRIC_QUERIES.people,
        METRIC_QUERIES.conversations,
        METRIC_QUERIES.turns,
        METRIC_QUERIES.models,
        METRIC_QUERIES.revenue,
        METRIC_QUERIES.referrals,
      ].map((asked) => asked(DAY)),
      METRIC_QUERIES.now(LATE),
      ...(['users', 'pictures', 'cards', 'commissions'] as const).map((table) =>
        buildTableSumQuery(table, 'x'),
      ),
      STORED_METRIC_QUERIES.figures(DAY - 30, DAY),
      STORED_METRIC_QUERIES.models(['loreloom', 'chatgpt'], DAY - 30, DAY),
      STORED_METRIC_QUERIES.latest(DAY),
      sql`delete from hourly_model_usage where hour < ${DAY}`,
    ];
    for (const query of plans) {
      const steps = await db.all<{ detail: string }>(sql`explain query plan ${query}`);
      const tables = steps.map(({ detail }) => detail).filter((detail) => /^(?:SCAN|SEARCH)/.test(detail));
      expect(tables).not.toEqual([]);
      // The remaining scans read a JSON list or the result of an indexed search.
      const scans = tables.filter((detail) => detail.startsWith('SCAN'));
      expect(
        scans.filter(
          (detail) => !/json_each|asked|changed|VIRTUAL|subquery|CONSTANT|\(subquery/i.test(detail),
        ),
      ).toEqual([]);
    }
  });
});

describe('Turn statistics', () => {
  let hour = Math.floor(Date.now() / HOUR_MS) + 48;

  /** Starts a chat whose turns are counted in an hour of its own, because chats of other files count in the current one. */
  async function startChatInOwnHour() {
    vi.useRealTimers();
    const me = await signInGuest();
    const id = await startConversation(me);
    hour += 1;
    vi.useFakeTimers({ toFake: ['Date'], now: hour * HOUR_MS });
    return { me, id };
  }

  /** Sums the current hour of a model. */
  async function sumHour(model: string) {
    const sums = await db.all<Record<string, number>>(
      sql`select sum(turns) as turns, sum(failed) as failed, sum(stopped) as stopped, sum(prompt_tokens) as prompt,
        sum(reply_tokens) as reply, sum(cached_tokens) as cached, sum(points) as points,
        sum(first_250 + first_500 + first_1000 + first_2000 + first_5000 + first_later) as first
        from hourly_model_usage where model = ${model} and hour = ${hour}`,
    );
    return Object.fromEntries(Object.entries(sums[0] ?? {}).map(([name, value]) => [name, value ?? 0]));
  }

  /** Returns the hour's figures once a turn of the conversation is counted. */
  function waitForCounted(model: string, id: string) {
    return vi.waitFor(
      async () => {
        // The alarm at the end of the sitting sends them; it does nothing while a turn is running.
        await runDurableObjectAlarm(getConversationStub(id));
        const sums = await sumHour(model);
        expect(sums['turns']).toBe(1);
        return sums;
      },
      { timeout: 10_000, interval: 50 },
    );
  }

  test('a finished turn is counted with its tokens, points and time to first token', async () => {
    const { me, id } = await startChatInOwnHour();
    await sendMessage(me, id, 'A secret word: xylograph. [[scenario:tokens n=20 ms=0]]', {
      model: 'chatgpt',
    });
    const sums = await waitForCounted('chatgpt', id);
    expect(sums).toMatchObject({ turns: 1, failed: 0, stopped: 0, points: 1, first: 1 });
    expect(sums['prompt']).toBeGreaterThan(30);
    // The scripted server reports a third of each prompt as cached.
    expect(sums['cached']).toBe(Math.round((sums['prompt'] ?? 0) / 3));
    expect(sums['reply']).toBeGreaterThan(10);
    expect(sums['reply']).toBeLessThan(200);
  });

  test('the turns of a chat that is moved to the trash or erased are counted', async () => {
    for (const isErased of [false, true]) {
      const { me, id } = await startChatInOwnHour();
      await sendMessage(me, id, '[[scenario:tokens n=2 ms=0]]', { model: 'chatgpt' });
      if (isErased) await getConversationStub(id).erase(me.id);
      else await me.call(`/api/conversations/${id}`, { method: 'DELETE' });
      expect(await sumHour('chatgpt')).toMatchObject({ turns: 1 });
    }
  });

  test('a failed turn is counted as failed and costs no points', async () => {
    const { me, id } = await startChatInOwnHour();
    await sendMessage(me, id, 'Hello?', { model: 'deepseek' });
    expect(await waitForCounted('deepseek', id)).toMatchObject({
      turns: 1,
      failed: 1,
      points: 0,
      reply: 0,
      first: 0,
    });
  });

  test('a stopped turn is counted as stopped', async () => {
    const { me, id } = await startChatInOwnHour();
    const reader = await startTurn(me, id, '[[scenario:tokens n=400 ms=20]]', { model: 'chatgpt' });
    await reader.readUntilText((text) => text.length > 20);
    await me.call(`/api/conversations/${id}/stop`, { method: 'POST' });
    await reader.readRest();
    expect(await waitForCounted('chatgpt', id)).toMatchObject({ turns: 1, failed: 0, stopped: 1, first: 1 });
  });
});

describe('GET /api/admin/stats', () => {
  test('only administrators can read the stats: unauthenticated callers get 401 and other users 404', async () => {
    const getStatus = async (visitor: Visitor) => (await visitor.call('/api/admin/stats')).status;
    const member = await createAccount();
    await db
      .update(users)
      .set({ plan: 'storyteller' })
      .where(sql`${users.id} = ${member.id}`);
    expect(await getStatus(new Visitor())).toBe(401);
    expect(await getStatus(await signInGuest())).toBe(404);
    expect(await getStatus(await createAccount())).toBe(404);
    expect(await getStatus(member)).toBe(404);
    const operator = await createStaffUser();
    expect(await getStatus(operator)).toBe(200);
    for (const days of ['0', '366', '1.5', 'all', ''])
      expect((await operator.call(`/api/admin/stats?days=${days}`)).status).toBe(400);
  });

  test('the stats show model costs once their prices are configured', async () => {
    await addFigures(db, [turn({ model: 'mistral', promptTokens: 1_000_000, replyTokens: 200_000 })]);
    await updateMetrics(createIsolatedKv(), db, LATE);
    vi.useFakeTimers({ toFake: ['Date'], now: LATE });
    const me = await createAccount();
    const priced = { MODEL_MISTRAL_INPUT_PRICE: '0.15', MODEL_MISTRAL_OUTPUT_PRICE: '0.6' };
    const operator = new ConfiguredVisitor({ ADMIN_EMAILS: me.email, ...priced }, me);
    const { models } = await operator.ask<Stats>('/api/admin/stats?days=1');
    expect(models.find(({ id }) => id === 'mistral')?.cost_usd).toBeCloseTo(0.15 + 0.12, 6);
    expect(models.find(({ id }) => id === 'loreloom')?.cost_usd).toBeNull();
  });

  test('the stats contain no text, name, id or address of any user', async () => {
    const [me, operator] = [await createAccount(), await createStaffUser()];
    const characterId = await addCharacter({ name: 'Quillfeather', oneliner: 'Keeps moths' });
    const id = await startConversation(me, characterId);
    await sendMessage(me, id, 'My aunt Ottoline lives in Zanzibar. [[scenario:tokens n=3 ms=0]]');
    await updateMetrics(createIsolatedKv(), db, Date.now());
    const text = JSON.stringify(await operator.ask<Stats>('/api/admin/stats?days=365'));
    const [user] = await db
      .select()
      .from(users)
      .where(sql`${users.id} = ${me.id}`);
    const found = await db
      .select()
      .from(characters)
      .where(sql`${characters.id} = ${characterId}`);
    const personalData = [
      'Ottoline',
      'Zanzibar',
      'Quillfeather',
      'moths',
      me.email,
      operator.email,
      me.id,
      id,
      characterId,
    ];
    for (const word of [...personalData, user?.username ?? '-', found[0]?.creatorId ?? '-'])
      expect(text).not.toContain(word);
    expect(text).not.toContain('@');
  });
});
