import { Hono, type Context } from 'hono';
import { z } from 'zod';
import { getCharacter } from '../features/character/character-store.ts';
import {
  chatList,
  conversation,
  conversationCreated,
  conversationPage,
  createConversationBody,
  historyQuery,
  message,
  regenerateBody,
  renameConversationBody,
  sendMessageBody,
} from '../features/conversation/contract.ts';
import {
  addToIndex,
  conversationOwner,
  listChats,
  removeFromIndex,
} from '../features/conversation/conversation-index-store.ts';
import type { TurnResult } from '../features/conversation/conversation-object.ts';
import { translator } from '../locales/i18n.ts';
import { looksLikeId, newId } from '../ids.ts';
import { viewerOf } from './characters.ts';
import type { ApiEnv } from './context.ts';
import { languageOf } from './language.ts';
import { answers } from './describe.ts';
import { requireCaller } from './guards.ts';
import { Problem, secondsUntil } from './problems.ts';
import { valid } from './valid.ts';

const stopped = z.object({ reply: message.nullable() });

/** The one place where a conversation's object is found. */
function conversationOf(c: Context<ApiEnv>, id: string) {
  // What cannot be an id of ours need not wake an object.
  if (!looksLikeId(id)) throw new Problem('not_found');
  return c.env.CONVERSATIONS.get(c.env.CONVERSATIONS.idFromName(id));
}

const EVENT_HEADERS = { 'content-type': 'text/event-stream; charset=utf-8', 'x-accel-buffering': 'no' };

/** A turn's events, or its refusal as the problem that the contract names. */
function answerTurn(c: Context<ApiEnv>, result: TurnResult): Response {
  if (result.ok) return c.body(result.events, 200, EVENT_HEADERS);
  if ('points' in result) {
    const { points } = result;
    const at = result.code === 'points_exhausted' ? points.refills_at : points.daily_resets_at;
    throw new Problem(result.code, { points }, secondsUntil(Date.parse(at), Date.now()));
  }
  throw new Problem(result.code);
}

export const conversations = new Hono<ApiEnv>()
  .post(
    '/',
    answers('Begin a conversation', { 201: conversationCreated }),
    valid('json', createConversationBody),
    async (c) => {
      const caller = await requireCaller(c);
      const db = c.get('db');
      const { character_id, persona_id } = c.req.valid('json');
      const character = await getCharacter(db, character_id, viewerOf(caller));
      // No persona exists yet that could be anybody's.
      if (character === null || persona_id !== undefined) throw new Problem('not_found');
      const now = Date.now();
      const id = newId(now);
      const created = await conversationOf(c, id).create({
        id,
        ownerId: caller.user.id,
        userName: caller.user.nickname ?? translator(languageOf(c))('chat:nameless'),
        character: {
          id: character.id,
          name: character.name,
          oneliner: character.oneliner,
          character_traits: character.character_traits,
          first_message: character.first_message,
          model_type: character.model_type,
          point_of_view: character.point_of_view,
          suggested_replies: character.suggested_replies,
          avatar_url: character.avatar_url,
        },
      });
      await addToIndex(db, {
        id,
        ownerId: caller.user.id,
        characterId: character.id,
        title: null,
        createdAt: now,
        lastMessageAt: now,
        messageCount: created.conversation.message_count,
      });
      return c.json(created, 201);
    },
  )
  .get(
    '/:id',
    answers('The newest page of a conversation', { 200: conversationPage }),
    valid('query', historyQuery),
    async (c) => {
      const { user } = await requireCaller(c);
      const { before, limit } = c.req.valid('query');
      const result = await conversationOf(c, c.req.param('id')).page(user.id, before, limit);
      if (!result.ok) throw new Problem(result.code);
      return c.json(result.page);
    },
  )
  .patch(
    '/:id',
    answers('Rename a conversation', { 200: conversation }),
    valid('json', renameConversationBody),
    async (c) => {
      const { user } = await requireCaller(c);
      const result = await conversationOf(c, c.req.param('id')).rename(user.id, c.req.valid('json').title);
      if (!result.ok) throw new Problem(result.code);
      return c.json(result.conversation);
    },
  )
  .delete('/:id', answers('Delete a conversation', { 204: null }), async (c) => {
    const { user } = await requireCaller(c);
    const id = c.req.param('id');
    const erased = await conversationOf(c, id).erase(user.id);
    // Erased before, and its list row left behind by a failure in between: the repeat removes that.
    if (!erased.ok) {
      if (erased.code !== 'not_found') throw new Problem(erased.code);
      if ((await conversationOwner(c.get('db'), id)) !== user.id) throw new Problem('not_found');
    }
    await removeFromIndex(c.get('db'), id);
    return c.body(null, 204);
  })
  .post(
    '/:id/messages',
    answers('Send a message and follow its reply', { 200: 'events' }),
    valid('json', sendMessageBody),
    async (c) => {
      const { user } = await requireCaller(c);
      const { content, client_message_id, model } = c.req.valid('json');
      return answerTurn(
        c,
        await conversationOf(c, c.req.param('id')).send({
          userId: user.id,
          turnId: client_message_id,
          model: model ?? 'recommended',
          lastEventId: c.req.header('last-event-id') ?? null,
          content,
        }),
      );
    },
  )
  .post(
    '/:id/messages/:mid/regenerate',
    answers('Have a reply written anew', { 200: 'events' }),
    valid('json', regenerateBody),
    async (c) => {
      const { user } = await requireCaller(c);
      const { client_message_id, model } = c.req.valid('json');
      return answerTurn(
        c,
        await conversationOf(c, c.req.param('id')).regenerate({
          userId: user.id,
          turnId: client_message_id,
          model: model ?? 'recommended',
          lastEventId: c.req.header('last-event-id') ?? null,
          replyId: c.req.param('mid'),
        }),
      );
    },
  )
  .get('/:id/stream', answers('Rejoin the reply being written', { 200: 'events', 204: null }), async (c) => {
    const { user } = await requireCaller(c);
    const lastEventId = c.req.header('last-event-id') ?? null;
    const result = await conversationOf(c, c.req.param('id')).follow(user.id, lastEventId);
    if (!result.ok) throw new Problem(result.code);
    if (result.events === null) return c.body(null, 204);
    return c.body(result.events, 200, EVENT_HEADERS);
  })
  .post('/:id/stop', answers('Stop the reply', { 200: stopped }), async (c) => {
    const { user } = await requireCaller(c);
    const result = await conversationOf(c, c.req.param('id')).stop(user.id);
    if (!result.ok) throw new Problem(result.code);
    return c.json({ reply: result.reply });
  });

export const chats = new Hono<ApiEnv>().get(
  '/',
  answers('One’s newest chats', { 200: chatList }),
  async (c) => {
    const { user } = await requireCaller(c);
    return c.json(await listChats(c.get('db'), user.id));
  },
);
