import { type SQL, sql } from 'drizzle-orm';
import type { Database } from '../../db/open.ts';
import { MAX_REFERRAL_DAYS, type ReferralKinds, type Referrals } from './referrals-contract.ts';

// Counts how often helplines were shown, by day and kind. The counts contain no users and no texts.

const SUMS = sql.raw(`sum(iif(kind = 'suicide', referrals, 0)) as suicide,
  sum(iif(kind = 'self_harm', referrals, 0)) as self_harm,
  sum(iif(kind = 'harm_to_others', referrals, 0)) as harm_to_others,
  sum(referrals) as "all"`);

/** Both follow the table's index by day. */
export const REFERRAL_QUERIES = {
  days: (from: number, to: number): SQL => sql`
    select date(day * 86400, 'unixepoch') as day, ${SUMS}
    from crisis_days where day between ${from} and ${to} and referrals > 0 group by crisis_days.day order by crisis_days.day`,
  years: (since: number): SQL => sql`
    select cast(strftime('%Y', day * 86400, 'unixepoch') as integer) as year, ${SUMS}
    from crisis_days where day >= ${since} and referrals > 0 group by year order by year desc`,
};

const toIsoDay = (day: number): string => new Date(day * 86_400_000).toISOString().slice(0, 10);

/**
 * Reads the referrals of a range and the yearly totals.
 * @param input.from the first day, as a day number since 1970
 * @param input.to the last day
 * @param input.today yearly totals go back {@link MAX_REFERRAL_DAYS} from this day
 */
export async function readReferrals(
  db: Database,
  { from, to, today }: { from: number; to: number; today: number },
): Promise<Referrals> {
  const [days, years] = await Promise.all([
    db.all<{ day: string } & ReferralKinds>(REFERRAL_QUERIES.days(from, to)),
    db.all<{ year: number } & ReferralKinds>(REFERRAL_QUERIES.years(today - MAX_REFERRAL_DAYS)),
  ]);
  const totals: ReferralKinds = { suicide: 0, self_harm: 0, harm_to_others: 0, all: 0 };
  for (const one of days)
    for (const kind of ['suicide', 'self_harm', 'harm_to_others', 'all'] as const) totals[kind] += one[kind];
  return { from: toIsoDay(from), to: toIsoDay(to), totals, days, years };
}
