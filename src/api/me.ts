import { Hono } from 'hono';
import { ownCharacter, ownCharacterList, ownCharactersQuery } from '../features/character/contract.ts';
import {
  ownCharacter as readOwnCharacter,
  ownCharacters,
} from '../features/character/own-character-store.ts';
import type { ApiEnv } from './context.ts';
import { answers } from './describe.ts';
import { requireCaller } from './guards.ts';
import { Problem } from './problems.ts';
import { valid } from './valid.ts';

/** What is one's own, whatever others may see of it. */
export const me = new Hono<ApiEnv>()
  .get(
    '/characters',
    answers('The characters that one made, or what lies in the trash', { 200: ownCharacterList }),
    valid('query', ownCharactersQuery),
    async (c) => {
      const { user } = await requireCaller(c);
      const { cursor, limit, deleted } = c.req.valid('query');
      const input = { ownerId: user.id, deleted: deleted === 'true', cursor, limit, now: Date.now() };
      return c.json(await ownCharacters(c.get('db'), input));
    },
  )
  .get('/characters/:id', answers('A character that one made', { 200: ownCharacter }), async (c) => {
    const { user } = await requireCaller(c);
    const input = { id: c.req.param('id'), ownerId: user.id, now: Date.now() };
    const own = await readOwnCharacter(c.get('db'), input);
    if (own === null) throw new Problem('not_found');
    return c.json(own);
  });
