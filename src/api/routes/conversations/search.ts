import { Hono, type Context } from 'hono';
import {
  type Excerpt,
  type FoundMessage,
  type SearchHit,
  searchQuery,
  searchResult,
} from '../../../features/search/contract.ts';
import {
  type FoundChat,
  foundChats,
  trashedChatIdsOf,
} from '../../../features/conversation/found-conversations-store.ts';
import { type Phrase, phrasesOf } from '../../../features/search/search-words.ts';
import { snippetOf } from '../../../features/search/snippet.ts';
import type { ApiEnv } from '../../middleware/context.ts';
import { answers } from '../../openapi/openapi-route.ts';
import { requireCaller } from '../../middleware/guards.ts';
import { valid } from '../../middleware/validate.ts';

/** Times that the index is asked for one page, because what it found had gone meanwhile. */
const MAX_ROUNDS = 4;

/** What came of a hit: a message to show, one that is gone for good, or one that is not to be shown now. */
type Outcome = FoundMessage | 'gone' | 'hidden';

const isFound = (outcome: Outcome): outcome is FoundMessage => typeof outcome === 'object';

/** The one place where a person's index is found. */
export function searchOf(c: Context<ApiEnv>, userId: string) {
  return c.env.SEARCHES.get(c.env.SEARCHES.idFromName(userId));
}

/** The messages of some hits as their conversations have them now: of each, one call. */
async function excerptsOf(
  c: Context<ApiEnv>,
  userId: string,
  hits: readonly SearchHit[],
): Promise<Map<string, Excerpt>> {
  const byConversation = Map.groupBy(hits, ({ conversationId }) => conversationId);
  const asked = [...byConversation].map(async ([conversationId, held]) => {
    const conversation = c.env.CONVERSATIONS.get(c.env.CONVERSATIONS.idFromName(conversationId));
    const excerpts: Excerpt[] = await conversation.excerpts(
      userId,
      held.map(({ messageId }) => messageId),
    );
    return excerpts.map((excerpt) => [`${conversationId} ${excerpt.messageId}`, excerpt] as const);
  });
  return new Map((await Promise.all(asked)).flat());
}

function outcomeOf(
  hit: SearchHit,
  chat: FoundChat | undefined,
  excerpt: Excerpt | undefined,
  phrases: readonly Phrase[],
): Outcome {
  if (chat?.trashed === true) return 'hidden';
  if (chat === undefined || excerpt === undefined) return 'gone';
  const piece = snippetOf(excerpt.text, phrases);
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
  answers('Search one’s messages', { 200: searchResult }),
  valid('query', searchQuery),
  async (c) => {
    const { user } = await requireCaller(c);
    const { q, cursor, limit } = c.req.valid('query');
    const phrases = phrasesOf(q);
    const index = searchOf(c, user.id);
    // Left out by the index itself: a long chat in the trash would fill page after page with nothing.
    const trashed = await trashedChatIdsOf(c.get('db'), user.id);
    const items: FoundMessage[] = [];
    let next: string | null = cursor ?? null;
    for (let round = 0; round < MAX_ROUNDS && items.length < limit; round += 1) {
      const page = await index.find(q, next, limit - items.length, trashed);
      next = page.next;
      const chats = await foundChats(
        c.get('db'),
        user.id,
        [...new Set(page.hits.map(({ conversationId }) => conversationId))],
        user.spicy_mode,
      );
      const excerpts = await excerptsOf(
        c,
        user.id,
        page.hits.filter(({ conversationId }) => chats.get(conversationId)?.trashed === false),
      );
      const outcomes = page.hits.map((hit) => ({
        hit,
        outcome: outcomeOf(
          hit,
          chats.get(hit.conversationId),
          excerpts.get(`${hit.conversationId} ${hit.messageId}`),
          phrases,
        ),
      }));
      items.push(...outcomes.map(({ outcome }) => outcome).filter(isFound));
      const gone = outcomes.filter(({ outcome }) => outcome === 'gone').map(({ hit }) => hit);
      if (gone.length > 0) c.executionCtx.waitUntil(index.forget(gone, page.askedAt));
      if (next === null) break;
    }
    return c.json({ items, next_cursor: next });
  },
);
