import { expect, test } from 'vitest';
import type { ConversationCreated } from '../../../../src/features/conversation/contract.ts';
import { addCharacter, listMessages, sendMessage, signInGuest } from '../../../support/factories.ts';

test('a conversation uses the nickname of the account once it is asked to', async () => {
  const me = await signInGuest();
  const { conversation } = await me.ask<ConversationCreated>('/api/conversations', {
    json: { character_id: await addCharacter({ firstMessage: 'Hello, {{user}}.' }) },
    status: 201,
  });
  await sendMessage(me, conversation.id);
  await me.ask('/api/account', { method: 'PATCH', json: { nickname: 'Kim' } });
  expect((await listMessages(me, conversation.id))[0]).toMatchObject({ content: 'Hello, Stranger.' });
  const named = await me.ask(`/api/conversations/${conversation.id}/own-name`, { method: 'PUT' });
  expect(named).toMatchObject({ user_name: 'Kim', own_name: 'Kim' });
  expect((await listMessages(me, conversation.id))[0]).toMatchObject({ content: 'Hello, Kim.' });
  const other = await signInGuest();
  const refused = await other.call(`/api/conversations/${conversation.id}/own-name`, { method: 'PUT' });
  expect(refused.status).toBe(404);
});
