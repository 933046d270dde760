import { type Context, Hono } from 'hono';
import { AGE_CHECK } from '../../../features/account/limits.ts';
import { getAgeGateFlags } from '../../../features/account/age-gate.ts';
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

/** Refuses a change of the two flags that this site does not have, or that somebody's word alone does not make here. */
export function assertAdultChangeAllowed(c: Context<ApiEnv>, user: SessionUser, change: AccountChange): void {
  const { spicy_mode: spicy, age_confirmed: age } = change;
  const { spicyMode, ageCheck } = c.get('settings');
  if (spicyMode === 'off' && (spicy !== undefined || age !== undefined))
    throw new Problem('spicy_mode_unavailable');
  if (ageCheck.mode === 'required' && !user.age_confirmed && (spicy === true || age === true))
    throw new Problem('age_check_required');
}

/** The two flags as they count on this site. @param kept what the account holds after a change @param user before it */
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
      // Where a check is required, an age counts only with one.
      ageCheckedAt: user.age_confirmed ? 0 : null,
    },
    c.get('settings'),
  );
}

/** How this site has ages checked; where it does not, there is nothing at these addresses. */
function getAgeChecker(c: Context<ApiEnv>): { url: string; secret: string } {
  const { spicyMode, ageCheck } = c.get('settings');
  if (spicyMode === 'off' || ageCheck.mode !== 'required') throw new Problem('not_found');
  return ageCheck;
}

/** The way to whoever checks ages for this site, and the results that come from there: see docs/age.md. */
export const ageCheck = new Hono<ApiEnv>()
  .post(
    '/requests',
    describeResponses('Have one’s age checked', { 201: ageCheckRequestResponse }),
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
    describeResponses('What a check of somebody’s age came to; posted by the checker', { 204: null }),
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
