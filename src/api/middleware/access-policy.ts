/**
 * Access level of every route. The middleware enforces it (`guards.ts`) and the OpenAPI document publishes it. A
 * route that is not listed needs a session; a test fails when the code disagrees (docs/security.md).
 *
 * - `everybody`: with or without a session;
 * - `session`: any session, guests included;
 * - `account`: accounts only; guests are asked to log in;
 * - `owner`: the owner of the resource in the path or body; 404 for everyone else;
 * - `owner account`: the same, and guests are asked to log in;
 * - `staff`: admins; 404 for everyone else.
 */
export type AccessLevel = 'everybody' | 'session' | 'account' | 'owner' | 'owner account' | 'staff';

/**
 * Routes that make the model write. The conversation's object verifies the session while it reserves the points, so that
 * nothing waits for D1 first. The middleware only requires a session cookie.
 */
const ROUTES_VERIFIED_BY_CONVERSATION: ReadonlySet<string> = new Set([
  'POST /api/conversations/:id/messages',
  'POST /api/conversations/:id/messages/:mid/regenerate',
  'POST /api/conversations/:id/messages/:mid/continue',
  'POST /api/conversations/:id/reply',
]);

export const isVerifiedByConversation = (route: string): boolean =>
  ROUTES_VERIFIED_BY_CONVERSATION.has(route);

const ROUTES_BY_LEVEL: Record<'everybody' | 'account' | 'owner' | 'owner account', readonly string[]> = {
  everybody: [
    'GET /api/auth/status',
    'POST /api/auth/send-login-code',
    'POST /api/auth/login-with-code',
    'POST /api/auth/passkey-options',
    'POST /api/auth/login-with-passkey',
    'POST /api/auth/anonymous',
    'GET /api/auth/google',
    'GET /api/auth/google/callback',
    'POST /api/auth/google/callback',
    'POST /api/logout',
    // The age checker posts the result and signs it.
    'POST /api/account/age-check',
    'GET /api/characters',
    'GET /api/characters/suggestions',
    'GET /api/characters/:id',
    'GET /api/characters/:id/card',
    'GET /api/creators/:id',
    'GET /api/invites/:code',
    'GET /api/models',
    'GET /api/plans',
    'GET /api/competition',
    'POST /api/feedback',
    'POST /api/page-views',
    'GET /api/health',
    'GET /api/status',
    'GET /api/openapi.json',
    'GET /api/docs',
    // Handled before the session is read: each authenticates its caller itself.
    'POST /api/mail/unsubscribe',
    'POST /api/paypal/webhook',
    // Only in local builds (app.ts).
    ...(typeof __LOCAL_BUILD__ === 'boolean' && __LOCAL_BUILD__ ? ['POST /api/auth/test-login'] : []),
  ],
  account: [
    'POST /api/account/age-check/requests',
    'POST /api/account/delete-request',
    'POST /api/account/delete-confirm',
    'GET /api/account/passkeys',
    'POST /api/account/passkeys/options',
    'POST /api/account/passkeys',
    'POST /api/onboarding',
    'GET /api/invites',
    'POST /api/invites',
    'POST /api/characters/import',
    'POST /api/characters/test-chat',
    'POST /api/characters',
    'GET /api/characters/:id/definition',
    'POST /api/characters/:id/reports',
    'POST /api/creators/:id/reports',
    'GET /api/me/favourites',
    'GET /api/me/favourites/:character_id',
    'PUT /api/me/favourites/:character_id',
    'DELETE /api/me/favourites/:character_id',
    'GET /api/me/likes/:character_id',
    'PUT /api/me/likes/:character_id',
    'DELETE /api/me/likes/:character_id',
    'GET /api/me/following',
    'GET /api/me/following/characters',
    'GET /api/me/following/:creator_id',
    'PUT /api/me/following/:creator_id',
    'DELETE /api/me/following/:creator_id',
    'GET /api/me/hidden',
    'GET /api/me/news',
    'PUT /api/me/hidden/tags/:tag',
    'DELETE /api/me/hidden/tags/:tag',
    'PUT /api/me/hidden/creators/:id',
    'DELETE /api/me/hidden/creators/:id',
    'POST /api/uploads/avatar',
    'POST /api/subscription/activate',
    'POST /api/subscription/downgrade',
    'GET /api/competition/entries',
  ],
  owner: [
    'DELETE /api/account/sessions/:id',
    'GET /api/characters/import/:id',
    'GET /api/characters/:id/lorebook',
    'PUT /api/characters/:id/lorebook',
    'PATCH /api/characters/:id',
    'DELETE /api/characters/:id',
    'POST /api/characters/:id/restore',
    'GET /api/me/characters/:id',
    'POST /api/appeals',
    'GET /api/conversations/:id/export',
    'GET /api/conversations/:id',
    'PATCH /api/conversations/:id',
    'DELETE /api/conversations/:id',
    'POST /api/conversations/:id/restore',
    'PUT /api/conversations/:id/persona',
    'PUT /api/conversations/:id/own-name',
    'GET /api/conversations/:id/reply-settings',
    'PATCH /api/conversations/:id/reply-settings',
    'POST /api/conversations/:id/greeting',
    'PUT /api/conversations/:id/character-version',
    'POST /api/conversations/:id/messages',
    'POST /api/conversations/:id/messages/:mid/regenerate',
    'POST /api/conversations/:id/messages/:mid/continue',
    'POST /api/conversations/:id/reply',
    'GET /api/conversations/:id/stream',
    'POST /api/conversations/:id/stop',
    'PATCH /api/conversations/:id/messages/:mid',
    'DELETE /api/conversations/:id/messages/:mid',
    'PUT /api/conversations/:id/messages/:mid/version',
    'PUT /api/conversations/:id/messages/:mid/rating',
    'POST /api/conversations/:id/messages/:mid/fork',
    'GET /api/conversations/:id/trash',
    'POST /api/conversations/:id/trash/:tid/restore',
    'DELETE /api/conversations/:id/trash/:tid',
    'POST /api/conversations/:id/suggestions',
    'POST /api/conversations/:id/impersonate',
    'GET /api/conversations/:id/memory',
    'PUT /api/conversations/:id/memory',
    'GET /api/conversations/:id/messages/:mid/context',
    'GET /api/conversations/:id/messages/:mid/thinking',
    'PUT /api/conversations/:id/messages/:mid/pin',
    'DELETE /api/conversations/:id/messages/:mid/pin',
    'GET /api/conversations/:id/live',
    'PUT /api/personas/:id/default',
    'PATCH /api/personas/:id',
    'DELETE /api/personas/:id',
    'POST /api/personas/:id/restore',
    'PATCH /api/reply-styles/:id',
    'DELETE /api/reply-styles/:id',
  ],
  'owner account': [
    'PATCH /api/account/passkeys/:id',
    'DELETE /api/account/passkeys/:id',
    'POST /api/conversations/:id/messages/:mid/reports',
    'POST /api/competition/entries/:character_id',
    'DELETE /api/competition/entries/:character_id',
  ],
};

const LEVEL_BY_ROUTE: ReadonlyMap<string, AccessLevel> = new Map(
  Object.entries(ROUTES_BY_LEVEL).flatMap(([level, names]) =>
    names.map((name) => [name, level as AccessLevel] as const),
  ),
);

/** Routes for staff only. */
const STAFF_ROUTE = /^\S+ \/api\/admin\//;

/** Returns the access level of a route. @param name such as `GET /api/characters/:id` */
export function getAccessLevel(name: string): AccessLevel {
  return STAFF_ROUTE.test(name) ? 'staff' : (LEVEL_BY_ROUTE.get(name) ?? 'session');
}

/** Whether guests must log in first. */
export const isAccountRequired = (level: AccessLevel): boolean =>
  level === 'account' || level === 'owner account';

/** Actions that an open browser or a stolen cookie must not be enough for, besides all changes by staff. */
const ROUTES_WITH_RECENT_LOGIN: ReadonlySet<string> = new Set([
  'GET /api/account/export',
  'POST /api/account/delete-request',
  'POST /api/account/delete-confirm',
  'POST /api/account/passkeys/options',
  'POST /api/account/passkeys',
  'DELETE /api/account/passkeys/:id',
]);

/** Whether accounts need a login of the last minutes (`proof.ts`). */
export const isRecentLoginRequired = (name: string): boolean =>
  ROUTES_WITH_RECENT_LOGIN.has(name) || (STAFF_ROUTE.test(name) && !name.startsWith('GET '));

/** Converts a level to OpenAPI security: no requirement, or a session with the roles that the caller also needs. */
export function toOpenApiSecurity(level: AccessLevel): { session: string[] }[] {
  if (level === 'everybody') return [];
  return [{ session: level === 'session' ? [] : level.split(' ') }];
}
