/** Messages between pages and the service worker, and the cache of the user's data. */

/** All cached data of the user; deleted on logout. */
export const USER_CACHE = 'loreloom-person-1';

/** Header of a request for a chat page whose HTML is to be stored, without the messages of the moment. */
export const WITHOUT_MESSAGES_HEADER = 'x-without-messages';

/** Messages from a page to the service worker. */
export type PageMessage =
  | { kind: 'language'; language: string }
  /** Caches the open conversation. `changed` is true when it may differ from the copy cached with the same time. */
  | { kind: 'keep'; id: string; lastMessageTime: string; changed: boolean }
  | { kind: 'forget' };

/** Message to a page: whether its last response came from the cache (`copy`) or from the server (`live`). */
export interface WorkerMessage {
  kind: 'copy' | 'live';
}
