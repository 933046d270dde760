import { buildPage, decodeCursor } from '../db/cursor.ts';
import type { Database } from '../db/open.ts';
import { TRASH } from '../features/character/limits.ts';
import type { ChatList, ChatRow, ConversationList, TrashedChats } from '../features/conversation/contract.ts';
import {
  countConversations,
  findConversationsByIds,
  listConversationIds,
  type FoundConversation,
} from '../features/conversation/found-conversations-store.ts';
import { CHAT_LIST } from '../features/conversation/limits.ts';
import type { ConversationQuery, ListedConversation } from '../features/search/contract.ts';
import { getListCursor } from '../features/search/list-store.ts';
import { describeError } from '../lib/redact.ts';
import { log, logFailure } from '../lib/log.ts';
import { sanitizeText } from '../lib/sanitize-text.ts';
import { withTimeout } from '../lib/with-timeout.ts';
import type { ServiceContext } from './context.ts';

/** Conversations that are asked in parallel. */
const INDEX_BATCH_SIZE = 6;
/** Missing conversations that one call adds to the list; the next call adds more. */
const MAX_INDEXED_PER_CALL = 60;
/** How long one conversation may delay those after it. It continues on its own. */
const MAX_INDEX_MS = 1000;
/** How long a list waits for missing conversations. The rest is added after the response. */
const MAX_LIST_WAIT_MS = 1500;

/** What the lists of conversations need. */
interface IndexContext {
  env: Pick<Env, 'CONVERSATIONS' | 'SEARCHES'>;
  db: Database;
}

type ListContext = IndexContext & Pick<ServiceContext, 'execution'>;

/** A page of a user's list. */
interface PageQuery {
  userId: string;
  /** Whether the user is an adult with spicy mode on. */
  spicy: boolean;
  cursor: string | undefined;
  limit: number;
}

type Listed = ListedConversation & FoundConversation;

/**
 * Adds conversations that D1 has and the user's list has not, after a guest was merged into an account or after a crash.
 * A conversation that does not answer is added by a later call.
 */
export async function indexMissingConversations({ env, db }: IndexContext, userId: string): Promise<void> {
  const [ids, listed] = await Promise.all([
    listConversationIds(db, userId),
    env.SEARCHES.get(env.SEARCHES.idFromName(userId)).listConversationIds(),
  ]);
  const known = new Set(listed);
  // The newest first: ids begin with their time.
  const missing = ids.filter((id) => !known.has(id)).toSorted((a, b) => (a < b ? 1 : -1));
  await indexConversations(env, userId, missing.slice(0, MAX_INDEXED_PER_CALL));
}

/** Asks conversations of a user to add themselves to the list. One that does not answer is left out. */
export async function indexConversations(
  { CONVERSATIONS }: Pick<Env, 'CONVERSATIONS'>,
  userId: string,
  ids: readonly string[],
): Promise<void> {
  for (let start = 0; start < ids.length; start += INDEX_BATCH_SIZE) {
    const batch = ids.slice(start, start + INDEX_BATCH_SIZE);
    await Promise.all(
      batch.map(async (id) => {
        try {
          const conversation = CONVERSATIONS.get(CONVERSATIONS.idFromName(id));
          await withTimeout(MAX_INDEX_MS, conversation.reindex(userId));
        } catch (error) {
          log('list_row_deferred', { conversation_id: id, message: describeError(error) });
        }
      }),
    );
  }
}

/**
 * Reads a page of the user's own list; one more row than the limit shows that there is a next page. D1 says whose the
 * conversations are, and what their characters may show now: one that it does not know is left out. When D1 knows of more
 * conversations than the list, the missing ones are added first, unless that takes long.
 */
async function readPage<Item>(
  { env, db, execution }: ListContext,
  { userId, spicy, cursor, limit, ...where }: PageQuery & Pick<ConversationQuery, 'from' | 'characterId'>,
  toItem: (row: Listed) => Item,
): Promise<{ items: Item[]; next_cursor: string | null }> {
  const index = env.SEARCHES.get(env.SEARCHES.idFromName(userId));
  const query = { ...where, after: decodeCursor(cursor), limit: limit + 1 };
  let [list, total] = await Promise.all([index.listConversations(query), countConversations(db, userId)]);
  if (total > list.total) {
    const indexing = indexMissingConversations({ env, db }, userId);
    execution.waitUntil(indexing);
    await withTimeout(MAX_LIST_WAIT_MS, indexing).catch((error: unknown) =>
      logFailure('list_row_deferred', error),
    );
    list = await index.listConversations(query);
  }
  const ids = list.rows.map(({ id }) => id);
  const found = await findConversationsByIds(db, userId, ids, spicy);
  const { items, next_cursor } = buildPage(list.rows, limit, {
    place: (row) => getListCursor(row, where.from),
    item: (row) => {
      const current = found.get(row.id);
      return current === undefined ? null : toItem({ ...row, ...current });
    },
  });
  return { items: items.filter((item) => item !== null), next_cursor };
}

const toIso = (at: number): string => new Date(at).toISOString();

const toListedFields = (row: Listed) => ({
  title: row.title && sanitizeText(row.title),
  message_count: row.messageCount,
  last_line: sanitizeText(row.lastLine),
  branch_of: row.branchOf,
  unread: row.isUnread,
});

const toChatRow = (row: Listed): ChatRow => ({
  id: row.id,
  character_id: row.characterId,
  character_name: row.characterName,
  avatar_url: row.avatarUrl,
  ...toListedFields(row),
});

/** Lists the user's newest conversations, as many as the drawer shows. */
export async function listChats(
  context: ListContext,
  reader: Pick<PageQuery, 'userId' | 'spicy'>,
): Promise<ChatList> {
  const query = { ...reader, from: 'chats', cursor: undefined, limit: CHAT_LIST.maxItems } as const;
  const { items } = await readPage(context, query, (row) => ({
    ...toChatRow(row),
    last_message_time: toIso(row.lastMessageAt),
  }));
  return { chats: items };
}

/** Lists the user's conversations in the trash, newest deletion first. */
export function listTrashed(context: ListContext, query: PageQuery): Promise<TrashedChats> {
  return readPage(context, { ...query, from: 'trash' }, (row) => {
    const at = row.deletedAt ?? 0;
    return { ...toChatRow(row), deleted_at: toIso(at), expires_at: toIso(at + TRASH.retentionMs) };
  });
}

/** Lists the user's conversations with one character, newest first. */
export function listConversationsWith(
  context: ListContext,
  query: PageQuery & { characterId: string },
): Promise<ConversationList> {
  return readPage(context, { ...query, from: 'chats' }, (row) => ({
    id: row.id,
    created_at: toIso(row.createdAt),
    last_message_time: toIso(row.lastMessageAt),
    ...toListedFields(row),
  }));
}
