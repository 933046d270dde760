import { Hono } from 'hono';
import { readClearedNames } from '../../../features/safety/cleared-name-statements.ts';
import { onboardingBody, onboardingResponse } from '../../../features/account/contract.ts';
import { completeOnboarding, acceptInvite } from '../../../features/account/onboarding-store.ts';
import { readRuntimeConfig } from '../../../features/runtime-config/runtime-config-gateway.ts';
import { type ApiEnv, toServiceContext } from '../../middleware/context.ts';
import { describeResponses } from '../../openapi/openapi-route.ts';
import { requireAccount } from '../../middleware/guards.ts';
import { refuseStaffNames } from '../../middleware/names/staff-names.ts';
import { checkNames } from '../../../services/moderate-input.ts';
import { getWalletStub } from '../../middleware/wallet.ts';
import { Problem, throwRefused } from '../../middleware/problems.ts';
import { validateRequest } from '../../middleware/validate.ts';

export const onboarding = new Hono<ApiEnv>().post(
  '/',
  describeResponses('Complete the onboarding, or skip it with an empty body', { 200: onboardingResponse }),
  validateRequest('json', onboardingBody),
  async (c) => {
    const { user } = await requireAccount(c);
    const { nickname, invite_code: code } = c.req.valid('json');
    const db = c.get('db');
    const now = Date.now();
    if (nickname !== undefined && (await readClearedNames(db, user.id)).has(nickname))
      throw new Problem('name_cleared');
    refuseStaffNames(user, { nickname });
    if (nickname !== undefined)
      throwRefused(await checkNames(toServiceContext(c), user.id, { nickname }, ['nickname']));
    // Save nothing when the code is wrong: the dialog is still open to correct it.
    if (code !== undefined && !(await acceptInvite(db, { userId: user.id, code, now }))) {
      throw new Problem('invite_code_invalid');
    }
    const done = { userId: user.id, nickname, now };
    if (await completeOnboarding(db, { ...done, hasGrantedPoints: false })) {
      return c.json({ points_awarded: 0, error: null });
    }
    // If the wallet does not answer, the onboarding stays open, and the next call resumes here.
    await getWalletStub(c, user.id).grant(`invite:${user.id}`, { kind: 'invite' });
    await completeOnboarding(db, { ...done, hasGrantedPoints: true });
    const { invite_points: points } = await readRuntimeConfig(c.env);
    return c.json({ points_awarded: points, error: null });
  },
);
