import { evictDurableObject, runDurableObjectAlarm } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, test } from 'vitest';
import type { StorageView } from '../../../../../src/features/storage/contract.ts';
import { createOwnCharacter } from '../../../../support/character-actions.ts';
import { ConversationClient } from '../../../../support/conversation-client.ts';
import {
  createAccount,
  getConversationStub,
  signInGuest,
  startConversation,
  type Visitor,
} from '../../../../support/factories.ts';

let me: Visitor;
beforeEach(async () => {
  me = await signInGuest();
});

describe('The copy of a character', () => {
  const LORE = { entries: [{ keys: ['harbour'], content: 'The harbour freezes in winter.', enabled: true }] };

  /** A public character with a lorebook. */
  async function createCharacterWithLore() {
    const maker = await createAccount();
    const character = await createOwnCharacter(maker, {
      visibility: 'public',
      first_message: 'You came back.',
    });
    const answer = await maker.call(`/api/characters/${character.id}/lorebook`, {
      method: 'PUT',
      json: { book: LORE },
    });
    expect(answer.status).toBe(200);
    return { maker, id: character.id };
  }
  const countCopies = async (characterId: string) =>
    (
      await env.DB.prepare('select count(*) as count from character_copies where character_id = ?')
        .bind(characterId)
        .first<{ count: number }>()
    )?.count;

  test('the copy is stored once for all chats of a version, and goes with the last of them', async () => {
    const { id } = await createCharacterWithLore();
    const mine = await startConversation(me, id);
    const other = await signInGuest();
    const theirs = await startConversation(other, id);
    expect(await countCopies(id)).toBe(1);
    const first = (await new ConversationClient(me, mine).ids())[0] as string;
    const fork = await new ConversationClient(me, mine).ask<{ conversation: { id: string } }>(
      `/messages/${first}/fork`,
      { method: 'POST', json: {}, status: 201 },
    );
    expect(await countCopies(id)).toBe(1);
    for (const chat of [mine, fork.conversation.id])
      await me.call(`/api/conversations/${chat}?forever=true`, { method: 'DELETE' });
    expect(await countCopies(id)).toBe(1);
    await other.call(`/api/conversations/${theirs}?forever=true`, { method: 'DELETE' });
    expect(await countCopies(id)).toBe(0);
  });

  test('the copy does not take room in the chats', async () => {
    const { maker, id } = await createCharacterWithLore();
    const content = 'The harbour freezes. '.repeat(900);
    const entries = Array.from({ length: 20 }, (_, index) => ({
      keys: [`k${index}`],
      content,
      enabled: true,
    }));
    await maker.call(`/api/characters/${id}/lorebook`, { method: 'PUT', json: { book: { entries } } });
    await startConversation(me, id);
    expect((await me.ask<StorageView>('/api/account/storage')).used_bytes).toBeLessThan(200_000);
  });

  test('the copy is read again after the object was evicted', async () => {
    const { id } = await createCharacterWithLore();
    const chat = new ConversationClient(me, await startConversation(me, id));
    await evictDurableObject(getConversationStub(chat.id));
    await chat.send('Is the harbour open?');
    const reply = (await chat.messages()).at(-1);
    const context = await chat.ask<{ sections: { kind: string }[] }>(`/messages/${reply?.id}/context`);
    expect(context.sections.map(({ kind }) => kind)).toContain('lore');
  });

  test('the copy is that of the version which the chat uses, until it takes the newer one', async () => {
    const { maker, id } = await createCharacterWithLore();
    const chat = await startConversation(me, id);
    const newer = { entries: [{ keys: ['harbour'], content: 'The harbour burned down.', enabled: true }] };
    await maker.call(`/api/characters/${id}/lorebook`, { method: 'PUT', json: { book: newer } });
    const theirs = await startConversation(await signInGuest(), id);
    expect(theirs).not.toBe(chat);
    expect(await countCopies(id)).toBe(2);
    const { version } = (await env.DB.prepare('select version from characters where id = ?')
      .bind(id)
      .first<{ version: number }>()) ?? { version: 0 };
    const updated = await me.call(`/api/conversations/${chat}/character-version`, {
      method: 'PUT',
      json: { version },
    });
    expect(updated.status).toBe(200);
    await runDurableObjectAlarm(getConversationStub(chat));
    expect(await countCopies(id)).toBe(1);
  });
});
