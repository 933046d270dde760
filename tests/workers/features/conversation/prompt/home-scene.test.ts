import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import type { ConversationCreated } from '../../../../../src/features/conversation/contract.ts';
import { HOME_SELECTION_KEY } from '../../../../../src/features/home/home-selection.ts';
import german from '../../../../../src/locales/de/home.json' with { type: 'json' };
import { addCharacter, signInGuest } from '../../../../support/factories.ts';

test("the conversation from the home page continues its scene in the reader's language", async () => {
  const visitor = await signInGuest();
  const characterId = await addCharacter();
  await env.KV.put(HOME_SELECTION_KEY, JSON.stringify({ scene: characterId, moods: [] }));
  const { conversation, messages } = await visitor.ask<ConversationCreated>('/api/conversations', {
    json: { character_id: characterId, scene: 'home' },
    headers: { cookie: `${visitor.cookie}; lang=de` },
    status: 201,
  });
  const { characterLine1: theirs1, userLine: yours, characterLine2: theirs2 } = german.scene;
  expect(messages.map(({ role, content }) => [role, content])).toEqual([
    ['character', theirs1],
    ['user', yours],
    ['character', theirs2],
  ]);
  expect(conversation.message_count).toBe(3);
});

test('only the character of the home page has the home scene', async () => {
  const visitor = await signInGuest();
  await env.KV.put(HOME_SELECTION_KEY, JSON.stringify({ scene: await addCharacter(), moods: [] }));
  await visitor.ask('/api/conversations', {
    json: { character_id: await addCharacter(), scene: 'home' },
    status: 404,
  });
});
