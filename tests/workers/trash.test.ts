import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { describe, expect, test } from 'vitest';
import { MAX_PINNED } from '../../src/features/conversation/limits.ts';
import { TRASH } from '../../src/features/character/limits.ts';
import type { Message } from '../../src/features/conversation/contract.ts';
import {
  ConversationClient,
  getMessageId,
  startConversationClient,
  startWithTwoExchanges,
} from '../support/conversation-client.ts';
import { openLiveTab } from '../support/live-tab.ts';
import {
  getConversationStub,
  signInGuest,
  createTurnId,
  getPoints,
  postMessage,
} from '../support/factories.ts';
import { createScene } from '../support/scripted-model.ts';

describe('When I delete a message', () => {
  test('what follows goes with it, and all stand where they stood when I take it back', async () => {
    const { chat, said } = await startWithTwoExchanges();
    const trashed = await chat.discard(getMessageId(said, 2));
    expect(trashed).toMatchObject({
      message_count: 3,
      first_message: { role: 'character', excerpt: said[2]?.content },
    });
    expect(Date.parse(trashed.expires_at) - Date.parse(trashed.deleted_at)).toBe(TRASH.retentionMs);
    expect(await chat.messages()).toEqual(said.slice(0, 2));
    expect(await chat.count()).toBe(2);
    expect(await chat.trash()).toEqual({ items: [trashed], next_cursor: null });
    expect(await chat.restore(trashed.id)).toEqual(said.slice(2).map(({ id }) => id));
    expect(await chat.messages()).toEqual(said);
    expect(await chat.count()).toBe(5);
    expect(await chat.trash()).toEqual({ items: [], next_cursor: null });
    await chat.ask(`/trash/${trashed.id}/restore`, { method: 'POST', status: 404 });
  });

  test('and go on differently, both stories are there when I take it back', async () => {
    const { chat, said } = await startWithTwoExchanges();
    const trashed = await chat.discard(getMessageId(said, 3));
    await chat.send('Instead.');
    const [, , , instead, reply] = await chat.messages();
    expect(instead?.content).toBe('Instead.');
    await chat.restore(trashed.id);
    expect(await chat.messages()).toEqual([...said, instead, reply]);
    expect(await chat.count()).toBe(7);
  });

  test('it is not there by any route, and the model does not read it', async () => {
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
    const told = createScene('tokens n=1');
    await chat.send(`Where is it? ${told.marker}`);
    expect(JSON.stringify((await told.requests())[0]?.body)).not.toContain('stairs');
  });

  test('and send it again under its id, I am told so, and nothing is sent or paid for', async () => {
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
    const replyGone = await chat.discard(reply as string);
    await expectDeleted();
    const mineGone = await chat.discard(mine as string);
    await expectDeleted();
    await chat.restore(replyGone.id);
    // Its reply is there again, and what it answers is not.
    expect((await postMessage(chat.me, chat.id, 'Once.', { turnId: sent })).status).toBe(409);
    await chat.restore(mineGone.id);
    for (const answer of await again()) expect(await answer.text()).toContain('event: done');
    const { id } = await chat.discard(mine as string);
    expect((await chat.call(`/trash/${id}`, { method: 'DELETE' })).status).toBe(204);
    await expectDeleted();
    expect(await chat.count()).toBe(1);
    expect(await getPoints(chat.me)).toMatchObject({ current_points: 48 });
  });

  test('twice in one story, the deletions come back in any order', async () => {
    for (const order of [
      [0, 1],
      [1, 0],
    ] as const) {
      const { chat, said } = await startWithTwoExchanges();
      const later = await chat.discard(getMessageId(said, 3));
      const earlier = await chat.discard(getMessageId(said, 1));
      expect([later.message_count, earlier.message_count]).toEqual([2, 2]);
      expect((await chat.trash()).items.map(({ id }) => id).toSorted()).toEqual(
        [earlier.id, later.id].toSorted(),
      );
      const back = order.map((index) => [later, earlier][index]);
      await chat.restore(back[0]?.id as string);
      expect(await chat.ids()).toEqual(
        said
          .filter((_, index) => index === 0 || (order[0] === 0 ? index > 2 : index < 3))
          .map(({ id }) => id),
      );
      expect(await chat.count()).toBe(3);
      await chat.restore(back[1]?.id as string);
      expect(await chat.messages()).toEqual(said);
      expect(await chat.count()).toBe(5);
    }
  });

  test('the very first included, I can begin anew and still have it back', async () => {
    const { chat, said } = await startWithTwoExchanges();
    const trashed = await chat.discard(getMessageId(said, 0));
    expect(await chat.messages()).toEqual([]);
    expect(await chat.count()).toBe(0);
    await chat.send('From nothing.');
    expect(await chat.count()).toBe(2);
    await chat.restore(trashed.id);
    expect((await chat.messages()).slice(0, 5)).toEqual(said);
  });

  test('many times, the list of the trash comes by pages, newest first', async () => {
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

  test('and erase that deletion, it is gone at once, and what else is in the trash stays', async () => {
    const { chat, said } = await startWithTwoExchanges();
    const later = await chat.discard(getMessageId(said, 3));
    const earlier = await chat.discard(getMessageId(said, 1));
    expect((await chat.call(`/trash/${earlier.id}`, { method: 'DELETE' })).status).toBe(204);
    expect((await chat.call(`/trash/${earlier.id}`, { method: 'DELETE' })).status).toBe(404);
    await chat.ask(`/trash/${earlier.id}/restore`, { method: 'POST', status: 404 });
    await chat.restore(later.id);
    expect(await chat.messages()).toEqual([said[0], ...said.slice(3)]);
    expect(await chat.count()).toBe(3);
  });

  test('it is gone for good after 30 days, not before, and by itself', async () => {
    const { chat, said } = await startWithTwoExchanges();
    const older = await chat.discard(getMessageId(said, 3));
    const newer = await chat.discard(getMessageId(said, 1));
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
      expect(rows('versions')).toHaveLength(3);
      // It wakes for the next one, and not sooner.
      expect(await storage.getAlarm()).toBe(Date.parse(newer.expires_at));
    });
    await chat.restore(newer.id);
    expect(await chat.messages()).toEqual(said.slice(0, 3));
    expect(await chat.count()).toBe(3);
    await pass(newer.id, 0);
    await runDurableObjectAlarm(stub);
    await runInDurableObject(stub, async (_, { storage }) => expect(await storage.getAlarm()).toBeNull());
  });
});

describe('When I pin a message', () => {
  test('it is marked until I let it go, again and again', async () => {
    const { chat, said } = await startWithTwoExchanges();
    for (const pinned of [true, true, false, false, true]) {
      const answer = await chat.pin(getMessageId(said, 1), pinned);
      expect(await answer.json()).toEqual({ ...said[1], pinned });
      expect(await chat.messages()).toEqual(said.with(1, { ...(said[1] as Message), pinned }));
    }
    const { id } = await chat.discard(getMessageId(said, 1));
    await chat.restore(id);
    expect((await chat.messages())[1]?.pinned).toBe(true);
  });

  test('there is a limit, which says itself, and letting one go makes room', async () => {
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

  test('and what is taken back brings more, the newest stay, and other tabs learn which went', async () => {
    const me = await signInGuest();
    const { id } = await startConversationClient(me);
    const chat = new ConversationClient(me, id, 'page-that-writes');
    await chat.insertMessages(...Array.from({ length: MAX_PINNED }, (_, index) => `line ${index}`));
    const before = (await chat.ids()).slice(1);
    for (const one of before) await chat.pin(one);
    const trashed = await chat.discard(before[MAX_PINNED - 3] as string);
    await chat.insertMessages('One more.', 'And one.');
    const since = (await chat.ids()).slice(-2);
    for (const one of since) expect((await chat.pin(one)).status).toBe(200);
    const other = await openLiveTab(me, id, 'page-that-reads');
    const told: { message_ids: string[] }[] = [];
    other.socket.addEventListener('message', ({ data }) => {
      if (data !== 'pong') told.push(JSON.parse(String(data)) as { message_ids: string[] });
    });
    expect(await chat.restore(trashed.id)).toEqual(before.slice(-3));
    const pinned = (await chat.messages()).filter((message) => message.pinned).map((message) => message.id);
    expect(pinned).toEqual([...before.slice(2), ...since]);
    await other.hears('changed');
    expect(told[0]?.message_ids).toEqual([...before.slice(0, 2), ...before.slice(-3)]);
  });
});
