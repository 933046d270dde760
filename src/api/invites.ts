import { type Context, Hono } from 'hono';
import { newInviteCode } from '../features/account/invite-code.ts';
import { invites as invitesBody } from '../features/account/invite-contract.ts';
import { invitesOf, keepInviteCode } from '../features/account/invite-store.ts';
import type { ApiEnv } from './context.ts';
import { answers } from './describe.ts';
import { requireCaller } from './guards.ts';
import { Problem } from './problems.ts';

/** Far more than it takes to find a code that nobody has. */
const MAX_DRAWS = 5;

/** Who may invite: whoever comes back under the same name. */
async function requireInviter(c: Context<ApiEnv>): Promise<string> {
  const { user } = await requireCaller(c);
  if (user.is_anonymous) throw new Problem('account_required');
  return user.id;
}

export const invites = new Hono<ApiEnv>()
  .get('/', answers('One’s invite code and what came of it', { 200: invitesBody }), async (c) => {
    const userId = await requireInviter(c);
    return c.json(await invitesOf(c.get('db'), userId));
  })
  .post(
    '/',
    answers('Make an invite code, or have the one that is there', { 200: invitesBody }),
    async (c) => {
      const userId = await requireInviter(c);
      const db = c.get('db');
      for (let draw = 0; draw < MAX_DRAWS; draw += 1) {
        if (await keepInviteCode(db, { userId, code: newInviteCode(), now: Date.now() })) {
          return c.json(await invitesOf(db, userId));
        }
      }
      throw new Problem('invite_code_failed');
    },
  );
