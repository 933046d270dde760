import { type Context, Hono } from 'hono';
import { PASSKEY } from '../../../features/account/limits.ts';
import { type ChallengeScope, createChallenge } from '../../../features/account/passkey/passkey-challenge.ts';
import {
  passkey,
  passkeyBody,
  passkeyChange,
  passkeyList,
  registrationOptions,
} from '../../../features/account/passkey/passkey-contract.ts';
import {
  addPasskey,
  listKeys,
  listPasskeys,
  removePasskey,
  renamePasskey,
} from '../../../features/account/passkey/passkey-store.ts';
import { createRegistrationOptions, verifyRegistration } from '../../../features/account/passkey/webauthn.ts';
import { claimToken } from '../../../features/account/used-token-store.ts';
import { isId } from '../../../lib/ids.ts';
import type { ApiEnv, Caller } from '../../middleware/context.ts';
import { requireAccount } from '../../middleware/guards.ts';
import { Problem } from '../../middleware/problems.ts';
import { getPasskeySite, requireAdminPasskey } from '../../middleware/proof.ts';
import { validateRequest } from '../../middleware/validate.ts';
import { describeResponses } from '../../openapi/openapi-route.ts';

const toScope = (c: Context<ApiEnv>, { sessionId }: Caller): ChallengeScope => ({
  purpose: 'register',
  binding: sessionId,
  secret: c.get('settings').authSecret,
});

/**
 * Returns the caller, who may change their passkeys. An admin who has one must have logged in with it, where
 * ADMIN_PASSKEYS requires passkeys: otherwise a code from their mailbox would be enough to add another.
 * @throws Problem `passkey_required`
 */
async function requirePasskeyOwner(c: Context<ApiEnv>): Promise<Caller> {
  const caller = await requireAccount(c);
  const { host } = getPasskeySite(c);
  if ((await listKeys(c.get('db'), { userId: caller.user.id, host })).length > 0)
    await requireAdminPasskey(c, caller);
  return caller;
}

/** The passkeys of the caller's account. */
export const passkeyRoutes = new Hono<ApiEnv>()
  .get('/', describeResponses('List the account’s passkeys', { 200: passkeyList }), async (c) => {
    const { user } = await requireAccount(c);
    return c.json({ items: await listPasskeys(c.get('db'), user.id), limit: PASSKEY.maxPerAccount });
  })
  .post('/options', describeResponses('Start adding a passkey', { 200: registrationOptions }), async (c) => {
    const caller = await requirePasskeyOwner(c);
    const { id, email, username, nickname } = caller.user;
    const site = getPasskeySite(c);
    const options = await createRegistrationOptions(site, {
      challenge: await createChallenge(toScope(c, caller), Date.now()),
      user: { id, name: email ?? username, displayName: nickname ?? username },
      known: await listKeys(c.get('db'), { userId: id, host: site.host }),
    });
    return c.json(options);
  })
  .post(
    '/',
    describeResponses('Add a passkey', { 201: passkey }),
    validateRequest('json', passkeyBody),
    async (c) => {
      const caller = await requirePasskeyOwner(c);
      const { name, credential } = c.req.valid('json');
      const db = c.get('db');
      const now = Date.now();
      const site = getPasskeySite(c);
      const verified = await verifyRegistration(site, { credential, scope: toScope(c, caller), now });
      if (verified === null || !(await claimToken(db, verified.challenge)))
        throw new Problem('invalid_passkey');
      const { key } = verified;
      const added = await addPasskey(db, { userId: caller.user.id, name, host: site.host, key, now });
      if (added === 'passkey_limit') throw new Problem('passkey_limit', { limit: PASSKEY.maxPerAccount });
      if (added === 'known') throw new Problem('invalid_passkey');
      return c.json(added, 201);
    },
  )
  .patch(
    '/:id',
    describeResponses('Rename a passkey', { 200: passkey }),
    validateRequest('json', passkeyChange),
    async (c) => {
      const { user } = await requireAccount(c);
      const id = c.req.param('id');
      const { name } = c.req.valid('json');
      const renamed = isId(id) ? await renamePasskey(c.get('db'), { userId: user.id, id, name }) : null;
      if (renamed === null) throw new Problem('not_found');
      return c.json(renamed);
    },
  )
  .delete('/:id', describeResponses('Remove a passkey', { 204: null }), async (c) => {
    const { user } = await requirePasskeyOwner(c);
    const id = c.req.param('id');
    if (!isId(id) || !(await removePasskey(c.get('db'), { userId: user.id, id })))
      throw new Problem('not_found');
    return c.body(null, 204);
  });
