/**
 * Who may call what: every operation of the OpenAPI document, once. The matrix of roles is made from this table, so a route
 * without a line here fails it.
 *
 * - `everybody`: whoever comes, with or without a session;
 * - `session`: whoever came in, guests too;
 * - `account`: whoever has an account; guests are told to get one;
 * - `owner`: whose it is that the address or the body names; it is not there for anybody else, staff included;
 * - `owner account`: the same, and guests, who can own none of it, are told to get an account;
 * - `confirmed`: a public door behind which an account is asked for;
 * - `staff`: the operator's own people; it is not there for anybody else.
 */
export type Level = 'everybody' | 'session' | 'account' | 'owner' | 'owner account' | 'confirmed' | 'staff';

const TABLE: Record<Level, readonly string[]> = {
  everybody: [
    'POST /mail/unsubscribe',
    'POST /paypal/webhook',
    'GET /auth/google',
    'GET /auth/google/callback',
    'POST /auth/google/callback',
    'GET /auth/status',
    'POST /auth/send-login-code',
    'POST /auth/login-with-code',
    'POST /auth/anonymous',
    'POST /logout',
    'POST /account/age-check',
    'GET /characters',
    'GET /characters/{id}',
    'GET /characters/{id}/card',
    'GET /creators/{id}',
    'GET /models',
    'GET /plans',
    'GET /competition',
    'POST /feedback',
    'POST /page-views',
    'GET /health',
    'GET /status',
  ],
  session: [
    'GET /account/sessions',
    'DELETE /account/sessions',
    'GET /account/export',
    'POST /account/age-check/requests',
    'GET /account',
    'PATCH /account',
    'GET /permissions/create_character',
    'GET /characters/{id}/conversations',
    'GET /me/characters',
    'GET /me/reports',
    'GET /me/measures',
    'GET /me/appeals',
    'GET /me/staff-views',
    'GET /conversations/search',
    'POST /conversations/import',
    'POST /conversations',
    'GET /conversations/trash',
    'GET /chats',
    'GET /personas',
    'POST /personas',
    'DELETE /personas/default',
    'GET /points',
    'GET /points/ledger',
    'POST /points/check-availability',
    'GET /subscription',
  ],
  account: [
    'POST /account/delete-request',
    'POST /onboarding',
    'GET /invites',
    'POST /invites',
    'POST /characters/import',
    'POST /characters/test-chat',
    'POST /characters',
    'POST /characters/{id}/reports',
    'POST /creators/{id}/reports',
    'GET /me/favourites',
    'GET /me/favourites/{character_id}',
    'PUT /me/favourites/{character_id}',
    'DELETE /me/favourites/{character_id}',
    'GET /me/following',
    'GET /me/following/characters',
    'GET /me/following/{creator_id}',
    'PUT /me/following/{creator_id}',
    'DELETE /me/following/{creator_id}',
    'GET /me/hidden',
    'PUT /me/hidden/tags/{tag}',
    'DELETE /me/hidden/tags/{tag}',
    'PUT /me/hidden/creators/{id}',
    'DELETE /me/hidden/creators/{id}',
    'POST /uploads/avatar',
    'POST /subscription/activate',
    'POST /subscription/downgrade',
    'GET /competition/entries',
  ],
  owner: [
    'DELETE /account/sessions/{id}',
    'GET /characters/import/{id}',
    'GET /characters/{id}/lorebook',
    'PUT /characters/{id}/lorebook',
    'PATCH /characters/{id}',
    'DELETE /characters/{id}',
    'POST /characters/{id}/restore',
    'GET /me/characters/{id}',
    'POST /appeals',
    'GET /conversations/{id}/export',
    'GET /conversations/{id}',
    'PATCH /conversations/{id}',
    'DELETE /conversations/{id}',
    'POST /conversations/{id}/restore',
    'PUT /conversations/{id}/persona',
    'POST /conversations/{id}/greeting',
    'PUT /conversations/{id}/character-version',
    'POST /conversations/{id}/messages',
    'POST /conversations/{id}/messages/{mid}/regenerate',
    'POST /conversations/{id}/messages/{mid}/continue',
    'POST /conversations/{id}/reply',
    'GET /conversations/{id}/stream',
    'POST /conversations/{id}/stop',
    'PATCH /conversations/{id}/messages/{mid}',
    'DELETE /conversations/{id}/messages/{mid}',
    'PUT /conversations/{id}/messages/{mid}/version',
    'POST /conversations/{id}/messages/{mid}/fork',
    'GET /conversations/{id}/trash',
    'POST /conversations/{id}/trash/{tid}/restore',
    'DELETE /conversations/{id}/trash/{tid}',
    'POST /conversations/{id}/suggestions',
    'POST /conversations/{id}/impersonate',
    'GET /conversations/{id}/memory',
    'PUT /conversations/{id}/memory',
    'GET /conversations/{id}/messages/{mid}/context',
    'PUT /conversations/{id}/messages/{mid}/pin',
    'DELETE /conversations/{id}/messages/{mid}/pin',
    'GET /conversations/{id}/live',
    'PUT /personas/{id}/default',
    'PATCH /personas/{id}',
    'DELETE /personas/{id}',
  ],
  'owner account': [
    'POST /conversations/{id}/messages/{mid}/reports',
    'POST /competition/entries/{character_id}',
    'DELETE /competition/entries/{character_id}',
  ],
  confirmed: ['POST /account/delete-confirm'],
  staff: [
    'PUT /admin/characters/{id}/moderation',
    'GET /admin/characters/{id}/picture',
    'GET /admin/characters/{id}/lorebook',
    'POST /admin/measures',
    'DELETE /admin/measures/{id}',
    'GET /admin/accounts/{id}',
    'GET /admin/reports',
    'GET /admin/reports/{id}',
    'PATCH /admin/reports/{id}',
    'GET /admin/appeals',
    'GET /admin/appeals/{id}',
    'PATCH /admin/appeals/{id}',
    'GET /admin/payouts',
    'POST /admin/payouts',
    'POST /admin/gifts',
    'GET /admin/business',
    'PUT /admin/business',
    'GET /admin/competition',
    'PUT /admin/competition/{character_id}/creativity',
    'POST /admin/competition/prizes/{season}/{prize}/{place}',
    'GET /admin/stats',
    'GET /admin/stats/referrals',
  ],
};

/** Which level each operation is of, by its name. */
export const LEVELS: ReadonlyMap<string, Level> = new Map(
  Object.entries(TABLE).flatMap(([level, names]) => names.map((name) => [name, level as Level] as const)),
);

/** What somebody whose account staff has shut may still call, of what is not everybody's. */
export const OPEN_TO_SUSPENDED: ReadonlySet<string> = new Set([
  'GET /account/sessions',
  'DELETE /account/sessions',
  'DELETE /account/sessions/{id}',
  'GET /account/export',
  'GET /account',
  'POST /account/delete-request',
  'POST /account/delete-confirm',
  'GET /me/reports',
  'GET /me/measures',
  'GET /me/appeals',
  'GET /me/staff-views',
  'POST /appeals',
  'GET /subscription',
  'POST /subscription/downgrade',
]);

/** Calls that end the sessions they come with. */
export const ENDS_SESSIONS: ReadonlySet<string> = new Set(['POST /logout', 'DELETE /account/sessions']);

/** What whoever may call a route meets where nothing better can be had here, by code; anything else is an answer of success. */
export const MEETS: Readonly<Record<string, readonly string[]>> = {
  'POST /mail/unsubscribe': ['invalid_input'],
  'POST /paypal/webhook': ['webhook_not_genuine'],
  'POST /auth/google/callback': ['invalid_google_token'],
  // The second of several for one address.
  'POST /auth/send-login-code': ['code_recently_sent'],
  'POST /auth/login-with-code': ['invalid_code'],
  // Nobody checks ages here.
  'POST /account/age-check': ['not_found'],
  'POST /account/age-check/requests': ['not_found'],
  'POST /account/delete-confirm': ['invalid_deletion_link'],
  // The address is somebody else's; the picture is the owner's.
  'POST /account/delete-request': ['invalid_input'],
  'POST /characters': ['invalid_input'],
  'POST /subscription/activate': ['subscription_unknown'],
  'POST /subscription/downgrade': ['no_subscription'],
  'PUT /me/following/{creator_id}': ['not_yourself'],
  'PUT /me/hidden/creators/{id}': ['not_yourself'],
};

/** Routes that are not there in this build of the product, and why: all that is sent to them may come back from the door. */
export const NO_WAY_IN: Readonly<Record<string, string>> = {
  'POST /account/age-check': 'the operator of the tests has named nobody who checks ages (age-check.test.ts)',
  'POST /account/age-check/requests': 'the same',
};
