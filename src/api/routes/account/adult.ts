import { type Context, Hono } from 'hono';
import { AGE_CHECK } from '../../../features/account/limits.ts';
import { adultFlags } from '../../../features/account/adult.ts';
import {
  ageCheckRequestBody,
  ageCheckRequested,
  ageCheckResult,
  isSignedBy,
  openAgeCheckRequest,
  sealAgeCheckRequest,
} from '../../../features/account/age-check.ts';
import { takeAgeCheck } from '../../../features/account/age-check-store.ts';
import type { AccountChange, SessionUser } from '../../../features/account/contract.ts';
import { ownPath } from '../../../features/account/safe-redirect.ts';
import type { ApiEnv } from '../../middleware/context.ts';
import { answers } from '../../openapi/openapi-route.ts';
import { requireAccount } from '../../middleware/guards.ts';
import { languageOf } from '../../middleware/language.ts';
import { Problem } from '../../middleware/problems.ts';
import { valid } from '../../middleware/validate.ts';

/** Refuses a change of the two flags that this site does not have, or that somebody's word alone does not make here. */
export function refuseAdultChange(c: Context<ApiEnv>, user: SessionUser, change: AccountChange): void {
  const { spicy_mode: spicy, age_confirmed: age } = change;
  const { spicyMode, ageCheck } = c.get('settings');
  if (spicyMode === 'off' && (spicy !== undefined || age !== undefined))
    throw new Problem('spicy_mode_unavailable');
  if (ageCheck.mode === 'required' && !user.age_confirmed && (spicy === true || age === true))
    throw new Problem('age_check_required');
}

/** The two flags as they count on this site. @param kept what the account holds after a change @param user before it */
export function countedFlags(
  c: Context<ApiEnv>,
  user: SessionUser,
  kept: Pick<SessionUser, 'spicy_mode' | 'age_confirmed'>,
): Pick<SessionUser, 'spicy_mode' | 'age_confirmed'> {
  return adultFlags(
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
function checkerOf(c: Context<ApiEnv>): { url: string; secret: string } {
  const { spicyMode, ageCheck } = c.get('settings');
  if (spicyMode === 'off' || ageCheck.mode !== 'required') throw new Problem('not_found');
  return ageCheck;
}

/** The way to whoever checks ages for this site, and the results that come from there: see docs/age.md. */
export const ageCheck = new Hono<ApiEnv>()
  .post(
    '/requests',
    answers('Have one’s age checked', { 201: ageCheckRequested }),
    valid('json', ageCheckRequestBody),
    async (c) => {
      const checker = checkerOf(c);
      const { user } = await requireAccount(c);
      const expiresAt = Date.now() + AGE_CHECK.lifetimeMs;
      const request = { userId: user.id, expiresAt };
      const url = new URL(checker.url);
      const back = new URL(ownPath(c.req.valid('json').next) ?? '/', c.req.url);
      url.searchParams.set('request', await sealAgeCheckRequest(c.get('settings').authSecret, request));
      url.searchParams.set('return_to', back.href);
      url.searchParams.set('language', languageOf(c));
      return c.json({ url: url.href, expires_at: new Date(expiresAt).toISOString() }, 201);
    },
  )
  .post(
    '/',
    answers('What a check of somebody’s age came to; posted by the checker', { 204: null }),
    valid('json', ageCheckResult),
    async (c) => {
      const checker = checkerOf(c);
      const result = c.req.valid('json');
      if (!(await isSignedBy(checker.secret, result))) throw new Problem('invalid_age_check');
      const now = Date.now();
      const request = await openAgeCheckRequest(c.get('settings').authSecret, result.request, now);
      if (request === null) throw new Problem('invalid_age_check');
      const isAdult = result.outcome === 'adult';
      const taken = await takeAgeCheck(c.get('db'), { request: result.request, isAdult, ...request, now });
      if (taken === 'used') throw new Problem('age_check_used');
      if (taken === 'gone') throw new Problem('invalid_age_check');
      return c.body(null, 204);
    },
  );
