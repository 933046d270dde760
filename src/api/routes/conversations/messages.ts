import { type Context, Hono } from 'hono';
import { z } from 'zod';
import {
  answerBody,
  assistBody,
  continueBody,
  conversation,
  draft,
  editMessageBody,
  forkBody,
  message,
  pageQuery,
  regenerateBody,
  restoredMessages,
  selectVersionBody,
  sendMessageBody,
  suggestions,
  trashItem,
  trashList,
} from '../../../features/conversation/contract.ts';
import type { AskKind } from '../../../features/conversation/turn/model-asks.ts';
import type { TurnRequest } from '../../../features/conversation/turn/turn-port.ts';
import { parseTimeZone } from '../../../features/wallet/user-day.ts';
import type { ModelChoice } from '../../../features/model/contract.ts';
import { createListedConversation } from '../../../services/start-conversation.ts';
import { type ApiEnv, toServiceContext, readClientIp } from '../../middleware/context.ts';
import {
  callForEvents,
  getConversationStub,
  getCountry,
  readTabId,
  respondWithTurn,
  presentConversation,
  requireConversation,
  requireWritableConversation,
  EVENT_STREAM_HEADERS,
  createPointsProblem,
  unwrapResult,
  getUserRegion,
} from '../../middleware/conversation-access.ts';
import { describeResponses, describeTimeZone } from '../../openapi/openapi-route.ts';
import { createTextRefusal } from '../../../services/moderate-input.ts';
import { requireSessionId } from '../../middleware/guards.ts';
import { getRequestLanguage } from '../../middleware/language.ts';
import { Problem, toProblem } from '../../middleware/problems.ts';
import { validateRequest } from '../../middleware/validate.ts';

const stopResult = z.object({ reply: message.nullable() });
const forkResult = z.object({ conversation });

/** Builds a request for a reply. The conversation's object verifies the session. */
async function buildTurnRequest(
  c: Context<ApiEnv, '/:id'>,
  body: { client_message_id: string; model?: ModelChoice | undefined },
): Promise<TurnRequest> {
  return {
    requestId: c.get('requestId'),
    conversationId: c.req.param('id'),
    sessionId: await requireSessionId(c),
    turnId: body.client_message_id,
    model: body.model ?? 'recommended',
    timeZone: parseTimeZone(c.req.header('x-time-zone')),
    country: getCountry(c),
    language: getRequestLanguage(c),
    lastEventId: c.req.header('last-event-id') ?? null,
    tab: readTabId(c),
  };
}

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

/** Messages of a conversation: send, generate, edit, versions, branches and trash. */
export const messages = new Hono<ApiEnv>()
  .post(
    '/:id/messages',
    describeResponses('Send a message and stream its reply', { 200: 'events' }),
    describeTimeZone,
    validateRequest('json', sendMessageBody),
    async (c) => {
      const found = getConversationStub(c, c.req.param('id'));
      const body = c.req.valid('json');
      const request = { ...(await buildTurnRequest(c, body)), content: body.content };
      return respondWithTurn(c, await callForEvents(found, 'send', request));
    },
  )
  .post(
    '/:id/messages/:mid/regenerate',
    describeResponses('Regenerate a reply', { 200: 'events' }),
    describeTimeZone,
    validateRequest('json', regenerateBody),
    async (c) => {
      const found = getConversationStub(c, c.req.param('id'));
      const body = c.req.valid('json');
      const turn = await buildTurnRequest(c, body);
      const request = { ...turn, replyId: c.req.param('mid'), note: body.note };
      return respondWithTurn(c, await callForEvents(found, 'regenerate', request));
    },
  )
  .post(
    '/:id/messages/:mid/continue',
    describeResponses('Continue a reply from where it ends', { 200: 'events' }),
    describeTimeZone,
    validateRequest('json', continueBody),
    async (c) => {
      const found = getConversationStub(c, c.req.param('id'));
      const request = { ...(await buildTurnRequest(c, c.req.valid('json'))), replyId: c.req.param('mid') };
      return respondWithTurn(c, await callForEvents(found, 'continueReply', request));
    },
  )
  .post(
    '/:id/reply',
    describeResponses('Generate a reply to the user’s last message if it has none', { 200: 'events' }),
    describeTimeZone,
    validateRequest('json', answerBody),
    async (c) => {
      const found = getConversationStub(c, c.req.param('id'));
      return respondWithTurn(
        c,
        await callForEvents(found, 'answer', await buildTurnRequest(c, c.req.valid('json'))),
      );
    },
  )
  .get(
    '/:id/stream',
    describeResponses('Rejoin the stream of the reply in progress', { 200: 'events', 204: null }),
    async (c) => {
      const { user, conversation: found } = await requireConversation(c);
      const { events } = unwrapResult(
        await callForEvents(found, 'follow', user.id, c.req.header('last-event-id') ?? null),
      );
      return events === null ? c.body(null, 204) : c.body(events, 200, EVENT_STREAM_HEADERS);
    },
  )
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
  .post(
    '/:id/messages/:mid/fork',
    describeResponses('Branch a conversation: start a new one with all messages up to this one', {
      201: forkResult,
    }),
    validateRequest('json', forkBody),
    async (c) => {
      const { user, conversation: found } = await requireConversation(c);
      const clientId = c.req.valid('json').client_conversation_id ?? null;
      const made = await createListedConversation(
        toServiceContext(c),
        { ownerId: user.id, clientIp: readClientIp(c) },
        async ({ id: copyId }) =>
          unwrapResult(
            await found.fork({ userId: user.id, messageId: c.req.param('mid'), copyId, clientId }),
          ),
      );
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
