// Over 400 lines: one made world and every figure that is counted of it.
import { env } from 'cloudflare:workers';
import { sql } from 'drizzle-orm';
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest';
import { commissions, payments, payouts, subscriptions } from '../../src/db/schema/billing.ts';
import { cards, characterDays } from '../../src/db/schema/character.ts';
import { openDatabase } from '../../src/db/open.ts';
import { crisisDays } from '../../src/db/schema/safety.ts';
import { characters, pictures, users } from '../../src/db/schema/core.ts';
import { statDays, turnHours } from '../../src/db/schema/stats.ts';
import type { TurnFigures } from '../../src/features/conversation/turn/turn-figures.ts';
import { buildFiguresStatement } from '../../src/features/conversation/turn/turn-figures-store.ts';
import type { Stats } from '../../src/features/stats/contract.ts';
import {
  METRIC_QUERIES,
  updateMetrics,
  savePointsHeld,
  buildTableSumQuery,
  STORED_METRIC_QUERIES,
} from '../../src/features/stats/metrics-store.ts';
import { createId } from '../../src/lib/ids.ts';
import { ConfiguredVisitor } from '../support/configured-visitor.ts';
import {
  startTurn,
  addCharacter,
  startConversation,
  signInGuest,
  sendMessage,
  createAccount,
  Visitor,
} from '../support/factories.ts';
import { reportCharacter, createStaffUser } from '../support/staff.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const db = openDatabase(env.DB);
/** Others may write beside what is counted, and between two looks. */
const BUSY = { timeout: 15_000, interval: 50 };

/** A day that nobody else has anything on, five minutes before its end. */
const LATE = Date.UTC(2061, 2, 10, 23, 55);
const DAY = Math.floor(LATE / DAY_MS);
const on = (days: number, hours = 12): number => (DAY - days) * DAY_MS + hours * HOUR_MS;

/** Where countings are kept, for one test alone. */
function kvOfItsOwn() {
  const kept = new Map<string, string>();
  const KV = {
    get: async (key: string) => JSON.parse(kept.get(key) ?? 'null') as unknown,
    put: async (key: string, value: string) => void kept.set(key, value),
  };
  return { KV: KV as unknown as KVNamespace };
}

/** What an administrator is told, on the day after. */
async function told(days = 5): Promise<Stats> {
  vi.useFakeTimers({ toFake: ['Date'], now: LATE + HOUR_MS });
  const answer = await (await createStaffUser()).ask<Stats>(`/api/admin/stats?days=${days}`);
  vi.useRealTimers();
  return answer;
}

/** Everybody who was made of a day to come. */
const made: string[] = [];

async function person(fields: Partial<typeof users.$inferInsert>): Promise<string> {
  const id = createId(Date.now());
  const at = fields.createdAt ?? on(20);
  const isAnonymous = fields.isAnonymous ?? false;
  const email = isAnonymous ? null : `${id}@example.test`;
  await db.insert(users).values({
    id,
    username: `p-${id}`,
    email,
    isAnonymous,
    seenAt: at,
    accountSince: isAnonymous ? null : at,
    createdAt: at,
    updatedAt: at,
    ...fields,
  });
  made.push(id);
  return id;
}

const turn = (fields: Partial<TurnFigures>) =>
  buildFiguresStatement(db, {
    ...{ at: on(0), model: 'loreloom', end: 'finished', promptTokens: 0, replyTokens: 0, points: 0 },
    firstMs: null,
    ...fields,
  });

afterEach(() => vi.useRealTimers());
// What is of a day to come is nobody else's to meet with.
afterAll(async () => {
  for (const id of made) await db.delete(users).where(sql`${users.id} = ${id}`);
  await db.delete(characterDays).where(sql`${characterDays.day} >= ${DAY - 40}`);
  await db.delete(crisisDays).where(sql`${crisisDays.day} >= ${DAY - 40}`);
  await db.delete(statDays).where(sql`${statDays.day} >= ${DAY - 40}`);
  await db.delete(turnHours).where(sql`${turnHours.hour} >= ${(DAY - 100) * 24}`);
});

describe('The operator’s figures', () => {
  test('of a made world are what one counts by hand', async () => {
    // People: on the day before two accounts and a guest came, on the day one account and two guests.
    const paying = await person({ createdAt: on(1), plan: 'storyteller', planUntil: on(-20), seenAt: on(1) });
    await person({ createdAt: on(1), seenAt: on(0) });
    await person({ createdAt: on(1), seenAt: on(1), isAnonymous: true });
    await person({ createdAt: on(0) });
    await person({ createdAt: on(0), isAnonymous: true });
    await person({ createdAt: on(0), isAnonymous: true });
    // Long here already: one was seen five days ago, one eight.
    await person({ seenAt: on(5) });
    await person({ seenAt: on(8) });
    // Stories.
    const [mira, vesper] = [await addCharacter(), await addCharacter()];
    await db.insert(characterDays).values([
      { day: DAY - 1, characterId: mira, chats: 3 },
      { day: DAY, characterId: mira, chats: 2 },
      { day: DAY, characterId: vesper, chats: 1 },
    ]);
    await db.batch([
      turn({ promptTokens: 1000, replyTokens: 100, points: 1, firstMs: 200 }),
      turn({ promptTokens: 2000, replyTokens: 300, points: 1, firstMs: 700 }),
      turn({ promptTokens: 500, end: 'failed' }),
      turn({ promptTokens: 400, replyTokens: 20, points: 1, end: 'stopped', firstMs: 300 }),
      turn({ promptTokens: 300, replyTokens: 10, end: 'refused', firstMs: 9000 }),
      turn({ at: on(1), promptTokens: 50, replyTokens: 5, points: 2, firstMs: 260 }),
      turn({ model: 'deepseek', promptTokens: 7, end: 'failed' }),
    ]);
    // Money.
    const subscription = `I-${createId(Date.now())}`;
    const agreed = { plan: 'storyteller', status: 'active', periodEnd: on(-20), checkedAt: on(0) } as const;
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

    await updateMetrics(kvOfItsOwn(), db, LATE);
    const answer = await told();
    const none = { conversations: 0, messages: 0, revenue_cents: 0, points_spent: 0, referrals: 0 };
    const nobody = {
      accounts_new: 0,
      guests_new: 0,
      active: null,
      active_week: null,
      members: null,
      ...none,
    };
    expect(answer.days).toEqual([
      { day: '2061-03-07', ...nobody },
      { day: '2061-03-08', ...nobody },
      {
        day: '2061-03-09',
        ...{ ...nobody, accounts_new: 2, guests_new: 1, conversations: 3, messages: 1, points_spent: 2 },
        ...{ revenue_cents: 999, referrals: 4 },
      },
      {
        day: '2061-03-10',
        ...{ accounts_new: 1, guests_new: 2, active: 4, active_week: 7, conversations: 3, messages: 6 },
        ...{ revenue_cents: 1299, points_spent: 3, referrals: 3, members: expect.any(Number) },
      },
      { day: '2061-03-11', ...nobody },
    ]);
    expect(answer.generated_at).toBe(new Date(LATE).toISOString());
    expect(answer.models).toEqual([
      {
        ...{ id: 'loreloom', label: 'Roleplay', turns: 6, failed: 1, stopped: 1, refused: 1 },
        ...{ prompt_tokens: 4250, reply_tokens: 435, cost_usd: null, error_rate: 1 / 6 },
        // 200 | 260 300 | 700 | 9000: half of the five is in the middle of those from 250 to 500.
        first_token_ms: { p50: 438, p95: 5000 },
      },
      expect.objectContaining({ id: 'chatgpt', turns: 0, error_rate: 0 }),
      {
        ...{ id: 'deepseek', label: 'Deepseek V3 (685B)', turns: 1, failed: 1, stopped: 0, refused: 0 },
        ...{ prompt_tokens: 7, reply_tokens: 0, cost_usd: null, error_rate: 1 },
        first_token_ms: { p50: null, p95: null },
      },
    ]);
    expect(answer.totals).toMatchObject({
      revenue_cents: 2298,
      referrals: { suicide: 2, self_harm: 1, harm_to_others: 4 },
    });
    // A longer look has what was before as well.
    expect((await told(8)).totals.referrals.suicide).toBe(11);
  });

  test('made twice are the same, and a day that is over keeps who was here', async () => {
    const seen = await person({ createdAt: on(20), seenAt: on(0) });
    const at = kvOfItsOwn();
    const kept = () =>
      db
        .select()
        .from(statDays)
        .where(sql`${statDays.day} between ${DAY - 40} and ${DAY + 1}`);
    await updateMetrics(at, db, LATE);
    const once = await kept();
    await updateMetrics(at, db, LATE);
    expect(await kept()).toEqual(once);
    expect(once.length).toBeGreaterThan(20);
    // The next day they come again: of the day before nothing else is known than what was found then.
    await db
      .update(users)
      .set({ seenAt: on(-1) })
      .where(sql`${users.id} = ${seen}`);
    await updateMetrics(at, db, LATE + DAY_MS);
    const active = (rows: typeof once) =>
      rows.find(({ day, name }) => day === DAY && name === 'active')?.value;
    expect(active(await kept())).toBe(active(once));
    expect(active(once)).toBeGreaterThan(0);
  });

  test('of all people, files and commissions are what is in the tables', async () => {
    const owner = await person({ plan: 'storyteller' });
    const invitee = await person({});
    await person({ isAnonymous: true });
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
      // Paid out once, and gone back since: it is taken off what is due.
      owed(10, { status: 'reversed', payoutId: payout }),
      owed(20, { status: 'reversed' }),
    ]);
    await reportCharacter(await createAccount(), await addCharacter());
    const at = kvOfItsOwn();
    const sum = async (query: string) => (await env.DB.prepare(query).first<{ n: number }>())?.n;
    await vi.waitFor(async () => {
      await updateMetrics(at, db, LATE + HOUR_MS);
      const expected = {
        accounts: await sum('select count(*) as n from users where is_anonymous = 0 and is_house = 0'),
        guests: await sum('select count(*) as n from users where is_anonymous = 1'),
        members: await sum(
          `select count(*) as n from users where plan <> 'free' and is_house = 0 and is_anonymous = 0
             and (plan_until is null or plan_until > ${LATE + HOUR_MS})`,
        ),
        storage_bytes: await sum(
          'select (select sum(bytes) from pictures) + (select sum(bytes) from cards) as n',
        ),
        commissions_due_cents: await sum(
          `select sum(amount_cents) - (select coalesce(sum(amount_cents), 0) from commissions
             where status = 'reversed' and payout_id is not null and recovered_by is null) as n
           from commissions where status = 'due'`,
        ),
        commissions_paid_cents: await sum(
          "select sum(amount_cents) as n from commissions where status = 'paid'",
        ),
        open_reports: await sum("select count(*) as n from reports where status = 'open'"),
      };
      expect((await told()).totals).toMatchObject(expected);
    }, BUSY);
  });

  test('have what all wallets held in the night', async () => {
    await savePointsHeld(db, { points: 4321, day: DAY });
    expect((await told()).totals.points_held).toBe(4321);
  });

  test('of hours are forgotten once days have long had their sums', async () => {
    const hours = () =>
      db.$count(turnHours, sql`${turnHours.hour} between ${(DAY - 96) * 24} and ${(DAY - 80) * 24}`);
    await db.batch([turn({ at: on(95) }), turn({ at: on(85) })]);
    await updateMetrics(kvOfItsOwn(), db, LATE);
    expect(await hours()).toBe(1);
  });

  test('are read and made by indexes alone', async () => {
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
      sql`delete from turn_hours where hour < ${DAY}`,
    ];
    for (const asked of plans) {
      const steps = await db.all<{ detail: string }>(sql`explain query plan ${asked}`);
      const tables = steps.map(({ detail }) => detail).filter((detail) => /^(?:SCAN|SEARCH)/.test(detail));
      expect(tables).not.toEqual([]);
      // What is named last in a scan is a list of ours, or what an indexed search brought.
      const scans = tables.filter((detail) => detail.startsWith('SCAN'));
      expect(
        scans.filter(
          (detail) => !/json_each|asked|changed|VIRTUAL|subquery|CONSTANT|\(subquery/i.test(detail),
        ),
      ).toEqual([]);
    }
  });
});

describe('A turn', () => {
  /** What the hours of now have of a model, all of them together. */
  async function counted(model: string) {
    const sums = await db.all<Record<string, number>>(
      sql`select sum(turns) as turns, sum(failed) as failed, sum(stopped) as stopped, sum(prompt_tokens) as prompt,
        sum(reply_tokens) as reply, sum(points) as points,
        sum(first_250 + first_500 + first_1000 + first_2000 + first_5000 + first_later) as first
        from turn_hours where model = ${model} and hour between ${Math.floor(Date.now() / HOUR_MS) - 2} and ${Math.floor(Date.now() / HOUR_MS) + 2}`,
    );
    return Object.fromEntries(Object.entries(sums[0] ?? {}).map(([name, value]) => [name, value ?? 0]));
  }

  /** Does something, and tells what it added once `turns` more are counted. */
  async function added(model: string, turns: number, act: () => Promise<unknown>) {
    const before = await counted(model);
    await act();
    return vi.waitFor(
      async () => {
        const after = await counted(model);
        expect((after['turns'] ?? 0) - (before['turns'] ?? 0)).toBeGreaterThanOrEqual(turns);
        return Object.fromEntries(
          Object.entries(after).map(([name, value]) => [name, value - (before[name] ?? 0)]),
        );
      },
      { timeout: 10_000, interval: 50 },
    );
  }

  test('is counted with its tokens, its points and its first text once it has ended', async () => {
    const me = await signInGuest();
    const id = await startConversation(me);
    const more = await added('chatgpt', 1, () =>
      sendMessage(me, id, 'A secret word: xylograph. [[scenario:tokens n=20 ms=0]]', { model: 'chatgpt' }),
    );
    expect(more).toMatchObject({ turns: 1, failed: 0, stopped: 0, points: 1, first: 1 });
    expect(more['prompt']).toBeGreaterThan(30);
    expect(more['reply']).toBeGreaterThan(10);
    expect(more['reply']).toBeLessThan(200);
  });

  test('that fails is counted as failed and costs no points', async () => {
    const me = await signInGuest();
    const id = await startConversation(me);
    const more = await added('deepseek', 1, () => sendMessage(me, id, 'Hello?', { model: 'deepseek' }));
    expect(more).toMatchObject({ turns: 1, failed: 1, points: 0, reply: 0, first: 0 });
  });

  test('that I stop is counted as stopped', async () => {
    const me = await signInGuest();
    const id = await startConversation(me);
    const more = await added('chatgpt', 1, async () => {
      const reader = await startTurn(me, id, '[[scenario:tokens n=400 ms=20]]', { model: 'chatgpt' });
      await reader.readUntilText((text) => text.length > 20);
      await me.call(`/api/conversations/${id}/stop`, { method: 'POST' });
      await reader.readRest();
    });
    expect(more).toMatchObject({ turns: 1, failed: 0, stopped: 1, first: 1 });
  });
});

describe('GET /api/admin/stats', () => {
  test('is there for administrators alone: nobody is asked who they are, and all others find nothing', async () => {
    const status = async (who: Visitor) => (await who.call('/api/admin/stats')).status;
    const member = await createAccount();
    await db
      .update(users)
      .set({ plan: 'storyteller' })
      .where(sql`${users.id} = ${member.id}`);
    expect(await status(new Visitor())).toBe(401);
    expect(await status(await signInGuest())).toBe(404);
    expect(await status(await createAccount())).toBe(404);
    expect(await status(member)).toBe(404);
    const operator = await createStaffUser();
    expect(await status(operator)).toBe(200);
    for (const days of ['0', '366', '1.5', 'all', ''])
      expect((await operator.call(`/api/admin/stats?days=${days}`)).status).toBe(400);
  });

  test('tells of money for models once their prices are set', async () => {
    await db.batch([turn({ model: 'mistral', promptTokens: 1_000_000, replyTokens: 200_000 })]);
    await updateMetrics(kvOfItsOwn(), db, LATE);
    vi.useFakeTimers({ toFake: ['Date'], now: LATE });
    const me = await createAccount();
    const priced = { MODEL_MISTRAL_INPUT_PRICE: '0.15', MODEL_MISTRAL_OUTPUT_PRICE: '0.6' };
    const operator = new ConfiguredVisitor({ ADMIN_EMAILS: me.email, ...priced }, me);
    const { models } = await operator.ask<Stats>('/api/admin/stats?days=1');
    expect(models.find(({ id }) => id === 'mistral')?.cost_usd).toBeCloseTo(0.15 + 0.12, 6);
    expect(models.find(({ id }) => id === 'loreloom')?.cost_usd).toBeNull();
  });

  test('has nothing of what anybody wrote, is called or is written to at', async () => {
    const [me, operator] = [await createAccount(), await createStaffUser()];
    const characterId = await addCharacter({ name: 'Quillfeather', oneliner: 'Keeps moths' });
    const id = await startConversation(me, characterId);
    await sendMessage(me, id, 'My aunt Ottoline lives in Zanzibar. [[scenario:tokens n=3 ms=0]]');
    await updateMetrics(kvOfItsOwn(), db, Date.now());
    const text = JSON.stringify(await operator.ask<Stats>('/api/admin/stats?days=365'));
    const [person] = await db
      .select()
      .from(users)
      .where(sql`${users.id} = ${me.id}`);
    const found = await db
      .select()
      .from(characters)
      .where(sql`${characters.id} = ${characterId}`);
    const telling = [
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
    for (const word of [...telling, person?.username ?? '-', found[0]?.creatorId ?? '-'])
      expect(text).not.toContain(word);
    expect(text).not.toContain('@');
  });
});
