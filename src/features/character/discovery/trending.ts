import { TAGS } from '../limits.ts';
import { log } from '../../../lib/log.ts';
import { describeError } from '../../../lib/redact.ts';

/** A list that the cron writes; the most active characters first. */
export interface TrendingIds {
  /** Identifies a computation: the next page continues in the list of the first page. */
  version: string;
  ids: string[];
}
export interface TrendingList extends TrendingIds {
  before: TrendingIds | null;
}

/** Identifies a list: its audience and its tag; '' is all tags. */
export interface TrendingListId {
  spicy: boolean;
  tag: string;
}

/** All lists. */
export const TRENDING_LISTS: readonly TrendingListId[] = [false, true].flatMap((spicy) =>
  ['', ...TAGS].map((tag) => ({ spicy, tag })),
);

/** A list may be a minute old where it is read. */
const KV_CACHE_SECONDS = 60;

export const getTrendingKey = ({ spicy, tag }: TrendingListId): string =>
  `trending:${spicy ? 'adult' : 'general'}:${tag === '' ? 'all' : tag}`;

/**
 * Reads a list; null before it was first written, or when it cannot be read. Then the popular characters replace it.
 */
export async function readTrending(kv: KVNamespace, which: TrendingListId): Promise<TrendingList | null> {
  try {
    return await kv.get<TrendingList>(getTrendingKey(which), { type: 'json', cacheTtl: KV_CACHE_SECONDS });
  } catch (error) {
    log('trending_read_failed', { message: describeError(error) });
    return null;
  }
}

/** Where a page of trending ended: the offset in the list and, after its end, the position in the popular list. */
export interface TrendingCursor {
  version: string;
  offset: number;
  after: string | null;
}

export function formatTrendingCursor({ version, offset, after }: TrendingCursor): string {
  return `t${version}.${offset}${after === null ? '' : `.${after}`}`;
}

/** Parses a cursor; null when it is absent or invalid. */
export function parseTrendingCursor(text: string | undefined): TrendingCursor | null {
  const groups = /^t(?<version>\d{1,15})\.(?<offset>\d{1,4})(?:\.(?<after>.{1,100}))?$/.exec(
    text ?? '',
  )?.groups;
  if (groups === undefined) return null;
  return {
    version: groups['version'] as string,
    offset: Number(groups['offset']),
    after: groups['after'] ?? null,
  };
}
