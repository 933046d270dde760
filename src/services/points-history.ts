import type { Database } from '../db/open.ts';
import { findConversationsByIds } from '../features/conversation/found-conversations-store.ts';
import type { LedgerHistory } from '../features/wallet/contract.ts';
import type { WalletObject } from '../features/wallet/wallet-object.ts';
import { sanitizeText } from '../lib/sanitize-text.ts';

/** Ids per query: each is a parameter, of which D1 allows 100. */
const IDS_PER_QUERY = 90;

/** Lists the changes of a user's points by day and conversation, with the names of the characters. */
export async function listPointsHistory(
  { wallet, db }: { wallet: DurableObjectStub<WalletObject>; db: Database },
  { userId, cursor, days }: { userId: string; cursor?: string | undefined; days: number },
): Promise<LedgerHistory> {
  const { items, next_cursor } = await wallet.listHistory(cursor, days);
  const ids = [...new Set(items.flatMap(({ conversation_id: id }) => id ?? []))];
  const names = new Map<string, string>();
  for (let start = 0; start < ids.length; start += IDS_PER_QUERY) {
    const found = await findConversationsByIds(db, userId, ids.slice(start, start + IDS_PER_QUERY));
    for (const [id, { characterName }] of found) names.set(id, sanitizeText(characterName));
  }
  return {
    items: items.map((group) => {
      const name = names.get(group.conversation_id ?? '');
      return name === undefined ? group : { ...group, character_name: name };
    }),
    next_cursor,
  };
}
