import { Hono } from 'hono';
import { updateAccount, getEditableAccount } from '../../../features/account/account-store.ts';
import { accountChange, type AccountChange, ownAccount } from '../../../features/account/contract.ts';
import { type ApiEnv, toServiceContext } from '../../middleware/context.ts';
import { describeResponses } from '../../openapi/openapi-route.ts';
import { getEffectiveFlags, assertAdultChangeAllowed } from './age-check.ts';
import { requireCaller } from '../../middleware/guards.ts';
import { refuseStaffNames } from '../../middleware/names/staff-names.ts';
import { checkNames } from '../../../services/moderate-input.ts';
import { Problem, throwRefused } from '../../middleware/problems.ts';
import { validateRequest } from '../../middleware/validate.ts';

/** Guests may set a language, what characters call them, and whether suggestions are personal; other fields need an account. */
const GUEST_FIELDS = new Set<keyof AccountChange>(['language', 'nickname', 'personal_suggestions']);

export const account = new Hono<ApiEnv>()
  .get('/', describeResponses('Get the user’s account', { 200: ownAccount }), async (c) => {
    const { user } = await requireCaller(c);
    const own = await getEditableAccount(c.get('db'), user.id);
    // The session was valid a moment ago, so the account is being deleted right now.
    if (own === null) throw new Problem('unauthenticated');
    return c.json({ ...user, ...own, ...getEffectiveFlags(c, user, own) });
  })
  .patch(
    '/',
    describeResponses('Update the user’s account', { 200: ownAccount }),
    validateRequest('json', accountChange),
    async (c) => {
      const { user } = await requireCaller(c);
      const change = c.req.valid('json');
      const names = Object.keys(change) as (keyof AccountChange)[];
      if (user.is_anonymous && !names.every((name) => GUEST_FIELDS.has(name))) {
        throw new Problem('account_required');
      }
      assertAdultChangeAllowed(c, user, change);
      refuseStaffNames(user, change);
      const { username, nickname } = { ...user, ...change };
      const changedNames = (['username', 'nickname'] as const).filter((field) => field in change);
      throwRefused(await checkNames(toServiceContext(c), user.id, { username, nickname }, changedNames));
      const now = await updateAccount(c.get('db'), { userId: user.id, change, now: Date.now() });
      if (now === null) throw new Problem('unauthenticated');
      if (now === 'avatar_unknown') {
        throw new Problem('invalid_input', { fields: { avatar_id: ['Please upload an avatar'] } });
      }
      if (typeof now === 'string') throw new Problem(now);
      return c.json({
        ...user,
        ...now,
        ...getEffectiveFlags(c, user, now),
        language: change.language ?? user.language,
      });
    },
  );
