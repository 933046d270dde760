import { z } from 'zod';
import { ENTRY_STATES, SEASON_STATES } from './competition.ts';

const prize = z.enum(['gift_card', 'storyteller_month']);
const seasonNumber = z.coerce.number().int().min(1).max(10_000);

export const season = z.object({
  number: z.number().int(),
  begins_at: z.iso.datetime(),
  ends_at: z.iso.datetime().describe('End of the season (exclusive)'),
  winners_at: z.iso.datetime(),
  status: z
    .enum(SEASON_STATES)
    .describe('`judging`: new activity no longer counts, and the winners are not known yet'),
});

export const competitionQuery = z.object({
  season: seasonNumber.optional().describe('Season number; the configured season if omitted'),
  cursor: z.string().max(200).optional(),
  limit: z.coerce.number().int().min(1).max(100).default(24),
});

const points = z.number().min(0).max(100);

const creatorIsStaff = z.literal(true).optional().describe('The creator belongs to the site’s staff');

export const standing = z.object({
  rank: z.number().int(),
  character_id: z.string(),
  name: z.string(),
  oneliner: z.string(),
  avatar_url: z.string(),
  creator_id: z.string(),
  creator_name: z.string(),
  creator_is_staff: creatorIsStaff,
  people: z.number().int(),
  popularity: points,
  creativity: points,
  score: points,
  prizes: z.array(prize).describe('Prizes won; empty until the winners are known'),
});
export type StandingView = z.infer<typeof standing>;

export const winner = z.object({
  prize,
  place: z.number().int(),
  character_name: z.string().describe('Current name; empty if the character is no longer shown'),
  creator_id: z.string().nullable().describe('Null if the account is deleted or suspended'),
  creator_name: z.string().nullable(),
  creator_is_staff: creatorIsStaff,
});
export type WinnerView = z.infer<typeof winner>;

export const competition = z.object({
  season,
  prizes: z.array(
    z.object({
      prize,
      places: z.number().int(),
      value_cents: z.number().int().nullable().describe('In cents (USD); null for a membership'),
    }),
  ),
  formula: z.object({
    popularity_percent: z.number().int(),
    creativity_percent: z.number().int(),
    points_per_doubling: z
      .number()
      .describe('Popularity is this value times log2(1 + people), and 100 from `full_people` on'),
    full_people: z.number().int(),
    messages_to_count: z
      .number()
      .int()
      .describe('Number of answered messages with a character from which a user counts'),
    people_per_network: z.number().int(),
    people_per_wider_network: z
      .number()
      .int()
      .describe('Maximum number of counted users per IPv6 /48 or IPv4 /24 network'),
  }),
  items: z.array(standing),
  next_cursor: z.string().nullable(),
  updated_at: z.iso
    .datetime()
    .nullable()
    .describe('Time to which the user counts refer; null before the first count'),
  winners: z.array(winner).nullable().describe('Null until the winners are known'),
  seasons: z.array(z.number().int()).describe('Season numbers that can be requested, latest first'),
});
export type Competition = z.infer<typeof competition>;

export const ownEntriesQuery = z.object({
  cursor: z.string().max(200).optional(),
  limit: z.coerce.number().int().min(1).max(100).default(24),
});

export const ownEntry = z.object({
  character_id: z.string(),
  name: z.string(),
  avatar_url: z.string(),
  state: z.enum(ENTRY_STATES).describe('Why the character does not take part; `entered` if it does'),
  explicit_words: z
    .array(z.string())
    .describe('Some of the words that exclude the character, as the classifier reads them'),
  rank: z.number().int().nullable().describe('Null if the character has no rank'),
  people: z.number().int().nullable(),
  score: points.nullable(),
});
export type OwnEntry = z.infer<typeof ownEntry>;

export const ownEntries = z.object({
  season,
  items: z.array(ownEntry),
  next_cursor: z.string().nullable(),
});
export type OwnEntries = z.infer<typeof ownEntries>;

export const judgeScoreBody = z.strictObject({ mark: z.number().int().min(0).max(100) });

export const judgeScoreResponse = z.object({
  character_id: z.string(),
  mark: z.number().int(),
  creativity: points.describe('Mean of all judges’ marks'),
  marks: z.number().int(),
});

export const judgingQuery = z.object({
  season: seasonNumber
    .optional()
    .describe('Season number; if omitted, the oldest season to be judged, or else the configured one'),
  cursor: z.string().max(200).optional(),
  limit: z.coerce.number().int().min(1).max(100).default(24),
});

/** Without numbers of people: a mark is for the character alone. */
export const judging = z.object({
  season,
  seasons: z.array(z.number().int()).describe('Season numbers that can be requested, latest first'),
  items: z.array(
    z.object({
      character_id: z.string(),
      name: z.string(),
      oneliner: z.string(),
      avatar_url: z.string(),
      creator_id: z.string(),
      creator_name: z.string(),
      is_own: z.boolean().describe('Whether the caller created the character and therefore cannot mark it'),
      mark: z.number().int().nullable().describe('The caller’s mark; null if they have not given one'),
      marks: z.number().int().describe('Number of judges who gave a mark'),
    }),
  ),
  next_cursor: z.string().nullable(),
  prizes: z.array(
    z.object({
      prize,
      place: z.number().int(),
      user_id: z.string().nullable(),
      character_name: z.string(),
      given_at: z.iso.datetime().nullable(),
    }),
  ),
});
export type Judging = z.infer<typeof judging>;

export const prizePath = z.object({
  season: seasonNumber,
  prize,
  place: z.coerce.number().int().min(1).max(10_000),
});

export const awardedPrize = judging.shape.prizes.element;
