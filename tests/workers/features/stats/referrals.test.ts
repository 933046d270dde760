import { env } from 'cloudflare:workers';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openDatabase } from '../../../../src/db/open.ts';
import { crisisDays } from '../../../../src/db/schema/safety.ts';
import type { Referrals } from '../../../../src/features/stats/referrals-contract.ts';
import { readReferrals, REFERRAL_QUERIES } from '../../../../src/features/stats/referrals-store.ts';
import type { Visitor } from '../../../support/factories.ts';
import { createStaffUser } from '../../../support/staff.ts';

const db = openDatabase(env.DB);
const toDay = (date: string) => Date.parse(date) / 86_400_000;

/** Years in which no other test has rows. */
const ROWS = [
  ['2046-12-31', 'suicide', 100],
  ['2047-01-01', 'suicide', 3],
  ['2047-01-01', 'self_harm', 2],
  ['2047-07-14', 'harm_to_others', 5],
  ['2047-12-31', 'suicide', 7],
  ['2048-01-01', 'self_harm', 1000],
] as const;
const [FIRST, LAST] = [toDay('2046-12-31'), toDay('2048-01-01')];
beforeAll(async () => {
  await db
    .insert(crisisDays)
    .values(ROWS.map(([day, kind, referrals]) => ({ day: toDay(day), kind, referrals })));
});
afterAll(async () => {
  await db.delete(crisisDays).where(sql`day between ${FIRST} and ${LAST}`);
});

const ask = (me: Visitor, query: string) => me.ask<Referrals>(`/api/admin/stats/referrals${query}`);

describe('Crisis referral statistics', () => {
  test('crisis referrals are reported for a whole calendar year, also long after it', async () => {
    const me = await createStaffUser();
    const expected2047 = {
      from: '2047-01-01',
      to: '2047-12-31',
      totals: { suicide: 10, self_harm: 2, harm_to_others: 5, all: 17 },
      days: [
        { day: '2047-01-01', suicide: 3, self_harm: 2, harm_to_others: 0, all: 5 },
        { day: '2047-07-14', suicide: 0, self_harm: 0, harm_to_others: 5, all: 5 },
        { day: '2047-12-31', suicide: 7, self_harm: 0, harm_to_others: 0, all: 7 },
      ],
    };
    expect(await ask(me, '?year=2047')).toMatchObject(expected2047);
    const laterReport = await readReferrals(db, {
      from: toDay('2047-01-01'),
      to: toDay('2047-12-31'),
      today: toDay('2056-06-01'),
    });
    expect(laterReport).toMatchObject(expected2047);
    expect(laterReport.years.find(({ year }) => year === 2047)).toEqual({
      year: 2047,
      ...expected2047.totals,
    });
  });

  test('crisis referrals are reported for a range of days, and for this year by default', async () => {
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

  test('crisis referrals for an invalid range of days are refused', async () => {
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

  test('crisis referrals are read through the index on days', async () => {
    for (const asked of [REFERRAL_QUERIES.days(FIRST, LAST), REFERRAL_QUERIES.years(FIRST)]) {
      const steps = await db.all<{ detail: string }>(sql`explain query plan ${asked}`);
      const plan = steps.map(({ detail }) => detail).join('\n');
      expect(plan).toMatch(/SEARCH crisis_days USING (?:PRIMARY KEY|INDEX \S+) \(day>/);
      expect(plan).not.toContain('SCAN');
    }
  });
});
