import type { ReplyRating } from '../contract.ts';

/** The totals that a rating is part of: by model, and by character. */
export const RATING_COUNTS = ['liked', 'disliked'] as const;
export type RatingCount = (typeof RATING_COUNTS)[number];

/** By how much a changed rating changes the totals. It names neither the user nor a text. */
export interface RatingChange extends Record<RatingCount, number> {
  /** One more with each change of a conversation, so that none is counted twice. */
  number: number;
  /** When the rated reply was written, UTC, in days since the epoch. */
  day: number;
  /** The id of the model that wrote it. */
  model: string;
}

/** Changes that are counted in one call, each by up to three statements. */
export const MAX_RATING_BATCH = 20;

/** Changes that wait while D1 cannot be reached. One more is refused. */
export const MAX_RATING_CHANGES = 200;

/** The name of a model's count in `stat_days`. */
export const formatRatingMetric = (model: string, count: RatingCount): string => `model:${model}:${count}`;

/** Returns the difference that a changed rating makes. */
export const diffRatings = (
  before: ReplyRating | null,
  after: ReplyRating | null,
): Record<RatingCount, number> => ({
  liked: Number(after === 'up') - Number(before === 'up'),
  disliked: Number(after === 'down') - Number(before === 'down'),
});
