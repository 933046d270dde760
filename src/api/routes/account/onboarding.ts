import { Hono } from 'hono';
import { clearedNamesOf } from '../../../features/safety/cleared-name-statements.ts';
import { onboardingBody, onboardingDone } from '../../../features/account/contract.ts';
import { completeOnboarding, takeInvite } from '../../../features/account/onboarding-store.ts';
import { readBusiness } from '../../../features/runtime-config/runtime-config-gateway.ts';
import { type ApiEnv, serviceContext } from '../../middleware/context.ts';
import { answers } from '../../openapi/openapi-route.ts';
import { requireAccount } from '../../middleware/guards.ts';
import { refuseNames } from '../../../services/moderate-input.ts';
import { walletOf } from '../../middleware/wallet.ts';
import { Problem, throwRefused } from '../../middleware/problems.ts';
import { valid } from '../../middleware/validate.ts';

export const onboarding = new Hono<ApiEnv>().post(
  '/',
  answers('Complete the onboarding, or skip it with an empty body', { 200: onboardingDone }),
  valid('json', onboardingBody),
  async (c) => {
    const { user } = await requireAccount(c);
    const { nickname, invite_code: code } = c.req.valid('json');
    const db = c.get('db');
    const now = Date.now();
    if (nickname !== undefined && (await clearedNamesOf(db, user.id)).has(nickname))
      throw new Problem('name_cleared');
    if (nickname !== undefined)
      throwRefused(await refuseNames(serviceContext(c), user.id, { nickname }, ['nickname']));
    // Refused whole: a reader who mistyped a code still has the dialog to correct it in.
    if (code !== undefined && !(await takeInvite(db, { userId: user.id, code, now }))) {
      throw new Problem('invite_code_invalid');
    }
    const done = { userId: user.id, nickname, now };
    if (await completeOnboarding(db, { ...done, given: false })) {
      return c.json({ points_awarded: 0, error: null });
    }
    // A wallet that does not answer leaves the onboarding open: asked again, saved or skipped, it goes on from here.
    await walletOf(c, user.id).give(`invite:${user.id}`, { kind: 'invite' });
    await completeOnboarding(db, { ...done, given: true });
    const { invite_points: points } = await readBusiness(c.env);
    return c.json({ points_awarded: points, error: null });
  },
);
