import { Hono } from 'hono';
import { message } from '../features/conversation/contract.ts';
import { changeMemoryBody, contextRecord, memoryView } from '../features/conversation/memory-contract.ts';
import type { ApiEnv } from './context.ts';
import { enter, taken } from './conversation-door.ts';
import { answers } from './describe.ts';
import { valid } from './valid.ts';

/** What a conversation remembers, what is pinned in it, and what the model saw of it. */
export const memory = new Hono<ApiEnv>()
  .get('/:id/memory', answers('What is remembered of a conversation', { 200: memoryView }), async (c) => {
    const { user, conversation } = await enter(c);
    return c.json(taken(await conversation.memory(user.id)).memory);
  })
  .put(
    '/:id/memory',
    answers('Correct what is remembered: the whole text, or the whole list', { 200: memoryView }),
    valid('json', changeMemoryBody),
    async (c) => {
      const { user, conversation, tab } = await enter(c);
      return c.json(taken(await conversation.changeMemory(user.id, c.req.valid('json'), tab)).memory);
    },
  )
  .get(
    '/:id/messages/:mid/context',
    answers('What the model saw when it wrote a reply', { 200: contextRecord }),
    async (c) => {
      const { user, conversation } = await enter(c);
      return c.json(taken(await conversation.contextOf(user.id, c.req.param('mid'))).context);
    },
  )
  .put(
    '/:id/messages/:mid/pin',
    answers('Keep a message in the prompt, however long ago it was', { 200: message }),
    async (c) => {
      const { user, conversation, tab } = await enter(c);
      return c.json(taken(await conversation.pin(user.id, c.req.param('mid'), true, tab)).message);
    },
  )
  .delete(
    '/:id/messages/:mid/pin',
    answers('Let a pinned message go with the others', { 200: message }),
    async (c) => {
      const { user, conversation, tab } = await enter(c);
      return c.json(taken(await conversation.pin(user.id, c.req.param('mid'), false, tab)).message);
    },
  );
