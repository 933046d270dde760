import { Hono } from 'hono';
import { moderatedCharacter, moderationBody } from '../features/character/moderation-contract.ts';
import { moderate } from '../features/character/moderation-store.ts';
import type { ApiEnv } from './context.ts';
import { answers } from './describe.ts';
import { requireAdmin, requireCaller } from './guards.ts';
import { Problem } from './problems.ts';
import { valid } from './valid.ts';

/** What the operator's own people may do; for everybody else there is nothing here. */
export const admin = new Hono<ApiEnv>().put(
  '/characters/:id/moderation',
  answers('Show a character, hide it for now, or take it down', { 200: moderatedCharacter }),
  requireAdmin,
  valid('json', moderationBody),
  async (c) => {
    const { user } = await requireCaller(c);
    const { moderation, reason } = c.req.valid('json');
    const moderated = await moderate(c.get('db'), { id: c.req.param('id'), moderation, now: Date.now() });
    if (moderated === null) throw new Problem('not_found');
    const { character, before } = moderated;
    // Who did what, and why: for the operator to go back to.
    console.log(
      JSON.stringify({
        event: 'character_moderated',
        request_id: c.get('requestId'),
        admin_id: user.id,
        character_id: character.id,
        before,
        after: moderation,
        reason,
      }),
    );
    return c.json(character);
  },
);
