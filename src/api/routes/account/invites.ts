import { type Context, Hono } from 'hono';
import { readBusiness } from '../../../features/runtime-config/runtime-config-gateway.ts';
import { newInviteCode } from '../../../features/account/invite-code.ts';
import { type Invites, invites as invitesBody } from '../../../features/account/invite-contract.ts';
import { invitesOf, keepInviteCode } from '../../../features/account/invite-store.ts';
import type { ApiEnv } from '../../middleware/context.ts';
import { answers } from '../../openapi/openapi-route.ts';
import { requireAccount } from '../../middleware/guards.ts';
import { Problem } from '../../middleware/problems.ts';

/** Far more than it takes to find a code that nobody has. */
const MAX_DRAWS = 5;

/** Somebody's code and what came of it, with what an invitation is worth now. */
async function toldInvites(c: Context<ApiEnv>, userId: string): Promise<Invites> {
  const [of, business] = await Promise.all([invitesOf(c.get('db'), userId), readBusiness(c.env)]);
  return { ...of, invite_points: business.invite_points, commission_percent: business.commission_percent };
}

/** For whoever comes back under the same name, and so for accounts alone. */
export const invites = new Hono<ApiEnv>()
  .get('/', answers('One’s invite code and what came of it', { 200: invitesBody }), async (c) => {
    const { user } = await requireAccount(c);
    return c.json(await toldInvites(c, user.id));
  })
  .post(
    '/',
    answers('Make an invite code, or have the one that is there', { 200: invitesBody }),
    async (c) => {
      const { user } = await requireAccount(c);
      const db = c.get('db');
      for (let draw = 0; draw < MAX_DRAWS; draw += 1) {
        if (await keepInviteCode(db, { userId: user.id, code: newInviteCode(), now: Date.now() })) {
          return c.json(await toldInvites(c, user.id));
        }
      }
      throw new Problem('invite_code_failed');
    },
  );
