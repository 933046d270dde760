import { Hono } from 'hono';
import { z } from 'zod';
import { characterDetail, characterList, listCharactersQuery } from '../features/character/contract.ts';
import {
  getCharacter,
  listCharacters,
  PUBLIC_VIEWER,
  type Viewer,
} from '../features/character/character-store.ts';
import { conversationList } from '../features/conversation/contract.ts';
import { listConversationsWith } from '../features/conversation/conversation-index-store.ts';
import type { ApiEnv, Caller } from './context.ts';
import { answers } from './describe.ts';
import { requireCaller } from './guards.ts';
import { Problem } from './problems.ts';
import { valid } from './valid.ts';

/** What this caller may see of the catalogue. */
export function viewerOf(caller: Caller | null): Viewer {
  if (caller === null) return PUBLIC_VIEWER;
  const { id, is_anonymous, spicy_mode, age_confirmed } = caller.user;
  return { userId: id, spicy: !is_anonymous && spicy_mode && age_confirmed };
}

const pageQuery = z.object({
  cursor: z.string().max(200).optional(),
  limit: z.coerce.number().int().min(1).max(100).default(30),
});

export const characters = new Hono<ApiEnv>()
  .get(
    '/',
    answers('The public catalogue', { 200: characterList }),
    valid('query', listCharactersQuery),
    async (c) => {
      const viewer = viewerOf(await c.get('caller')());
      return c.json(await listCharacters(c.get('db'), c.req.valid('query'), viewer));
    },
  )
  .get('/:id', answers('One character', { 200: characterDetail }), async (c) => {
    const viewer = viewerOf(await c.get('caller')());
    const character = await getCharacter(c.get('db'), c.req.param('id'), viewer);
    if (character === null) throw new Problem('not_found');
    return c.json(character);
  })
  .get(
    '/:id/conversations',
    answers('One’s own conversations with a character', { 200: conversationList }),
    valid('query', pageQuery),
    async (c) => {
      const { user } = await requireCaller(c);
      const { cursor, limit } = c.req.valid('query');
      return c.json(
        await listConversationsWith(c.get('db'), {
          ownerId: user.id,
          characterId: c.req.param('id'),
          cursor,
          limit,
        }),
      );
    },
  );
