import { type Context, Hono } from 'hono';
import { z } from 'zod';
import {
  assistBody,
  conversation,
  draft,
  editMessageBody,
  forkBody,
  message,
  pageQuery,
  rateReplyBody,
  restoredMessages,
  selectVersionBody,
  suggestions,
  trashItem,
  trashList,
} from '../../../features/conversation/contract.ts';
import type { AskKind } from '../../../features/conversation/turn/model-asks.ts';
import { estimateConversationBytes } from '../../../features/storage/storage.ts';
import type { ModelChoice } from '../../../features/model/contract.ts';
import { createListedConversation } from '../../../services/start-conversation.ts';
import { type ApiEnv, toServiceContext, readClientIp } from '../../middleware/context.ts';
import {
  presentConversation,
  requireConversation,
  requireWritableConversation,
  createPointsProblem,
  unwrapResult,
  getUserRegion,
} from '../../middleware/conversation-access.ts';
import { describeResponses, describeTimeZone } from '../../openapi/openapi-route.ts';
import { createTextRefusal } from '../../../services/moderate-input.ts';
import { Problem, toProblem, unwrap } from '../../middleware/problems.ts';
import { validateRequest } from '../../middleware/validate.ts';

const stopResult = z.object({ reply: message.nullable() });
const forkResult = z.object({ conversation });

async function requestAssist(
  c: Context<ApiEnv, '/:id'>,
  kind: AskKind,
  body: { client_message_id: string; model?: ModelChoice | undefined },
) {
  const { user, conversation: found, entitlement, rating, writeBlock } = await requireWritableConversation(c);
  const result = await found.requestAssist(kind, {
    requestId: c.get('requestId'),
    userId: user.id,
    entitlement,
    rating,
    writeBlock,
    askId: body.client_message_id,
    model: body.model ?? 'recommended',
  });
  if (result.ok) return result;
  if ('points' in result) throw createPointsProblem(result);
  throw result.code === 'assist_failed'
    ? new Problem('assist_failed', { error: result.sentence, reason: result.reason })
    : new Problem(result.code);
}

/** Messages of a conversation: edit, versions, branches, trash and writing help. */
export const messages = new Hono<ApiEnv>()
  .post('/:id/stop', describeResponses('Stop the reply in progress', { 200: stopResult }), async (c) => {
    const { user, conversation: found } = await requireConversation(c);
    const { reply } = unwrapResult(await found.stop(user.id));
    return c.json({ reply });
  })
  .patch(
    '/:id/messages/:mid',
    describeResponses('Edit a message; the old text stays as a version', { 200: message }),
    validateRequest('json', editMessageBody),
    async (c) => {
      const { user, conversation: found, tab, rating } = await requireWritableConversation(c);
      const { content } = c.req.valid('json');
      const edit = { content, rating, region: getUserRegion(c, user) };
      const edited = await found.editMessage(user.id, c.req.param('mid'), edit, tab);
      if (!edited.ok && edited.code === 'text_refused')
        throw toProblem(
          await createTextRefusal(
            toServiceContext(c),
            user.id,
            {
              place: 'message',
              rule: edited.rule,
              written: [{ field: 'content', text: content }],
              beside: edited.beside,
            },
            edited.help === null ? {} : { safety: edited.help },
          ),
        );
      return c.json(unwrapResult(edited).message);
    },
  )
  .delete(
    '/:id/messages/:mid',
    describeResponses('Move a message and all later ones to the trash', { 200: trashItem }),
    async (c) => {
      const { user, conversation: found, tab } = await requireConversation(c);
      return c.json(unwrapResult(await found.deleteFrom(user.id, c.req.param('mid'), tab)).trashed);
    },
  )
  .put(
    '/:id/messages/:mid/version',
    describeResponses('Select another version of a message', { 200: message }),
    validateRequest('json', selectVersionBody),
    async (c) => {
      const { user, conversation: found, tab } = await requireConversation(c);
      const { version_id: versionId } = c.req.valid('json');
      return c.json(
        unwrapResult(await found.selectVersion(user.id, c.req.param('mid'), versionId, tab)).message,
      );
    },
  )
  .put(
    '/:id/messages/:mid/rating',
    describeResponses('Rate a version of a reply, or take the rating back', { 200: message }),
    validateRequest('json', rateReplyBody),
    async (c) => {
      const { user, conversation: found, tab } = await requireConversation(c);
      const { version_id: versionId, rating } = c.req.valid('json');
      return c.json(
        unwrapResult(await found.rate(user.id, c.req.param('mid'), { versionId, rating }, tab)).message,
      );
    },
  )
  .post(
    '/:id/messages/:mid/fork',
    describeResponses('Branch a conversation: start a new one with all messages up to this one', {
      201: forkResult,
    }),
    validateRequest('json', forkBody),
    async (c) => {
      const { user, conversation: found } = await requireConversation(c);
      const clientId = c.req.valid('json').client_conversation_id ?? null;
      const request = { userId: user.id, messageId: c.req.param('mid'), clientId };
      const { text } = unwrapResult(await found.measureFork(request));
      const made = await createListedConversation(
        toServiceContext(c),
        {
          owner: user,
          clientIp: readClientIp(c),
          bytes: text === null ? null : estimateConversationBytes(text),
        },
        async ({ id: copyId }) => unwrapResult(await found.fork({ ...request, copyId })),
      ).then(unwrap);
      return c.json({ conversation: await presentConversation(c, user, made.conversation) }, 201);
    },
  )
  .get(
    '/:id/trash',
    describeResponses('List the message deletions of the last 30 days', { 200: trashList }),
    validateRequest('query', pageQuery),
    async (c) => {
      const { user, conversation: found } = await requireConversation(c);
      const { cursor, limit } = c.req.valid('query');
      return c.json(unwrapResult(await found.listTrash(user.id, cursor, limit)).list);
    },
  )
  .post(
    '/:id/trash/:tid/restore',
    describeResponses('Restore deleted messages from the trash', { 200: restoredMessages }),
    async (c) => {
      const { user, conversation: found, tab } = await requireConversation(c);
      const { messageIds } = unwrapResult(await found.restore(user.id, c.req.param('tid'), tab));
      return c.json({ message_ids: messageIds });
    },
  )
  .delete(
    '/:id/trash/:tid',
    describeResponses('Delete messages in the trash permanently, before they expire', { 204: null }),
    async (c) => {
      const { user, conversation: found, tab } = await requireConversation(c);
      unwrapResult(await found.eraseDeletion(user.id, c.req.param('tid'), tab));
      return c.body(null, 204);
    },
  )
  .post(
    '/:id/suggestions',
    describeResponses('Suggest three messages that the user could send next', { 200: suggestions }),
    describeTimeZone,
    validateRequest('json', assistBody),
    async (c) => {
      const { texts, points } = await requestAssist(c, 'suggestions', c.req.valid('json'));
      return c.json({ items: texts, points });
    },
  )
  .post(
    '/:id/impersonate',
    describeResponses('Draft the user’s next message; nothing is sent', { 200: draft }),
    describeTimeZone,
    validateRequest('json', assistBody),
    async (c) => {
      const { texts, points } = await requestAssist(c, 'draft', c.req.valid('json'));
      return c.json({ draft: texts[0] ?? '', points });
    },
  );
