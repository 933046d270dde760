import { Hono } from 'hono';
import { ownCharacter, ownCharacterList, ownCharactersQuery } from '../../../features/character/contract.ts';
import { listOwnCharacters } from '../../../features/character/own-character-store.ts';
import { requireOwnCharacter } from '../characters/characters.ts';
import type { ApiEnv } from '../../middleware/context.ts';
import { describeResponses } from '../../openapi/openapi-route.ts';
import { requireCaller } from '../../middleware/guards.ts';
import { validateRequest } from '../../middleware/validate.ts';

/** The caller's own characters, independent of their visibility to others. */
export const me = new Hono<ApiEnv>()
  .get(
    '/characters',
    describeResponses('List the user’s characters, or those in the trash', { 200: ownCharacterList }),
    validateRequest('query', ownCharactersQuery),
    async (c) => {
      const { user } = await requireCaller(c);
      const { cursor, limit, deleted } = c.req.valid('query');
      const input = { ownerId: user.id, deleted: deleted === 'true', cursor, limit, now: Date.now() };
      return c.json(await listOwnCharacters(c.get('db'), input));
    },
  )
  .get(
    '/characters/:id',
    describeResponses('Get one of the user’s characters', { 200: ownCharacter }),
    async (c) => {
      const { user } = await requireCaller(c);
      return c.json(await requireOwnCharacter(c, user.id, c.req.param('id')));
    },
  );
