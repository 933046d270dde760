import { Hono, type Context } from 'hono';
import {
  type Excerpt,
  type FoundMessage,
  type SearchHit,
  searchQuery,
  searchResult,
} from '../../../features/search/contract.ts';
import {
  type FoundConversation,
  findConversationsByIds,
  listTrashedConversationIds,
} from '../../../features/conversation/found-conversations-store.ts';
import { type Phrase, parseQuery } from '../../../features/search/search-words.ts';
import { buildSnippet } from '../../../features/search/snippet.ts';
import type { ApiEnv } from '../../middleware/context.ts';
import { describeResponses } from '../../openapi/openapi-route.ts';
import { requireCaller } from '../../middleware/guards.ts';
import { validateRequest } from '../../middleware/validate.ts';

/** Times that the index is asked for one page, because what it found had gone meanwhile. */
const MAX_SEARCH_ROUNDS = 4;

/** What came of a hit: a message to show, one that is gone for good, or one that is not to be shown now. */
type HitOutcome = FoundMessage | 'gone' | 'hidden';

const isFound = (outcome: HitOutcome): outcome is FoundMessage => typeof outcome === 'object';

/** The one place where a person's index is found. */
export function getSearchStub(c: Context<ApiEnv>, userId: string) {
  return c.env.SEARCHES.get(c.env.SEARCHES.idFromName(userId));
}

/** The messages of some hits as their conversations have them now: of each, one call. */
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
  excerpt: Excerpt | undefined,
  phrases: readonly Phrase[],
): HitOutcome {
  if (chat?.trashed === true) return 'hidden';
  if (chat === undefined || excerpt === undefined) return 'gone';
  const piece = buildSnippet(excerpt.text, phrases);
  // The conversation tells the index of a change a moment later.
  if (piece === null) return 'hidden';
  return {
    conversation_id: hit.conversationId,
    message_id: hit.messageId,
    role: excerpt.role,
    character_id: chat.characterId,
    character_name: chat.characterName,
    avatar_url: chat.avatarUrl,
    ...piece,
    created_at: new Date(excerpt.createdAt).toISOString(),
  };
}

export const search = new Hono<ApiEnv>().get(
  '/',
  // Nobody learns what a search takes: first who asks, then what.
  async (c, next) => {
    await requireCaller(c);
    await next();
  },
  describeResponses('Search one’s messages', { 200: searchResult }),
  validateRequest('query', searchQuery),
  async (c) => {
    const { user } = await requireCaller(c);
    const { q, cursor, limit } = c.req.valid('query');
    const phrases = parseQuery(q);
    const index = getSearchStub(c, user.id);
    // Left out by the index itself: a long chat in the trash would fill page after page with nothing.
    const trashed = await listTrashedConversationIds(c.get('db'), user.id);
    const items: FoundMessage[] = [];
    let next: string | null = cursor ?? null;
    for (let round = 0; round < MAX_SEARCH_ROUNDS && items.length < limit; round += 1) {
      const page = await index.find(q, next, limit - items.length, trashed);
      next = page.next;
      const chats = await findConversationsByIds(
        c.get('db'),
        user.id,
        [...new Set(page.hits.map(({ conversationId }) => conversationId))],
        user.spicy_mode,
      );
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
