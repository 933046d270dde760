import { type Context, Hono } from 'hono';
import { moderatedCharacter, moderationBody } from '../../../features/character/moderation-contract.ts';
import {
  accountCase,
  moderationAction,
  moderationActionBody,
} from '../../../features/moderation/moderation-action-contract.ts';
import { readAccountCase as readAccount } from '../../../features/moderation/moderation-action-store.ts';
import { showCharacter } from '../../../features/moderation/moderation-action-revoke-store.ts';
import {
  caseLorebook,
  caseLorebookQuery,
  casePictureQuery,
} from '../../../features/moderation/report-contract.ts';
import { buildLorePage, readReportedCharacter } from '../../../features/moderation/report-store.ts';
import { getListPictureKey } from '../../../features/picture/list-picture.ts';
import { recordStaffViews } from '../../../features/moderation/staff-store.ts';
import { isId } from '../../../lib/ids.ts';
import { type ApiEnv, toServiceContext } from '../../middleware/context.ts';
import { describeResponses } from '../../openapi/openapi-route.ts';
import { requireAdmin, requireCaller } from '../../middleware/guards.ts';
import { applyModerationAction, revokeModerationAction } from '../../../services/moderation-actions.ts';
import { Problem, unwrap } from '../../middleware/problems.ts';
import { getWalletStub } from '../../middleware/wallet.ts';
import { validateRequest } from '../../middleware/validate.ts';
import { log } from '../../../lib/log.ts';

/** Moderation actions; 404 for everyone but staff. */
export const adminModeration = new Hono<ApiEnv>()
  .put(
    '/characters/:id/moderation',
    describeResponses('Show a character, hide it during a review, or remove it', { 200: moderatedCharacter }),
    requireAdmin,
    validateRequest('json', moderationBody),
    async (c) => {
      const { user } = await requireCaller(c);
      const { moderation, reason = '' } = c.req.valid('json');
      const id = c.req.param('id');
      const db = c.get('db');
      if (moderation !== 'shown')
        unwrap(
          await applyModerationAction(toServiceContext(c), user.id, {
            kind: `character_${moderation}`,
            subject_id: id,
            reason,
          }),
        );
      else if (!(await showCharacter(db, { id, adminId: user.id, now: Date.now() })))
        throw new Problem('not_found');
      const found = await readReportedCharacter(db, id);
      if (found === null) throw new Problem('not_found');
      await recordPrivateView(c, found);
      log('character_moderated', { admin_id: user.id, character_id: id, after: moderation });
      const { name, moderation: now } = found.character;
      return c.json({ id, name, moderation: now });
    },
  )
  .get(
    '/characters/:id/picture',
    describeResponses(
      'Get a character’s picture; if it is not public, the creator can see that staff viewed it',
      { 200: null },
    ),
    requireAdmin,
    validateRequest('query', casePictureQuery),
    async (c) => {
      const db = c.get('db');
      const id = c.req.param('id');
      const found = isId(id) ? await readReportedCharacter(db, id) : null;
      const key = found?.avatarKey ?? '';
      const { size } = c.req.valid('query');
      const picture =
        key === ''
          ? null
          : ((size === 'list' ? await c.env.MEDIA.get(getListPictureKey(key)) : null) ??
            (await c.env.MEDIA.get(key)));
      if (found === null || picture === null) throw new Problem('not_found');
      await recordPrivateView(c, found);
      return c.body(picture.body, 200, {
        'content-security-policy': "default-src 'none'; sandbox",
        'content-type': picture.httpMetadata?.contentType ?? 'application/octet-stream',
        'content-length': String(picture.size),
      });
    },
  )
  .get(
    '/characters/:id/lorebook',
    describeResponses(
      'Get a page of a lorebook; if it is not public, the creator can see that staff viewed it',
      {
        200: caseLorebook,
      },
    ),
    requireAdmin,
    validateRequest('query', caseLorebookQuery),
    async (c) => {
      const id = c.req.param('id');
      const found = isId(id) ? await readReportedCharacter(c.get('db'), id) : null;
      if (found === null) throw new Problem('not_found');
      await recordPrivateView(c, found);
      return c.json(buildLorePage(found.lore, c.req.valid('query').skip ?? 0));
    },
  )
  .post(
    '/measures',
    describeResponses(
      'Apply a moderation action to a character or an account, with a reason for the affected user',
      {
        201: moderationAction,
      },
    ),
    requireAdmin,
    validateRequest('json', moderationActionBody),
    async (c) => {
      const { user } = await requireCaller(c);
      return c.json(
        unwrap(await applyModerationAction(toServiceContext(c), user.id, c.req.valid('json'))),
        201,
      );
    },
  )
  .delete(
    '/measures/:id',
    describeResponses('Revoke a moderation action and restore what it removed', { 200: moderationAction }),
    requireAdmin,
    async (c) => {
      const { user } = await requireCaller(c);
      const id = c.req.param('id');
      return c.json(unwrap(await revokeModerationAction(toServiceContext(c), { adminId: user.id, id })));
    },
  )
  .get(
    '/accounts/:id',
    describeResponses('Get an account and its moderation actions; the user can see that staff viewed it', {
      200: accountCase,
    }),
    requireAdmin,
    async (c) => {
      const { user } = await requireCaller(c);
      const db = c.get('db');
      const found = await readAccount(db, c.req.param('id'));
      if (found === null) throw new Problem('not_found');
      const viewed = [{ ownerId: found.id, resourceType: 'account', resourceId: found.id } as const];
      await recordStaffViews(db, { adminId: user.id, viewed, now: Date.now() });
      const wallet = await getWalletStub(c, found.id).check();
      return c.json({ ...found, points: wallet?.balance ?? null });
    },
  );

/** Records that staff is about to see a character that is not public; its creator can read the record. */
async function recordPrivateView(
  c: Context<ApiEnv>,
  { isPublic, ownerId, character }: NonNullable<Awaited<ReturnType<typeof readReportedCharacter>>>,
): Promise<void> {
  if (isPublic) return;
  const { user } = await requireCaller(c);
  const viewed = [{ ownerId, resourceType: 'character', resourceId: character.id } as const];
  await recordStaffViews(c.get('db'), { adminId: user.id, viewed, now: Date.now() });
}
