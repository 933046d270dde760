import { Hono } from 'hono';
import { changeAccount, ownFieldsOf } from '../../../features/account/account-store.ts';
import { accountChange, type AccountChange, ownAccount } from '../../../features/account/contract.ts';
import { type ApiEnv, serviceContext } from '../../middleware/context.ts';
import { answers } from '../../openapi/openapi-route.ts';
import { countedFlags, refuseAdultChange } from './adult.ts';
import { requireCaller } from '../../middleware/guards.ts';
import { refuseNames } from '../../../services/moderate-input.ts';
import { Problem, throwRefused } from '../../middleware/problems.ts';
import { valid } from '../../middleware/validate.ts';

/** A guest has a language; everything else belongs to an account. */
const GUEST_FIELDS = new Set<keyof AccountChange>(['language']);

export const account = new Hono<ApiEnv>()
  .get('/', answers('One’s account', { 200: ownAccount }), async (c) => {
    const { user } = await requireCaller(c);
    const own = await ownFieldsOf(c.get('db'), user.id);
    // It was there when the session was read: it is being deleted this moment.
    if (own === null) throw new Problem('unauthenticated');
    return c.json({ ...user, ...own, ...countedFlags(c, user, own) });
  })
  .patch(
    '/',
    answers('Change one’s account', { 200: ownAccount }),
    valid('json', accountChange),
    async (c) => {
      const { user } = await requireCaller(c);
      const change = c.req.valid('json');
      const names = Object.keys(change) as (keyof AccountChange)[];
      if (user.is_anonymous && !names.every((name) => GUEST_FIELDS.has(name))) {
        throw new Problem('account_required');
      }
      refuseAdultChange(c, user, change);
      const { username, nickname } = { ...user, ...change };
      const renamed = (['username', 'nickname'] as const).filter((field) => field in change);
      throwRefused(await refuseNames(serviceContext(c), user.id, { username, nickname }, renamed));
      const now = await changeAccount(c.get('db'), { userId: user.id, change, now: Date.now() });
      if (now === null) throw new Problem('unauthenticated');
      if (now === 'avatar_unknown') {
        throw new Problem('invalid_input', { fields: { avatar_id: ['Please upload an avatar'] } });
      }
      if (typeof now === 'string') throw new Problem(now);
      return c.json({
        ...user,
        ...now,
        ...countedFlags(c, user, now),
        language: change.language ?? user.language,
      });
    },
  );
