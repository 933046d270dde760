import { env } from 'cloudflare:workers';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openDatabase } from '../../src/db/open.ts';
import { crisisDays } from '../../src/db/schema/safety.ts';
import type { Referrals } from '../../src/features/stats/referrals-contract.ts';
import { readReferrals, REFERRAL_QUERIES } from '../../src/features/stats/referrals-store.ts';
import type { Visitor } from '../support/factories.ts';
import { createStaffUser } from '../support/staff.ts';

const db = openDatabase(env.DB);
const dayOf = (date: string) => Date.parse(date) / 86_400_000;

/** Years that nobody else has anything on. */
const ROWS = [
  ['2046-12-31', 'suicide', 100],
  ['2047-01-01', 'suicide', 3],
  ['2047-01-01', 'self_harm', 2],
  ['2047-07-14', 'harm_to_others', 5],
  ['2047-12-31', 'suicide', 7],
  ['2048-01-01', 'self_harm', 1000],
] as const;
const [FIRST, LAST] = [dayOf('2046-12-31'), dayOf('2048-01-01')];
beforeAll(async () => {
  await db
    .insert(crisisDays)
    .values(ROWS.map(([day, kind, referrals]) => ({ day: dayOf(day), kind, referrals })));
});
afterAll(async () => {
  await db.delete(crisisDays).where(sql`day between ${FIRST} and ${LAST}`);
});

const ask = (me: Visitor, query: string) => me.ask<Referrals>(`/api/admin/stats/referrals${query}`);

describe('How often people were shown where help is', () => {
  test('is told of a calendar year, to its first and its last day, also long after', async () => {
    const me = await createStaffUser();
    const of2047 = {
      from: '2047-01-01',
      to: '2047-12-31',
      totals: { suicide: 10, self_harm: 2, harm_to_others: 5, all: 17 },
      days: [
        { day: '2047-01-01', suicide: 3, self_harm: 2, harm_to_others: 0, all: 5 },
        { day: '2047-07-14', suicide: 0, self_harm: 0, harm_to_others: 5, all: 5 },
        { day: '2047-12-31', suicide: 7, self_harm: 0, harm_to_others: 0, all: 7 },
      ],
    };
    expect(await ask(me, '?year=2047')).toMatchObject(of2047);
    const inYears = await readReferrals(db, {
      from: dayOf('2047-01-01'),
      to: dayOf('2047-12-31'),
      today: dayOf('2056-06-01'),
    });
    expect(inYears).toMatchObject(of2047);
    expect(inYears.years.find(({ year }) => year === 2047)).toEqual({ year: 2047, ...of2047.totals });
  });

  test('is told of any days, and of this year where I say none', async () => {
    const me = await createStaffUser();
    expect(await ask(me, '?from=2047-01-01&to=2047-07-14')).toMatchObject({
      from: '2047-01-01',
      to: '2047-07-14',
      totals: { suicide: 3, self_harm: 2, harm_to_others: 5, all: 10 },
    });
    expect((await ask(me, '?from=2047-03-01&to=2047-03-01')).days).toEqual([]);
    const year = new Date().getUTCFullYear();
    expect(await ask(me, '')).toMatchObject({ from: `${year}-01-01`, to: `${year}-12-31` });
  });

  test('is told of days that are days, the last behind the first', async () => {
    const me = await createStaffUser();
    for (const wrong of [
      'year=27',
      'year=x',
      'from=2047-01-01',
      'to=2047-01-01',
      'year=2047&from=2047-01-01&to=2047-01-02',
      'from=2047-01-02&to=2047-01-01',
      'from=2047-02-30&to=2047-03-01',
      'from=1970-01-01&to=2047-01-01',
      'from=1969-12-31&to=1970-01-01',
    ]) {
      const answer = await me.call(`/api/admin/stats/referrals?${wrong}`);
      expect({ wrong, status: answer.status }).toEqual({ wrong, status: 400 });
      await answer.arrayBuffer();
    }
  });

  test('is found by days, and no other row is looked at', async () => {
    for (const asked of [REFERRAL_QUERIES.days(FIRST, LAST), REFERRAL_QUERIES.years(FIRST)]) {
      const steps = await db.all<{ detail: string }>(sql`explain query plan ${asked}`);
      const said = steps.map(({ detail }) => detail).join('\n');
      expect(said).toMatch(/SEARCH crisis_days USING (?:PRIMARY KEY|INDEX \S+) \(day>/);
      expect(said).not.toContain('SCAN');
    }
  });
});
