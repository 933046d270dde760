import { z } from 'zod';
import { ENTRY_STATES, SEASON_STATES } from './competition.ts';

const prize = z.enum(['gift_card', 'storyteller_month']);
const seasonNumber = z.coerce.number().int().min(1).max(10_000);

export const season = z.object({
  number: z.number().int(),
  begins_at: z.iso.datetime(),
  ends_at: z.iso.datetime().describe('the first moment that is not in it any more'),
  winners_at: z.iso.datetime(),
  status: z
    .enum(SEASON_STATES)
    .describe('judging: what begins now counts no more, and the winners are not known yet'),
});

export const competitionQuery = z.object({
  season: seasonNumber.optional().describe('left out: the one that runs, or ran last'),
  cursor: z.string().max(200).optional(),
  limit: z.coerce.number().int().min(1).max(100).default(24),
});

const points = z.number().min(0).max(100);

export const standing = z.object({
  rank: z.number().int(),
  character_id: z.string(),
  name: z.string(),
  oneliner: z.string(),
  avatar_url: z.string(),
  creator_id: z.string(),
  creator_name: z.string(),
  people: z.number().int(),
  popularity: points,
  creativity: points,
  score: points,
  prizes: z.array(prize).describe('what it won; nothing before the winners are known'),
});
export type StandingView = z.infer<typeof standing>;

export const winner = z.object({
  prize,
  place: z.number().int(),
  character_name: z.string().describe('empty where it is not to be seen any more'),
  creator_id: z.string().nullable().describe('null where they are gone'),
  creator_name: z.string().nullable(),
});
export type WinnerView = z.infer<typeof winner>;

export const competition = z.object({
  season,
  prizes: z.array(
    z.object({
      prize,
      places: z.number().int(),
      value_cents: z.number().int().nullable().describe('in cents of US dollars; null for a membership'),
    }),
  ),
  formula: z.object({
    popularity_percent: z.number().int(),
    creativity_percent: z.number().int(),
    points_per_doubling: z
      .number()
      .describe('of popularity: this times log2(1 + people), and 100 from full_people on'),
    full_people: z.number().int(),
    messages_to_count: z
      .number()
      .int()
      .describe('answered messages with a character from which on a person counts'),
    people_per_network: z.number().int(),
    people_per_wider_network: z.number().int().describe('of a /48 of IPv6 or a /24 of IPv4'),
  }),
  items: z.array(standing),
  next_cursor: z.string().nullable(),
  updated_at: z.iso.datetime().nullable().describe('as of when people are counted; null: not yet'),
  winners: z.array(winner).nullable().describe('null until they are known'),
  seasons: z.array(z.number().int()).describe('those that can be asked for, the latest first'),
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
  state: z.enum(ENTRY_STATES).describe('what keeps it out; entered: nothing does'),
  explicit_words: z.array(z.string()).describe('some of those that keep it out, as the rules read them'),
  rank: z.number().int().nullable().describe('null where it has none'),
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
  creativity: points.describe('the mean of all judges'),
  marks: z.number().int(),
});

export const judgingQuery = z.object({
  season: seasonNumber.optional().describe('left out: the one that is to be judged, or that runs'),
  cursor: z.string().max(200).optional(),
  limit: z.coerce.number().int().min(1).max(100).default(24),
});

/** Without numbers of people: a mark is for the character alone. */
export const judging = z.object({
  season,
  seasons: z.array(z.number().int()).describe('those that can be asked for, the latest first'),
  items: z.array(
    z.object({
      character_id: z.string(),
      name: z.string(),
      oneliner: z.string(),
      avatar_url: z.string(),
      creator_id: z.string(),
      creator_name: z.string(),
      is_own: z.boolean().describe('made by whoever asks, who does not mark it'),
      mark: z.number().int().nullable().describe('one’s own'),
      marks: z.number().int().describe('how many judges gave one'),
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
