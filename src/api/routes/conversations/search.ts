import { Hono, type Context } from 'hono';
import {
  type Excerpt,
  type FoundMessage,
  type ListedConversation,
  type SearchHit,
  searchQuery,
  searchResult,
} from '../../../features/search/contract.ts';
import {
  type FoundConversation,
  findConversationsByIds,
} from '../../../features/conversation/found-conversations-store.ts';
import { type Phrase, parseQuery } from '../../../features/search/search-words.ts';
import { buildSnippet } from '../../../features/search/snippet.ts';
import { sanitizeText } from '../../../lib/sanitize-text.ts';
import type { ApiEnv } from '../../middleware/context.ts';
import { describeResponses } from '../../openapi/openapi-route.ts';
import { requireCaller } from '../../middleware/guards.ts';
import { validateRequest } from '../../middleware/validate.ts';

/** Maximum index queries for one page, when some hits no longer exist. */
const MAX_SEARCH_ROUNDS = 4;

/** A message to show, one that no longer exists, or one that is not shown now. */
type HitOutcome = FoundMessage | 'gone' | 'hidden';

const isFound = (outcome: HitOutcome): outcome is FoundMessage => typeof outcome === 'object';

/** Returns the search object of a user. */
export function getSearchStub(c: Context<ApiEnv>, userId: string) {
  return c.env.SEARCHES.get(c.env.SEARCHES.idFromName(userId));
}

/** Reads the current texts of the hits, with one call per conversation. */
async function readExcerpts(
  c: Context<ApiEnv>,
  userId: string,
  hits: readonly SearchHit[],
): Promise<Map<string, Excerpt>> {
  const byConversation = Map.groupBy(hits, ({ conversationId }) => conversationId);
  const requests = [...byConversation].map(async ([conversationId, held]) => {
    const conversation = c.env.CONVERSATIONS.get(c.env.CONVERSATIONS.idFromName(conversationId));
    const excerpts: Excerpt[] = await conversation.getExcerpts(
      userId,
      held.map(({ messageId }) => messageId),
    );
    return excerpts.map((excerpt) => [`${conversationId} ${excerpt.messageId}`, excerpt] as const);
  });
  return new Map((await Promise.all(requests)).flat());
}

function resolveHit(
  hit: SearchHit,
  chat: FoundConversation | undefined,
  listed: ListedConversation | undefined,
  excerpt: Excerpt | undefined,
  phrases: readonly Phrase[],
): HitOutcome {
  if (chat?.trashed === true) return 'hidden';
  if (chat === undefined || excerpt === undefined) return 'gone';
  const piece = buildSnippet(excerpt.text, phrases);
  // The index lags a moment behind a change in the conversation.
  if (piece === null) return 'hidden';
  return {
    conversation_id: hit.conversationId,
    message_id: hit.messageId,
    role: excerpt.role,
    character_id: chat.characterId,
    character_name: chat.characterName,
    avatar_url: chat.avatarUrl,
    title: listed?.title ? sanitizeText(listed.title) : null,
    branch_of: listed?.branchOf ?? null,
    ...piece,
    created_at: new Date(excerpt.createdAt).toISOString(),
  };
}

export const search = new Hono<ApiEnv>().get(
  '/',
  // Check the session before the query is validated, so that anonymous clients learn nothing about its parameters.
  async (c, next) => {
    await requireCaller(c);
    await next();
  },
  describeResponses('Search the messages of the user’s conversations', { 200: searchResult }),
  validateRequest('query', searchQuery),
  async (c) => {
    const { user } = await requireCaller(c);
    const { q, cursor, limit } = c.req.valid('query');
    const phrases = parseQuery(q);
    const index = getSearchStub(c, user.id);
    const items: FoundMessage[] = [];
    let next: string | null = cursor ?? null;
    for (let round = 0; round < MAX_SEARCH_ROUNDS && items.length < limit; round += 1) {
      const page = await index.find(q, next, limit - items.length);
      next = page.next;
      const ids = [...new Set(page.hits.map(({ conversationId }) => conversationId))];
      const [chats, rows] = await Promise.all([
        findConversationsByIds(c.get('db'), user.id, ids, user.spicy_mode),
        index.findConversations(ids),
      ]);
      const listed = new Map(rows.map((row) => [row.id, row]));
      const excerpts = await readExcerpts(
        c,
        user.id,
        page.hits.filter(({ conversationId }) => chats.get(conversationId)?.trashed === false),
      );
      const outcomes = page.hits.map((hit) => ({
        hit,
        outcome: resolveHit(
          hit,
          chats.get(hit.conversationId),
          listed.get(hit.conversationId),
          excerpts.get(`${hit.conversationId} ${hit.messageId}`),
          phrases,
        ),
      }));
      items.push(...outcomes.map(({ outcome }) => outcome).filter(isFound));
      const gone = outcomes.filter(({ outcome }) => outcome === 'gone').map(({ hit }) => hit);
      if (gone.length > 0) c.executionCtx.waitUntil(index.forget(gone, page.queriedAt));
      if (next === null) break;
    }
    return c.json({ items, next_cursor: next });
  },
);
