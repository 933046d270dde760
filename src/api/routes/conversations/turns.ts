import { type Context, Hono } from 'hono';
import {
  answerBody,
  continueBody,
  regenerateBody,
  sendMessageBody,
} from '../../../features/conversation/turn/turn-contract.ts';
import type { TurnRequest } from '../../../features/conversation/turn/turn-port.ts';
import type { ModelChoice } from '../../../features/model/contract.ts';
import { parseTimeZone } from '../../../features/wallet/user-day.ts';
import type { ApiEnv } from '../../middleware/context.ts';
import {
  callForEvents,
  EVENT_STREAM_HEADERS,
  getConversationStub,
  getCountry,
  readTabId,
  requireConversation,
  respondWithTurn,
  unwrapResult,
} from '../../middleware/conversation-access.ts';
import { requireSessionId } from '../../middleware/guards.ts';
import { getRequestLanguage } from '../../middleware/language.ts';
import { validateRequest } from '../../middleware/validate.ts';
import { describeResponses, describeTimeZone } from '../../openapi/openapi-route.ts';

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

/** Turns of a conversation: send, regenerate, continue, reply and rejoin. */
export const turns = new Hono<ApiEnv>()
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
      const { user, sessionPublicId, conversation: found } = await requireConversation(c);
      const lastEventId = c.req.header('last-event-id') ?? null;
      const { events } = unwrapResult(
        await callForEvents(found, 'follow', user.id, lastEventId, sessionPublicId),
      );
      return events === null ? c.body(null, 204) : c.body(events, 200, EVENT_STREAM_HEADERS);
    },
  );
