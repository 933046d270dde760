import { Hono } from 'hono';
import type { ApiEnv } from '../middleware/context.ts';
import { account } from '../routes/account/account.ts';
import { ageCheck } from '../routes/account/age-check.ts';
import { auth, logout } from '../routes/account/auth.ts';
import { deletion } from '../routes/account/deletion.ts';
import { dataExport } from '../routes/account/export.ts';
import { google } from '../routes/account/google.ts';
import { invites } from '../routes/account/invites.ts';
import { me } from '../routes/account/me.ts';
import { onboarding } from '../routes/account/onboarding.ts';
import { ownModeration } from '../routes/account/own-moderation.ts';
import { passkeyLogin } from '../routes/account/passkey-login.ts';
import { passkeyRoutes } from '../routes/account/passkeys.ts';
import { permissions } from '../routes/account/permissions.ts';
import { storage } from '../routes/account/storage.ts';
import { sessions } from '../routes/account/sessions.ts';
import { savedListRoutes } from '../routes/characters/saved-lists.ts';
import { createTestLoginRoute } from '../routes/account/test-login.ts';

/** Routes for logging in and for the user’s own account. */
export const accountRoutes = new Hono<ApiEnv>()
  .route('/auth/google', google)
  .route('/auth', auth)
  .route('/auth', passkeyLogin)
  .route('/logout', logout)
  .route('/account/sessions', sessions)
  .route('/account/passkeys', passkeyRoutes)
  .route('/account/export', dataExport)
  .route('/account', storage)
  .route('/account', deletion)
  .route('/account/age-check', ageCheck)
  .route('/account', account)
  .route('/onboarding', onboarding)
  .route('/invites', invites)
  .route('/permissions', permissions)
  .route('/me', me)
  .route('/me', savedListRoutes)
  .route('/me', ownModeration);

// Only in local builds; not part of the API.
if (typeof __LOCAL_BUILD__ === 'boolean' && __LOCAL_BUILD__)
  accountRoutes.route('/auth/test-login', createTestLoginRoute());
