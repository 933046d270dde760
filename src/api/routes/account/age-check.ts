import { type Context, Hono } from 'hono';
import { AGE_CHECK } from '../../../features/account/limits.ts';
import { getAgeGateFlags } from '../../../features/account/session/session-user.ts';
import {
  ageCheckRequestBody,
  ageCheckRequestResponse,
  ageCheckResult,
  verifyAgeCheckResult,
  decryptAgeCheckRequest,
  encryptAgeCheckRequest,
} from '../../../features/account/age-check.ts';
import { recordAgeCheck } from '../../../features/account/age-check-store.ts';
import type { AccountChange, SessionUser } from '../../../features/account/contract.ts';
import { getSafeRedirectPath } from '../../../features/account/safe-redirect.ts';
import type { ApiEnv } from '../../middleware/context.ts';
import { describeResponses } from '../../openapi/openapi-route.ts';
import { requireAccount } from '../../middleware/guards.ts';
import { getRequestLanguage } from '../../middleware/language.ts';
import { Problem } from '../../middleware/problems.ts';
import { validateRequest } from '../../middleware/validate.ts';

/** Refuses changes of the two adult flags when the site has no spicy mode, or when it requires a real age check. */
export function assertAdultChangeAllowed(c: Context<ApiEnv>, user: SessionUser, change: AccountChange): void {
  const { spicy_mode: spicy, age_confirmed: age } = change;
  const { spicyMode, ageCheck } = c.get('settings');
  if (spicyMode === 'off' && (spicy !== undefined || age !== undefined))
    throw new Problem('spicy_mode_unavailable');
  if (ageCheck.mode === 'required' && !user.age_confirmed && (spicy === true || age === true))
    throw new Problem('age_check_required');
}

/**
 * Returns the two flags as they take effect on this site.
 * @param user the account before the change
 * @param kept the account after it
 */
export function getEffectiveFlags(
  c: Context<ApiEnv>,
  user: SessionUser,
  kept: Pick<SessionUser, 'spicy_mode' | 'age_confirmed'>,
): Pick<SessionUser, 'spicy_mode' | 'age_confirmed'> {
  return getAgeGateFlags(
    {
      isAnonymous: user.is_anonymous,
      spicyMode: kept.spicy_mode,
      ageConfirmed: kept.age_confirmed,
      // Where an age check is required, a confirmation counts only with one.
      ageCheckedAt: user.age_confirmed ? 0 : null,
    },
    c.get('settings'),
  );
}

/** Returns the site's age checker. @throws Problem `not_found` when the site requires no check */
function getAgeChecker(c: Context<ApiEnv>): { url: string; secret: string } {
  const { spicyMode, ageCheck } = c.get('settings');
  if (spicyMode === 'off' || ageCheck.mode !== 'required') throw new Problem('not_found');
  return ageCheck;
}

/** Starts age checks at the operator's provider and receives their results (docs/age-verification.md). */
export const ageCheck = new Hono<ApiEnv>()
  .post(
    '/requests',
    describeResponses('Start an age check for the user', { 201: ageCheckRequestResponse }),
    validateRequest('json', ageCheckRequestBody),
    async (c) => {
      const checker = getAgeChecker(c);
      const { user } = await requireAccount(c);
      const expiresAt = Date.now() + AGE_CHECK.lifetimeMs;
      const request = { userId: user.id, expiresAt };
      const url = new URL(checker.url);
      const back = new URL(getSafeRedirectPath(c.req.valid('json').next) ?? '/', c.req.url);
      url.searchParams.set('request', await encryptAgeCheckRequest(c.get('settings').authSecret, request));
      url.searchParams.set('return_to', back.href);
      url.searchParams.set('language', getRequestLanguage(c));
      return c.json({ url: url.href, expires_at: new Date(expiresAt).toISOString() }, 201);
    },
  )
  .post(
    '/',
    describeResponses('Receive the result of an age check from the age checker', { 204: null }),
    validateRequest('json', ageCheckResult),
    async (c) => {
      const checker = getAgeChecker(c);
      const result = c.req.valid('json');
      if (!(await verifyAgeCheckResult(checker.secret, result))) throw new Problem('invalid_age_check');
      const now = Date.now();
      const request = await decryptAgeCheckRequest(c.get('settings').authSecret, result.request, now);
      if (request === null) throw new Problem('invalid_age_check');
      const isAdult = result.outcome === 'adult';
      const checkOutcome = await recordAgeCheck(c.get('db'), {
        request: result.request,
        isAdult,
        ...request,
        now,
      });
      if (checkOutcome === 'used') throw new Problem('age_check_used');
      if (checkOutcome === 'gone') throw new Problem('invalid_age_check');
      return c.body(null, 204);
    },
  );
