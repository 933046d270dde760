import { Hono, type Context } from 'hono';
import { DELETION_LINK } from '../../../features/account/limits.ts';
import {
  hashDeletionToken,
  isOwnAddress,
  newDeletionToken,
} from '../../../features/account/deletion/deletion.ts';
import {
  deletionConfirmBody,
  deletionDone,
  deletionRequestBody,
  deletionRequested,
  EMAIL_MISMATCH,
} from '../../../features/account/deletion/deletion-contract.ts';
import { confirmsDeletion, keepDeletionRequest } from '../../../features/account/deletion/deletion-store.ts';
import { beginErasure, wayInOf } from '../../../features/account/deletion/erasure-store.ts';
import { readUser } from '../../../features/account/session.ts';
import { suspensionMarks } from '../../../features/account/suspension-fingerprint.ts';
import type { SessionUser } from '../../../features/account/contract.ts';
import { isBilled } from '../../../features/billing/subscription-store.ts';
import { mailToPut } from '../../../features/mail/mail-store.ts';
import { log } from '../../../lib/log.ts';
import { describeError } from '../../../lib/redact.ts';
import { type ApiEnv, serviceContext } from '../../middleware/context.ts';
import { answers } from '../../openapi/openapi-route.ts';
import { continueErasuresSoon } from '../../../services/erase-accounts.ts';
import { clearSessionCookie, requireAccount } from '../../middleware/guards.ts';
import { languageOf } from '../../middleware/language.ts';
import { sendMailsSoon } from '../../../services/deliver-mail.ts';
import { endMembership } from '../../../services/cancel-membership.ts';
import { Problem, secondsUntil, unwrap } from '../../middleware/problems.ts';
import { valid } from '../../middleware/validate.ts';

/** The caller, who has an account with an address to write to. */
async function requireMailbox(c: Context<ApiEnv>): Promise<SessionUser & { email: string }> {
  const { user } = await requireAccount(c);
  if (user.email === null) throw new Problem('account_required');
  return { ...user, email: user.email };
}

const siteOf = (c: Context<ApiEnv>): string => c.get('settings').siteUrl ?? new URL(c.req.url).origin;

export const deletion = new Hono<ApiEnv>()
  .post(
    '/delete-request',
    answers('Ask for the link that confirms the deletion of one’s account', { 201: deletionRequested }),
    valid('json', deletionRequestBody),
    async (c) => {
      const { id: userId, email, language } = await requireMailbox(c);
      if (!isOwnAddress(c.req.valid('json').email, email))
        throw new Problem('invalid_input', {
          fields: { email: [EMAIL_MISMATCH] },
        });
      const now = Date.now();
      const token = newDeletionToken();
      const db = c.get('db');
      const tokenHash = await hashDeletionToken(token);
      const mail = mailToPut(db, {
        userId,
        address: email,
        language: language ?? languageOf(c),
        kind: 'deletion_link',
        details: { site: siteOf(c), token },
        about: tokenHash,
        now,
      });
      const kept = await keepDeletionRequest(db, { userId, tokenHash, mail, now });
      if (kept !== true)
        throw new Problem('deletion_link_recently_sent', {}, secondsUntil(kept.retryAt, now));
      sendMailsSoon(serviceContext(c), userId);
      return c.json({ sent: true as const, expires_in: DELETION_LINK.lifetimeMs / 1000 }, 201);
    },
  )
  .post(
    '/delete-confirm',
    answers('Delete one’s account for good', { 200: deletionDone }),
    valid('json', deletionConfirmBody),
    async (c) => {
      const { id: userId } = await requireMailbox(c);
      const db = c.get('db');
      const tokenHash = await hashDeletionToken(c.req.valid('json').token);
      if (!(await confirmsDeletion(db, { userId, tokenHash, now: Date.now() })))
        throw new Problem('invalid_deletion_link');
      const marks = await suspensionMarks(await wayInOf(db, userId), c.get('settings').authSecret);
      const subscription = unwrap(await endMembership(serviceContext(c), userId));
      const goodbye = { site: siteOf(c), language: languageOf(c), subscription };
      const begun = await beginErasure(db, {
        userId,
        leaving: { why: 'confirmed', tokenHash, goodbye, marks },
        now: Date.now(),
      }).catch((error: unknown) => {
        if (subscription === null) throw error;
        // What was paid for is over all the same: «nothing happened» would not be true.
        log('deletion_unfinished', { message: describeError(error) });
        throw new Problem('deletion_unfinished');
      });
      // Of two tabs at once the other one did it: both are told so.
      if (begun === null && (await readUser(db, userId, c.get('settings'))) !== null)
        // A membership that began at this very moment keeps the account, as one that cannot be cancelled does.
        throw new Problem(
          (await isBilled(db, userId)) ? 'membership_not_cancelled' : 'invalid_deletion_link',
        );
      clearSessionCookie(c);
      sendMailsSoon(serviceContext(c), userId);
      continueErasuresSoon(serviceContext(c), begun ?? []);
      const membership = subscription?.status ?? ('none' as const);
      return c.json({ deleted: true as const, membership, subscription });
    },
  );
