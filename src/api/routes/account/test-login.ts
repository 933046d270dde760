import { Hono } from 'hono';
import { z } from 'zod';
import { signInByEmail } from '../../../features/account/account-store.ts';
import { loginWithCodeResponse } from '../../../features/account/contract.ts';
import { completeOnboarding } from '../../../features/account/onboarding-store.ts';
import { computeSuspensionFingerprints } from '../../../features/account/suspension-fingerprint.ts';
import { isLocalhost } from '../../../features/account/session/session-cookie.ts';
import { createId } from '../../../lib/ids.ts';
import type { ApiEnv } from '../../middleware/context.ts';
import { describeResponses } from '../../openapi/openapi-route.ts';
import { signInCaller } from '../../middleware/sign-in.ts';
import { Problem } from '../../middleware/problems.ts';
import { validateRequest } from '../../middleware/validate.ts';

/**
 * Signs in a test user without a mail, for local use. Mounted in local builds only, and those answer only on localhost. A
 * function, so that other builds contain nothing of it.
 */
export function createTestLoginRoute() {
  const body = z.strictObject({ person: z.enum(['newcomer', 'reader', 'admin']) });
  return new Hono<ApiEnv>().post(
    '/',
    async (c, next) => {
      if (!isLocalhost(new URL(c.req.url))) throw new Problem('not_found');
      await next();
    },
    describeResponses('Sign in as a test user; only in local builds', { 201: loginWithCodeResponse }),
    validateRequest('json', body),
    async (c) => {
      const { person } = c.req.valid('json');
      const db = c.get('db');
      const now = Date.now();
      const [admin] = c.get('settings').adminEmails;
      const email = {
        // A new user each time, to see every first-time experience.
        newcomer: `newcomer-${createId(now)}@localhost.test`,
        reader: 'reader@localhost.test',
        admin: admin ?? 'admin@localhost.test',
      }[person];
      const marks = await computeSuspensionFingerprints(
        { email, subjects: [] },
        c.get('settings').authSecret,
      );
      const userId = await signInCaller(c, 'code', (known) =>
        signInByEmail(db, { ...known, email, fingerprints: marks }),
      );
      if (person !== 'newcomer') {
        await completeOnboarding(db, { userId, nickname: undefined, hasGrantedPoints: false, now });
      }
      return c.json({ user_id: userId }, 201);
    },
  );
}
