import { TAGS } from '../limits.ts';
import { log } from '../../../lib/log.ts';
import { describeError } from '../../../lib/redact.ts';

/** One of the lists that the cron writes; ids, the liveliest first. */
export interface TrendingIds {
  /** Tells one computation from the next: a page goes on in the list that it began with. */
  version: string;
  ids: string[];
}
export interface TrendingList extends TrendingIds {
  before: TrendingIds | null;
}

/** Which list: for whom, and of which tag; '' is all. */
export interface TrendingListId {
  spicy: boolean;
  tag: string;
}

/** Every list that there is. */
export const TRENDING_LISTS: readonly TrendingListId[] = [false, true].flatMap((spicy) =>
  ['', ...TAGS].map((tag) => ({ spicy, tag })),
);

/** A list may be a minute old in the place where it is read. */
const KV_CACHE_SECONDS = 60;

export const getTrendingKey = ({ spicy, tag }: TrendingListId): string =>
  `trending:${spicy ? 'adult' : 'general'}:${tag === '' ? 'all' : tag}`;

/** One list, or null while none was written, or none can be read: what is popular stands in for it. */
export async function readTrending(kv: KVNamespace, which: TrendingListId): Promise<TrendingList | null> {
  try {
    return await kv.get<TrendingList>(getTrendingKey(which), { type: 'json', cacheTtl: KV_CACHE_SECONDS });
  } catch (error) {
    log('trending_unread', { message: describeError(error) });
    return null;
  }
}

/** Where a page of trending ended: so far into a list, and once that is told, so far into what is popular beside it. */
export interface TrendingCursor {
  version: string;
  offset: number;
  after: string | null;
}

export function formatTrendingCursor({ version, offset, after }: TrendingCursor): string {
  return `t${version}.${offset}${after === null ? '' : `.${after}`}`;
}

/** Reads a cursor, or null when it is absent or not one of ours. */
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
