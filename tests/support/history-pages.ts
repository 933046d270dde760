import type { Message } from '../../src/features/conversation/contract.ts';
import type { HistoryPosition } from '../../src/islands/shared/chat-api.ts';

/** A page of the history as the server returns it; null for an unknown message. */
export function getHistoryPage(
  all: readonly Message[],
  place: HistoryPosition | null | undefined,
  limit: number,
) {
  const [kind, id] = Object.entries(place ?? {})[0] ?? [null, ''];
  const at = all.findIndex((one) => one.id === id);
  if (kind !== null && at === -1) return null;
  const [from, to] =
    kind === 'before'
      ? [at - limit, at]
      : kind === 'after'
        ? [at + 1, at + 1 + limit]
        : kind === 'around'
          ? [at + 1 - Math.ceil(limit / 2), at + 1 + Math.floor(limit / 2)]
          : [all.length - limit, all.length];
  const messages = all.slice(Math.max(from, 0), to);
  return {
    messages,
    next_cursor: from > 0 ? (messages[0]?.id ?? null) : null,
    later_cursor: to < all.length ? (messages.at(-1)?.id ?? null) : null,
  };
}
