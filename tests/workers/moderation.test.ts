import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { RESTRICTED_PORTRAIT } from '../../src/features/character/portrait.ts';
import type { ChatList, ConversationPage } from '../../src/features/conversation/contract.ts';
import type { ModeratedCharacter } from '../../src/features/character/moderation-contract.ts';
import { createId } from '../../src/lib/ids.ts';
import { startConversationClient } from '../support/conversation-client.ts';
import { createOwnCharacter, fetchOwnCharacters } from '../support/character-actions.ts';
import { ConfiguredVisitor } from '../support/configured-visitor.ts';
import { addCharacter, signInGuest, createAccount, Visitor } from '../support/factories.ts';
import { setModeration } from '../support/staff.ts';

/** Somebody of the operator's. */
async function admin(): Promise<Visitor> {
  const me = await createAccount();
  return new ConfiguredVisitor({ ADMIN_EMAILS: me.email }, me);
}

const put = (me: Visitor, id: string, json: object) =>
  me.call(`/api/admin/characters/${id}/moderation`, { method: 'PUT', json });

describe('Moderation', () => {
  test('is for the operator’s own people: for everybody else there is nothing there', async () => {
    const maker = await createAccount();
    const id = await addCharacter({ creatorId: maker.id });
    const answers = await Promise.all(
      [maker, await createAccount(), await signInGuest(), new Visitor()].map((visitor) =>
        put(visitor, id, { moderation: 'removed' }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 401]);
    // Nor do they learn what it would take.
    expect((await put(maker, id, {})).status).toBe(404);
    expect((await new Visitor().call(`/api/characters/${id}`)).status).toBe(200);
  });

  test('takes what it knows, of characters that there are', async () => {
    const operator = await admin();
    const id = await addCharacter({ name: 'Vesper' });
    for (const wrong of [{}, { moderation: 'gone' }, { moderation: 'shown', reason: 'x'.repeat(301) }])
      expect((await put(operator, id, wrong)).status).toBe(400);
    // Its maker is to read why.
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
    'keeps a %s character from everybody but its maker, and all is as it was once it is shown again',
    async (moderation) => {
      const operator = await admin();
      const [maker, reader] = [await createAccount(), await signInGuest()];
      const name = `upsilon${createId(Date.now())}`;
      const { id, avatar_url } = await createOwnCharacter(maker, { name });
      const chat = await startConversationClient(reader, id);
      const own = await startConversationClient(maker, id);

      const seenBy = async (visitor: Visitor) => {
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
      const storyOf = async (visitor: Visitor, conversationId: string) => {
        const { chats } = await visitor.ask<ChatList>('/api/chats');
        const page = await visitor.ask<ConversationPage>(`/api/conversations/${conversationId}`);
        const { conversation } = page;
        const row = chats.find((one) => one.id === conversationId);
        return [row?.character_name, row?.avatar_url, conversation.avatar_url, conversation.character_state];
      };

      expect(await seenBy(new Visitor())).toEqual([1, 200, 200, 200]);
      await put(operator, id, { moderation, reason: 'Somebody told of it.' });
      for (const visitor of [new Visitor(), reader, await createAccount()])
        expect(await seenBy(visitor)).toEqual([0, 404, 404, 404]);
      expect(await seenBy(maker)).toEqual([0, 200, 200, 200]);
      expect((await fetchOwnCharacters(maker)).items).toMatchObject([{ id, moderation }]);
      expect(await storyOf(reader, chat.id)).toEqual([
        name,
        RESTRICTED_PORTRAIT,
        RESTRICTED_PORTRAIT,
        moderation,
      ]);
      expect(await storyOf(maker, own.id)).toEqual([name, avatar_url, avatar_url, moderation]);

      await put(operator, id, { moderation: 'shown' });
      expect(await seenBy(new Visitor())).toEqual([1, 200, 200, 200]);
      expect(await storyOf(reader, chat.id)).toEqual([name, avatar_url, avatar_url, 'shown']);
    },
  );

  test('has the public pages that the character was in forgotten, and those that it comes back into', async () => {
    const maker = await createAccount();
    const id = await addCharacter({ creatorId: maker.id });
    const stale = async () => {
      const { results } = await env.DB.prepare('select tag from stale_pages where tag in (?, ?)')
        .bind(`character:${id}`, `creator:${maker.id}`)
        .all();
      return results.length;
    };
    const forget = () =>
      env.DB.prepare('delete from stale_pages where tag in (?, ?)')
        .bind(`character:${id}`, `creator:${maker.id}`)
        .run();
    for (const moderation of ['hidden', 'shown'] as const) {
      await forget();
      // As the product would tell its caches at once, the marks are looked at where they are made.
      await setModeration(id, moderation);
      expect(await stale()).toBe(2);
    }
    await setModeration(id, 'hidden');
    await forget();
    await setModeration(id, 'removed');
    expect(await stale()).toBe(0);
  });

  test('stands also when its maker puts the character into the trash: its picture stays veiled', async () => {
    const operator = await admin();
    const [maker, reader] = [await createAccount(), await signInGuest()];
    const { id } = await createOwnCharacter(maker);
    const chat = await startConversationClient(reader, id);
    await put(operator, id, { moderation: 'hidden', reason: 'Somebody told of it.' });
    await maker.call(`/api/characters/${id}`, { method: 'DELETE' });
    expect((await chat.page()).conversation).toMatchObject({
      avatar_url: RESTRICTED_PORTRAIT,
      character_state: 'deleted',
    });
    await maker.call(`/api/characters/${id}/restore`, { method: 'POST' });
    expect((await chat.page()).conversation).toMatchObject({ character_state: 'hidden' });
  });
});
