import { type Context, Hono } from 'hono';
import type { SessionUser } from '../../../features/account/contract.ts';
import {
  createReplyStyleBody,
  namedReplyStyle,
  type ReplyStyleChange,
  replyStyleChange,
  replyStyleList,
} from '../../../features/reply-style/contract.ts';
import { MAX_NAMED_STYLES } from '../../../features/reply-style/reply-style.ts';
import {
  createReplyStyle,
  deleteReplyStyle,
  listReplyStyles,
  updateReplyStyle,
} from '../../../features/reply-style/reply-style-store.ts';
import { buildInputTexts, checkTexts } from '../../../services/moderate-input.ts';
import { type ApiEnv, toServiceContext } from '../../middleware/context.ts';
import { requireCaller } from '../../middleware/guards.ts';
import { Problem, throwRefused } from '../../middleware/problems.ts';
import { validateRequest } from '../../middleware/validate.ts';
import { describeResponses } from '../../openapi/openapi-route.ts';

/** Moderates a style's texts. The rules of a conversation are applied again when its settings are changed. */
async function assertStyleAllowed(
  c: Context<ApiEnv>,
  user: SessionUser,
  { name = '', author_note = '' }: ReplyStyleChange,
): Promise<void> {
  const written = Object.entries({ name, author_note }).flatMap(([field, text]) =>
    text === '' ? [] : [{ field, text }],
  );
  // An appeal treats a note like a message: the user writes both in a conversation.
  const about = { place: 'message', adult: user.spicy_mode, seen: 'self' } as const;
  throwRefused(await checkTexts(toServiceContext(c), user.id, buildInputTexts('note', written), about));
}

/** The reply settings that a user saved under a name. */
export const replyStyles = new Hono<ApiEnv>()
  .get('/', describeResponses('List the user’s reply styles by name', { 200: replyStyleList }), async (c) => {
    const { user } = await requireCaller(c);
    return c.json({ items: await listReplyStyles(c.get('db'), user.id), limit: MAX_NAMED_STYLES });
  })
  .post(
    '/',
    describeResponses('Save reply settings as a named style', { 201: namedReplyStyle }),
    validateRequest('json', createReplyStyleBody),
    async (c) => {
      const { user } = await requireCaller(c);
      const fields = c.req.valid('json');
      await assertStyleAllowed(c, user, fields);
      const made = await createReplyStyle(c.get('db'), { ownerId: user.id, fields, now: Date.now() });
      if (made === null) throw new Problem('reply_style_limit', { limit: MAX_NAMED_STYLES });
      return c.json(made, 201);
    },
  )
  .patch(
    '/:id',
    describeResponses('Rename or change a reply style; conversations keep the settings that they have', {
      200: namedReplyStyle,
    }),
    validateRequest('json', replyStyleChange),
    async (c) => {
      const { user } = await requireCaller(c);
      const change = c.req.valid('json');
      await assertStyleAllowed(c, user, change);
      const input = { ownerId: user.id, id: c.req.param('id'), change, now: Date.now() };
      const changed = await updateReplyStyle(c.get('db'), input);
      if (changed === null) throw new Problem('not_found');
      return c.json(changed);
    },
  )
  .delete('/:id', describeResponses('Delete a reply style', { 204: null }), async (c) => {
    const { user } = await requireCaller(c);
    if (!(await deleteReplyStyle(c.get('db'), user.id, c.req.param('id')))) throw new Problem('not_found');
    return c.body(null, 204);
  });
