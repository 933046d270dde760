import { env } from 'cloudflare:workers';
import { describe, expect, test, vi } from 'vitest';
import type { TrashedChats } from '../../../../src/features/conversation/contract.ts';
import { SearchObject } from '../../../../src/features/search/search-object.ts';
import { type ConversationClient, startConversationClient } from '../../../support/conversation-client.ts';
import {
  getConversationStub,
  expectBalancedLedger,
  signInGuest,
  getPoints,
  type Visitor,
  listConversation,
} from '../../../support/factories.ts';
import { buildTurnRequest } from '../../../support/turn-requests.ts';
import { createScene } from '../../../support/scripted-model.ts';

const listTrash = async (me: Visitor) => (await me.ask<TrashedChats>('/api/conversations/trash')).items;
const moveToTrash = async (chat: ConversationClient) =>
  expect((await chat.call('', { method: 'DELETE' })).status).toBe(204);

describe('Deleted conversations', () => {
  test('the trash lists deleted conversations in pages, newest first', async () => {
    const me = await signInGuest();
    const chats = [
      await startConversationClient(me),
      await startConversationClient(me),
      await startConversationClient(me),
      await startConversationClient(me),
      await startConversationClient(me),
    ];
    for (const chat of chats) {
      await listConversation(me, chat.id);
      await moveToTrash(chat);
    }
    // Deleted at the same millisecond.
    await env.DB.prepare('update conversations set deleted_at = 1000 where id in (?, ?, ?)')
      .bind(...chats.slice(0, 3).map(({ id }) => id))
      .run();
    const seen: string[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const page: TrashedChats = await me.ask(
        `/api/conversations/trash?limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`,
      );
      seen.push(...page.items.map(({ id }) => id));
      cursor = page.next_cursor;
    }
    expect(seen).toEqual((await listTrash(me)).map(({ id }) => id));
    const ids = chats.map(({ id }) => id);
    expect(seen.toSorted()).toEqual(ids.toSorted());
    expect(seen.slice(0, 2).toSorted()).toEqual(ids.slice(3).toSorted());
  });

  test('erasing a conversation ends a turn that starts during it and releases its points', async () => {
    const me = await signInGuest();
    const chat = await startConversationClient(me);
    const slow = createScene('gate n=2');
    const request = { ...(await buildTurnRequest(me, chat.id)), content: slow.marker };
    const stub = getConversationStub(chat.id);
    const sent: boolean[] = [];
    // A message is sent while the search entries are being removed.
    vi.spyOn(SearchObject.prototype, 'removeConversation').mockImplementationOnce(async () => {
      sent.push((await getConversationStub(chat.id).send(request)).ok);
    });
    expect(await stub.erase(me.id)).toEqual({ ok: true });
    expect(sent).toEqual([true]);
    expect(await stub.send(request)).toEqual({ ok: false, code: 'not_found' });
    expect(await getPoints(me)).toMatchObject({ current_points: 50 });
    await expectBalancedLedger(me);
  });
});
