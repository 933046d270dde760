import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { describe, expect, test, vi } from 'vitest';
import type { TrashItem } from '../../../../../src/features/conversation/contract.ts';
import type {
  ContextRecord,
  MemoryView,
} from '../../../../../src/features/conversation/memory/memory-contract.ts';
import { MEMORY_LIMITS } from '../../../../../src/features/conversation/memory/memory-limits.ts';
import { MemoryStore } from '../../../../../src/features/conversation/memory/memory-store.ts';
import { createMessageIds } from '../../../../../src/features/conversation/messages/message-ids.ts';
import { createId } from '../../../../../src/lib/ids.ts';
import { openLiveTab } from '../../../../support/live-tab.ts';
import {
  startConversation,
  getConversationStub,
  signInGuest,
  listMessages,
  sendMessage,
} from '../../../../support/factories.ts';

/** Four messages of this length fill the context of the test models. */
const FILLER = 'a '.repeat(3900);

/** All rows of a table of the conversation as one text. */
const readTable = (id: string, table: 'memory_entries' | 'contexts') =>
  runInDurableObject(getConversationStub(id), (_, { storage }) =>
    JSON.stringify(storage.sql.exec(`select * from ${table}`).toArray()),
  );

describe('Deleted memory notes', () => {
  test('a removed memory note is erased after a while, even if the user never returns', async () => {
    const me = await signInGuest();
    const id = await startConversation(me);
    const put = (json: unknown) =>
      me.ask<MemoryView>(`/api/conversations/${id}/memory`, { method: 'PUT', json });
    await put({ summary: 'The key lies under the stone.' });
    await put({ entries: [] });
    const alarm = () => runDurableObjectAlarm(getConversationStub(id));
    await vi.waitFor(async () => expect(await alarm()).toBe(true), { timeout: 5000, interval: 50 });
    expect(await readTable(id, 'memory_entries')).toContain('under the stone');
    await runInDurableObject(getConversationStub(id), (_, { storage }) => {
      storage.sql.exec('update memory_entries set updated_at = updated_at - 11 * 60000');
    });
    expect(await alarm()).toBe(true);
    expect(await readTable(id, 'memory_entries')).not.toContain('under the stone');
    expect(await alarm()).toBe(false);
  });
});

describe('Memory of deleted messages', () => {
  test('notes about deleted messages do not return through an old summary or a correction', async () => {
    const me = await signInGuest();
    const id = await startConversation(me);
    const path = `/api/conversations/${id}`;
    for (let turn = 0; turn < 8; turn += 1) await sendMessage(me, id, `#f${turn} is true. ${FILLER}`);
    const memory = () => me.ask<MemoryView>(`${path}/memory`);
    const put = (json: unknown, status = 200) =>
      me.ask<MemoryView & { code?: string }>(`${path}/memory`, { method: 'PUT', json, status });
    await vi.waitFor(async () => expect((await memory()).summary).toContain('#f0'), {
      timeout: 15_000,
      interval: 50,
    });
    const seen = await memory();
    const note = seen.entries.find(({ text }) => text.includes('#f0'));
    const [, first] = await listMessages(me, id);
    const trashed = await me.ask<TrashItem>(`${path}/messages/${first?.id}`, { method: 'DELETE' });
    const older = { summary: `${seen.summary}\nThe sea is warm.` };
    const { summary } = await put(older);
    expect(summary).toContain('The sea is warm.');
    expect(summary).not.toContain('#f');
    const reworded = { id: note?.id, text: `Once: ${note?.text}`, rests_on: note?.source_message_ids };
    const { set_aside_count: waiting, ...shown } = await put({ entries: [reworded], known: [] });
    expect(waiting).toBeGreaterThan(0);
    expect(JSON.stringify(shown)).not.toContain('#f');
    await sendMessage(me, id, 'Go on.');
    const reply = (await listMessages(me, id)).at(-1);
    const context = await me.ask<ContextRecord>(`${path}/messages/${reply?.id}/context`);
    expect(JSON.stringify(context)).toContain('The sea is warm.');
    expect(JSON.stringify(context)).not.toContain('#f');
    expect((await me.call(`${path}/trash/${trashed.id}`, { method: 'DELETE' })).status).toBe(204);
    expect((await put({ entries: [reworded], known: [] }, 409)).code).toBe('memory_source_deleted');
    expect((await put({ summary: `${older.summary}\nSo is the sand.` })).summary).toMatch(
      /The sea is warm\.\nSo is the sand\.$/,
    );
    expect(await readTable(id, 'memory_entries')).not.toContain('#f');
  });
});

describe('Background memory', () => {
  test('a note may have every message of the longest conversation as a source', async () => {
    const id = await startConversation(await signInGuest());
    const sources = Array.from({ length: MEMORY_LIMITS.maxSourceMessages }, (_, index) =>
      createMessageIds(index + 1, 0),
    );
    const view = await runInDurableObject(getConversationStub(id), (_, { storage }) => {
      const memory = new MemoryStore(storage.sql);
      const text = '語'.repeat(MEMORY_LIMITS.maxSummaryChars);
      memory.importEntries([
        {
          id: createId(0),
          text,
          author: 'person',
          createdAt: 0,
          updatedAt: 0,
          removed: false,
          sources: sources.map(({ id: messageId, versionId }) => ({ messageId, versionId })),
        },
      ]);
      return memory.exportNotes();
    });
    expect(view[0]?.source_message_ids).toEqual(sources.map((source) => source.id));
  });

  test('open tabs learn of a memory note that was written in the background', async () => {
    const me = await signInGuest();
    const id = await startConversation(me);
    const tab = await openLiveTab(me, id, 'page-that-reads');
    for (let turn = 0; turn < 8; turn += 1) await sendMessage(me, id, `#f${turn} is true. ${FILLER}`);
    await vi.waitFor(() => expect(tab.receivedHints).toContain('changed'), { timeout: 15_000, interval: 50 });
    const { summary } = await me.ask<MemoryView>(`/api/conversations/${id}/memory`);
    expect(summary).toContain('#f0');
  });
});

describe('Context view', () => {
  test('the context view omits a deleted pinned message, and erasing it removes its text from storage', async () => {
    const me = await signInGuest();
    const id = await startConversation(me);
    const path = `/api/conversations/${id}`;
    const remove = (messageId: string | undefined) =>
      me.ask<TrashItem>(`${path}/messages/${messageId}`, { method: 'DELETE' });
    await sendMessage(me, id, 'The key lies under the stone.');
    const [, pinned] = await listMessages(me, id);
    await me.ask(`${path}/messages/${pinned?.id}/pin`, { method: 'PUT' });
    for (let turn = 0; turn < 6; turn += 1) await sendMessage(me, id, `Then. ${FILLER}`);
    const [lastMessage, reply] = (await listMessages(me, id)).slice(-2);
    const readContext = async () =>
      JSON.stringify(await me.ask<ContextRecord>(`${path}/messages/${reply?.id}/context`));
    expect(await readContext()).toContain('under the stone');
    const lastDeletion = await remove(lastMessage?.id);
    const pinDeletion = await remove(pinned?.id);
    await me.ask(`${path}/trash/${lastDeletion.id}/restore`, { method: 'POST' });
    expect(await readContext()).not.toContain('under the stone');
    expect((await me.call(`${path}/trash/${pinDeletion.id}`, { method: 'DELETE' })).status).toBe(204);
    expect(await readContext()).not.toContain('under the stone');
    expect(await readTable(id, 'contexts')).not.toContain('under the stone');
  });
});
