import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { describe, expect, test } from 'vitest';
import { MAX_PINNED } from '../../../../../src/features/conversation/limits.ts';
import { TRASH } from '../../../../../src/features/character/limits.ts';
import type { Message } from '../../../../../src/features/conversation/contract.ts';
import {
  ConversationClient,
  getMessageId,
  startConversationClient,
  startWithTwoExchanges,
} from '../../../../support/conversation-client.ts';
import { openLiveTab } from '../../../../support/live-tab.ts';
import {
  getConversationStub,
  signInGuest,
  createTurnId,
  getPoints,
  postMessage,
} from '../../../../support/factories.ts';
import { createScene } from '../../../../support/scripted-model.ts';

describe('Deleted messages', () => {
  test('deleting a message deletes those after it, and restoring it brings all back in place', async () => {
    const { chat, said: original } = await startWithTwoExchanges();
    const trashed = await chat.discard(getMessageId(original, 2));
    expect(trashed).toMatchObject({
      message_count: 3,
      first_message: { role: 'character', excerpt: original[2]?.content },
    });
    expect(Date.parse(trashed.expires_at) - Date.parse(trashed.deleted_at)).toBe(TRASH.retentionMs);
    expect(await chat.messages()).toEqual(original.slice(0, 2));
    expect(await chat.count()).toBe(2);
    expect(await chat.trash()).toEqual({ items: [trashed], next_cursor: null });
    expect(await chat.restore(trashed.id)).toEqual(original.slice(2).map(({ id }) => id));
    expect(await chat.messages()).toEqual(original);
    expect(await chat.count()).toBe(5);
    expect(await chat.trash()).toEqual({ items: [], next_cursor: null });
    await chat.ask(`/trash/${trashed.id}/restore`, { method: 'POST', status: 404 });
  });

  test('restoring deleted messages keeps the messages sent since', async () => {
    const { chat, said: original } = await startWithTwoExchanges();
    const trashed = await chat.discard(getMessageId(original, 3));
    await chat.send('Instead.');
    const [, , , instead, reply] = await chat.messages();
    expect(instead?.content).toBe('Instead.');
    await chat.restore(trashed.id);
    expect(await chat.messages()).toEqual([...original, instead, reply]);
    expect(await chat.count()).toBe(7);
  });

  test('a deleted message is unavailable by every route and not sent to the model', async () => {
    const chat = await startConversationClient(await signInGuest());
    await chat.send('The secret is under the stairs.');
    const [, mine, reply] = await chat.messages();
    await chat.discard(mine?.id as string);
    for (const id of [mine?.id as string, reply?.id as string]) {
      await chat.edit(id, 'x', 404);
      await chat.select(id, 'x', 404);
      await chat.discard(id, 404);
      expect((await chat.rewrite('regenerate', id)).status).toBe(404);
      expect((await chat.rewrite('continue', id)).status).toBe(404);
      expect((await chat.pin(id)).status).toBe(404);
      expect((await chat.call(`/messages/${id}/fork`, { method: 'POST' })).status).toBe(404);
      expect((await chat.call(`/messages/${id}/context`)).status).toBe(404);
      expect((await chat.call(`?around=${id}`)).status).toBe(404);
    }
    const scene = createScene('tokens n=1');
    await chat.send(`Where is it? ${scene.marker}`);
    expect(JSON.stringify((await scene.requests())[0]?.body)).not.toContain('stairs');
  });

  test('resending a deleted turn is refused and free until it is restored', async () => {
    const chat = await startConversationClient(await signInGuest());
    const [sent, rewritten] = [createTurnId(), createTurnId()];
    await chat.send('Once.', { turnId: sent });
    const [, mine, reply] = await chat.ids();
    await chat.regenerate(reply as string, { turnId: rewritten });
    const again = async () => [
      await postMessage(chat.me, chat.id, 'Once.', { turnId: sent }),
      await chat.rewrite('regenerate', reply as string, { turnId: rewritten }),
    ];
    const expectDeleted = async () => {
      for (const answer of await again()) {
        expect([answer.status, await answer.json()]).toEqual([
          409,
          expect.objectContaining({ code: 'message_deleted' }),
        ]);
      }
    };
    const replyDeletion = await chat.discard(reply as string);
    await expectDeleted();
    const messageDeletion = await chat.discard(mine as string);
    await expectDeleted();
    await chat.restore(replyDeletion.id);
    // The reply is back, and the message it answers is not.
    expect((await postMessage(chat.me, chat.id, 'Once.', { turnId: sent })).status).toBe(409);
    await chat.restore(messageDeletion.id);
    for (const answer of await again()) expect(await answer.text()).toContain('event: done');
    const { id } = await chat.discard(mine as string);
    expect((await chat.call(`/trash/${id}`, { method: 'DELETE' })).status).toBe(204);
    await expectDeleted();
    expect(await chat.count()).toBe(1);
    expect(await getPoints(chat.me)).toMatchObject({ current_points: 48 });
  });

  test('two deletions of one conversation can be restored in any order', async () => {
    for (const order of [
      [0, 1],
      [1, 0],
    ] as const) {
      const { chat, said: original } = await startWithTwoExchanges();
      const later = await chat.discard(getMessageId(original, 3));
      const earlier = await chat.discard(getMessageId(original, 1));
      expect([later.message_count, earlier.message_count]).toEqual([2, 2]);
      expect((await chat.trash()).items.map(({ id }) => id).toSorted()).toEqual(
        [earlier.id, later.id].toSorted(),
      );
      const deletions = order.map((index) => [later, earlier][index]);
      await chat.restore(deletions[0]?.id as string);
      expect(await chat.ids()).toEqual(
        original
          .filter((_, index) => index === 0 || (order[0] === 0 ? index > 2 : index < 3))
          .map(({ id }) => id),
      );
      expect(await chat.count()).toBe(3);
      await chat.restore(deletions[1]?.id as string);
      expect(await chat.messages()).toEqual(original);
      expect(await chat.count()).toBe(5);
    }
  });

  test('a conversation can continue after all its messages were deleted, and have them restored', async () => {
    const { chat, said: original } = await startWithTwoExchanges();
    const trashed = await chat.discard(getMessageId(original, 0));
    expect(await chat.messages()).toEqual([]);
    expect(await chat.count()).toBe(0);
    await chat.send('From nothing.');
    expect(await chat.count()).toBe(2);
    await chat.restore(trashed.id);
    expect((await chat.messages()).slice(0, 5)).toEqual(original);
  });

  test('the trash of a conversation is read in pages, newest first', async () => {
    const chat = await startConversationClient(await signInGuest());
    await chat.insertMessages('a', 'b', 'c', 'd', 'e');
    const ids = (await chat.ids()).slice(1).toReversed();
    const deleted: string[] = [];
    for (const id of ids) deleted.push((await chat.discard(id)).id);
    const seen: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const page = await chat.trash(`?limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`);
      seen.push(...page.items.map(({ id }) => id));
      cursor = page.next_cursor;
    }
    expect(seen).toEqual(deleted.toSorted().toReversed());
  });

  test('erasing one deletion keeps the others in the trash', async () => {
    const { chat, said: original } = await startWithTwoExchanges();
    const later = await chat.discard(getMessageId(original, 3));
    const earlier = await chat.discard(getMessageId(original, 1));
    expect((await chat.call(`/trash/${earlier.id}`, { method: 'DELETE' })).status).toBe(204);
    expect((await chat.call(`/trash/${earlier.id}`, { method: 'DELETE' })).status).toBe(404);
    await chat.ask(`/trash/${earlier.id}/restore`, { method: 'POST', status: 404 });
    await chat.restore(later.id);
    expect(await chat.messages()).toEqual([original[0], ...original.slice(3)]);
    expect(await chat.count()).toBe(3);
  });

  test('deleted messages are erased by the alarm after 30 days and not earlier', async () => {
    const { chat, said: original } = await startWithTwoExchanges();
    const older = await chat.discard(getMessageId(original, 3));
    const newer = await chat.discard(getMessageId(original, 1));
    const stub = getConversationStub(chat.id);
    const pass = (id: string, ms: number) =>
      runInDurableObject(stub, (_, { storage }) => {
        storage.sql.exec('update trash set expires_at = expires_at - ? where id = ?', ms, id);
      });
    await pass(older.id, TRASH.retentionMs - 60_000);
    expect(await runDurableObjectAlarm(stub)).toBe(true);
    expect((await chat.trash()).items).toHaveLength(2);
    await pass(older.id, 60_000);
    expect(await runDurableObjectAlarm(stub)).toBe(true);
    expect((await chat.trash()).items).toMatchObject([{ id: newer.id }]);
    await chat.ask(`/trash/${older.id}/restore`, { method: 'POST', status: 404 });
    await runInDurableObject(stub, async (_, { storage }) => {
      const rows = (table: string) => storage.sql.exec(`select * from ${table}`).toArray();
      expect(rows('messages')).toHaveLength(3);
      expect(rows('versions')).toHaveLength(0);
      // The alarm is set for the next expiry and not earlier.
      expect(await storage.getAlarm()).toBe(Date.parse(newer.expires_at));
    });
    await chat.restore(newer.id);
    expect(await chat.messages()).toEqual(original.slice(0, 3));
    expect(await chat.count()).toBe(3);
    await pass(newer.id, 0);
    await runDurableObjectAlarm(stub);
    await runInDurableObject(stub, async (_, { storage }) => expect(await storage.getAlarm()).toBeNull());
  });
});

describe('Pins', () => {
  test('a pinned message stays pinned until it is unpinned, also through the trash', async () => {
    const { chat, said: original } = await startWithTwoExchanges();
    for (const pinned of [true, true, false, false, true]) {
      const answer = await chat.pin(getMessageId(original, 1), pinned);
      expect(await answer.json()).toEqual({ ...original[1], pinned });
      expect(await chat.messages()).toEqual(original.with(1, { ...(original[1] as Message), pinned }));
    }
    const { id } = await chat.discard(getMessageId(original, 1));
    await chat.restore(id);
    expect((await chat.messages())[1]?.pinned).toBe(true);
  });

  test('pinning beyond the limit is refused, and unpinning makes room', async () => {
    const chat = await startConversationClient(await signInGuest());
    await chat.insertMessages(...Array.from({ length: MAX_PINNED }, (_, index) => `line ${index}`));
    const ids = await chat.ids();
    for (const id of ids.slice(0, MAX_PINNED)) expect((await chat.pin(id)).status).toBe(200);
    const refused = await chat.pin(ids[MAX_PINNED] as string);
    expect([refused.status, await refused.json()]).toEqual([
      409,
      expect.objectContaining({ code: 'pin_limit', limit: MAX_PINNED }),
    ]);
    expect((await chat.pin(ids[0] as string)).status).toBe(200);
    await chat.pin(ids[0] as string, false);
    expect((await chat.pin(ids[MAX_PINNED] as string)).status).toBe(200);
  });

  test('restoring more pins than allowed keeps the newest ones and notifies other tabs', async () => {
    const me = await signInGuest();
    const { id } = await startConversationClient(me);
    const chat = new ConversationClient(me, id, 'page-that-writes');
    await chat.insertMessages(...Array.from({ length: MAX_PINNED }, (_, index) => `line ${index}`));
    const before = (await chat.ids()).slice(1);
    for (const one of before) await chat.pin(one);
    const trashed = await chat.discard(before[MAX_PINNED - 3] as string);
    await chat.insertMessages('One more.', 'And one.');
    const newPins = (await chat.ids()).slice(-2);
    for (const one of newPins) expect((await chat.pin(one)).status).toBe(200);
    const other = await openLiveTab(me, id, 'page-that-reads');
    const received: { message_ids: string[] }[] = [];
    other.socket.addEventListener('message', ({ data }) => {
      if (data !== 'pong') received.push(JSON.parse(String(data)) as { message_ids: string[] });
    });
    expect(await chat.restore(trashed.id)).toEqual(before.slice(-3));
    const pinned = (await chat.messages()).filter((message) => message.pinned).map((message) => message.id);
    expect(pinned).toEqual([...before.slice(2), ...newPins]);
    await other.hears('changed');
    expect(received[0]?.message_ids).toEqual([...before.slice(0, 2), ...before.slice(-3)]);
  });
});
