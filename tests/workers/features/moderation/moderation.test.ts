import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { RESTRICTED_PORTRAIT } from '../../../../src/features/character/portrait.ts';
import type { ChatList, ConversationPage } from '../../../../src/features/conversation/contract.ts';
import type { ModeratedCharacter } from '../../../../src/features/character/moderation-contract.ts';
import { createId } from '../../../../src/lib/ids.ts';
import { startConversationClient } from '../../../support/conversation-client.ts';
import { createOwnCharacter, fetchOwnCharacters } from '../../../support/character-actions.ts';
import { ConfiguredVisitor } from '../../../support/configured-visitor.ts';
import {
  addCharacter,
  signInGuest,
  createAccount,
  Visitor,
  listConversation,
} from '../../../support/factories.ts';
import { setModeration } from '../../../support/staff.ts';

/** Creates a member of staff. */
async function createStaff(): Promise<Visitor> {
  const me = await createAccount();
  return new ConfiguredVisitor({ ADMIN_EMAILS: me.email }, me);
}

const put = (me: Visitor, id: string, json: object) =>
  me.call(`/api/admin/characters/${id}/moderation`, { method: 'PUT', json });

describe('Moderation', () => {
  test('moderating a character is answered with 404 for everyone but staff', async () => {
    const creator = await createAccount();
    const id = await addCharacter({ creatorId: creator.id });
    const answers = await Promise.all(
      [creator, await createAccount(), await signInGuest(), new Visitor()].map((visitor) =>
        put(visitor, id, { moderation: 'removed' }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 401]);
    // The answer does not reveal the expected fields either.
    expect((await put(creator, id, {})).status).toBe(404);
    expect((await new Visitor().call(`/api/characters/${id}`)).status).toBe(200);
  });

  test('moderating a character requires valid input, a reason and an existing character', async () => {
    const operator = await createStaff();
    const id = await addCharacter({ name: 'Vesper' });
    for (const wrong of [{}, { moderation: 'gone' }, { moderation: 'shown', reason: 'x'.repeat(301) }])
      expect((await put(operator, id, wrong)).status).toBe(400);
    // The creator of the character reads the reason.
    for (const moderation of ['hidden', 'removed'])
      for (const without of [{}, { reason: ' ' }, { reason: '\u200b' }]) {
        const answer = await put(operator, id, { moderation, ...without });
        expect([answer.status, await answer.json()]).toMatchObject([
          400,
          { fields: { reason: ['Say why'] } },
        ]);
      }
    expect((await new Visitor().call(`/api/characters/${id}`)).status).toBe(200);
    expect((await put(operator, id, { moderation: 'shown' })).status).toBe(200);
    expect((await put(operator, 'unknown', { moderation: 'hidden', reason: 'Why not.' })).status).toBe(404);
    const answer = await put(operator, id, { moderation: 'hidden', reason: 'Somebody told of it.' });
    expect(await answer.json<ModeratedCharacter>()).toEqual({ id, name: 'Vesper', moderation: 'hidden' });
    const hidden = await addCharacter({ deletedAt: Date.now() });
    expect((await put(operator, hidden, { moderation: 'removed', reason: 'A copy.' })).status).toBe(200);
  });

  test.each(['hidden', 'removed'])(
    'a %s character is visible to its creator only, until it is shown again',
    async (moderation) => {
      const operator = await createStaff();
      const [creator, reader] = [await createAccount(), await signInGuest()];
      const name = `upsilon${createId(Date.now())}`;
      const { id, avatar_url } = await createOwnCharacter(creator, { name });
      const chat = await startConversationClient(reader, id);
      const own = await startConversationClient(creator, id);
      await listConversation(reader, chat.id);
      await listConversation(creator, own.id);

      const readStatuses = async (visitor: Visitor) => {
        const found = await visitor.ask<{ items: object[] }>(`/api/characters?q=${name}`);
        const calls = [`/api/characters/${id}`, `/api/characters/${id}/card?format=json`, avatar_url];
        const statuses = await Promise.all(
          calls.map(async (path) => {
            const answer = await visitor.call(path);
            await answer.arrayBuffer();
            return answer.status;
          }),
        );
        return [found.items.length, ...statuses];
      };
      const readCharacterInChat = async (visitor: Visitor, conversationId: string) => {
        const { chats } = await visitor.ask<ChatList>('/api/chats');
        const page = await visitor.ask<ConversationPage>(`/api/conversations/${conversationId}`);
        const { conversation } = page;
        const row = chats.find((one) => one.id === conversationId);
        return [row?.character_name, row?.avatar_url, conversation.avatar_url, conversation.character_state];
      };

      expect(await readStatuses(new Visitor())).toEqual([1, 200, 200, 200]);
      await put(operator, id, { moderation, reason: 'Somebody told of it.' });
      for (const visitor of [new Visitor(), reader, await createAccount()])
        expect(await readStatuses(visitor)).toEqual([0, 404, 404, 404]);
      expect(await readStatuses(creator)).toEqual([0, 200, 200, 200]);
      expect((await fetchOwnCharacters(creator)).items).toMatchObject([{ id, moderation }]);
      expect(await readCharacterInChat(reader, chat.id)).toEqual([
        name,
        RESTRICTED_PORTRAIT,
        RESTRICTED_PORTRAIT,
        moderation,
      ]);
      expect(await readCharacterInChat(creator, own.id)).toEqual([name, avatar_url, avatar_url, moderation]);

      await put(operator, id, { moderation: 'shown' });
      expect(await readStatuses(new Visitor())).toEqual([1, 200, 200, 200]);
      expect(await readCharacterInChat(reader, chat.id)).toEqual([name, avatar_url, avatar_url, 'shown']);
    },
  );

  test('hiding and showing a character purges the public pages that contain it', async () => {
    const creator = await createAccount();
    const id = await addCharacter({ creatorId: creator.id });
    const countStaleTags = async () => {
      const { results } = await env.DB.prepare('select tag from cache_purge_queue where tag in (?, ?)')
        .bind(`character:${id}`, `creator:${creator.id}`)
        .all();
      return results.length;
    };
    const clearStaleTags = () =>
      env.DB.prepare('delete from cache_purge_queue where tag in (?, ?)')
        .bind(`character:${id}`, `creator:${creator.id}`)
        .run();
    for (const moderation of ['hidden', 'shown'] as const) {
      await clearStaleTags();
      // The route would purge the caches at once, so the stored tags are read right after the change.
      await setModeration(id, moderation);
      expect(await countStaleTags()).toBe(2);
    }
    await setModeration(id, 'hidden');
    await clearStaleTags();
    await setModeration(id, 'removed');
    expect(await countStaleTags()).toBe(0);
  });

  test('a moderated character’s picture stays hidden while its creator keeps it in the trash', async () => {
    const operator = await createStaff();
    const [creator, reader] = [await createAccount(), await signInGuest()];
    const { id } = await createOwnCharacter(creator);
    const chat = await startConversationClient(reader, id);
    await put(operator, id, { moderation: 'hidden', reason: 'Somebody told of it.' });
    await creator.call(`/api/characters/${id}`, { method: 'DELETE' });
    expect((await chat.page()).conversation).toMatchObject({
      avatar_url: RESTRICTED_PORTRAIT,
      character_state: 'deleted',
    });
    await creator.call(`/api/characters/${id}/restore`, { method: 'POST' });
    expect((await chat.page()).conversation).toMatchObject({ character_state: 'hidden' });
  });
});
