import { Hono, type MiddlewareHandler } from 'hono';
import { permission, type SessionUser } from '../../../features/account/contract.ts';
import type { ApiEnv } from '../../middleware/context.ts';
import { describeResponses } from '../../openapi/openapi-route.ts';
import { requireCaller } from '../../middleware/guards.ts';
import { Problem } from '../../middleware/problems.ts';

/** Whether a user may create characters. A guest's would lose their owner when the session ends. */
const canCreateCharacter = (user: SessionUser): boolean => !user.is_anonymous;

/** Runs before validation of a call that creates a character. */
export const requireCreator: MiddlewareHandler<ApiEnv> = async (c, next) => {
  const { user } = await requireCaller(c);
  if (!canCreateCharacter(user)) throw new Problem('account_required');
  await next();
};

export const permissions = new Hono<ApiEnv>().get(
  '/create_character',
  describeResponses('Check whether the user may create a character', { 200: permission }),
  async (c) => {
    const { user } = await requireCaller(c);
    return c.json(
      canCreateCharacter(user)
        ? { success: true, error_message: null }
        : { success: false, error_message: 'You must be logged in to perform this action' },
    );
  },
);
