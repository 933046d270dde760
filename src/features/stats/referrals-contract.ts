import { z } from 'zod';

/** Days in one response at most: ten years. Days without referrals are left out. */
export const MAX_REFERRAL_DAYS = 3660;

const DAY_MS = 86_400_000;
const day = z.iso.date().refine((text) => Date.parse(text) >= 0, 'Days start in 1970');

const referralsRange = z.object({
  year: z.coerce.number().int().min(1970).max(9998).optional().describe('Calendar year (UTC)'),
  from: day.optional().describe('First day (UTC); requires `to`'),
  to: day.optional().describe('Last day (UTC); requires `from`'),
});

/** A calendar year or a range of days; the current year when neither is given. */
export const referralsQuery = referralsRange
  .refine(
    ({ year, from, to }) =>
      (from === undefined) === (to === undefined) && (year === undefined || from === undefined),
    {
      error: 'Send a year, or the first and the last day',
      when: ({ issues }) => issues.length === 0,
    },
  )
  .refine(
    ({ from, to }) => {
      if (from === undefined || to === undefined) return true;
      const days = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;
      return days >= 1 && days <= MAX_REFERRAL_DAYS;
    },
    {
      error: `The range must not end before it starts, and can have at most ${MAX_REFERRAL_DAYS} days`,
      when: ({ issues }) => issues.length === 0,
    },
  );
export type ReferralsQuery = z.infer<typeof referralsQuery>;

const count = z.number().int();
const kinds = {
  suicide: count,
  self_harm: count,
  harm_to_others: count,
  all: count,
};

export const referrals = z.object({
  from: z.iso.date(),
  to: z.iso.date(),
  totals: z.object(kinds),
  days: z.array(z.object({ day: z.iso.date(), ...kinds })).describe('Days with referrals, oldest first'),
  years: z
    .array(z.object({ year: z.number().int(), ...kinds }))
    .describe('Calendar years with referrals, latest first, regardless of the requested days'),
});
export type Referrals = z.infer<typeof referrals>;
export type ReferralKinds = Referrals['totals'];
