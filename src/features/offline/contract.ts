/** What pages and the service worker say to each other, and where the copies of one person are. */

/** Everything of one person: gone when they log out. */
export const USER_CACHE = 'loreloom-person-1';

/** What a page tells the service worker. */
export type PageMessage =
  | { kind: 'language'; language: string }
  /** The open conversation has this state now; `changed` when it may differ from what was kept at that time. */
  | { kind: 'keep'; id: string; lastMessageTime: string; changed: boolean }
  | { kind: 'forget' };

/** What the service worker tells a page: whether it was last answered from copies or by the server. */
export interface WorkerMessage {
  kind: 'copy' | 'live';
}
