import { Hono, type Context } from 'hono';
import { DELETION_LINK } from '../../../features/account/limits.ts';
import {
  hashDeletionToken,
  isAccountEmail,
  generateDeletionToken,
} from '../../../features/account/deletion/deletion.ts';
import {
  deletionConfirmBody,
  deletionConfirmResponse,
  deletionRequestBody,
  deletionRequestResponse,
  EMAIL_MISMATCH,
} from '../../../features/account/deletion/deletion-contract.ts';
import {
  isDeletionTokenValid,
  saveDeletionRequest,
} from '../../../features/account/deletion/deletion-store.ts';
import { startErasure, getLoginIdentity } from '../../../features/account/deletion/erasure-store.ts';
import { readUser } from '../../../features/account/session/session.ts';
import { computeSuspensionFingerprints } from '../../../features/account/suspension-fingerprint.ts';
import type { SessionUser } from '../../../features/account/contract.ts';
import { hasBillableSubscription } from '../../../features/billing/subscription-store.ts';
import { insertMailStatement } from '../../../features/mail/mail-store.ts';
import { log } from '../../../lib/log.ts';
import { describeError } from '../../../lib/redact.ts';
import { type ApiEnv, getSiteUrl, toServiceContext } from '../../middleware/context.ts';
import { describeResponses } from '../../openapi/openapi-route.ts';
import { scheduleErasures } from '../../../services/erase-accounts.ts';
import { removeKnownBrowser } from '../../middleware/code-requester.ts';
import { clearSessionCookie, requireAccount } from '../../middleware/guards.ts';
import { getRequestLanguage } from '../../middleware/language.ts';
import { scheduleMailDelivery } from '../../../services/deliver-mail.ts';
import { cancelMembership } from '../../../services/cancel-membership.ts';
import { Problem, computeSecondsUntil, unwrap } from '../../middleware/problems.ts';
import { validateRequest } from '../../middleware/validate.ts';

/** Returns the caller if their account has an email address. @throws Problem `account_required` */
async function requireEmail(c: Context<ApiEnv>): Promise<SessionUser & { email: string }> {
  const { user } = await requireAccount(c);
  if (user.email === null) throw new Problem('account_required');
  return { ...user, email: user.email };
}

export const deletion = new Hono<ApiEnv>()
  .post(
    '/delete-request',
    describeResponses('Send the link that confirms the deletion of the account by e-mail', {
      201: deletionRequestResponse,
    }),
    validateRequest('json', deletionRequestBody),
    async (c) => {
      const { id: userId, email, language } = await requireEmail(c);
      if (!isAccountEmail(c.req.valid('json').email, email))
        throw new Problem('invalid_input', {
          fields: { email: [EMAIL_MISMATCH] },
        });
      const now = Date.now();
      const token = generateDeletionToken();
      const db = c.get('db');
      const tokenHash = await hashDeletionToken(token);
      const mail = insertMailStatement(db, {
        userId,
        address: email,
        language: language ?? getRequestLanguage(c),
        kind: 'deletion_link',
        variables: { site: getSiteUrl(c), token },
        dedupeKey: tokenHash,
        now,
      });
      const stored = await saveDeletionRequest(db, { userId, tokenHash, mail, now });
      if (stored !== true)
        throw new Problem('deletion_link_recently_sent', {}, computeSecondsUntil(stored.retryAt, now));
      scheduleMailDelivery(toServiceContext(c), userId);
      return c.json({ sent: true as const, expires_in: DELETION_LINK.lifetimeMs / 1000 }, 201);
    },
  )
  .post(
    '/delete-confirm',
    describeResponses('Delete the account permanently', { 200: deletionConfirmResponse }),
    validateRequest('json', deletionConfirmBody),
    async (c) => {
      const { id: userId } = await requireEmail(c);
      const db = c.get('db');
      const tokenHash = await hashDeletionToken(c.req.valid('json').token);
      if (!(await isDeletionTokenValid(db, { userId, tokenHash, now: Date.now() })))
        throw new Problem('invalid_deletion_link');
      const marks = await computeSuspensionFingerprints(
        await getLoginIdentity(db, userId),
        c.get('settings').authSecret,
      );
      const subscription = unwrap(await cancelMembership(toServiceContext(c), userId));
      const goodbye = { site: getSiteUrl(c), language: getRequestLanguage(c), subscription };
      const erasureIds = await startErasure(db, {
        userId,
        leaving: { why: 'confirmed', tokenHash, farewell: goodbye, marks },
        now: Date.now(),
      }).catch((error: unknown) => {
        if (subscription === null) throw error;
        // The membership was cancelled already, so the response must not say that nothing happened.
        log('deletion_failed', { message: describeError(error) });
        throw new Problem('deletion_failed');
      });
      // A concurrent request deleted the account: report success to both.
      if (erasureIds === null && (await readUser(db, userId, c.get('settings'))) !== null)
        // A membership that began at this moment keeps the account, as one that cannot be cancelled does.
        throw new Problem(
          (await hasBillableSubscription(db, userId)) ? 'cancellation_failed' : 'invalid_deletion_link',
        );
      clearSessionCookie(c);
      removeKnownBrowser(c);
      scheduleMailDelivery(toServiceContext(c), userId);
      scheduleErasures(toServiceContext(c), erasureIds ?? []);
      const membership = subscription?.status ?? ('none' as const);
      return c.json({ deleted: true as const, membership, subscription });
    },
  );
