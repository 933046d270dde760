import { type Context, Hono } from 'hono';
import { z } from 'zod';
import {
  answerBody,
  askBody,
  continueBody,
  conversation,
  draft,
  editMessageBody,
  forkBody,
  message,
  pageQuery,
  regenerateBody,
  restored,
  selectVersionBody,
  sendMessageBody,
  suggestions,
  trashItem,
  trashList,
} from '../../../features/conversation/contract.ts';
import type { AskKind } from '../../../features/conversation/turn/model-asks.ts';
import type { ModelChoice } from '../../../features/model/contract.ts';
import { makeListed } from '../../../services/start-conversation.ts';
import { type ApiEnv, serviceContext } from '../../middleware/context.ts';
import {
  answerTurn,
  asShown,
  enter,
  enterToWrite,
  EVENT_HEADERS,
  pointsProblem,
  taken,
  whereaboutsOf,
} from '../../middleware/conversation-access.ts';
import { answers, takesTimeZone } from '../../openapi/openapi-route.ts';
import { refusal } from '../../../services/moderate-input.ts';
import { Problem, toProblem } from '../../middleware/problems.ts';
import { valid } from '../../middleware/validate.ts';
import { readClientIp } from '../../middleware/client-ip.ts';

const stopped = z.object({ reply: message.nullable() });
const forked = z.object({ conversation });

/** What a turn is asked with, beside what it is about. */
function commandOf(
  c: Context<ApiEnv>,
  userId: string,
  body: { client_message_id: string; model?: ModelChoice | undefined },
) {
  return {
    requestId: c.get('requestId'),
    userId,
    turnId: body.client_message_id,
    model: body.model ?? ('recommended' as const),
    lastEventId: c.req.header('last-event-id') ?? null,
  };
}

async function ask(
  c: Context<ApiEnv, '/:id'>,
  kind: AskKind,
  body: { client_message_id: string; model?: ModelChoice | undefined },
) {
  const { user, conversation: found, standing, rating, barred } = await enterToWrite(c);
  const result = await found.ask(kind, {
    requestId: c.get('requestId'),
    userId: user.id,
    standing,
    rating,
    barred,
    askId: body.client_message_id,
    model: body.model ?? 'recommended',
  });
  if (result.ok) return result;
  if ('points' in result) throw pointsProblem(result);
  throw result.code === 'ask_failed'
    ? new Problem('ask_failed', { error: result.sentence, reason: result.reason })
    : new Problem(result.code);
}

/** Messages of a conversation: sending, the reply, and all that can be done with what was said. */
export const messages = new Hono<ApiEnv>()
  .post(
    '/:id/messages',
    answers('Send a message and follow its reply', { 200: 'events' }),
    takesTimeZone,
    valid('json', sendMessageBody),
    async (c) => {
      const { user, conversation: found, tab, ...who } = await enterToWrite(c);
      const body = c.req.valid('json');
      const { content } = body;
      const whereabouts = whereaboutsOf(c, user);
      const command = { ...commandOf(c, user.id, body), content, whereabouts, tab, ...who };
      return answerTurn(c, await found.send(command));
    },
  )
  .post(
    '/:id/messages/:mid/regenerate',
    answers('Have a reply written anew', { 200: 'events' }),
    takesTimeZone,
    valid('json', regenerateBody),
    async (c) => {
      const { user, conversation: found, tab, ...who } = await enterToWrite(c);
      const turn = commandOf(c, user.id, c.req.valid('json'));
      const whereabouts = whereaboutsOf(c, user);
      const command = { ...turn, replyId: c.req.param('mid'), whereabouts, tab, ...who };
      return answerTurn(c, await found.regenerate(command));
    },
  )
  .post(
    '/:id/messages/:mid/continue',
    answers('Have a reply go on from where it ends', { 200: 'events' }),
    takesTimeZone,
    valid('json', continueBody),
    async (c) => {
      const { user, conversation: found, tab, ...who } = await enterToWrite(c);
      const turn = commandOf(c, user.id, c.req.valid('json'));
      const whereabouts = whereaboutsOf(c, user);
      const command = { ...turn, replyId: c.req.param('mid'), whereabouts, tab, ...who };
      return answerTurn(c, await found.continueReply(command));
    },
  )
  .post(
    '/:id/reply',
    answers('Have one’s last message answered, when it has no reply', { 200: 'events' }),
    takesTimeZone,
    valid('json', answerBody),
    async (c) => {
      const { user, conversation: found, tab, ...who } = await enterToWrite(c);
      const turn = commandOf(c, user.id, c.req.valid('json'));
      const command = { ...turn, whereabouts: whereaboutsOf(c, user), tab, ...who };
      return answerTurn(c, await found.answer(command));
    },
  )
  .get('/:id/stream', answers('Rejoin the reply being written', { 200: 'events', 204: null }), async (c) => {
    const { user, conversation: found } = await enter(c);
    const { events } = taken(await found.follow(user.id, c.req.header('last-event-id') ?? null));
    return events === null ? c.body(null, 204) : c.body(events, 200, EVENT_HEADERS);
  })
  .post('/:id/stop', answers('Stop the reply', { 200: stopped }), async (c) => {
    const { user, conversation: found } = await enter(c);
    const { reply } = taken(await found.stop(user.id));
    return c.json({ reply });
  })
  .patch(
    '/:id/messages/:mid',
    answers('Edit a message; the old text stays as a version', { 200: message }),
    valid('json', editMessageBody),
    async (c) => {
      const { user, conversation: found, tab, rating } = await enterToWrite(c);
      const { content } = c.req.valid('json');
      const edit = { content, rating, whereabouts: whereaboutsOf(c, user) };
      const edited = await found.editMessage(user.id, c.req.param('mid'), edit, tab);
      if (!edited.ok && edited.code === 'text_refused')
        throw toProblem(
          await refusal(
            serviceContext(c),
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
      return c.json(taken(edited).message);
    },
  )
  .delete(
    '/:id/messages/:mid',
    answers('Delete a message and what follows, to the trash', { 200: trashItem }),
    async (c) => {
      const { user, conversation: found, tab } = await enter(c);
      return c.json(taken(await found.deleteFrom(user.id, c.req.param('mid'), tab)).trashed);
    },
  )
  .put(
    '/:id/messages/:mid/version',
    answers('Show another version of a message', { 200: message }),
    valid('json', selectVersionBody),
    async (c) => {
      const { user, conversation: found, tab } = await enter(c);
      const { version_id: versionId } = c.req.valid('json');
      return c.json(taken(await found.selectVersion(user.id, c.req.param('mid'), versionId, tab)).message);
    },
  )
  .post(
    '/:id/messages/:mid/fork',
    answers('Begin a new conversation with everything up to a message', { 201: forked }),
    valid('json', forkBody),
    async (c) => {
      const { user, conversation: found } = await enter(c);
      const clientId = c.req.valid('json').client_conversation_id ?? null;
      const made = await makeListed(
        serviceContext(c),
        { ownerId: user.id, clientIp: readClientIp(c) },
        async ({ id: copyId }) =>
          taken(await found.fork({ userId: user.id, messageId: c.req.param('mid'), copyId, clientId })),
      );
      return c.json({ conversation: await asShown(c, user, made.conversation) }, 201);
    },
  )
  .get(
    '/:id/trash',
    answers('What was deleted in the last 30 days', { 200: trashList }),
    valid('query', pageQuery),
    async (c) => {
      const { user, conversation: found } = await enter(c);
      const { cursor, limit } = c.req.valid('query');
      return c.json(taken(await found.trash(user.id, cursor, limit)).list);
    },
  )
  .post('/:id/trash/:tid/restore', answers('Take a deletion back', { 200: restored }), async (c) => {
    const { user, conversation: found, tab } = await enter(c);
    const { messageIds } = taken(await found.restore(user.id, c.req.param('tid'), tab));
    return c.json({ message_ids: messageIds });
  })
  .delete('/:id/trash/:tid', answers('Erase a deletion before its time', { 204: null }), async (c) => {
    const { user, conversation: found, tab } = await enter(c);
    taken(await found.eraseDeletion(user.id, c.req.param('tid'), tab));
    return c.body(null, 204);
  })
  .post(
    '/:id/suggestions',
    answers('Three next lines, suggested by the model', { 200: suggestions }),
    takesTimeZone,
    valid('json', askBody),
    async (c) => {
      const { texts, points } = await ask(c, 'suggestions', c.req.valid('json'));
      return c.json({ items: texts, points });
    },
  )
  .post(
    '/:id/impersonate',
    answers('A draft of the person’s own next line; nothing is sent', { 200: draft }),
    takesTimeZone,
    valid('json', askBody),
    async (c) => {
      const { texts, points } = await ask(c, 'draft', c.req.valid('json'));
      return c.json({ draft: texts[0] ?? '', points });
    },
  );
