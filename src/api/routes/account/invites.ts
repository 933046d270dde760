import { type Context, Hono } from 'hono';
import { readRuntimeConfig } from '../../../features/runtime-config/runtime-config-gateway.ts';
import { generateInviteCode, normalizeInviteCode } from '../../../features/account/invite-code.ts';
import { inviter, type Invites, invites as invitesBody } from '../../../features/account/invite-contract.ts';
import { getInviterName, getInvites, saveInviteCode } from '../../../features/account/invite-store.ts';
import type { ApiEnv } from '../../middleware/context.ts';
import { describeResponses } from '../../openapi/openapi-route.ts';
import { requireAccount } from '../../middleware/guards.ts';
import { Problem } from '../../middleware/problems.ts';

/** Far more than needed to generate an unused code. */
const MAX_ATTEMPTS = 5;

/** Returns a user's invite code, its results and the current reward. */
async function readOwnInvites(c: Context<ApiEnv>, userId: string): Promise<Invites> {
  const [of, business] = await Promise.all([getInvites(c.get('db'), userId), readRuntimeConfig(c.env)]);
  return { ...of, invite_points: business.invite_points, commission_percent: business.commission_percent };
}

/** Own invites need an account, because a guest may not come back to use the reward. */
export const invites = new Hono<ApiEnv>()
  .get(
    '/',
    describeResponses('Get the user’s invite code, number of invitees and commissions', { 200: invitesBody }),
    async (c) => {
      const { user } = await requireAccount(c);
      return c.json(await readOwnInvites(c, user.id));
    },
  )
  .get(
    '/:code',
    describeResponses('Get the name of the user whose invite code this is', { 200: inviter }),
    async (c) => {
      const code = normalizeInviteCode(c.req.param('code'));
      return c.json({ inviter_name: code === null ? null : await getInviterName(c.get('db'), code) });
    },
  )
  .post(
    '/',
    describeResponses('Create an invite code, or get the existing one', { 200: invitesBody }),
    async (c) => {
      const { user } = await requireAccount(c);
      const db = c.get('db');
      for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
        if (await saveInviteCode(db, { userId: user.id, code: generateInviteCode(), now: Date.now() })) {
          return c.json(await readOwnInvites(c, user.id));
        }
      }
      throw new Problem('invite_code_failed');
    },
  );
