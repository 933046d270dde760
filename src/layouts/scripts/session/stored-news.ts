import type { NewsItem } from '../../../features/character/contract.ts';
import { STALE_AFTER_MS } from '../../../islands/shared/remote-state.ts';

/** A user's news as stored on this device. */
export interface StoredNews {
  owner: string;
  /** When they were loaded, in milliseconds since the epoch. */
  at: number;
  items: NewsItem[];
}

/** Reads the stored news of a user, which may be old; null when there are none. */
export function readStoredNews(text: string | null, owner: string): StoredNews | null {
  try {
    const news = JSON.parse(text ?? 'null') as StoredNews | null;
    return news?.owner === owner && Array.isArray(news.items) ? news : null;
  } catch {
    return null;
  }
}

/** Whether news need not be loaded again. @param now milliseconds since the epoch */
export const isNewsFresh = ({ at }: Pick<StoredNews, 'at'>, now: number): boolean =>
  at <= now && now - at < STALE_AFTER_MS;
