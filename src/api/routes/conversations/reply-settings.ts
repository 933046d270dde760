import { Hono } from 'hono';
import {
  changeReplySettingsBody,
  replySettings as replySettingsSchema,
  replySettingsView,
} from '../../../features/conversation/prompt/reply-settings-contract.ts';
import { createTextRefusal } from '../../../services/moderate-input.ts';
import { type ApiEnv, toServiceContext } from '../../middleware/context.ts';
import {
  requireConversation,
  requireWritableConversation,
  unwrapResult,
} from '../../middleware/conversation-access.ts';
import { toProblem } from '../../middleware/problems.ts';
import { validateRequest } from '../../middleware/validate.ts';
import { describeResponses } from '../../openapi/openapi-route.ts';

/** How the model should reply in a conversation. */
export const replySettings = new Hono<ApiEnv>()
  .get(
    '/:id/reply-settings',
    describeResponses(
      'Get the reply settings of a conversation, and what the character’s creator recommends',
      {
        200: replySettingsView,
      },
    ),
    async (c) => {
      const { user, conversation } = await requireConversation(c);
      return c.json(unwrapResult(await conversation.getReplySettings(user.id)).settings);
    },
  )
  .patch(
    '/:id/reply-settings',
    describeResponses('Change the reply settings of a conversation, from the next reply on', {
      200: replySettingsSchema,
    }),
    validateRequest('json', changeReplySettingsBody),
    async (c) => {
      const { user, conversation, tab, rating } = await requireWritableConversation(c);
      const change = c.req.valid('json');
      const changed = await conversation.changeReplySettings(user.id, change, rating, tab);
      if (!changed.ok && changed.code === 'text_refused') {
        const { rule, beside } = changed;
        const written = [{ field: 'author_note', text: change.author_note ?? '' }];
        const refused = { place: 'message', rule, written, beside } as const;
        throw toProblem(await createTextRefusal(toServiceContext(c), user.id, refused));
      }
      return c.json(unwrapResult(changed).settings);
    },
  );
